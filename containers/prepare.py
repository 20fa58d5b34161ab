"""Prepare a PostgreSQL database for the server: its tables, and a role that may use them and owns nothing.

Reads TENSEMEM_DB (the database, with the role that is to own the tables), PGPASSWORD (its password) and
TENSEMEM_SERVICE_PASSWORD (the one the server is to log in with, as tensemem_service). Run again, it brings the tables
and the grants up to date, and gives the role the password anew.
"""

import os
import subprocess
import sys
from typing import Any

import psycopg
from psycopg import sql

ROLE = "tensemem_service"


def main() -> int:
    """Make what is not there; return 0, or 2 where the environment lacks something."""
    missing = [name for name in ("TENSEMEM_DB", "TENSEMEM_SERVICE_PASSWORD") if not os.environ.get(name)]
    if missing:
        print(f"say {' and '.join(missing)} in the environment", file=sys.stderr)
        return 2
    tensemem = [sys.executable, "-m", "tensemem"]
    subprocess.run([*tensemem, "migrate"], check=True)
    grants = subprocess.run(
        [*tensemem, "schema", "--grants", ROLE, "--service"], check=True, stdout=subprocess.PIPE
    ).stdout
    with psycopg.connect(os.environ["TENSEMEM_DB"], autocommit=True) as connection:
        admit(connection, os.environ["TENSEMEM_SERVICE_PASSWORD"])
        connection.execute(grants)
    print(f"the tables are there, and {ROLE} may use them")
    return 0


def admit(connection: psycopg.Connection[Any], password: str) -> None:
    """Have the role, which logs in with a password that the server is not told in the clear."""
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone()
    kept = connection.pgconn.encrypt_password(password.encode(), ROLE.encode(), b"scram-sha-256").decode()
    connection.execute(
        sql.SQL("{verb} ROLE {role} LOGIN PASSWORD {kept} NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB").format(
            verb=sql.SQL("ALTER" if known else "CREATE"), role=sql.Identifier(ROLE), kept=sql.Literal(kept)
        )
    )


if __name__ == "__main__":
    sys.exit(main())
