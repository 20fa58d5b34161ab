"""The engine, module by module, where the laws do not reach."""
