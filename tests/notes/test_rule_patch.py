"""A rule becomes a patch that git and patch apply to any file of instructions, once."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.errors import NoteError, UnsafeNameError
from twiceshy.notes.rule_patch import HEADING, add_rule_line, build_patch

RULE = a_note("Never push to main.", kind="rule", why="CI deploys it")
BULLET = "- Never push to main. (CI deploys it)"
SECTION = f"## {HEADING}\n\n{BULLET}\n"
TOOLS = {
    "git": ["git", "apply", "-"],
    "patch": ["patch", "-p1", "--binary"],  # some leave out the carriage returns otherwise
}


def applied(folder: Path, name: str, content: bytes | None, *, tool: str = "git") -> bytes:
    """Return the file as a real tool leaves it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is not None:
        path.write_bytes(content)
    diff = build_patch(name, content, RULE)
    done = subprocess.run(TOOLS[tool], input=diff, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr + diff
    return path.read_bytes()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, SECTION),
        ("", SECTION),
        ("# Shop\n", f"# Shop\n\n{SECTION}"),
        ("# Shop\n\n", f"# Shop\n\n{SECTION}"),
        ("# Shop", f"# Shop\n\n{SECTION}"),
        ("# Shop\r\n\r\nUse uv.\r\n", f"# Shop\n\nUse uv.\n\n{SECTION}".replace("\n", "\r\n")),
        ("# Shop\r\nUse uv.", f"# Shop\nUse uv.\n\n{SECTION}".replace("\n", "\r\n")),
        ("# 商店\n\n用 uv。\n", f"# 商店\n\n用 uv。\n\n{SECTION}"),
        (f"## {HEADING}\n", SECTION),
        (f"## {HEADING}", SECTION),
        (f"## {HEADING}\n\n- One.\n- Two.", f"## {HEADING}\n\n- One.\n- Two.\n{BULLET}\n"),
        (
            f"# Shop\n\n### {HEADING.upper()}\n\n- One.\n\n## Style\n\nBe kind.\n",
            f"# Shop\n\n### {HEADING.upper()}\n\n- One.\n{BULLET}\n\n## Style\n\nBe kind.\n",
        ),
        (
            f"## {HEADING}\n\nRead them.\n\n## Style\n",
            f"## {HEADING}\n\nRead them.\n\n{BULLET}\n\n## Style\n",
        ),
        ("Before\x0cafter\u2028line\n", f"Before\x0cafter\u2028line\n\n{SECTION}"),
    ],
)
def test_the_rule_ends_up_under_its_heading(
    tmp_path: Path, tool: str, content: str | None, expected: str
) -> None:
    if shutil.which(TOOLS[tool][0]) is None:
        pytest.skip(f"{tool} is not installed")
    if tool == "git":
        subprocess.run(["git", "init", "-q", tmp_path], check=True)

    before = content.encode() if content is not None else None
    after = applied(tmp_path, "CLAUDE.md", before, tool=tool)

    assert after.decode() == expected
    assert build_patch("CLAUDE.md", after, RULE) == b""  # once is enough


@pytest.mark.parametrize("name", ["a b/AGENTS.md", "文档/规则.md", "x/.claude/skills/r/SKILL.md"])
@pytest.mark.parametrize("content", [None, b"# Shop\n"])
def test_git_applies_it_to_a_file_of_any_name(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)

    assert BULLET.encode() in applied(tmp_path, name, content)


def test_bytes_that_are_no_text_in_utf_8_stay_as_they_are(tmp_path: Path) -> None:
    after = applied(tmp_path, "CLAUDE.md", b"caf\xe9\n")

    assert after == b"caf\xe9\n\n" + SECTION.encode()


def test_a_rule_in_chinese_and_on_several_lines_is_one_bullet() -> None:
    rule = a_note("不要推送到 main。\n否则会部署。", kind="rule")

    diff = build_patch("AGENTS.md", None, rule).decode()

    assert "+- 不要推送到 main。 否则会部署。\n" in diff


def test_a_rule_that_stands_there_in_other_case_or_with_another_bullet_is_not_added() -> None:
    there = b"# Mine\n\n* never push to MAIN. (ci deploys it)\n"

    assert build_patch("CLAUDE.md", there, RULE) == b""


def test_what_is_no_text_gets_no_patch() -> None:
    with pytest.raises(NoteError, match="is no text"):
        build_patch("CLAUDE.md", "# Shop".encode("utf-16"), RULE)


@pytest.mark.parametrize("name", ["a\nb.md", 'a"b.md', "a\\b.md", "a\tb.md"])
def test_a_name_that_would_break_the_patch_is_refused(name: str) -> None:
    with pytest.raises(UnsafeNameError):
        build_patch(name, None, RULE)


@given(st.lists(st.sampled_from(["# A\n", "- b\n", "\n", "text\n", f"## {HEADING}\n", "- c"])))
def test_nothing_that_was_there_is_ever_lost_or_moved(lines: list[str]) -> None:
    lines = [line if line.endswith("\n") else line + "\n" for line in lines[:-1]] + lines[-1:]

    after = add_rule_line(lines, BULLET)

    added = iter(after)
    assert all(any(line.strip() == one.strip() for one in added) for line in lines)
    assert sum(BULLET in line for line in after) == 1
    assert add_rule_line(after, BULLET) == after
