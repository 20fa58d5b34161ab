"""Bringing the tables of a database up to those of this version, or only telling what that would take."""

from __future__ import annotations

import psycopg

from ...model.results import Upgrade
from .address import parse_address
from .driver_errors import our_error, read_only_error
from .links import Links
from .migrations import migrate, missing, version_of
from .steps import VERSION

_SECONDS = 60.0
"""How long a connection, or whoever migrates already, is waited for."""


def upgrade(url: str, *, dry_run: bool) -> Upgrade:
    """Run the steps that are missing, each in a transaction of its own; a dry run changes nothing.

    Raises InvalidValueError for a URL, SchemaTooNewError for newer tables, ReadOnlyError for a standby, StoreBusyError
    where the server can't be reached, and StoreError.
    """
    address = parse_address(url, read_only=dry_run)
    links = Links(address, _SECONDS, read_only=dry_run)
    try:
        with links.connect() as connection:
            found = version_of(connection, address.schema)
            left = missing(connection, address.schema, links.location)
            if not dry_run and left:
                left = migrate(connection, address.schema, links.location)
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise read_only_error(links.location) from error
    except psycopg.Error as error:
        raise our_error(error, links.location) from error
    finally:
        links.close()
    return Upgrade(links.location, found, VERSION, tuple((step.version, step.title) for step in left), not dry_run)
