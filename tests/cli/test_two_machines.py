"""Two machines and a third one, as people have them: every machine a HOME of its own, every event a process."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.sessions import Session, after, learning
from tests.person import run_by_person
from tests.requirements import requirement
from tests.store.support import prepare
from tests.sync.support import bare, introduce

from twiceshy.learning.detect.fix import REACH

FETCH = "Fetch the tags before tagging, or the tag lands on an old commit."
LAYER = "Docker keeps the old layer when only the lock file changed."
HOST = "The staging host is called bluebird."
RULE = "Never push with force to main."
CHAPTER = "# How it is built\n\nWith make, and nothing else."
MISSPELLED = "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'."
WORK = (
    ("git stauts", MISSPELLED),
    ("git status", None),
    *((f"ls part-{number}", None) for number in range(REACH)),
)
# Where projects lie, who was handed over to, and what undo needs is a matter of each machine.
OWN = ("twiceshy-bundle", "project", "end")

Named = Callable[[str], "Machine"]


class Machine:
    """A HOME, a memory home and a clone of the project; time goes by from one command to the next."""

    minutes = 0.0

    def __init__(self, folder: Path, origin: Path) -> None:
        self.env = {
            "HOME": str(folder / "user"),
            "TWICESHY_HOME": str(folder / "memory"),
            "TWICESHY_HOLDOUT_SHARE": "0",
        }
        self.project = folder / "work" / f"shop-of-{folder.name}"
        (folder / "user").mkdir(parents=True)
        subprocess.run(["git", "clone", "--quiet", str(origin), str(self.project)], check=True)

    def __call__(self, *words: str, fails: int = 0, cwd: Path | None = None) -> str:
        """Run a command; return what it prints, or complains about."""
        Machine.minutes += 1
        env = {**self.env, "TWICESHY_NOW": after(Machine.minutes)}
        done = run_by_person(*words, cwd=cwd or self.project, env=env)
        assert done.code == fails, done.err
        return done.err if fails else done.out

    def json(self, *words: str, cwd: Path | None = None) -> Any:
        return json.loads(self(*words, "--json", cwd=cwd))

    def texts(self, cwd: Path | None = None) -> set[str]:
        """Return what is shown in a folder, for its project and for all."""
        return {note["text"] for note in self.json("list", cwd=cwd)}

    def id_of(self, text: str) -> str:
        return str(next(note["id"] for note in self.json("list") if note["text"] == text))

    def session(self, name: str) -> Session:
        """Begin a session; each of its events is a process of this machine."""
        Machine.minutes += 1
        session = Session(self.project, f"{name}-{self.project.name}")
        session.env = self.env
        session.now = after(Machine.minutes)
        return session

    def everything(self) -> set[str]:
        """Return all that a bundle of this machine says and that is not about this machine."""
        lines = [json.loads(line) for line in self("export", "-").splitlines()]
        return {
            json.dumps(line)
            for line in lines
            if line.keys().isdisjoint(OWN) and line.get("entry", {}).get("op") != "import"
        }


@pytest.fixture
def machine(tmp_path: Path) -> Named:
    """Give a machine its name; its project is a clone of one and the same repository."""
    origin = tmp_path / "origin"
    who = ("-c", "user.name=u", "-c", "user.email=u@localhost")
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(origin)], check=True)
    commit = ["git", *who, "commit", "--quiet", "--allow-empty", "-m", "Begin"]
    subprocess.run(commit, check=True, cwd=origin)
    homes: list[Path] = []

    def call(name: str) -> Machine:
        made = Machine(tmp_path / name, origin)
        homes.append(tmp_path / name / "memory")
        prepare(homes[-1])
        introduce(*homes)
        return made

    return call


@pytest.fixture
def remote(tmp_path: Path) -> str:
    return bare(tmp_path / "remote.git")


def sync(*machines: Machine) -> None:
    for each in machines:
        each("sync")


def accept(*machines: Machine) -> None:
    """Let the user of each machine agree to what the others erased and joined."""
    for each in machines:
        each("review", "--accept-all", "changes", "--yes")


def test_what_a_session_learned_here_is_told_to_a_session_there_and_both_are_counted(
    machine: Named, remote: str
) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    session = laptop.session("s1")
    session.start()
    session.works(*WORK)
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()
    (lesson,) = laptop.json("list")

    laptop("sync", "--remote", remote)
    told_here = laptop.session("s2").fails("git stauts", MISSPELLED)
    desktop("sync", "--remote", remote)
    told_there = desktop.session("s3").fails("git stauts", MISSPELLED)
    sync(laptop, desktop, laptop)

    assert [lesson["handle"] in told for told in (told_here, told_there)] == [True, True]
    for each in (laptop, desktop):
        (shown,) = each.json("show", lesson["id"])
        assert (shown["recalls"], shown["text"]) == (2, lesson["text"])


@requirement("A18")
def test_edits_deletions_and_renamed_folders_come_to_the_same_end(
    machine: Named, remote: str
) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    for text in (FETCH, LAYER, HOST):
        laptop("note", text)
    laptop("sync", "--remote", remote)
    desktop("sync", "--remote", remote)
    fetch, layer, host = map(laptop.id_of, (FETCH, LAYER, HOST))

    laptop("edit", fetch, f"{FETCH} Here.")
    desktop("edit", fetch, f"{FETCH} There.")
    laptop("retire", layer)
    desktop("forget", host, "--yes")
    laptop.project = laptop.project.rename(laptop.project.with_name("storefront"))
    sync(laptop, desktop, laptop)
    asked = [one["what"] for one in laptop.json("review")["changes"]]
    before = laptop.texts()
    accept(laptop)
    sync(laptop, desktop)

    assert set(asked) == {"erase"}
    assert HOST in before
    for each in (laptop, desktop):
        assert each.texts() == {f"{FETCH} There."}
        assert f"{FETCH} Here." in each("history", fetch, "--json")
        assert "bluebird" not in each("list", "--all", "--json")
        assert [note["status"] for note in each.json("show", layer)] == ["retired"]
    assert laptop.everything() == desktop.everything()


def test_a_plain_folder_that_lies_elsewhere_is_linked_once_and_known_on_both(
    machine: Named, remote: str
) -> None:
    laptop, desktop = machine("laptop"), machine("desktop")
    old, new = laptop.project.parent / "sketches", desktop.project.parent / "drafts"
    for folder in (old, new):
        folder.mkdir()
    laptop("note", FETCH, cwd=old)
    laptop("sync", "--remote", remote)
    desktop("sync", "--remote", remote)

    before = desktop.texts(new)
    desktop("project", "alias", str(new), str(old))
    desktop("note", LAYER, cwd=new)
    sync(desktop, laptop)
    accept(laptop)

    assert before == set()
    assert desktop.texts(new) == laptop.texts(old) == {FETCH, LAYER}


@requirement("U194")
def test_a_third_machine_recovers_everything_and_asks_once_about_rules(
    machine: Named, remote: str
) -> None:
    laptop, desktop, tablet = machine("laptop"), machine("desktop"), machine("tablet")
    laptop("note", FETCH, "--skill", "release", "--pin")
    laptop("note", RULE, "--kind", "rule")
    laptop("note", LAYER, "--everywhere")
    laptop("memory-set", "architecture", CHAPTER)
    laptop("todo", "add", "Write the changelog", "--next")
    laptop("handoff", "parser", "--status", "half of it is moved", "--left", "move the lexer")
    laptop("sync", "--remote", remote)
    desktop("sync", "--remote", remote)
    desktop("note", HOST)
    desktop("review", "--accept-all", "rules", "--yes")
    sync(desktop, laptop)

    waits = tablet("recover", "--remote", remote)
    quiet = RULE not in tablet.session("s1").start()
    tablet("review", "--accept-all", "rules", "--yes")
    sync(tablet, desktop, laptop, tablet)

    assert "waiting:   1" in waits
    assert quiet
    for each in (laptop, desktop, tablet):
        assert {FETCH, RULE, LAYER, HOST} <= each.texts()
        assert each("memory-get", "architecture").strip() == CHAPTER
        assert "Write the changelog" in each("todo")
        assert "move the lexer" in each("handoff", "--show")
        assert RULE in each.session("s2").start()
    sync(laptop, desktop, tablet, laptop, desktop)
    assert laptop.everything() == desktop.everything() == tablet.everything()
