"""A server and a synchronous standby of it: what is acknowledged is on both."""

from __future__ import annotations

import contextlib
import time

from tests.servers import Server, needed


class Pair:
    """A primary, and a standby that has every acknowledged commit; ``url`` names both."""

    def __init__(self, version: str = "18") -> None:
        needed(version)
        self._ends = contextlib.ExitStack()
        try:
            self.primary = self._ends.enter_context(Server.start(version, conf={"max_wal_senders": "5"}))
            self.standby = self._ends.enter_context(copy_of(self.primary))
            # Told to the primary alone: one that has taken over waits for nobody until it has a standby of its own.
            self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.primary.execute("SELECT pg_reload_conf()")
            self._wait_for_sync()
        except BaseException:
            self.close()
            raise

    def url(self, database: str = "postgres", **options: str) -> str:
        """Give an address that names both, the primary first."""
        one = self.primary.url(database, **options)
        return one.replace(f":{self.primary.port}/", f":{self.primary.port},127.0.0.1:{self.standby.port}/")

    def promote(self) -> float:
        """Let the standby take over; gives the seconds it took."""
        began = time.monotonic()
        assert self.standby.execute("SELECT pg_promote(true, 60)") == [(True,)]
        return time.monotonic() - began

    def close(self) -> None:
        self._ends.close()

    def _wait_for_sync(self) -> None:
        give_up = time.monotonic() + 60
        while self.primary.execute("SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
            assert time.monotonic() < give_up, "the standby does not follow"
            self.primary.execute("SELECT pg_sleep(0.05)")


def copy_of(primary: Server) -> Server:
    """Start a standby that follows a server."""
    standby = Server.placed(primary.kind)
    try:
        standby.follow(primary)
        standby.run()
    except BaseException:
        standby.close()
        raise
    return standby
