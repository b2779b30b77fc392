"""The word table that is shipped: small, whole, keyed by our terms, and of some sense."""

import math
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import twiceshy.lexicon
from twiceshy.language.terms import index_terms, query_terms
from twiceshy.language.vector import cosine_similarity
from twiceshy.store.vectors import Lexicon, unpack_vector

FOLDER = Path(twiceshy.lexicon.__file__).parent
TABLE = FOLDER / "words.db"
LARGEST_FILE = 5_200_000

# what one person says, what another says of the same, and something else that shares as many words
PARAPHRASES = [
    ("delete the folder", "remove a directory", "print a number"),
    ("undo the last commit", "revert git changes", "resize an image"),
    ("the build fails", "compile error", "send an email"),
    ("download a file", "fetch with curl", "sort a list"),
    ("kill the process", "stop a running program", "parse json"),
    ("permission denied", "chmod access rights", "plot a chart"),
    ("out of memory", "ram usage heap", "rename a branch"),
    ("install a package", "pip dependency", "draw a circle"),
    ("the container image", "docker", "regular expression"),
    ("a database query", "sql select table", "mouse click"),
    ("encrypt the password", "hash secret credentials", "git rebase"),
    ("list of strings", "array text", "network socket timeout"),
    ("the test is flaky", "pytest assertion", "css colour"),
    ("slow response", "latency performance", "unicode decode"),
]

# the same in another language, and something else in that language
TRANSLATIONS = [
    ("delete the folder", "den Ordner löschen", "ein Bild drucken"),
    ("the connection was refused", "die Verbindung wurde abgelehnt", "die Farbe der Schrift"),
    ("restart the server", "перезапустить сервер", "цвет текста"),
    ("the password has expired", "срок действия пароля истек", "удалить строку таблицы"),
    ("delete the file", "删除文件", "登录密码"),
    ("the database is locked", "数据库被锁定", "字体颜色"),
    ("stop the running process", "arrêter le processus en cours", "choisir une couleur"),
    ("a new branch", "crear una rama nueva", "el color del texto"),
]


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{TABLE}?mode=ro&immutable=1", uri=True)) as connection:
        yield connection


def meaning(text: str) -> bytes:
    return Lexicon(str(TABLE)).embed_text(query_terms(text))


def test_the_table_is_one_small_file_that_is_never_written() -> None:
    files = {path.name for path in FOLDER.iterdir() if not path.name.startswith("__pycache__")}

    assert files == {"__init__.py", "words.db"}
    assert os.path.getsize(TABLE) <= LARGEST_FILE


def test_the_table_is_a_sound_database(db: sqlite3.Connection) -> None:
    verdict = db.execute("PRAGMA integrity_check").fetchall()

    assert verdict == [("ok",)]


def test_reading_the_table_leaves_no_file_beside_it() -> None:
    written_by, read_by = TABLE.read_bytes()[18:20]

    assert (written_by, read_by) == (
        1,
        1,
    )  # 2 would want a write-ahead log, where nobody may write


def test_the_table_tells_which_one_it_is(db: sqlite3.Connection) -> None:
    meta = dict(db.execute("SELECT key, value FROM meta"))

    assert set(meta) == {"identity", "dims", "languages", "source", "recipe"}
    assert meta["identity"] == "twiceshy-words-2"
    assert "all-MiniLM-L6-v2" in meta["source"]


def test_every_word_has_as_many_numbers_as_promised(db: sqlite3.Connection) -> None:
    ((dims,),) = db.execute("SELECT value FROM meta WHERE key = 'dims'")

    lengths = db.execute("SELECT DISTINCT length(vector) FROM words").fetchall()

    assert lengths == [(int(dims) // 2,)]


def test_every_word_points_somewhere_and_weighs_something(db: sqlite3.Connection) -> None:
    rows = db.execute("SELECT term, weight, vector FROM words").fetchall()

    odd = [
        term
        for term, weight, vector in rows
        if max(map(abs, memoryview(unpack_vector(vector)).cast("b"))) != 7
        or not (math.isfinite(weight) and weight > 0)
    ]

    assert len(rows) > 40_000
    assert odd == []


def test_every_key_is_a_term_of_ours(db: sqlite3.Connection) -> None:
    keys = [term for (term,) in db.execute("SELECT term FROM words")]

    # a part of a longer identifier need not come back when it stands alone, as stems of stems do not
    plain = [key for key in keys if key.isalpha()]
    whole = [key for key in keys if not key.isalpha()]
    pairs = [key for key in keys if len(key) == 2 and "\u4e00" <= key[0] <= "\u9fff"]

    assert all(key == key.casefold() and " " not in key for key in keys)
    assert len(plain) > 15_000
    assert sum(key in index_terms(key) for key in whole) > 0.95 * len(whole)
    assert len(pairs) > 4_000
    assert all(index_terms(pair) == [pair] for pair in pairs)


def test_words_are_looked_up_without_reading_the_whole_table(db: sqlite3.Connection) -> None:
    plan = db.execute(
        "EXPLAIN QUERY PLAN SELECT weight, vector FROM words WHERE term IN ('git', 'push')"
    ).fetchall()

    assert [row[3] for row in plan] == ["SEARCH words USING PRIMARY KEY (term=?)"]


@pytest.mark.parametrize(("said", "meant", "other"), PARAPHRASES + TRANSLATIONS)
def test_a_paraphrase_is_nearer_than_something_else(said: str, meant: str, other: str) -> None:
    asked = meaning(said)

    near = cosine_similarity(asked, meaning(meant))
    far = cosine_similarity(asked, meaning(other))

    assert near > far + 0.05
