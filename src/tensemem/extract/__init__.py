"""From messages to proposed operations: extractors, and how one is called."""
