"""engram chunks combined: the last version of a session or observation counts.

A chunk is a gzipped JSON object with rows, and changes to rows of earlier chunks.
"""

from __future__ import annotations

import os
import stat
import zlib
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.interop.imports.database import MOST_ROWS
from twiceshy.interop.imports.files import UnreadableError, names_in, text_of
from twiceshy.interop.imports.told import UnfitError, mapping, parsed

if TYPE_CHECKING:
    from twiceshy.interop.imports.told import Row

LARGEST = 32 * 1024 * 1024  # bytes, unpacked; engram itself cuts at 4 MB

_SUFFIX = ".jsonl.gz"
_KEYS = {"sessions": "id", "observations": "sync_id"}
_TABLES = {"session": "sessions", "observation": "observations"}


def chunk_names(folder: str) -> list[str]:
    """Return chunk names in an engram folder; links are excluded."""
    chunks = os.path.join(folder, "chunks")
    return [] if os.path.islink(chunks) else names_in(chunks, _SUFFIX)


class Kept:
    """engram's state after its last chunk: sessions and observations by id."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Row]] = {"sessions": {}, "observations": {}}
        self.unfit: list[tuple[str, str]] = []  # where it stands, and why it cannot be read

    def add_chunks(self, folder: str) -> None:
        """Add every chunk of a folder, in manifest order."""
        for name in _ordered(folder):
            where = f"chunks/{name}"
            try:
                self.add(_unpacked(os.path.join(folder, "chunks", name)), where)
            except TwiceshyError as error:
                self.unfit.append((where, str(error)))

    def add(self, written: str, where: str) -> None:
        """Add a chunk or an export."""
        chunk = parsed(written)
        if not isinstance(chunk, dict):
            raise UnfitError("it is no chunk of engram")
        for table in _KEYS:
            for at, row in enumerate(_listed(chunk, table), start=1):
                self.put(table, row, f"{where}:{table}:{at}")
        for at, change in enumerate(_listed(chunk, "mutations"), start=1):
            self._apply(mapping(change), f"{where}:mutations:{at}")

    def put(self, table: str, row: object, where: str) -> None:
        """Replace a row by id."""
        known = self.rows[table]
        if not isinstance(row, dict):
            self.unfit.append((where, "it is no object"))
            return
        name = row.get(_KEYS[table]) or row.get("id")
        if not isinstance(name, str | int):
            self.unfit.append((where, f"it has no {_KEYS[table]}"))
        elif str(name) not in known and len(known) >= MOST_ROWS:
            self.unfit.append((where, f"more than {MOST_ROWS:,} at once"))
        else:
            known[str(name)] = row

    def _apply(self, change: Row, where: str) -> None:
        table = _TABLES.get(str(change.get("entity")))
        if table is None:  # a prompt, or a relation between observations
            return
        payload = mapping(change.get("payload"))
        key = str(change.get("entity_key") or payload.get(_KEYS[table]) or "")
        before = self.rows[table].get(key, {})
        if change.get("op") == "delete":
            self.rows[table].pop(key, None)
        else:
            self.put(table, {**before, **payload}, where)


def _ordered(folder: str) -> list[str]:
    """Return chunk names in manifest order; unlisted chunks last."""
    try:
        listed = mapping(text_of(os.path.join(folder, "manifest.json"))).get("chunks")
    except TwiceshyError:
        listed = None
    ids = [str(mapping(each).get("id")) for each in listed] if isinstance(listed, list) else []
    rank = {f"{each}{_SUFFIX}": at for at, each in enumerate(ids)}
    return sorted(chunk_names(folder), key=lambda name: (rank.get(name, len(rank)), name))


def _unpacked(path: str) -> str:
    """Return a chunk's text, with a size limit against decompression bombs."""
    try:
        with open(path, "rb", opener=_plainly) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableError("it is no plain file")
            packed = file.read(LARGEST)
    except OSError as error:
        raise UnreadableError(f"it cannot be read: {error.strerror}") from error
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)  # 16: as gzip writes it
    try:
        raw = unpacking.decompress(packed, LARGEST)
    except zlib.error as error:
        raise UnreadableError("it is no gzip file, or a damaged one") from error
    if not unpacking.eof:
        raise UnreadableError(f"it is cut off, or larger than {LARGEST // 1024**2} MiB")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError("it is not valid UTF-8") from error


def _plainly(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _listed(chunk: Row, name: str) -> list[object]:
    found = chunk.get(name)
    return found if isinstance(found, list) else []
