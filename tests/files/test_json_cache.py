"""A cache gives back what was kept, forgets the oldest, and costs no answer, whatever its file is."""

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.files.json_cache import JsonCache, put_newest

PLAIN = st.text(st.characters(exclude_characters='"\\', exclude_categories=["C"]), max_size=8)
ENTRIES = st.dictionaries(PLAIN, st.lists(PLAIN, min_size=2, max_size=4), max_size=6)
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
NOBODY = 65534


@given(entries=ENTRIES)
def test_what_was_kept_is_found_by_its_key_and_its_beginning(
    entries: dict[str, list[str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cache.json")

        JsonCache(path).write_document(dict(entries))

        again = JsonCache(path)
        assert again.read_document() == entries
        for key, entry in entries.items():
            assert again.find_entry(key, *entry[:-1]) == entry
            assert again.find_entry(key, "another", *entry[1:-1]) in ([], entry)
        assert os.listdir(folder) == ["cache.json"]


@given(
    keys=st.lists(st.sampled_from("abcdef"), max_size=12),
    most=st.integers(1, 4),
)
def test_the_newest_entries_stay_in_order(keys: list[str], most: int) -> None:
    entries: dict[str, object] = {}

    for number, key in enumerate(keys):
        put_newest(entries, key, number, most=most)

    newest = list(dict.fromkeys(reversed(keys)))[:most]
    assert list(entries) == newest[::-1]


def test_without_a_path_nothing_is_known_and_nothing_kept() -> None:
    cache = JsonCache(None)

    cache.write_document({"a": ["b"]})

    assert (cache.read_document(), cache.find_entry("a")) == ({}, [])


def test_a_key_that_json_escapes_is_in_the_document_only(folder: Path) -> None:
    path = str(folder / "cache.json")

    JsonCache(path).write_document({'odd"key\udcff': ["b", "c"]})

    assert JsonCache(path).find_entry('odd"key\udcff', "b") == []
    assert JsonCache(path).read_document() == {'odd"key\udcff': ["b", "c"]}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_an_empty_cache(content: bytes, folder: Path) -> None:
    (folder / "cache.json").write_bytes(content)

    cache = JsonCache(str(folder / "cache.json"))

    assert (cache.read_document(), cache.find_entry("a", "b")) == ({}, [])
    cache.write_document({"a": ["b"]})
    assert json.loads((folder / "cache.json").read_bytes()) == {"a": ["b"]}


def test_only_its_owner_can_read_it(folder: Path) -> None:
    umask = os.umask(0)
    try:
        JsonCache(str(folder / "home" / "cache.json")).write_document({})
    finally:
        os.umask(umask)

    assert (folder / "home").stat().st_mode & 0o777 == 0o700
    assert (folder / "home" / "cache.json").stat().st_mode & 0o777 == 0o600


@needs_root
def test_a_file_of_somebody_else_is_not_believed(folder: Path) -> None:
    (folder / "cache.json").write_text('{"a":["b"]}')
    os.chown(folder / "cache.json", NOBODY, NOBODY)

    assert JsonCache(str(folder / "cache.json")).read_document() == {}


def test_a_place_that_cannot_be_written_costs_nothing(folder: Path) -> None:
    (folder / "file").touch()
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")

    for path in (folder / "file" / "cache.json", folder / "folder", folder / "pipe"):
        cache = JsonCache(str(path))
        cache.write_document({"a": ["b"], "c": "\ud800"})
        cache.write_document({"a": ["b"]})
        assert cache.find_entry("a") == ["b"]

    assert sorted(os.listdir(folder)) == ["file", "folder", "pipe"]
    assert os.listdir(folder / "folder") == []
