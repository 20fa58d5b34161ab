"""Where logs and projections are kept: a reference in plain Python, and SQLite."""
