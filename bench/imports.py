"""What comes in from other programs: offered, new, merged and refused by source, why, and how long it takes.

    python -m bench.imports [--peers FOLDER] [--pieces 10000]

Every source is imported by the command that a user types, into a home that knows nothing: planned, brought in,
brought in once more, and taken back. The samples are those of our tests. ``--peers`` names a folder with what
the programs wrote themselves; what is missing there is written by them, where they can be had. ``--pieces``
makes sources of that many pieces.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.interop.imports.peers import left_by_peers
from tests.interop.imports.shop import SAMPLES, a_shop
from tests.interop.imports.test_claude_mem import OBSERVED, observed
from tests.journeys.lab import peers
from tests.journeys.lab.clients import NoClientError

from twiceshy.core.errors import TwiceshyError
from twiceshy.interop.imports import ImportContext, load_sources
from twiceshy.places.identity import claude_slug
from twiceshy.places.project import identify_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

HEADINGS = (
    "source offered new merged known episodes signals counts waiting redacted refused seconds again left"
).split()
WORDS = "lock tag build cache deploy test proxy queue layer index branch merge release mirror"


class Scene:
    """A user with a project, and a home of twiceshy for each import."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.user = folder / "user"
        self.project = folder / "shop"
        for each in (self.user, self.project):
            each.mkdir()
        self._homes = 0

    def home(self) -> Home:
        """Return a home that knows nothing."""
        self._homes += 1
        return Home(self, self.folder / f"home-{self._homes}")


