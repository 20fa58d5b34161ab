"""Retention: what a namespace lets go of, when, and by whom."""
