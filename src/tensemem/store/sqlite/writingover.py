"""Making sure that a COMMIT which failed stays undone.

Where its last flush fails, all of a transaction may stand in the write-ahead log already: nobody sees it now, but who
opens the file after a crash finds it whole, and takes it for committed. The next that is committed is written over it;
so that is done at once, with something that changes nothing.
"""

from __future__ import annotations

from contextlib import suppress

from .driver_errors import DRIVER
from .drivers import Cursor
from .migrations import version_of


def write_over(cursor: Cursor | None) -> bool:
    """Commit the version that a file has already; tells whether that was done, and reached the disk."""
    if cursor is None:
        return False
    cursor = cursor.connection.cursor()  # of its own: nothing of what failed is left in it
    try:
        cursor.execute("BEGIN IMMEDIATE")
        cursor.execute(f"PRAGMA user_version = {version_of(cursor):d}")
        cursor.execute("COMMIT")
    except DRIVER.kinds:
        with suppress(*DRIVER.kinds):
            if cursor.connection.in_transaction:
                cursor.execute("ROLLBACK")
        return False
    return True