class Home:
    """Where twiceshy keeps what one import brings."""

    def __init__(self, scene: Scene, path: Path) -> None:
        self._scene = scene
        self._path = path

    def run(self, *words: str) -> Any:
        """Run a command in the project; return what it prints as JSON."""
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        done = subprocess.run(
            [sys.executable, "-m", "twiceshy", *words, "--json"],
            cwd=self._scene.project,
            env=kept | {"HOME": str(self._scene.user), "TWICESHY_HOME": str(self._path)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"twiceshy {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout)

    def bytes(self) -> str:
        """Return a digest of every file, to tell whether one changed."""
        digest = hashlib.sha256()
        for path in sorted(self._path.rglob("*")):
            digest.update(str(path).encode() + (path.read_bytes() if path.is_file() else b""))
        return digest.hexdigest()

    def left(self) -> int:
        """Count the notes and episodes that somebody could be shown."""
        told = self.run("status")
        return int(sum(told["kinds"].values()) + told["episodes"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, help="what the programs wrote themselves")
    parser.add_argument("--pieces", type=int, default=0, help="how many, for the time it takes")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder))
        wrong = table("samples of our tests", scene, samples(scene))
        if asked.peers:
            wrong += table("written by the programs themselves", scene, own(asked.peers))
        if asked.pieces:
            wrong += table(f"{asked.pieces:,} pieces", scene, many(scene, asked.pieces))
    for line in wrong:
        print(f"WRONG: {line}")
    return len(wrong)


def table(title: str, scene: Scene, places: Mapping[str, str]) -> list[str]:
    """Import each source on its own, and print what became of it; return what should not be so."""
    print(f"\n## {title}\n\n| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    reasons: list[str] = []
    wrong: list[str] = []
    for name, path in places.items():
        source = name.partition(" ")[0]
        words = [source, path] if path else [source]
        cells, told = once(scene.home(), words, wrong)
        print(f"| {' | '.join([name, *cells])} |", flush=True)
        reasons += [f"- {name}, {what}: {why}" for what, why in told.items()]
    print("\nrefused, and why:\n\n" + ("\n".join(reasons) or "nothing"))
    return wrong


def once(home: Home, words: list[str], wrong: list[str]) -> tuple[list[str], Mapping[str, str]]:
    """Plan, import, import again, take back; return the cells of a row, and what was refused."""
    home.run("status")  # who has never been here is met first
    before = home.bytes()
    (plan,) = home.run("import", *words, "--plan")
    if home.bytes() != before:
        wrong.append(f"{words[0]}: the plan changed something")
    began = time.perf_counter()
    (report,) = home.run("import", *words)
    seconds = time.perf_counter() - began
    if [len(plan["imported"]), plan["refused"]] != [len(report["imported"]), report["refused"]]:
        wrong.append(f"{words[0]}: the plan said something else")
    (again,) = home.run("import", *words)
    new = len(again["imported"]) + again["episodes"] + again["signals"] + again["counts"]
    if report["batch"]:
        home.run("undo", report["batch"])
    left = home.left()
    wrong += [f"{words[0]}: {new} came a second time"] if new else []
    wrong += [f"{words[0]}: {left} stayed after undo"] if left else []
    lists = {name: len(report[name]) for name in "merged waiting secrets refused".split()}
    counts = [report["offered"], len(report["imported"]), lists["merged"], report["known"]]
    counts += [report["episodes"], report["signals"], report["counts"]]
    counts += [lists["waiting"], lists["secrets"], lists["refused"]]
    return [*map(str, counts), f"{seconds:.2f}", str(new), str(left)], report["refused"]


def samples(scene: Scene) -> dict[str, str]:
    """Lay every sample where its program keeps it; return each source and the path that must be named."""
    user, project = scene.user, scene.project
    here = identify_project(str(project), cache=None, home=str(user))
    a_shop(user, project, ImportContext(str(user), here, {}, lambda _: here, lambda _: here))
    named = {
        "mem0": str(left_by_peers(user, project, scene.folder / "aside")),
        "markdown": str(SAMPLES / "plain"),
        # memory-engine keeps the same folder; without it, it is Claude Code's own
        "claude-code": str(user / ".claude/projects" / claude_slug(str(project)) / "memory"),
    }
    return {name: named.get(name, "") for name in load_sources()}


def own(folder: Path) -> dict[str, str]:
    """Return what the programs wrote themselves; let those write that have not, where they can be had."""
    wanted: dict[str, tuple[str, Callable[[Path], object]]] = {
        "claude-mem": ("claude-mem.db", peers.claude_mem_writes),
        "mcp-memory-service": ("sqlite_vec.db", peers.mcp_memory_service_writes),
        "mem0 export": ("mem0/export.json", lambda path: peers.mem0_writes(path.parent)),
        "mem0 history": ("mem0/history.db", lambda path: peers.mem0_writes(path.parent)),
        "basic-memory": ("kb", lambda path: peers.basic_memory_writes(path, folder / "theirs")),
    }
    found = {}
    for name, (inside, write) in wanted.items():
        path = folder.resolve() / inside
        (folder / "theirs").mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            if not path.exists():
                write(path)
        except NoClientError as why:
            print(f"{name} is left out: {why}", file=sys.stderr)
        else:
            found[name] = str(path)
    return found


def many(scene: Scene, count: int) -> dict[str, str]:
    """Make a large database and a long file."""
    rng = random.Random(8)
    folder = scene.folder / "many"
    folder.mkdir()
    database, long = folder / "claude-mem.db", folder / "lessons.md"
    rows = [observed("discovery", text) for text in texts(count, rng)]
    with closing(sqlite3.connect(database)) as db:
        db.execute(f"CREATE TABLE observations ({OBSERVED})")
        marks = ", ".join("?" * len(rows[0]))
        db.executemany(
            f"INSERT INTO observations ({', '.join(rows[0])}) VALUES ({marks})",
            [[*row.values()] for row in rows],
        )
        db.commit()
    long.write_text("".join(f"- {text}\n" for text in texts(count, rng)), encoding="utf-8")
    return {"claude-mem": str(database), "markdown": str(long)}


def texts(count: int, rng: random.Random) -> Iterator[str]:
    """Yield sentences of which no two say the same."""
    for number in range(count):
        yield f"Step {number:x}: {' '.join(rng.choices(WORDS.split(), k=12))}."


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TwiceshyError as error:
        sys.exit(f"bench.imports: {error}")
