"""Open stores, learn notes and start other processes, in as few words as a test can bear."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, cast

from tests.core.builders import NOW, a_draft

from twiceshy.app import App, RedactionGate
from twiceshy.config.resolved import AssignedSetting, Config
from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain, Superseding
from twiceshy.core.evidence import Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.store import Store
from twiceshy.notes.write import NoteLimits, write_draft
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE, LockPatience

Outcome = Admitted | SeenAgain | Revised | Superseding | Refused
EVERY_STATUS = NoteFilter(statuses=())
# As COMMAND, but the disk is not waited for: what a test loses in a power cut it may lose.
QUICK = COMMAND_PATIENCE.but(synchronous="OFF")
# As COMMAND, but a test that is told no does not wait half a minute for it.
SHORT = LockPatience(wait_ms=50, retries=2, synchronous="FULL")


class HasTime(Protocol):
    """A clock that can be set."""

    at: int


class Clock:
    """A clock that moves by a millisecond when looked at, and otherwise when it is told to."""

    def __init__(self, at: int = NOW) -> None:
        self.at = at

    def __call__(self) -> int:
        self.at += 1
        return self.at

    def wait(self, milliseconds: int) -> None:
        self.at += milliseconds


def a_store(
    home: Path,
    *,
    clock: Clock | None = None,
    patience: LockPatience = QUICK,
    prepared: bool = True,
) -> WholeStore:
    """Open the store of a memory home; tests of its creation say ``prepared=False``."""
    if prepared:
        prepare(home)
    return WholeStore(str(home / "twiceshy.db"), clock=clock or Clock(), patience=patience)


def live_on(store: Store, clock: HasTime, milliseconds: int) -> None:
    """Let time pass, and the store be used on the last three days: only they attest the time."""
    clock.at += milliseconds - 3 * DAY
    for _ in range(3):
        clock.at += DAY
        with store.change():
            pass


def app_of(store: Store, **settings: Any) -> App:
    """Return an App over a store; the store's folder is the memory home, ``__`` in a setting a dot."""
    whole = cast(WholeStore, store)
    folder = os.path.dirname(whole.path)
    assigned = [AssignedSetting("home", "", folder, "default")]
    for name, value in settings.items():
        entries = value if isinstance(value, dict) else {"": value}
        assigned += [
            AssignedSetting(name.replace("__", "."), entry, each, "default")
            for entry, each in entries.items()
        ]
    config = Config(os.path.expanduser("~"), tuple(assigned))
    return App(config, whole, RedactionGate(config), folder)


@contextmanager
def opened(
    home: Path,
    *,
    clock: Clock | None = None,
    patience: LockPatience = QUICK,
    prepared: bool = True,
) -> Iterator[WholeStore]:
    """Open the store of a memory home for a while."""
    with closing(a_store(home, clock=clock, patience=patience, prepared=prepared)) as store:
        yield store


def prepare(home: Path) -> None:
    """Put an empty store into a home without one: 0.3 ms, where creating the schema takes 11.

    Every copy is a device of its own: a store gets its device id with its first change.
    """
    if any(home.glob("twiceshy.db*")):
        return
    if not home.exists():
        home.mkdir(parents=True)
        home.chmod(0o700)
    for name, body in _empty_store().items():
        path = home / name
        path.write_bytes(body)
        path.chmod(0o600)


