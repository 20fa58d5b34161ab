"""Walls: whatever a tenant calls with what it knows of another reads nothing, changes nothing and tells nothing."""
