"""Another key for an encrypted file."""