@cache
def _empty_store() -> dict[str, bytes]:
    """Return the files of a store that was just created, by name."""
    with TemporaryDirectory() as folder:
        a_store(Path(folder), prepared=False).close()
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@contextmanager
def raw(path: Path | str) -> Iterator[sqlite3.Connection]:
    """Look at a database, or break it, with SQLite alone."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        yield db


def decide(
    store: Store, text: str = "", *, bounds: NoteLimits | None = None, **fields: Any
) -> Outcome:
    """Propose a note and return what was decided."""
    draft = a_draft(text, **fields) if text else a_draft(**fields)
    return write_draft(app_of(store), draft, bounds=bounds or NoteLimits())


def learn(
    store: Store, text: str = "", *, bounds: NoteLimits | None = None, **fields: Any
) -> Note:
    """Propose a note that must be kept, as a new one or as one that was known.

    A user's note is typed: the gate does not hold it.
    """
    store.vouching = fields.get("source", "user") == "user"
    try:
        outcome = decide(store, text, bounds=bounds, **fields)
    finally:
        store.vouching = False
    assert not isinstance(outcome, Refused), outcome
    return now_of(store, outcome.note)


def now_of(store: Store, note: Note) -> Note:
    """Return the note as the store has it now."""
    found = store.note(note.id)
    assert found is not None
    return found


def a_signal(key: str = "s1", **fields: Any) -> Signal:
    """Return a failed command, as a hook would capture it."""
    usual = {"kind": "error", "session": "session-1", "project": "demo", "at": NOW}
    return Signal.of(usual | {"key": key} | fields)


def dump(db: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """Return every row of a table."""
    return sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr)


def dump_everything(db: sqlite3.Connection) -> str:
    """Return every row of every table as text, and every word of the full-text index."""
    listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage ORDER BY name"
    tables = [name for (name,) in db.execute(listed)]
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab (main, words, row)")
    rows = {table: dump(db, table) for table in (*tables, "temp.terms")}
    return repr(rows)


def structure(path: Path | str) -> dict[str, object]:
    """Return what a schema consists of: tables, columns and indexes, not how they were spelled."""
    with raw(path) as db:
        parts = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        options: dict[str, list[object]] = {}
        for row in db.execute("PRAGMA table_list").fetchall():
            options.setdefault(row[1], []).append(row)
        shape: dict[str, object] = {}
        for kind, name, sql in parts:
            what = "virtual" if str(sql).startswith("CREATE VIRTUAL") else kind
            columns = db.execute(f"PRAGMA {kind}_xinfo ({name})").fetchall()
            indexes = db.execute(f"PRAGMA index_list ({name})").fetchall()
            shape[name] = (
                what,
                columns,
                options.get(name),
                sorted(row[1:] for row in indexes),
                "WHERE" in str(sql),
            )
        return shape


def bytes_under(folder: Path) -> dict[Path, bytes]:
    """Return every file below a folder, as it lies on the disk."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def modes_under(folder: Path) -> dict[str, str]:
    """Return who may do what with each file and folder, the folder itself included."""
    return {
        str(path.relative_to(folder)): f"{path.stat().st_mode & 0o7777:04o}"
        for path in sorted([folder, *folder.rglob("*")])
    }


class Writer:
    """Another process that works on the same store, and says what it did line by line."""

    def __init__(self, home: Path, verb: str, *arguments: object) -> None:
        program = Path(__file__).with_name("writers.py")
        path = home / "twiceshy.db"
        self.complaint = ""
        self.process = subprocess.Popen(
            [sys.executable, str(program), verb, str(path), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )

    def says(self) -> Any:
        """Wait for its next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.last_words()
        return json.loads(line)

    def go(self, times: int = 1) -> None:
        """Let it begin, or go on."""
        assert self.process.stdin is not None
        self.process.stdin.write("go\n" * times)
        self.process.stdin.flush()

    def finish(self) -> list[Any]:
        """Wait for its end, which must be a good one, and return what it said since."""
        said = self.rest()
        assert self.process.returncode == 0, self.complaint
        return said

    def kill(self) -> list[Any]:
        """End it with SIGKILL and return the whole lines it got to say since."""
        self.process.kill()
        return self.rest()

    def rest(self) -> list[Any]:
        """Read to the end; a line that was not written whole was not said."""
        assert self.process.stdout is not None
        with self.process:
            lines = self.process.stdout.read().splitlines(keepends=True)
            self.complaint = self.last_words()
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def last_words(self) -> str:
        """Return what it complained about."""
        assert self.process.stderr is not None
        return self.process.stderr.read()


def all_together(writers: Sequence[Writer]) -> list[list[Any]]:
    """Let processes begin at the same moment, and wait for all of them."""
    for writer in writers:
        assert writer.says() == "ready"
    for writer in writers:
        writer.go()
    return [writer.finish() for writer in writers]


def fill(place: Path) -> Path:
    """Take all the room there is."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            return ballast
    return ballast
