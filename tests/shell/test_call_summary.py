"""A call as one short line."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.builders import broken_texts
from tests.learning.detect.acts import act, ran

from twiceshy.core.text import find_unsafe_character
from twiceshy.shell.call_summary import keep_first_words, summarise_call

ROOT = "/home/u/shop"
COMMANDS = {
    "as it is": ("gh pr diff --stat", "gh pr diff --stat"),
    "not where": (f"cd {ROOT}/web && npm test", "npm test"),
    "not who looks on": ("npm test 2>&1 | tail -20", "npm test"),
    "not where output goes": ("npm test > /tmp/out.txt", "npm test"),
    "seen from the project": (f"cat {ROOT}/src/a.py {ROOT}", "cat src/a.py ."),
    "without long texts": (f'git commit -m "{"long " * 20}"', 'git commit -m "…"'),
    "with short texts": ('grep "a b" x', 'grep "a b" x'),
    "without here-documents": ("cat <<EOF\nsecret\nEOF", "cat"),
    "on one line": ("npm \\\n  test", "npm test"),
    "on several lines": (
        "for f in a b\ndo\nvet $f\ndone\n\nls a",
        "for f in a b; do vet $f; done; ls a",
    ),
    "behind a here-document": (
        "cat > a.py <<'EOF'\nprint(1)\nEOF\nuv run a.py",
        "cat ; uv run a.py",
    ),
    "a message from a here-document": (
        "git commit -m \"$(cat <<'EOF'\nfix: it's\n\nall\nEOF\n)\" && git push",
        'git commit -m "…" && git push',
    ),
    "without backticks": ("echo `date`", "echo 'date'"),
    "a quote that never closes": ('echo "abc', 'echo "abc'),
    "without what nobody sees": ("echo a\u200bb\x1b[0m", "echo a b [0m"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_shown_as_what_it_does(name: str) -> None:
    command, line = COMMANDS[name]

    assert summarise_call(ran(command), ROOT) == line


def test_a_file_is_shown_with_the_tool_that_looked_for_it() -> None:
    assert (
        summarise_call(act("Read", file_path=f"{ROOT}/src/a.py", limit=5), ROOT) == "Read src/a.py"
    )


def test_another_tool_is_shown_with_its_short_arguments() -> None:
    assert summarise_call(act("Skill", skill="commit", args="fix it now")) == "Skill skill=commit"


def test_a_long_command_ends_between_words() -> None:
    line = summarise_call(ran("npm " + "word " * 60))

    assert len(line) <= 111
    assert line.endswith("word…")


def test_a_single_long_word_is_cut() -> None:
    assert keep_first_words("x" * 50, 10) == "x" * 9 + "…"


@given(
    broken_texts
    | st.lists(
        st.sampled_from([*"ab `'\"|<>&;\\\n\x00\u202e\ufe0f\u200d\u034f🦊", "cd x && "])
    ).map("".join)
)
@example("\U000e0100")
@example("x" * 108 + "🦊\u200d🦊" * 3)
def test_a_form_is_short_plain_and_without_backticks(command: str) -> None:
    line = summarise_call(ran(command), ROOT)

    assert len(line) <= 111
    assert "`" not in line
    assert find_unsafe_character(line) is None
    assert line == " ".join(line.split())
