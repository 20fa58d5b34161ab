"""The languages the extractor knows, one table each."""
