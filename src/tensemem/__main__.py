"""``python -m tensemem`` is the command line."""

from __future__ import annotations

from tensemem.adapters.cli import main

main()
