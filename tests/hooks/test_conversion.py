"""A store of before the first release meets the hooks of today: nothing waits, and nothing is lost."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.core.builders import NOW, a_note
from tests.requirements import requirement
from tests.store.older_schema import OLDER_STEPS

import twiceshy
from twiceshy.core.history import fields_to_write
from twiceshy.store.rows import COLUMNS, build_row, dump_payload
from twiceshy.store.schema import FIRST
from twiceshy.store.schema_repair import META_TABLES

RUN = Path(twiceshy.__file__).parent / "hooks" / "run.py"
NOTE = a_note("Lock before tagging.", files=("src/app.py",))
LARGE = 100 << 20  # bytes
PATIENCE_S = 120


def an_older_store(home: Path, size: int) -> Path:
    """Make a store of the last schema before the first release, with one note, of at least this size."""
    home.mkdir(mode=0o700)
    path = home / "twiceshy.db"
    db = sqlite3.connect(path)
    db.executescript("PRAGMA journal_mode = WAL;" + META_TABLES)
    db.executescript("".join(step for _, step in OLDER_STEPS))
    older = {
        ("life" if name == "status" else name): v for name, v in fields_to_write(NOTE).items()
    }
    db.execute("INSERT INTO payloads VALUES (1, ?, ?)", (NOTE.id, dump_payload(older)))
    journal = "INSERT INTO journal VALUES (?, 'old', ?, 'write', ?, ?, NULL, ?, '')"
    db.execute(journal, (1 << 40, "b1", NOTE.id, NOW, 1))
    columns = ", ".join("life" if name == "status" else name for name in COLUMNS)
    marks = ", ".join("?" * len(COLUMNS))
    db.execute(
        f"INSERT INTO notes ({columns}, fingerprint, redacted_by) VALUES ({marks}, ?, 1)",
        [*build_row(NOTE), NOTE.fingerprint],
    )
    padding = json.dumps({"text": "x" * 20_000, "life": "retired"})
    rows = ((number, f"e{number}", padding) for number in range(2, size // 20_000 + 2))
    db.executemany("INSERT INTO payloads VALUES (?, ?, ?)", rows)
    db.execute(f"PRAGMA user_version = {len(OLDER_STEPS)}")
    db.execute("INSERT INTO meta VALUES ('device', 'old')")
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    path.chmod(0o600)
    return path


def fire(project: Path, number: int) -> None:
    """Fire a failed call at the installed hook, as a client does."""
    payload = {
        "hook_event_name": "PostToolUseFailure",
        "session_id": "s1",
        "transcript_path": "/t.jsonl",
        "cwd": str(project),
        "tool_name": "Bash",
        "tool_input": {"command": f"make target{number}"},
        "error": "Exit code 2\nmake: *** No rule to make target. Stop.",
        "is_interrupt": False,
        "tool_use_id": f"toolu_{number}",
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(RUN), "claude-code"],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=True,
        env=os.environ | {"TWICESHY_HOOK_DEADLINE_MS": "10000"},
    )
    assert done.stdout == b""


def version_of(path: Path) -> int:
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        version: int = db.execute("PRAGMA user_version").fetchone()[0]
        return version
    finally:
        db.close()


@requirement("A17")
@pytest.mark.parametrize("size", [0, LARGE], ids=["small", "100 MB"])
def test_hooks_leave_an_older_store_to_one_background_job_and_lose_nothing(
    home: Path, tmp_path: Path, size: int
) -> None:
    path = an_older_store(home, size)
    project = tmp_path / "shop"
    project.mkdir()

    for number in range(3):
        fire(project, number)
    until = time.monotonic() + PATIENCE_S
    while version_of(path) < FIRST and time.monotonic() < until:
        time.sleep(0.05)  # the job works beside us; there is nothing else to wait for
    fire(project, 3)

    listed = subprocess.run(
        [sys.executable, "-m", "twiceshy", "list", "--all", "--json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=project,
    )
    assert [note["id"] for note in json.loads(listed.stdout)] == [NOTE.id]
    assert json.loads(listed.stdout)[0]["status"] == "active"
    db = sqlite3.connect(path)
    signals = {key for (key,) in db.execute("SELECT key FROM signals WHERE kind = 'error'")}
    older = db.execute("SELECT count(*) FROM payloads WHERE body LIKE '%\"life\"%'").fetchone()[0]
    db.close()
    assert {f"call:toolu_{number}" for number in range(4)} <= signals
    assert older == 0
    assert len(list((home / "backups").glob("schema-*.db"))) == 1
    claim = Path(f"{path}.converting")  # of a hook that opened the store just before it was ready
    while claim.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not claim.exists()


@requirement("A17")
def test_a_damaged_store_of_an_older_schema_is_rescued_under_the_new_names(
    home: Path, tmp_path: Path
) -> None:
    path = an_older_store(home, 200_000)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("INSERT INTO tallies VALUES (?, 'recalls', 'old', 3)", (NOTE.id,))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 4096 // 2 * 4096  # a page of the padding
    content[middle : middle + 4096] = b"\xa5" * 4096
    path.write_bytes(content)

    listed = subprocess.run(
        [sys.executable, "-m", "twiceshy", "list", "--all", "--json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )

    assert "set aside" in listed.stderr
    [note] = json.loads(listed.stdout)
    assert (note["id"], note["status"], note["recalls"]) == (NOTE.id, "active", 3)
