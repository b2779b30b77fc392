"""A project is a codebase by identity: its root commit, else its remote, else its directory.

Paths are told by their own form, whichever system reads them: ``C:\\app``, ``c:/app`` and
``\\\\?\\C:\\app`` are one directory. ``/mnt/c/app`` and ``/c/app`` are not that one, because on most
machines they are plain POSIX directories; the root commit unites both sides of the others.
"""

from __future__ import annotations

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value

MAX_PATH = 4096
_HASH = 32  # hexadecimal digits kept of a SHA-256: 128 bits
_SLUG = 200
_BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"

_SSH = frozenset({"ssh", "git+ssh", "ssh+git"})
_PORTS = {"http": "80", "https": "443", "git": "9418", "ftp": "21", "ftps": "990"}
_IGNORE_CASE = frozenset({"bitbucket.org", "codeberg.org", "github.com", "gitlab.com"})
_SAME_HOST = {  # doors for networks that let only port 443 through, and a habit of browsers
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
}


class Identity(Value):
    """Identity of a project as seen from a directory: id and aliases.

    Aliases are weaker ids (``remote:…``, ``dir:…``), the root itself (``path:…``) and the names
    of its folders below ``~/.claude/projects`` (``slug:…``; two paths may share a slug).
    ``checkout`` is the id of a repository's place on this disk, and ``places`` are its marks as
    far as they are news. ``claimed`` is the known project that the checkout says to be without
    proof: its memory is not shown here.
    """

    id: str
    name: str
    root: str
    aliases: tuple[str, ...] = ()
    checkout: str = ""
    places: tuple[str, ...] = ()
    claimed: str = ""


def is_project_id(text: str) -> bool:
    """True if a text is a valid project id; only valid ids become keys."""
    kind, _, digits = text.partition(":")
    if kind == "git":
        return len(digits) in (40, 64) and _is_hex(digits)
    if kind in ("remote", "dir"):
        return len(digits) == _HASH and _is_hex(digits)
    return text == EVERYWHERE


def directory_id(path: str) -> str:
    """Return the id of a directory without a better identity."""
    return f"dir:{_hash_text(canonical_path(path))}"


def remote_id(url: str) -> str | None:
    """Return the id of a remote; None for an address with another meaning elsewhere."""
    remote = normalise_remote(url)
    return f"remote:{_hash_text(remote)}" if remote else None


def place_id(mark: str) -> str:
    """Return the id of a checkout that is a project of its own, by the mark of its place."""
    return f"dir:{_hash_text(f'place {mark}')}"


def pair_id(root: str, url: str | None) -> str:
    """Return the id of a repository at a remote, by its root commit; empty without an address."""
    remote = normalise_remote(url) if url else ""
    return f"remote:{_hash_text(f'{root} {remote}')}" if remote else ""


def origin_path(url: str | None) -> str:
    """Return the folder that an address on this machine leads to; empty for any other."""
    remote = normalise_remote(url) if url else ""
    return remote.removeprefix("file://") if remote.startswith("file://") else ""


def canonical_path(path: str) -> str:
    """Return an absolute path in its canonical form, with ``/`` separators."""
    if not path or "\0" in path or len(path) > MAX_PATH:
        raise UnsafeNameError(
            f"{path[:40]!r} cannot be a directory",
            hint=f"give an absolute path of at most {MAX_PATH} characters, without NUL",
        )
    start, rest = _split_anchor(path)
    text = start + "/".join(part for part in rest.split("/") if part not in ("", "."))
    if text.isascii():
        return text
    import unicodedata  # noqa: PLC0415 - hooks pay for every import, and most paths are ASCII

    # A name that is no text (a lone surrogate) cannot be stored, so it is spelt out.
    return unicodedata.normalize("NFC", text.encode("utf-8", "backslashreplace").decode())


def project_name(path: str) -> str:
    """Return the last part of a path, safe to show."""
    text = canonical_path(path)
    last = text.rstrip("/").rpartition("/")[2] or text
    shown = "".join(c if c.isprintable() else "\ufffd" for c in last[:100])
    return shown.removesuffix(".git") or shown


def claude_slug(path: str) -> str:
    """Return the folder name that Claude Code uses for a project.

    The limit is 200 UTF-16 units; a longer path is cut and gets a hash of the whole path (file
    systems stop at 255: https://github.com/anthropics/claude-code/issues/19742).
    """
    units = list(path.encode()) if path.isascii() else _list_utf16_units(path)
    dashed = "".join(chr(u) if u < 128 and chr(u).isalnum() else "-" for u in units)
    return dashed if len(dashed) <= _SLUG else f"{dashed[:_SLUG]}-{_slug_hash(units)}"


