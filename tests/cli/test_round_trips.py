"""Files of fireworks-skill-memory and rows of magic-context go in and come out as they were."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.cli.conftest import Command
from tests.commands import run_command
from tests.interop.older_files import (
    a_row,
    context_rows,
    knowledge_files,
    read_context,
    write_context,
)
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import prepare

LESSONS = """# voice — experience

> Shared cross-session lessons for `voice`.
> Auto-maintained by fireworks-skill-memory. Last updated: 2026-11-01

## Entries

- [2026-11] Replace `![[...]]` with `<image token="..."/>` before overwrite sync  [HIT:1]
- [Latency] Each call has latency.
- [2026-03] 回滚后要清 CDN 缓存  [HIT:7]

Talk to Mina first.
"""
FILES = {
    ".ai-memory/skills/voice/KNOWLEDGE.md": LESSONS,
    ".ai-memory/skills/voice/CHECKPOINTS.md": (
        "# voice — checkpoints\n\n> Raw notes captured during Codex/Claude work.\n\n"
        "- [2026-11-16 04:12:15] the tag was old <b>\n"
    ),
    ".ai-memory/global/KNOWLEDGE.md": "# Global Skills Principles\n\n## Principles\n\n- [retry] Twice the same is enough.\n",
    ".claude/skills/readme/KNOWLEDGE.md": "# readme — experience\n\n## Entries\n\n- [API] No newline at the end",
    ".claude/skills/readme/.error_seeds": "\n--- error seed 2026-11-16T04:12:15 ---\nerror: no such tag\n",
    ".claude/skills-knowledge.md": "# Skills\n\nEdit freely.\n\n- [2026-02] [pdf] Embed fonts.  [HIT:2]\n",
    ".claude/error-seeds/abc.txt": "\n--- [2026-11-16T04:12:15] tool=Bash ---\nfatal: no such ref\n",
    ".claude/skill-usage-stats.json": '{"voice": {"total": 3, "last_seen": "2026-11-16", "daily": {"2026-11-16": 3}}}',
    ".claude/skill-memory.log": "2026-11-16 04:12:15 | abcdef12 | UPDATED | voice\n",
}


@pytest.fixture
def user(home: Path) -> Path:
    return Path(os.environ["HOME"])


def put_all(user: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = user / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def exported(twiceshy: Command, folder: Path, form: str = "fireworks") -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    twiceshy("export", "--as", form, str(folder))
    return folder


def place_of(name: str) -> str:
    return name.removeprefix(".ai-memory/")


@requirement("F31")
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_fireworks_leaves_as_it_came_to_the_byte(
    twiceshy: Command, user: Path, tmp_path: Path, name: str
) -> None:
    put_all(user, {name: FILES[name]})
    twiceshy("import", "fireworks")

    out = exported(twiceshy, tmp_path / "out")

    assert (out / place_of(name)).read_bytes().decode() == FILES[name]


@requirement("F33")
def test_all_files_together_leave_as_they_came_and_are_known_when_they_come_back(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    twiceshy("import", "fireworks")

    out = exported(twiceshy, tmp_path / "out")
    again = twiceshy("import", "fireworks", str(out))

    found = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    assert {name: path.read_bytes().decode() for name, path in found.items()} == {
        place_of(name): text for name, text in FILES.items()
    }
    assert again.out == "fireworks: offered 12, new 0, known 12\n"


@requirement("F32")
@settings(max_examples=sized(12, soak=40))
@given(knowledge_files())
def test_any_knowledge_file_leaves_as_it_came(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    env = {"HOME": str(folder / "user"), "TWICESHY_HOME": str(folder / "home")}
    prepare(folder / "home")
    put_all(folder / "user", {".claude/skills/voice/KNOWLEDGE.md": text})

    came = run_command("import", "fireworks", cwd=folder, env=env)
    run_command("export", "--as", "fireworks", str(folder / "out"), cwd=folder, env=env)

    assert came.code == 0
    assert (folder / "out/.claude/skills/voice/KNOWLEDGE.md").read_bytes().decode() == text


@requirement("F34", "F35")
def test_only_the_line_of_a_changed_note_changes(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    twiceshy("import", "fireworks")
    shown = twiceshy("list", "--skill", "voice", "--json").json
    notes = {note["text"].split()[0]: note["id"] for note in shown}
    twiceshy("retire", notes["Each"])
    twiceshy("note", "--skill", "voice", "--everywhere", "回滚后要清 CDN 缓存")
    twiceshy("note", "--skill", "voice", "--everywhere", "Mute the fan before a call.")

    text = (exported(twiceshy, tmp_path / "out") / "skills/voice/KNOWLEDGE.md").read_text()

    before, after = LESSONS.splitlines(), text.splitlines()
    assert [line for line in before if line not in after] == [
        "- [Latency] Each call has latency.",
        "- [2026-03] 回滚后要清 CDN 缓存  [HIT:7]",
    ]
    new, grown = sorted(line for line in after if line not in before and line)[::-1]
    assert grown == "- [2026-03] 回滚后要清 CDN 缓存  [HIT:8]"
    assert "Mute the fan before a call." in new
    assert after.index("## Entries") < after.index(new) < after.index("Talk to Mina first.")


def test_an_edited_note_leaves_with_its_new_words(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    twiceshy("import", "fireworks")
    (note,) = twiceshy("list", "--skill", "readme", "--json").json
    twiceshy("edit", note["id"], "A newline ends every file")

    text = (
        exported(twiceshy, tmp_path / "out") / ".claude/skills/readme/KNOWLEDGE.md"
    ).read_text()

    assert "A newline ends every file" in text
    assert "No newline" not in text


@requirement("F40")
def test_what_is_forgotten_is_in_no_file_that_leaves(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    twiceshy("import", "fireworks")
    (note,) = twiceshy("list", "--skill", "readme", "--json").json
    twiceshy("forget", note["id"], "--yes")

    out = exported(twiceshy, tmp_path / "out")

    for path in out.rglob("*"):
        assert path.is_dir() or b"No newline at the end" not in path.read_bytes()


@requirement("F41")
def test_after_an_undo_the_files_are_gone_as_well(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    twiceshy("import", "fireworks")
    twiceshy("undo")

    out = exported(twiceshy, tmp_path / "out")

    assert not (out / ".claude/skills/readme/KNOWLEDGE.md").exists()
    assert "Twice the same" not in (out / "global/KNOWLEDGE.md").read_text()


@requirement("F39")
def test_secrets_of_a_file_do_not_leave(twiceshy: Command, user: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    put_all(user, {".claude/skill-memory.log": f"2026-11-16 04:12:15 | x | SEEDS | {secret}\n"})
    twiceshy("import", "fireworks")

    text = (exported(twiceshy, tmp_path / "out") / ".claude/skill-memory.log").read_text()

    assert secret not in text
    assert "SEEDS" in text


def context_of(user: Path) -> Path:
    return user / ".local/share/cortexkit/magic-context/context.db"


@requirement("M40")
@settings(max_examples=sized(8, soak=40))
@given(context_rows())
def test_any_rows_of_magic_context_leave_as_they_came(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    env = {"HOME": str(folder / "user"), "TWICESHY_HOME": str(folder / "home")}
    prepare(folder / "home")
    there = write_context(context_of(folder / "user"), rows)

    came = run_command("import", "magic-context", cwd=folder, env=env)
    run_command("export", "--as", "magic-context", str(folder / "out"), cwd=folder, env=env)

    assert came.code == 0
    assert read_context(folder / "out/context.db") == read_context(there)


@requirement("M41")
def test_a_row_of_magic_context_leaves_with_what_changed_and_nothing_else(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    rows = [a_row(), a_row(delta="Staging needs VPN", hit_count=3), a_row(delta="Old news")]
    there = write_context(context_of(user), rows)
    twiceshy("import", "magic-context")
    notes = {note["text"]: note["id"] for note in twiceshy("list", "--all", "--json").json}
    twiceshy("pin", notes["Staging needs VPN"])
    twiceshy("edit", notes["Tag with -a, then push tags"], "Tag with -s, then push tags")
    twiceshy("retire", notes["Old news"])

    first, second = read_context(
        exported(twiceshy, tmp_path / "out", "magic-context") / "context.db"
    )

    was = read_context(there)
    assert {name for name in first if first[name] != was[0][name]} == {"delta", "normalized_hash"}
    assert first["delta"] == "Tag with -s, then push tags"
    assert {name: second[name] for name in second if second[name] != was[1][name]} == {"pinned": 1}


@requirement("M40")
def test_a_row_that_cannot_be_written_is_named_and_the_others_are_written(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    rows = [a_row(last_used_at=None), a_row(delta="Odd", tier="odd"), a_row(delta="Use the VPN")]
    there = write_context(context_of(user), rows)
    twiceshy("import", "magic-context")

    said = twiceshy("export", "--as", "magic-context", str(tmp_path / "out")).err

    first, odd, last = read_context(there)
    assert read_context(tmp_path / "out/context.db") == [first, last]
    assert first["last_used_at"] is None
    assert f"not written: skill_memory:{odd['id']}: CHECK constraint failed: tier" in said


def test_an_edited_line_leaves_with_the_signs_that_were_typed(
    twiceshy: Command, user: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    twiceshy("import", "fireworks")
    (note,) = twiceshy("list", "--skill", "readme", "--json").json
    said = 'Use `<image src="y" />`; plain <img> is stripped, &lt; is not.'
    twiceshy("edit", note["id"], said)
    twiceshy("checkpoint", "--skill", "readme", "--note", said)

    out = exported(twiceshy, tmp_path / "out")
    told = [
        (out / ".claude/skills/readme/KNOWLEDGE.md").read_text(),
        (out / "skills/readme/CHECKPOINTS.md").read_text(),
        twiceshy("show", "--skill", "readme").out,
        twiceshy("show", "--skill", "readme", "--checkpoints").out,
        twiceshy("inject", "--skill", "readme").out,
    ]

    assert [said in text for text in told] == [True] * len(told)


def test_a_note_that_joined_a_kept_file_is_not_counted_as_left_out(
    twiceshy: Command, user: Path, project: Path, tmp_path: Path
) -> None:
    put_all(user, FILES)
    facts = '{"decisions":[{"id":"d001","content":"Use SQLite","reason":"no server"}]}'
    put_all(project, {".claude/memory/facts.json": facts})
    twiceshy("import", "fireworks")
    twiceshy("import", "memory-keeper")
    twiceshy("note", "--skill", "voice", "--everywhere", "Mute the fan before a call.")
    twiceshy("add-decision", "Use one queue", "it is enough")

    lessons = twiceshy("export", "--as", "fireworks", str(tmp_path / "lessons")).err
    decisions = twiceshy("export", "--as", "keeper", str(tmp_path / "decisions")).err

    assert lessons.startswith("9 notes in ")
    assert "no place there for: 2 decision; a bundle" in lessons
    assert decisions.startswith("2 notes in ")
    assert "no place there for: 7 lesson, 2 page; a bundle" in decisions
