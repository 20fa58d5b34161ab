"""A memory for every client of the Model Context Protocol, over standard input and output or HTTP (extra ``mcp``).

    tensemem mcp --user ada                        what a client starts
    tensemem mcp install --client claude-code      puts that into a client's configuration

Nothing heavy is loaded before it is used, so that installing needs no SDK.
"""

from __future__ import annotations
