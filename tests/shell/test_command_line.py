"""One reader knows what a command line starts, and everybody who asks gets its answer."""

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.core.builders import broken_texts
from tests.learning.detect.acts import ran
from tests.sizes import sized

from twiceshy.safety.danger.folding import fold_text
from twiceshy.safety.danger.lines import split_runs
from twiceshy.safety.guard.push import list_pushes
from twiceshy.safety.guard.writes import files_written_by_line
from twiceshy.shell import KNOWN
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.call_summary import summarise_call
from twiceshy.shell.call_words import call_words
from twiceshy.shell.command_line import (
    QUOTED,
    SCRIPT,
    STARTED,
    SUBSTITUTION,
    VALUED,
    CommandLine,
    parse_command_line,
)
from twiceshy.shell.failure import find_hidden_failure
from twiceshy.shell.tokens import Token, join_words, read_tokens

Read = tuple[tuple[str, ...], tuple[str, ...], str, tuple[tuple[str, str], ...]]


def one(words: str, *, env: str = "", folder: str = "", to: str = "") -> Read:
    """A command as the table writes it: words, variables and redirections apart by blanks."""
    files = to.split()
    pairs = tuple(zip(files[::2], files[1::2], strict=True))
    return tuple(words.split()), tuple(env.split()), folder, pairs


def read(line: str) -> list[Read]:
    return [
        (
            command.words,
            command.environment,
            command.folder,
            tuple((each.sign, each.target) for each in command.redirections),
        )
        for command in parse_command_line(line).walk_commands()
    ]