def _list_utf16_units(path: str) -> list[int]:
    octets = path.encode("utf-16-le", "surrogatepass")  # loads a module, which ASCII does not need
    return [low | high << 8 for low, high in zip(octets[::2], octets[1::2], strict=True)]


def normalise_remote(url: str) -> str:
    """Return ``host/owner/name`` without credentials; empty for a relative path.

    A local path stays ``file:///…``, and an unknown protocol keeps its name. A port counts only
    between web servers: ssh on any port leads to the https repository.
    """
    text = url.strip()
    head = text.split("/", 1)[0]
    if "::" in head and "[" not in head:  # git's form for a protocol that a program speaks
        program, _, address = text.partition("::")
        return f"{program}::{normalise_remote(address) or address}"
    scheme, mark, rest = text.partition("://")
    if mark and scheme.lower() == "file":
        return _normalise_local(rest.removeprefix("localhost"))
    if mark:
        return _normalise_hosted(scheme.lower(), *rest.partition("/")[::2])
    drive = text[1:2] == ":" and text[2:3] in ("/", "\\")
    if ":" not in head or "\\" in head or drive:
        return _normalise_local(text)
    # scp's form; an IPv6 address stands in brackets
    split = head.rfind("]:") + 1 or head.index(":")
    return _normalise_hosted("ssh", text[:split], text[split + 1 :])


def _normalise_hosted(scheme: str, authority: str, path: str) -> str:
    """Normalise a remote on a host."""
    host, _, port = authority.rpartition("@")[2].lower().rpartition(":")
    if not host or port.endswith("]"):
        host, port = f"{host}:{port}" if host else port, ""
    host = _SAME_HOST.get(host.rstrip("."), host.rstrip("."))
    if scheme not in _SSH and port != _PORTS.get(scheme):
        host += f":{port}" if port else ""
    if scheme in ("http", "https"):
        path = path.partition("?")[0].partition("#")[0]
    if host in _IGNORE_CASE:
        path = path.lower()
    place = "/".join([host, *(part for part in _strip_git_suffix(path).split("/") if part)])
    return place if scheme in _SSH or scheme in _PORTS else f"{scheme}://{place}"


def _normalise_local(path: str) -> str:
    """Normalise a remote on this machine; empty for a relative path."""
    if path[:1] == "/" and path[2:3] == ":":  # file:///C:/app
        path = path[1:]
    try:
        return f"file://{_strip_git_suffix(canonical_path(path))}"
    except UnsafeNameError:
        return ""


def _strip_git_suffix(path: str) -> str:
    """Strip git suffixes: ``app``, ``app.git`` and ``app/.git`` are equal."""
    return path.rstrip("/").removesuffix(".git").rstrip("/")


def _split_anchor(path: str) -> tuple[str, str]:
    """Split an absolute path into anchor and rest, for POSIX and Windows."""
    text = path
    if text[:4] in ("\\\\?\\", "\\\\.\\"):
        text = f"\\\\{text[8:]}" if text[4:8].upper() == "UNC\\" else text[4:]
    if text[:1].isascii() and text[:1].isalpha() and text[1:2] == ":":
        rest = text[2:].replace("\\", "/")
        if not rest or rest[0] == "/":
            return f"{text[0].upper()}:/", rest
    elif text.startswith("\\\\"):
        server, _, rest = text[2:].replace("\\", "/").partition("/")
        share, slash, rest = rest.partition("/")
        return "//", f"{server}/{share}".lower() + slash + rest
    elif text.startswith("/"):
        return "/", text
    raise UnsafeNameError(f"{path[:40]!r} is not absolute", hint="give the whole path")


def _slug_hash(units: list[int]) -> str:
    """Return the hash suffix of a long slug: 31-fold sums in 32 bits, unsigned, in base 36."""
    total = 0
    for unit in units:
        total = (31 * total + unit) & 0xFFFFFFFF
    rest = min(total, 0x1_0000_0000 - total)
    digits = ""
    while rest:
        rest, digit = divmod(rest, 36)
        digits = _BASE_36[digit] + digits
    return digits or "0"


def _hash_text(text: str) -> str:
    """Hash a text unfit for a key: too long, or private."""
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL, which a cached look-up does without

    return hashlib.sha256(text.encode()).hexdigest()[:_HASH]


def _is_hex(text: str) -> bool:
    """True if a text has lower-case hexadecimal digits only."""
    return not text.strip("0123456789abcdef")
