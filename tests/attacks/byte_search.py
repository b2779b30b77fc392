"""Search folders for words in every form that bytes give them: packed, coded, escaped, in git objects."""

import base64
import json
import os
import sqlite3
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

_GZIP, _ZLIB = (b"\x1f\x8b\x08",), (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_DEPTH = 3


def list_coded_forms(text: str) -> set[bytes]:
    """Return a text as bytes in each coding that is searched for, in lower case."""
    raw = text.encode()
    forms = {raw, text.encode("utf-16-le"), text.encode("utf-16-be"), raw.hex().encode()}
    forms |= {
        quote(text).encode(),
        quote(text, safe="").encode(),
        quote(text).replace("%20", "+").encode(),
    }
    forms |= {json.dumps(text)[1:-1].encode(), "".join(f"\\u{ord(c):04x}" for c in text).encode()}
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + raw)
        forms.add(whole[(0, 2, 3)[shift] : len(whole) - (4 if (len(raw) + shift) % 3 else 0)])
    return {form.lower() for form in forms}


def search_bytes(content: bytes, forms: Iterable[bytes], *, depth: int = _DEPTH) -> bool:
    """True if some bytes, or anything packed in them, hold one of the forms."""
    low = content.lower()
    if any(form in low for form in forms):
        return True
    return depth > 0 and any(search_bytes(one, forms, depth=depth - 1) for one in _unpack(content))


def _unpack(content: bytes) -> Iterator[bytes]:
    for marks, bits in ((_GZIP, 31), (_ZLIB, 15)):
        for mark in marks:
            at = content.find(mark)
            while at >= 0:
                try:
                    packer = zlib.decompressobj(bits)
                    unpacked = packer.decompress(content[at:], 1 << 26)
                except zlib.error:
                    unpacked = b""
                if len(unpacked) > 8:
                    yield unpacked
                at = content.find(mark, at + 1)


def list_git_objects(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every object of a repository, reachable or not."""
    git = ["git", f"--git-dir={folder}"]
    listed = subprocess.run(
        [*git, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"],
        capture_output=True, check=True,
    ).stdout.split()  # fmt: skip
    if not listed:
        return
    body = subprocess.run(
        [*git, "cat-file", "--batch"],
        input=b"\n".join(listed) + b"\n",
        capture_output=True,
        check=True,
    ).stdout
    at = 0
    while at < len(body):
        end = body.index(b"\n", at)
        name, _, size = body[at:end].split()
        yield name.decode(), body[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)


def find_places(folder: Path, words: Iterable[str]) -> set[str]:
    """Return where below a folder the words stand: files, git objects, and in names of files."""
    forms = {form for word in words for form in list_coded_forms(word)}
    found = set()
    for root, folders, names in os.walk(folder):
        for name in names:
            path = Path(root) / name
            where = str(path.relative_to(folder))
            if path.is_file() and search_bytes(path.read_bytes(), forms):
                found.add(where)
            if search_bytes(where.encode(), forms, depth=0):
                found.add(f"name {where}")
        if "HEAD" in names and "objects" in folders:
            inside = Path(root)
            found |= {
                f"{inside.relative_to(folder)} object {name}"
                for name, content in list_git_objects(inside)
                if search_bytes(content, forms)
            }
    return found


def find_tables(store: Path, words: Iterable[str]) -> set[str]:
    """Return the tables of a store in which the words stand."""
    forms = {form for word in words for form in list_coded_forms(word)}
    with closing(sqlite3.connect(store)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name
            for name in names
            if not name.startswith("words")
            for row in db.execute(f"SELECT * FROM {name}")
            if search_bytes(
                b"\n".join(
                    value if isinstance(value, bytes) else str(value).encode() for value in row
                ),
                forms,
            )
        }
