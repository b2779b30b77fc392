"""The audit at three depths: what it says of real pages, files, hooks and repositories, and that it writes nothing."""

import hashlib
import json
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Command, Ran
from tests.requirements import requirement

from twiceshy import wording
from twiceshy.places.identity import claude_slug
from twiceshy.project.audit import list_areas
from twiceshy.project.audit.facts import TAGS, build_finding
from twiceshy.project.audit.wording import describe_action, describe_finding

DEPTHS = ("check", "full-check", "memory-health")
UTC = "All times in the database are stored in UTC and shown in local time."


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    wording.speak(lambda: "en")


@pytest.fixture
def native(tmp_path: Path, project: Path) -> Path:
    """The folder in which Claude Code keeps its own notes about the project."""
    folder = tmp_path / "user" / ".claude" / "projects" / claude_slug(str(project)) / "memory"
    folder.mkdir(parents=True)
    return folder


def flaws(ran: Ran) -> list[tuple[str, str, str]]:
    return [
        (one["tag"], one["about"], one["where"])
        for one in ran.json["findings"]
        if one["about"] != "sound"
    ]


def told(twiceshy: Command, *words: str, fails: int = 0) -> list[tuple[str, str, str]]:
    return flaws(twiceshy(*words, "--json", fails=fails))


