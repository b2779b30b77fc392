"""What a command printed tells whether it failed, whatever its exit status says."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shell.failure_corpus import FAILED, FINE

from twiceshy.safety.redact import redact
from twiceshy.shell.failure import find_hidden_failure, may_hold_failure, signs
from twiceshy.shell.summary import NOISY_TOOLS, cut_excerpt, summarise_target


def payload(command: str, output: str) -> dict[str, object]:
    """Return what a hook is told about a command that came back with success."""
    return {
        "session_id": "00000000-0000-4000-8000-000000000001",
        "cwd": "/home/u/proj",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "Look"},
        "tool_response": {"stdout": output, "stderr": "", "interrupted": False},
    }


@pytest.mark.parametrize(("command", "output", "telling"), FAILED)
def test_a_failure_behind_a_success_is_found_by_the_line_that_tells_of_it(
    command: str, output: str, telling: str
) -> None:
    assert telling in find_hidden_failure(command, output)


@pytest.mark.parametrize(("command", "output", "telling"), FAILED)
def test_an_unknown_status_hides_no_failure(command: str, output: str, telling: str) -> None:
    assert telling in find_hidden_failure(command, output, is_status_known=False)


@pytest.mark.parametrize(
    ("command", "output"),
    [("make ship", "Error: no boxes"), ("gh pr diff 1 --stat", "unknown flag: --stat")],
)
def test_an_unknown_status_speaks_for_no_command(command: str, output: str) -> None:
    assert find_hidden_failure(command, output) == ""
    assert find_hidden_failure(command, output, is_status_known=False) == output


@pytest.mark.parametrize(("command", "output"), FINE)
def test_what_only_looks_like_a_failure_is_none(command: str, output: str) -> None:
    assert find_hidden_failure(command, output) == ""


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize(("command", "output", "telling"), FAILED)
def test_no_failure_is_lost_by_the_look_at_the_bytes(
    command: str, output: str, telling: str, escaped: bool
) -> None:
    raw = json.dumps(payload(command, output), ensure_ascii=escaped).encode()

    assert may_hold_failure(raw)


@pytest.mark.parametrize(
    "output", ["", "ok", "3 files changed, 12 insertions(+)", "0 failed", "Wrote 100 notes"]
)
def test_most_payloads_are_not_worth_a_closer_look(output: str) -> None:
    assert not may_hold_failure(json.dumps(payload("make | tail", output)).encode())


SOURCES = sorted({*signs._VERDICTS, *signs._FINDINGS, *signs._COMPLAINTS, signs._MISUSED})


@given(st.sampled_from(SOURCES).flatmap(lambda s: st.from_regex(re.compile(s, re.ASCII))))
def test_every_line_that_we_know_passes_the_look_at_the_bytes(line: str) -> None:
    for escaped in (True, False):
        assert may_hold_failure(json.dumps(line, ensure_ascii=escaped).encode("utf-8", "replace"))


@given(st.text(), st.text())
def test_any_command_and_any_output_get_an_answer(command: str, output: str) -> None:
    found = find_hidden_failure(command, output)

    assert len(found) <= 800


@given(
    st.sampled_from([case for case in FAILED if "\x1b" not in case[1]]),
    st.lists(st.sampled_from(["", "compiling", "a b c", "=== RUN   TestOne"])),
)
def test_a_failure_is_found_wherever_it_stands(
    case: tuple[str, str, str], around: list[str]
) -> None:
    command, output, telling = case

    found = find_hidden_failure(command, "\n".join([*around, output, *around]))

    assert telling in found


def test_the_lines_that_say_most_are_kept() -> None:
    output = "--- FAIL: TestPack (0.01s)\nFAIL\nFAIL\tshop/pack\t0.012s\nFAIL\n"

    found = find_hidden_failure("go test ./... | tail -4", output)

    assert found == "--- FAIL: TestPack (0.01s)\nFAIL\tshop/pack\t0.012s"


def test_a_verdict_of_one_word_is_better_than_none() -> None:
    assert find_hidden_failure("go test ./... | tail -1", "FAIL\n") == "FAIL"


def test_bookkeeping_is_known_by_the_names_of_its_tools() -> None:
    assert {
        "TodoRead",
        "TodoWrite",
        "TaskList",
        "TaskGet",
        "TaskCreate",
        "TaskUpdate",
    } <= NOISY_TOOLS
    assert "TaskOutput" not in NOISY_TOOLS  # it prints what a command in the background printed


# --- what of a text is kept


def test_a_short_text_is_kept_whole() -> None:
    assert cut_excerpt("Exit code 1\nboom\n") == "Exit code 1\nboom"


def test_of_a_long_text_the_head_and_the_tail_are_kept() -> None:
    lines = [f"line {number}" for number in range(1000)]

    kept = cut_excerpt("\n".join(lines), limit=100).split("\n")

    assert kept[0] == "line 0"
    assert kept[-1] == "line 999"
    assert kept.count("…") == 1


@given(st.text(alphabet="ab \n\t", max_size=300), st.integers(20, 200))
def test_an_excerpt_keeps_its_limit_and_holds_no_half_words(text: str, limit: int) -> None:
    kept = cut_excerpt(text, limit)

    assert len(kept) <= limit
    assert set(kept.split()) <= {*text.split(), "…"}


@given(
    st.lists(st.text(alphabet="abc .:=", max_size=60), max_size=30),
    st.integers(0, 30),
    st.integers(60, 400),
)
def test_cutting_before_or_after_redaction_leaves_nothing_of_a_secret(
    lines: list[str], at: int, limit: int
) -> None:
    secret = "ghp_" + "Z7kq" * 9
    lines.insert(at, f"using {secret} as token")
    text = "\n".join(lines)

    cut_first, cut_last = redact(cut_excerpt(text, limit)), cut_excerpt(redact(text), limit)

    assert "Z7kq" not in cut_first
    assert "Z7kq" not in cut_last
    assert redact(cut_last) == cut_last


# --- what a call aims at


@pytest.mark.parametrize(
    ("tool", "arguments", "target"),
    [
        (
            "Bash",
            {"command": "go test ./... | tail", "description": "Test"},
            "go test ./... | tail",
        ),
        ("Bash", '{"command":"make"}', "make"),
        ("shell", {"command": ["bash", "-lc", "make"]}, "bash -lc make"),
        ("exec_command", {"cmd": "make"}, "make"),
        ("Read", {"file_path": "/home/u/a.py", "limit": 3}, "/home/u/a.py"),
        ("NotebookEdit", {"notebook_path": "/home/u/a.ipynb"}, "/home/u/a.ipynb"),
        ("edit", {"filePath": "a.ts", "oldString": "x"}, "a.ts"),
        ("Skill", {"skill": "release", "args": "1.2"}, "release"),
        ("skill", {"name": "release"}, "release"),
        ("Grep", {"pattern": "x y", "glob": "*.py"}, '{"pattern":"x y","glob":"*.py"}'),
        ("mcp__shop__order", {"id": 7}, '{"id":7}'),
        ("Bash", {"command": ""}, '{"command":""}'),
        ("Bash", {"command": 3}, '{"command":3}'),
        ("Bash", {}, ""),
        ("Bash", "{}", ""),
        ("Bash", "", ""),
        ("Bash", "*** Begin\nPatch", "*** Begin Patch"),
        ("Bash", "[1, 2]", "[1, 2]"),
    ],
)
def test_a_call_aims_at_its_command_its_file_its_skill_or_its_arguments(
    tool: str, arguments: dict[str, object] | str, target: str
) -> None:
    assert summarise_target(tool, arguments) == target


def test_a_command_of_many_lines_is_told_on_one() -> None:
    command = "# build\ncd app &&\\\n  make\ncat > x <<'END'\nrm -rf; | &\nEND\nfor f in *; do\n  go vet $f\ndone\n"

    target = summarise_target("Bash", {"command": command})

    assert target == "cd app && make; cat > x; for f in *; do go vet $f; done"


@pytest.mark.parametrize(("command", "output", "telling"), FAILED)
def test_a_command_on_one_line_fails_as_the_whole_one_does(
    command: str, output: str, telling: str
) -> None:
    assert telling in find_hidden_failure(summarise_target("Bash", {"command": command}), output)


@given(st.text(), st.dictionaries(st.text(), st.text() | st.integers() | st.none()))
def test_every_call_has_a_target_of_one_line(tool: str, arguments: dict[str, object]) -> None:
    target = summarise_target(tool, arguments)

    assert "\n" not in target
    assert len(target) <= 1_000
