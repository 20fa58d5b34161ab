"""Conversations and mishaps, played through the public verbs."""
