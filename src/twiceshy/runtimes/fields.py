"""Extract a field from payload bytes, and the last lines of a growing file, without parsing."""

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

_ONLY_FILES = getattr(system, "O_NOFOLLOW", 0) | getattr(system, "O_NONBLOCK", 0)


def extract_field(name: bytes, raw: bytes) -> bytes:
    """Return the text of a field; quotes inside texts are escaped by clients."""
    key = b'"' + name + b'":'
    at = raw.find(key)
    if at < 0:
        return b""
    at = raw.find(b'"', at + len(key), at + len(key) + 3) + 1
    return raw[at : raw.find(b'"', at, at + 4_096)] if at else b""


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
