"""Sealing: a store around any other one, in which every person's rows are encrypted with a key of their own.

To destroy the key is to forget the person, in every copy of the database there is. `ciphers` seals and names, `rows`
says what of a row is sealed, `reading`, `writing` and `store` are the store, `keyring` knows the keys, `places` where
they are kept, and `opening` joins a store with its keys.
"""
