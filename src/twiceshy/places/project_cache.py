"""Remember root commits in a JSON file, because asking git costs more than the rest of a hook.

It is only a cache: the last writer wins, a lost or damaged entry is asked for again, and what is
in the file but not ours stays there.
"""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse, write
from twiceshy.core.value import Value
from twiceshy.places.identity import project_id_valid

MAX_ENTRIES = 1000
_MOST = 4 << 20  # bytes; a cache of ours with as many entries as it may have is far smaller
_REPOSITORIES = "repositories"
_SLOW = "slow"


class Known(Value):
    """What was found out about a repository; it holds while ``born`` does, the remote while ``config`` does."""

    born: str
    config: str
    id: str
    remote: str
    folder: str


class Slow(Value):
    """Git was still walking back from this commit when its seconds were over."""

    born: str
    head: str
    patience: float


class Cache:
    """The file at ``path``, read once; without a path it knows nothing and keeps nothing."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._text = _read(path) if path else ""

    def glance(self, common: str, *, born: str, config: str) -> Known | None:
        """Return an entry that still holds, found as text: parsing them all takes longer.

        The beginning of such an entry is known in full; it holds the marks of this repository, so
        nothing else can begin like it. A path that JSON has to escape is left to ``known()``.
        """
        start = f'"{common}":["{born}","{config}","'
        at = self._text.find(start)
        if at < 0:
            return None
        rest = self._text[at + len(start) :].partition('"]')[0].split('","')
        return _known([born, config, *rest])

    def known(self, common: str) -> Known | None:
        """Return what the file says about a repository, whether it still holds or not."""
        return _known(_table(self._document(), _REPOSITORIES).get(common))

    def slow(self, common: str) -> Slow | None:
        """Return when git last took too long for a repository."""
        match _table(self._document(), _SLOW).get(common):
            case [str(born), str(head), int(patience) | float(patience)]:
                return Slow(born, head, patience)
            case _:
                return None

    def keep(self, common: str, entry: Known | Slow) -> None:
        """Write an entry; a home that cannot be written to costs time, never an answer."""
        if self._path is None:
            return
        document = self._document()
        tables = {name: _table(document, name) for name in (_REPOSITORIES, _SLOW)}
        for table in tables.values():
            table.pop(common, None)
            for oldest in list(table)[: 1 - MAX_ENTRIES]:
                del table[oldest]
        chosen = _REPOSITORIES if isinstance(entry, Known) else _SLOW
        tables[chosen][common] = list(entry.fields().values())
        self._write({**document, **tables}, self._path)

    def _document(self) -> dict[str, object]:
        """Return the whole file as values; an empty one if it is damaged or not ours."""
        if not self._text:
            return {}
        try:
            document = parse(self._text)
        except (ValueError, RecursionError):
            return {}
        return document if isinstance(document, dict) else {}

    def _write(self, document: dict[str, object], path: str) -> None:
        """Replace the file in one step; only its owner may read it."""
        self._text = write(document)
        draft = f"{path}.{os.getpid()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(os.open(draft, flags, 0o600), "wb") as file:
                file.write(self._text.encode("utf-8", "surrogateescape"))
            os.replace(draft, path)
        except (OSError, ValueError):
            _remove(draft)


def _known(entry: object) -> Known | None:
    """Return an entry of the file as a value; none unless it is whole and sound."""
    match entry:
        case [str(born), str(config), str(root), str(remote), str(folder)]:
            kinds = {"git:": root, "dir:": folder} | ({"remote:": remote} if remote else {})
            sound = all(i.startswith(kind) and project_id_valid(i) for kind, i in kinds.items())
            return Known(born, config, root, remote, folder) if sound else None
        case _:
            return None


def _table(document: dict[str, object], name: str) -> dict[str, object]:
    """Return a copy of one part of the file; an empty one if it is not there."""
    table = document.get(name)
    return dict(table) if isinstance(table, dict) else {}


def _read(path: str) -> str:
    """Return the file's text; nothing if it cannot be read, or if somebody else put it there."""
    try:
        with open(path, "rb") as file:
            owner = os.fstat(file.fileno()).st_uid
            ours = not hasattr(os, "geteuid") or owner == os.geteuid()
            return file.read(_MOST).decode("utf-8", "surrogateescape") if ours else ""
    except OSError:
        return ""


def _remove(path: str) -> None:
    """Take a draft away again, if there is one."""
    try:
        os.unlink(path)
    except OSError:
        return
