"""AsyncMemory: every verb awaited, the loop never blocked, nothing lost when callers go away."""
