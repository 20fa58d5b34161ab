"""Which file system a file lies on, where the system tells: SQLite's locks and its log can't be trusted on some."""

from __future__ import annotations

import os
import sys

NETWORKED = frozenset(
    {
        "nfs", "nfs4", "cifs", "smb", "smb3", "smbfs", "ncpfs", "afs", "9p", "ceph", "glusterfs", "lustre", "beegfs",
        "gpfs", "ocfs2", "gfs2", "davfs", "vboxsf", "drvfs", "prl_fs", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs",
        "fuse.gcsfuse", "fuse.rclone", "fuse.ceph", "fuse.davfs", "fuse.cifs", "fuse.juicefs", "fuse.vmhgfs-fuse",
        "fuse.blobfuse", "fuse.blobfuse2", "fuse.gvfsd-fuse",
    }
)  # fmt: skip
"""Kinds that lie on another machine, or are shared with one: several machines may write, and locks may be of no use."""

PASSING = frozenset({"tmpfs", "ramfs", "overlay"})
"""Kinds that a restart of the machine, or of a container, empties."""

MOUNTS = "/proc/self/mountinfo"


def kind_of(path: str, mounts: str = MOUNTS) -> str | None:
    """Give the kind of the file system a path lies on, as Linux names it; None where that can't be told."""
    if sys.platform != "linux":
        return None
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as lines:
            return kind_in(lines.read(), os.path.realpath(path))
    except OSError:
        return None


def kind_in(mounts: str, path: str) -> str | None:
    """Find the kind in the text of Linux's list of mounts: that of the longest place the path lies under."""
    best, kind = -1, None
    for line in mounts.splitlines():
        before, is_whole, behind = line.partition(" - ")
        fields = before.split(" ")
        if not is_whole or len(fields) < 5:
            continue
        place = _unescaped(fields[4])
        if _lies_under(path, place) and len(place) >= best:  # of two at one place the later one is on top
            best, kind = len(place), behind.split(" ")[0]
    return kind


def _lies_under(path: str, place: str) -> bool:
    return place in ("/", path) or path.startswith(place.rstrip("/") + "/")


def _unescaped(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text
