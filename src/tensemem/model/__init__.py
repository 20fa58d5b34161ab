"""Frozen values and names of the domain; they know nothing of stores, clocks or text."""
