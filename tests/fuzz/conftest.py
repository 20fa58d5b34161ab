"""These tests need schemathesis, which has an environment of its own: `make test-fuzz`."""

import importlib.util

if importlib.util.find_spec("schemathesis") is None:
    collect_ignore_glob = ["test_*.py"]
