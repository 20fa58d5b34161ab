"""Model extractors, with the providers' own SDKs, against a server on this machine."""
