"""Read the end of a growing file, without waiting for pipes or following links."""

from __future__ import annotations

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

_ONLY_FILES = getattr(system, "O_NOFOLLOW", 0) | getattr(system, "O_NONBLOCK", 0)


def read_last_lines(path: bytes | str, most: int) -> list[bytes]:
    """Return the lines in the last ``most`` bytes, the first perhaps cut; empty if none."""
    try:
        handle = system.open(path, system.O_RDONLY | _ONLY_FILES)
    except (OSError, ValueError):
        return []
    try:
        size = system.fstat(handle).st_size
        system.lseek(handle, max(0, size - most), 0)
        return system.read(handle, most).splitlines()
    except OSError:
        return []
    finally:
        system.close(handle)