PUSH = one("git push --force")
READ = one("cat app.log")
LINES: dict[str, list[Read]] = {
    # wrappers
    "sudo git push --force": [PUSH],
    "sudo -u bob git push --force": [PUSH],
    "sudo -ubob git push --force": [PUSH],
    "sudo -nu bob git push --force": [PUSH],
    "sudo --user bob git push --force": [PUSH],
    "sudo --user=bob -E git push --force": [PUSH],
    "sudo -u bob -g staff -- git push --force": [PUSH],
    "/usr/bin/sudo -u bob git push --force": [PUSH],
    "sudo -u bob A=1 git push --force": [one("git push --force", env="A=1")],
    "sudo -D /srv/app git push --force": [one("git push --force", folder="/srv/app")],
    "doas -u bob git push --force": [PUSH],
    "env -u X cat app.log": [READ],
    "env --unset=X cat app.log": [READ],
    "env -i A=1 B=2 cat app.log": [one("cat app.log", env="A=1 B=2")],
    "env -C web cat app.log": [one("cat app.log", folder="web")],
    "env --chdir=web -u X cat app.log": [one("cat app.log", folder="web")],
    "env -S 'cat app.log'": [READ],
    "timeout 5 cat app.log": [READ],
    "timeout 1.5m cat app.log": [READ],
    "timeout -s KILL 5 cat app.log": [READ],
    "timeout -sKILL -k 3s 5 cat app.log": [READ],
    "timeout --signal=KILL --foreground 5 cat app.log": [READ],
    "timeout $LIMIT cat app.log": [READ],
    "nice cat app.log": [READ],
    "nice -n 5 cat app.log": [READ],
    "ionice -c 2 -n 7 cat app.log": [READ],
    "setsid -f cat app.log": [READ],
    "stdbuf -o L cat app.log": [READ],
    "stdbuf -oL -eL cat app.log": [READ],
    "nohup cat app.log": [READ],
    "time -p cat app.log": [READ],
    "command cat app.log": [READ],
    "builtin cd web": [one("cd web")],
    "exec -a name cat app.log": [READ],
    "xargs -0 -n 1 -P4 -I {} cat app.log": [READ],
    "watch -n 5 cat app.log": [READ],
    "flock -w 9 /tmp/lock cat app.log": [READ],
    "chroot /mnt cat app.log": [READ],
    "unshare -r --root /mnt cat app.log": [READ],
    "unbuffer cat app.log": [READ],
    "sudo -u bob env -u X timeout -s KILL 5 nice -n 3 cat app.log": [READ],
    "! time A=1 sudo cat app.log": [one("cat app.log", env="A=1")],
    # wrappers that nobody listed, known by the program behind them
    "tool git push --force": [PUSH],
    "tool quietly git push --force": [PUSH],
    "tool --quiet git push --force": [PUSH],
    "/opt/tool /usr/bin/git push --force": [one("/usr/bin/git push --force")],
    "sudo tool git push --force": [PUSH],
    "tool run --with key -- git push --force": [PUSH],
    "tool exec -- cat app.log": [READ],
    # a program that takes the name of another one is no wrapper
    "tool git": [one("tool git")],
    "tool task add": [one("tool task add")],
    "tool diff -- README": [one("tool diff -- README")],
    "tool install git make": [one("tool install git make")],
    "tool run lint": [one("tool run lint")],
    "echo git push --force": [one("echo git push --force")],
    "man git push": [one("man git push")],
    "brew install git make": [one("brew install git make")],
    "python git push": [one("python git push")],
    "./tool.sh git push": [one("./tool.sh git push")],
    # wrappers that start nothing are programs themselves
    "env": [one("env")],
    "env A=1": [one("env A=1")],
    "sudo -k": [one("sudo -k")],
    "command -v git": [one("command -v git")],
    "xargs": [one("xargs")],
    "exec > all.log": [one("exec", to="> all.log")],
    # keywords
    "if make; then echo ok; fi": [one("make"), one("echo ok"), one("fi")],
    "while ! ping -c1 db; do sleep 1; done": [one("ping -c1 db"), one("sleep 1"), one("done")],
    "{ make; } 2>&1": [one("make"), one("", to="2>& 1")],
    # quotes
    "g'i't \"pu\"sh": [one("git push")],
    "git commit -m 'a; b && c'": [(("git", "commit", "-m", "a; b && c"), (), "", ())],
    'echo "a \\"b\\" \\$c"': [(("echo", 'a "b" $c'), (), "", ())],
    "echo a\\ b \\; c": [(("echo", "a b", ";", "c"), (), "", ())],
    "echo ''": [(("echo", ""), (), "", ())],
    "git \\\n  push": [one("git push")],
    "ls # > x": [one("ls")],
    "echo a#b $# ${#x}": [one("echo a#b $# ${#x}")],
    # variables, folders
    "A=1": [one("", env="A=1")],
    "A='x y' B= make": [(("make",), ("A=x y", "B="), "", ())],
    "cd web && make": [one("cd web"), one("make", folder="web")],
    "cd /srv; cd app\nmake": [one("cd /srv"), one("cd app", folder="/srv"), one("make", folder="/srv/app")],
    "(cd web && make); ls": [one("cd web"), one("make", folder="web"), one("ls")],
    "cd a && git -C b -c x=y -C c push": [one("cd a"), one("git -C b -c x=y -C c push", folder="a/b/c")],
    # pipes and redirections
    "cat app.log | tail -5": [READ, one("tail -5")],
    "make 2>&1 | tee out": [one("make", to="2>& 1"), one("tee out")],
    "make >a 2>>b </dev/null": [one("make", to="> a 2>> b < /dev/null")],
    "make &> all &": [one("make", to="&> all")],
    "> a": [one("", to="> a")],
    "echo 2 > a": [one("echo 2", to="> a")],
    "cat <<< 'x y' > a": [(("cat",), (), "", (("<<<", "x y"), (">", "a")))],
    "cat > a <<'EOF'\nrm -r b; don't\nEOF\nls": [
        (("cat",), (), "", ((">", "a"), ("<<", "rm -r b; don't\n"))),
        one("ls"),
    ],
    "a <<X | b <<Y\n1\nX\n2\nY\n": [(("a",), (), "", (("<<", "1\n"),)), (("b",), (), "", (("<<", "2\n"),))],
    # lines inside commands
    "echo $(date) `id`": [one("echo $ $"), one("date"), one("id")],
    'A="$(make)" cat "x $(id)"': [(("cat", "x $"), ("A=$",), "", ()), one("make"), one("id")],
    "diff <(a) <(b)": [one("diff $ $"), one("a"), one("b")],
    "echo $((1 > 2))": [one("echo $")],
    "bash -lc 'cd x; git push'": [(("bash", "-lc", "cd x; git push"), (), "", ()), one("cd x"), one("git push", folder="x")],
    "bash -euo pipefail -c make": [one("bash -euo pipefail -c make"), one("make")],
    "sudo -u bob sh -c 'git push --force'": [(("sh", "-c", "git push --force"), (), "", ()), PUSH],
    "sh <<EOF\nmake\nEOF": [(("sh",), (), "", (("<<", "make\n"),)), one("make")],
    "sh run.sh <<EOF\nmake\nEOF": [(("sh", "run.sh"), (), "", (("<<", "make\n"),))],
    "eval 'make all'": [(("eval", "make all"), (), "", ()), one("make all")],
    "find . -exec cat {} + -exec rm {} \\;": [
        one("find . -exec cat {} + -exec rm {} ;"),
        one("cat {}"),
        one("rm {}"),
    ],
    "git commit -m \"$(cat <<'EOF'\nit's (one) isn't\nEOF\n)\" && git push --force": [
        one("git commit -m $"),
        (("cat",), (), "", (("<<", "it's (one) isn't\n"),)),
        PUSH,
    ],
    "| | ;; &&": [],
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_as_a_shell_would(line: str) -> None:
    assert read(line) == LINES[line]
    assert len(LINES) >= 60


def test_wrappers_are_kept_with_their_options_and_words_with_their_quotes() -> None:
    line = "sudo -u bob timeout -s KILL 5 git commit -m 'a b' --author=\"c d\""

    (command,) = parse_command_line(line).commands

    assert command.wrappers == (("sudo", "-u", "bob"), ("timeout", "-s", "KILL", "5"))
    assert command.sources == ("git", "commit", "-m", "'a b'", '--author="c d"')
    assert command.arguments == ("commit", "-m", "a b", "--author=c d")


def test_operators_join_commands_and_brackets_do_not_hide_them() -> None:
    line = parse_command_line("(a && b) | c |& d || e; f & g\nh")

    assert [(each.program, each.operator) for each in line.commands] == [
        *(("a", "&&"), ("b", "|"), ("c", "|"), ("d", "||")),
        *(("e", ";"), ("f", "&"), ("g", "\n"), ("h", "")),
    ]


def test_inner_lines_say_how_they_belong_to_their_command() -> None:
    line = parse_command_line('echo $(a) "$(b)"; sh -c c; eval d')

    kinds = [
        (inner.commands[0].program, inner.kind) for each in line.commands for inner in each.inner
    ]
    assert kinds == [("a", SUBSTITUTION), ("b", QUOTED), ("c", SCRIPT), ("d", STARTED)]
    assert [each.program for each in line.list_steps()] == ["echo", "a", "c", "eval"]


@pytest.mark.parametrize(
    "line", ["echo 'a", 'echo "a', "echo `a", "echo $(a", "echo <(a", "echo $(a 'b)"]
)
def test_a_quote_or_a_bracket_that_never_closes_is_noticed(line: str) -> None:
    assert not parse_command_line(line).is_complete
    assert parse_command_line("echo 'a' \"$(b `c`)\" # don't").is_complete


# --- everybody gets the same answer

WRAPPERS = [
    line.removesuffix(" cat app.log")
    for line in LINES
    if line.endswith(" cat app.log")
    and not line.startswith(("env -S", "env -C", "env --chdir", "! ", "tool "))
]
TRACEBACK = "Traceback (most recent call last):\nKeyError: 'lid'"


@pytest.mark.parametrize(
    "wrapper", ["", *WRAPPERS, "sudo -u bob", "doas -u bob", "A=1 sudo", "if !"]
)
def test_whoever_asks_gets_the_program_behind_a_wrapper(wrapper: str) -> None:
    push = f"{wrapper} git push --force origin"

    assert [each.program for each in parse_command_line(push).list_steps()] == ["git"]
    assert [each.forced for each in list_pushes(push)] == ["--force"]
    assert files_written_by_line(f"{wrapper} touch .env") == (".env",)
    assert [run.program for run in split_runs(fold_text(push)) if run.words] in (
        ["git"],
        ["xargs", "git"],
    )
    assert list_heads(push) == ("git push",)
    assert [part[0] for part in call_words({"command": push})] == ["git"]
    assert [
        each.program for each in parse_command_line(summarise_call(ran(push))).list_steps()
    ] == ["git"]
    assert find_hidden_failure(f"{wrapper} cat app.log | tail", TRACEBACK) == ""
    assert "KeyError" in find_hidden_failure(f"{wrapper} python app.py | tail", TRACEBACK)


@pytest.mark.parametrize("wrapper", ["tool", "tool quietly", "tool --quiet", "tool exec --"])
def test_a_wrapper_that_nobody_listed_hides_no_program_from_whoever_asks(wrapper: str) -> None:
    push = f"{wrapper} git push --force origin"

    assert [each.program for each in parse_command_line(push).list_steps()] == ["git"]
    assert [each.forced for each in list_pushes(push)] == ["--force"]
    assert files_written_by_line(f"{wrapper} touch .env") == (".env",)
    assert list_heads(push) == ("git push",)
    assert call_words({"command": push})[0][0] == "git"
    assert "tool" in call_words({"command": push})[0]
    assert find_hidden_failure(f"{wrapper} git log | tail", TRACEBACK) == ""
    assert "KeyError" in find_hidden_failure(f"{wrapper} npm start | tail", TRACEBACK)


@given(st.from_regex(r"[a-z]{3,9}", fullmatch=True).filter(lambda name: name not in KNOWN))
def test_no_name_of_a_wrapper_matters(name: str) -> None:
    assume(name not in VALUED)
    assert list_heads(f"{name} git push") == ("git push",)
    assert list_heads(f"{name} run lint") == (f"{name} run lint",)


def test_a_wrapper_is_a_word_of_the_call_behind_those_of_its_program() -> None:
    assert call_words({"command": "sudo -u bob git push"}) == [("git", "push", "sudo")]


# --- any text

pieces = st.sampled_from(
    [*"ab \t\n\\'\"`$()<>|;&#={}!-2", "$(", "<<E", "\nE\n", "2>&1", " && ", "sudo -u ", "env -S ", "bash -c ",
     "eval ", "find -exec ", "cd ", "git -C ", "timeout "]
)  # fmt: skip
texts = st.one_of(broken_texts, st.lists(pieces, max_size=60).map("".join))


@given(texts)
@example("timeout ''")
@example('cat << "')
@settings(max_examples=300)
def test_any_text_has_a_reading_and_its_tokens_stand_in_order(text: str) -> None:
    assert isinstance(parse_command_line(text), CommandLine)
    check_order(text, read_tokens(text)[0], 0, len(text))


def check_order(text: str, tokens: tuple[Token, ...], begin: int, end: int) -> None:
    for token in tokens:
        assert begin <= token.start <= token.end <= end
        assert text[begin : token.start].replace("\\\n", "").strip(" \t\r") == ""
        assert all(token.start <= start < stop <= token.end for start, stop in token.quotes)
        inside = token.start
        for inner, _ in token.substitutions:
            if inner:
                check_order(text, inner, inner[0].start, token.end)
                assert inner[0].start >= inside
                inside = inner[-1].end
        begin = token.end


@given(st.lists(broken_texts, max_size=8))
def test_joined_words_are_read_as_the_same_words(words: list[str]) -> None:
    tokens, is_complete = read_tokens(join_words(words))

    assert [token.text for token in tokens] == words
    assert is_complete


def steps(text: str) -> int:
    """Count the lines of our code that are executed to read a text."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if "shell" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        parse_command_line(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "seed",
    ["a ", "$(", "`", '"', "'", "((", "<(", "<<A ", "<<A\n", "a|", "\\", "x=1 ", "2>&1 ", "sudo -u x ", "env -S ",
     "bash -c '", "eval ", "find -exec ", "sh <<E\n", 'echo "$(', "#\n", "cd a;", "-abc "],
)  # fmt: skip
def test_twice_the_length_takes_twice_the_steps(seed: str) -> None:
    short, long = (
        steps(seed * (length // len(seed))) for length in sized((1_500, 3_000), (3_000, 6_000))
    )

    assert long <= 2.2 * short + 400


def test_of_a_text_without_end_the_beginning_is_read() -> None:
    line = parse_command_line("git add . && " + "make x && " * 100_000)

    assert {each.program for each in line.commands} == {"git", "make"}