def snapshot(folder: Path) -> dict[str, str]:
    """Return every file, folder and link below a folder, with what is in it and who may read it."""
    return {
        str(path.relative_to(folder)): f"{path.lstat().st_mode} "
        + (f"{path.lstat().st_mtime_ns} {_digest(path)}" if path.is_file() else "")
        for path in sorted(folder.rglob("*"))
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def git(where: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", *settings, "-C", str(where), *arguments]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.parametrize("verb", DEPTHS)
def test_where_nothing_is_kept_nothing_is_wrong_and_nothing_is_begun(
    verb: str, twiceshy: Command, tmp_path: Path
) -> None:
    before = snapshot(tmp_path)

    ran = twiceshy(verb)

    assert {line.split()[0] for line in ran.out.splitlines() if line[:1].isupper()} <= {
        "OK",
        "CLEAN",
    }
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("verb", DEPTHS)
def test_a_sound_memory_is_sound_at_every_depth(
    verb: str, twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "user" / ".claude").mkdir()
    twiceshy("install", "claude-code", "--yes")
    twiceshy("note", "Lock with uv lock --frozen before tagging", "--skill", "release")
    twiceshy("note", "Never push to main", "--kind", "rule")
    twiceshy("add-decision", "Use PostgreSQL", "it has transactions")
    twiceshy("memory-set", "project", "# Shop\nSee [architecture](architecture.md).")
    twiceshy("memory-set", "architecture", f"# Architecture\n{UTC}")
    (project / "CLAUDE.md").write_text("# Rules\nRun make test before every commit you make.\n")

    assert told(twiceshy, verb) == []


# what the troubled project below has, by the tags that each verb gives to it
LARGE, LINK, LONE = ("page-large", "billing"), ("link-broken", "shop"), ("page-orphan", "lone.md")
GONE = ("link-broken", "MEMORY.md")
SHARED, AGAIN = ("line-twice", "shop, times"), ("instruction-twice", "CLAUDE.md")
HOOK, DIRTY = ("hook-dead", "settings.json"), ("repository-dirty", "shop")
EXPECTED = {
    "check": {
        "WARNING": {LARGE, LONE},
        "BROKEN": {LINK, GONE, HOOK},
    },
    "full-check": {
        "FAT": {LARGE},
        "BROKEN": {LINK, GONE, HOOK},
        "ORPHAN": {LONE},
        "DUPLICATE": {SHARED, AGAIN},
        "DIRTY": {DIRTY},
    },
    "memory-health": {
        "WARNING": {LARGE, LONE},
        "BROKEN": {LINK, GONE, HOOK},
    },
}


@pytest.fixture
def troubled(twiceshy: Command, project: Path, native: Path, tmp_path: Path) -> Path:
    """A folder with a project, a user and a store in which something is wrong with everything."""
    git(project, "init", "-q")
    git(project, "commit", "-q", "--allow-empty", "-m", "begin")
    twiceshy("memory-set", "billing", "\n".join(f"- line {number}" for number in range(201)))
    twiceshy("memory-set", "shop", f"{UTC}\nSee [[gone]].")
    twiceshy("memory-set", "times", UTC)
    (project / "CLAUDE.md").write_text(f"- {UTC}\n")
    (native / "MEMORY.md").write_text("- [a](a.md)\n")
    (native / "lone.md").write_text("# Lone\n")
    hook = {"type": "command", "command": "node ~/.claude/hooks/end.js"}
    settings = tmp_path / "user" / ".claude" / "settings.json"
    settings.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    return tmp_path


@requirement("U188", "E58", "E59")
@pytest.mark.parametrize("verb", DEPTHS)
def test_the_verbs_are_one_audit_at_three_depths_that_changes_no_byte(
    verb: str, twiceshy: Command, troubled: Path
) -> None:
    journal = twiceshy("history", "--json").json
    before = snapshot(troubled)

    ran = twiceshy(verb, "--json", fails=1)

    assert snapshot(troubled) == before
    assert twiceshy("history", "--json").json == journal
    seen: dict[str, set[tuple[str, str]]] = {}
    for tag, about, where in flaws(ran):
        seen.setdefault(tag, set()).add((about, where.rpartition("/")[2]))
    assert seen == EXPECTED[verb]


@requirement("U112", "E60")
def test_a_page_is_stale_after_30_days_and_too_large_beyond_200_lines(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-01T12:00:00Z")
    twiceshy("memory-set", "project", "# Shop")
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-31T11:59:00Z")
    twiceshy("memory-set", "architecture", "\n".join(f"- {number}" for number in range(201)))
    twiceshy("memory-set", "conventions", "\n".join(f"- {number}" for number in range(200)))
    day_29 = told(twiceshy, "memory-health")
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-31T12:00:00Z")

    day_30 = twiceshy("memory-health", "--json")

    assert day_29 == [("WARNING", "page-large", "architecture")]
    assert flaws(day_30) == [*day_29, ("WARNING", "page-stale", "project")]
    assert {page["name"]: page["status"] for page in day_30.json["pages"]} == {
        "project": ["stale"],
        "architecture": ["too large"],
        "conventions": [],
    }
    assert "project: lines: 1, days unchanged: 30, stale" in twiceshy("memory-health").out


@requirement("U116", "M44")
def test_the_health_of_skill_notes_is_told_and_nothing_is_changed(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOTES_SKILL_MAX", "500")
    text = "Run the database migrations before starting the worker process"
    for number in range(101):
        twiceshy("note", f"Tool{number} needs flag{number}", "--skill", "release", "--new")
    pinned = twiceshy("note", text, "--skill", "deploy").out.strip()
    twiceshy("note", f"{text} again", "--skill", "deploy", "--new")
    twiceshy("pin", pinned)
    with closing(sqlite3.connect(home / "twiceshy.db")) as db, db:
        db.execute("DELETE FROM vectors WHERE note LIKE ?", (f"%{pinned[1:]}",))
    before = snapshot(home)

    ran = twiceshy("memory-health", "--json")

    assert snapshot(home) == before
    assert (
        "skill deploy: notes 2, pinned 1, gotchas 2, near-duplicates 1, without vector 1"
        in twiceshy("memory-health").out
    )
    deploy, release = ran.json["skills"]
    assert (deploy["notes"], deploy["pinned"], deploy["near"]) == (2, 1, 1)
    assert deploy["without_vector"] == 1
    assert (release["notes"], release["crowded"], release["one_sided"]) == (101, True, True)
    assert {about for _, about, _ in flaws(ran)} == {
        "skill-crowded",
        "skill-gotchas",
        "note-near",
        "vectors-missing",
    }


def test_the_folder_of_claude_code_is_looked_at_like_pages(
    twiceshy: Command, native: Path
) -> None:
    (native / "MEMORY.md").write_text("- [a](a.md)\n- [b](b.md)\n" + "- x\n" * 199)
    (native / "a.md").write_text("still to be written: [[someday]]")
    (native / "handoff-x.md").write_text("# Handoff")

    found = {(tag, about) for tag, about, _ in told(twiceshy, "check", "memory", fails=1)}

    assert found == {("BROKEN", "hub-full"), ("BROKEN", "link-broken")}


def test_commands_and_skills_are_followed_to_what_they_call(
    twiceshy: Command, project: Path
) -> None:
    commands = project / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "gone.md").write_text("Run `twiceshy frobnicate`.")
    (commands / "fine.md").write_text("Run `twiceshy save $ARGUMENTS` or `twiceshy 存記憶 x`.")
    skill = project / ".claude" / "skills" / "pdf"
    (skill / "references").mkdir(parents=True)
    (skill / "SKILL.md").write_text(
        "---\nname: pdf\n---\nSee [forms](references/forms.md), [x](other/example.md)."
    )
    (skill / "references" / "lone.md").write_text("x")

    quick = told(twiceshy, "check", "commands", fails=1)
    full = told(twiceshy, "full-check", "commands", fails=1)

    assert quick == [
        ("BROKEN", "command-dead", ".claude/commands/gone.md"),
        ("BROKEN", "link-broken", ".claude/skills/pdf/SKILL.md"),
    ]
    assert full == [
        *quick,
        ("ORPHAN", "reference-orphan", ".claude/skills/pdf/SKILL.md: references/lone.md"),
    ]


def test_a_launcher_whose_interpreter_is_gone_is_a_dead_hook(
    twiceshy: Command, tmp_path: Path, home: Path
) -> None:
    (tmp_path / "user" / ".claude").mkdir()
    twiceshy("install", "claude-code", "--yes")
    (home / "bin" / "hook").write_text("#!/bin/sh\npython=/old/python\nhook=/old/run.py\n")

    found = twiceshy("check", "hooks", "--json", fails=1)

    assert ("BROKEN", "hook-broken", "launcher") in flaws(found)
    assert [one["do"] for one in found.json["findings"]][:1] == ["twiceshy install"]


def test_no_program_is_started_to_look_at_hooks(
    twiceshy: Command, tmp_path: Path, home: Path
) -> None:
    (tmp_path / "user" / ".claude").mkdir()
    twiceshy("install", "claude-code", "--yes")
    launcher = home / "bin" / "hook"
    launcher.write_text(
        launcher.read_text().replace("home=", f"touch {tmp_path}/started\nhome=", 1)
    )

    twiceshy("check", "hooks")

    assert not (tmp_path / "started").exists()


def test_a_project_that_is_new_is_not_remembered_by_looking_at_it(
    twiceshy: Command, project: Path, home: Path
) -> None:
    twiceshy("note", "x is y")
    git(project, "init", "-q")
    git(project, "commit", "-q", "--allow-empty", "-m", "begin")
    before = snapshot(home)

    twiceshy("full-check")

    assert snapshot(home) == before


def test_what_hooks_could_not_do_is_told_from_the_log(twiceshy: Command, home: Path) -> None:
    twiceshy("note", "x is y")
    (home / "hook.log").write_text("2999-01-01T00:00:00Z claude-code Stop OSError: no\n")

    found = told(twiceshy, "memory-health")

    assert [about for _, about, _ in found] == ["hook-trouble", "hook-trouble"]


@requirement("E59")
def test_a_repository_behind_its_remote_is_told_without_asking_it(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    git(project, "init", "-q", "-b", "main")
    for name in ("one", "two"):
        git(project, "commit", "-q", "--allow-empty", "-m", name)
    git(project, "remote", "add", "origin", "ssh://nowhere.invalid/shop")
    git(project, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(project, "branch", "-q", "--set-upstream-to", "origin/main")
    git(project, "reset", "-q", "--hard", "HEAD~1")

    assert told(twiceshy, "full-check", "git") == [("BEHIND", "repository-behind", str(project))]


def test_rules_that_contradict_each_other_need_attention(twiceshy: Command) -> None:
    twiceshy("note", "Use tabs instead of spaces", "--kind", "rule")
    twiceshy("note", "Prefer names in English", "--kind", "rule")
    second = twiceshy("list", "--kind", "rule", "--json").json[0]["id"]
    twiceshy("edit", second, "Use spaces instead of tabs")

    ((tag, about, _),) = told(twiceshy, "full-check", "memory", fails=1)

    assert (tag, about) == ("CONFLICT", "rule-conflict")


def test_a_printed_view_that_says_something_else_by_now_is_stale(
    twiceshy: Command, tmp_path: Path
) -> None:
    twiceshy("note", "Lock with uv lock --frozen before tagging", "--skill", "release")
    view = tmp_path / "user" / ".claude" / "skills" / "release" / "KNOWLEDGE.md"
    view.parent.mkdir(parents=True)
    view.write_text(twiceshy("show", "--skill", "release").out)
    fresh = told(twiceshy, "full-check", "memory")
    twiceshy("note", "Sign the tag", "--skill", "release")

    assert fresh == []
    assert told(twiceshy, "full-check", "memory") == [("STALE", "view-drifted", str(view))]


def test_warnings_alone_fail_only_when_asked_to_be_strict(twiceshy: Command) -> None:
    twiceshy("memory-set", "billing", "x\n" * 201)

    lax = twiceshy("check")
    strict = twiceshy("check", "--strict", fails=1)

    assert lax.out == strict.out
    assert lax.out.splitlines()[:2] == [
        "WARNING   billing: 201 lines, more than 200",
        "          → split it by topic: twiceshy memory-set TOPIC, then shorten billing",
    ]


def test_another_project_can_be_looked_at_from_here(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    twiceshy("memory-set", "billing", "See [[gone]].")
    other = tmp_path / "site"
    other.mkdir()
    monkeypatch.chdir(other)

    assert told(twiceshy, "check") == []
    assert told(twiceshy, "check", "--project", str(project), fails=1) == [
        ("BROKEN", "link-broken", "billing")
    ]
    assert "there is no project" in twiceshy("check", "--project", "nobody", fails=1).err


def test_a_project_is_known_by_name_even_if_its_folder_is_gone(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    twiceshy("memory-set", "billing", "See [the code](src/app.py) and [[gone]].")
    monkeypatch.chdir(tmp_path)
    there = twiceshy("full-check", "--project", "shop", "--json", fails=1)
    project.rmdir()

    gone = twiceshy("full-check", "--project", "shop", "--json", fails=1)

    targets = [
        [one["message"] for one in ran.json["findings"] if one["about"] == "link-broken"]
        for ran in (there, gone)
    ]
    assert targets == [
        ["a link leads nowhere: src/app.py", "a link leads nowhere: gone"],
        ["a link leads nowhere: gone"],
    ]


def test_a_page_for_every_project_links_to_files_of_none(twiceshy: Command) -> None:
    twiceshy("memory-set", "style", "See [the code](src/app.py).", "--everywhere")

    assert told(twiceshy, "check") == []


def test_links_lead_to_files_of_the_project_and_of_the_user(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    (project / "src").mkdir()
    (project / "src" / "app.py").write_text("x")
    (tmp_path / "user" / "notes.md").write_text("x")
    links = "[a](src/app.py) [b](src/app.py:3) [c](~/notes.md) [d](src) [e](url) [f](path/to/x.md)"
    twiceshy("memory-set", "billing", f"{links} [g]({tmp_path}/user/notes.md) [h](/src/app.py)")

    assert told(twiceshy, "check", "memory") == []


def test_a_project_that_nobody_knows_is_told_before_anything_is_kept(twiceshy: Command) -> None:
    assert "nothing is kept yet" in twiceshy("check", "--project", "nobody", fails=1).err


def test_hostile_names_and_texts_stay_on_their_line(twiceshy: Command, native: Path) -> None:
    (native / "MEMORY.md").write_text("- [x](a\x1b[31mb.md)\n")
    (native / "evil\nOK  memory.md").write_text("x")

    out = twiceshy("check", "memory", fails=1).out

    assert "\x1b" not in out
    *lines, last = out.splitlines()
    assert all(line.startswith(("BROKEN", "WARNING", "    ")) for line in lines)
    assert last.startswith("health: BROKEN: ")


def test_a_secret_in_a_file_of_others_is_not_repeated(
    twiceshy: Command, project: Path, native: Path
) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    line = f"Log in to the registry with {token} before you publish anything."
    (project / "CLAUDE.md").write_text(line)
    (native / "MEMORY.md").write_text(line)

    ran = twiceshy("full-check", "project", "--json")

    assert [about for _, about, _ in flaws(ran)] == ["instruction-twice"]
    assert token not in ran.out


def test_many_findings_of_one_sort_are_cut_for_people_only(twiceshy: Command) -> None:
    twiceshy("memory-set", "shop", " ".join(f"[[gone{number}]]" for number in range(13)))

    ran = twiceshy("check", "memory", fails=1)

    assert ran.out.count("BROKEN  ") == 10
    assert "health: BROKEN: 13 broken, 0 to look at; all of it: twiceshy full-check\n" in ran.out
    assert "and 3 more of one sort" in ran.err
    assert len(told(twiceshy, "check", "memory", fails=1)) == 13


def test_people_read_it_in_their_language(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    twiceshy("memory-set", "billing", "x\n" * 201)

    assert "WARNING   billing: 201 行,超過 200 行" in twiceshy("check").out


@pytest.mark.parametrize("about", [about for about in TAGS if about != "sound"])
def test_every_sort_of_finding_has_words_and_something_to_do(about: str) -> None:
    names = (
        "name file lines most days target count text percent other one trigger skill only_there"
    )
    values = dict.fromkeys(names.split(), "x") | dict.fromkeys(
        "lacking verb missing message hint ahead retire older newer reason state files rule".split(),
        "y",
    )
    for file in (True, False):
        finding = build_finding(about, "memory", "here", **values | {"file": file})

        assert describe_finding(finding)
        assert describe_action(finding)


def test_the_areas_are_those_of_the_seed() -> None:
    assert list_areas("quick") == ("memory", "commands", "hooks", "project")
    assert set(list_areas("full")) == {"memory", "commands", "hooks", "project", "git"}
