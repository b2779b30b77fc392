"""A mistake has a line that tells it, a sort, and a signature that is equal the next time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import broken_texts

from twiceshy.learning.detect.mistake import (
    Mistake,
    build_skeleton,
    classify_mistake,
    find_named_words,
)
from twiceshy.shell.call_words import call_words


def of(command: str, text: str, **fields: str) -> Mistake:
    return classify_mistake("Bash", call_words({"command": command}), text, command=True, **fields)


# command, what it printed, the line that tells, the sort
ERRORS = {
    "a flag": ("gh pr diff --stat", "unknown flag: --stat\n\nUsage:  gh pr diff", 0, "usage"),
    "a subcommand": ("rtk bun test", "error: unrecognized subcommand 'bun'", 0, "usage"),
    "a program": ("tree src", "Exit code 127\nzsh: command not found: tree", 1, "usage"),
    "how to call it": ("grep -Z", "usage: grep [-abc] [pattern]\n  more: error", 0, "usage"),
    "a file": ("cat a.yml", "cat: a.yml: No such file or directory", 0, "missing"),
    "a test": ("npm test", "ok 1\nFAIL src/a.test.ts\nTests: 1 failed", 1, "outcome"),
    "python": (
        "python3 a.py",
        "Traceback (most recent call last):\n  File x\nValueError: bad value: 5",
        2,
        "outcome",
    ),
    "the network": ("git push", "fatal: could not resolve host: github.com", 0, "transient"),
    "somebody further down": ("make all", "sh: tool: command not found", 0, "outcome"),
    "a guard": ("git push", "Permission to use Bash was denied by a hook", 0, "guardrail"),
    "nothing that tells": ("x", "one\ntwo", 1, "outcome"),
    "Chinese": ("x run", "第一行\n错误: 没有文件", 1, "outcome"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_mistake_is_told_by_one_line(name: str) -> None:
    command, text, number, sort = ERRORS[name]

    mistake = of(command, text)

    assert (mistake.line, mistake.category) == (text.splitlines()[number].strip(), sort)


@pytest.mark.parametrize(
    ("refusal", "sort"),
    [
        ("rejected", "rejected"),
        ("interrupted", "transient"),
        ("cancelled", "transient"),
        ("denied", "guardrail"),
        ("invalid", "usage"),
    ],
)
def test_what_was_refused_is_no_mistake_of_the_call_but_for_a_wrong_one(
    refusal: str, sort: str
) -> None:
    text = "InputValidationError: gh needs a value"

    assert of("gh pr", text + " gh", refusal=refusal).category == sort


def test_the_script_that_failed_is_named_before_its_error() -> None:
    mistake = of("npm test", "> shop@1.0.0 test\n> vitest run\nerror Command failed: exit 1")

    assert mistake.line == "> shop@1.0.0 test … error Command failed: exit 1"


def test_colours_and_tags_are_no_part_of_an_error() -> None:
    mistake = of("gh x", "<tool_use_error>\x1b[31munknown command\x1b[0m gh</tool_use_error>")

    assert mistake.line == "unknown command gh"


def test_the_same_mistake_has_the_same_signature_wherever_the_project_lies() -> None:
    one = of("cat x", "cat: /home/u/shop/src/a.py: No such file, line 12, at 1a2b3c4d5e")
    other = of("cat y", "cat: /srv/web/src/a.py: No such file, line 7, at 99aa88bb77")

    assert one.signature == other.signature == "Bash|cat|cat: a.py: No such file, line N, at N"


def test_another_mistake_has_another_signature() -> None:
    assert of("gh x", "unknown flag: --a").signature != of("gh x", "unknown flag: --b").signature


@pytest.mark.parametrize(
    ("command", "line", "found"),
    [
        ("gh pr diff --stat", "unknown flag: --stat", ["--stat"]),
        ("git log --max=5x", "unknown option --max=5", ["--max"]),
        ("cat src/a.py", "cat: src/a.py: no such file", ["cat", "src/a.py"]),
        ("gh pr -s x", "unknown shorthand flag: 's' in -s", ["-s"]),
        ("grep -P x", "grep: invalid option -- P", ["-P", "grep"]),
        ("npm test", "it is broken", []),
    ],
)
def test_an_error_names_its_culprits_flags_first(
    command: str, line: str, found: list[str]
) -> None:
    (part,) = call_words({"command": command})

    assert find_named_words(part, line) == found


FRAMES = {
    "note": '<twiceshy-note id="n1">About such calls: `a` failed: "unknown flag".</twiceshy-note>',
    "in a file": 'log.txt:3:<twiceshy-note id="n1">error: unknown flag</twiceshy-note>',
    "skill": '<skill-memory skill="x">\n- [n1] error: unknown flag\nfatal: x\n</skill-memory>',
    "project": "  <project-memory>\nerror: unknown flag --x\n</project-memory> error: y",
    "never closed": "<skill-memory>\nerror: unknown flag",
}


@pytest.mark.parametrize("name", FRAMES)
def test_what_we_said_before_is_no_error_wherever_it_is_printed(name: str) -> None:
    assert of("cat log", f"{FRAMES[name]}\n").line == ""


def test_an_error_beside_what_we_said_is_one() -> None:
    assert of("gh x", f"{FRAMES['skill']}\nunknown flag: --y").line == "unknown flag: --y"


@given(broken_texts, broken_texts)
def test_any_text_can_be_an_error(command: str, text: str) -> None:
    mistake = of(command, text)

    assert "\n" not in mistake.line
    assert len(mistake.line) <= 280
    assert len(mistake.signature) <= len("Bash|") + 101 + 120


@given(
    st.sampled_from(["error: x\n", "a" * 50, "/a", "<skill-memory>", "7 "]), st.integers(1, 400)
)
def test_of_a_long_result_the_beginning_and_the_end_are_looked_at(piece: str, times: int) -> None:
    text = f"unknown flag: --a\n{piece * times * 100}\nfatal: the end"

    assert of("gh --a", text).line == "unknown flag: --a"


@given(broken_texts)
def test_what_is_left_of_a_line_does_not_change_when_it_is_taken_again(line: str) -> None:
    assert build_skeleton(build_skeleton(line)) == build_skeleton(line)
