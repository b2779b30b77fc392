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
from twiceshy.interop.imports.files import UnreadableError, list_file_names, read_text_file
from twiceshy.interop.imports.foreign_values import UnfitError, get_mapping, parse_json_text

if TYPE_CHECKING:
    from twiceshy.interop.imports.foreign_values import Row

LARGEST = 32 * 1024 * 1024  # bytes, unpacked; engram itself cuts at 4 MB

_SUFFIX = ".jsonl.gz"
_KEYS = {"sessions": "id", "observations": "sync_id"}
_TABLES = {"session": "sessions", "observation": "observations"}


def list_chunk_names(folder: str) -> list[str]:
    """Return chunk names in an engram folder; links are excluded."""
    chunks = os.path.join(folder, "chunks")
    return [] if os.path.islink(chunks) else list_file_names(chunks, _SUFFIX)


class EngramContent:
    """engram's state after its last chunk: sessions and observations by id."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Row]] = {"sessions": {}, "observations": {}}
        self.unfit: list[tuple[str, str]] = []  # where it stands, and why it cannot be read

    def add_chunks(self, folder: str) -> None:
        """Add every chunk of a folder, in manifest order."""
        for name in _manifest_order(folder):
            where = f"chunks/{name}"
            try:
                self.add_chunk(_unpack_chunk(os.path.join(folder, "chunks", name)), where)
            except TwiceshyError as error:
                self.unfit.append((where, str(error)))

    def add_chunk(self, written: str, where: str) -> None:
        """Add a chunk or an export."""
        chunk = parse_json_text(written)
        if not isinstance(chunk, dict):
            raise UnfitError("it is no chunk of engram")
        for table in _KEYS:
            for at, row in enumerate(_get_list(chunk, table), start=1):
                self.put_row(table, row, f"{where}:{table}:{at}")
        for at, change in enumerate(_get_list(chunk, "mutations"), start=1):
            self._apply_change(get_mapping(change), f"{where}:mutations:{at}")

    def put_row(self, table: str, row: object, where: str) -> None:
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

    def _apply_change(self, change: Row, where: str) -> None:
        table = _TABLES.get(str(change.get("entity")))
        if table is None:  # a prompt, or a relation between observations
            return
        payload = get_mapping(change.get("payload"))
        key = str(change.get("entity_key") or payload.get(_KEYS[table]) or "")
        before = self.rows[table].get(key, {})
        if change.get("op") == "delete":
            self.rows[table].pop(key, None)
        else:
            self.put_row(table, {**before, **payload}, where)


def _manifest_order(folder: str) -> list[str]:
    """Return chunk names in manifest order; unlisted chunks last."""
    try:
        listed = get_mapping(read_text_file(os.path.join(folder, "manifest.json"))).get("chunks")
    except TwiceshyError:
        listed = None
    ids = [str(get_mapping(each).get("id")) for each in listed] if isinstance(listed, list) else []
    rank = {f"{each}{_SUFFIX}": at for at, each in enumerate(ids)}
    return sorted(list_chunk_names(folder), key=lambda name: (rank.get(name, len(rank)), name))


def _unpack_chunk(path: str) -> str:
    """Return a chunk's text, with a size limit against decompression bombs."""
    try:
        with open(path, "rb", opener=_parse_chunk) as file:
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


def _parse_chunk(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _get_list(chunk: Row, name: str) -> list[object]:
    found = chunk.get(name)
    return found if isinstance(found, list) else []
