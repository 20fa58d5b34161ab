"""Who may do what at a served memory: keys with roles and limits, the log of administrative acts, and the guard.

The guard stands before a server's application, looks at who asks, and says which key it is; ``authorize`` says what
a key makes of a call. Nothing here knows a memory: a key that is limited is told whose memories are meant by exact
strings, and what is passed on says them.
"""

from .act import Act
from .deciding import Allowed, authorize, may_call, require
from .guard import guard
from .key import ADMIN, READ, ROLES, WRITE, Key, check_server_token, server_key
from .rates import Rate
from .requests import path_of
from .store import Access

__all__ = [
    "ADMIN", "READ", "ROLES", "WRITE", "Access", "Act", "Allowed", "Key", "Rate", "authorize", "check_server_token",
    "guard", "may_call", "path_of", "require", "server_key",
]  # fmt: skip
