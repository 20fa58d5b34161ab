"""Questions: what is asked, what each answer does, and that nothing else changes."""
