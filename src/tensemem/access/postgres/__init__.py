"""An access store in a PostgreSQL database. Loads psycopg, of the extra ``postgres``; so it is loaded when used."""
