"""The words by which a call is known again, whatever it looks like."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.builders import broken_texts

from twiceshy.core.trigger import Trigger, parse_trigger
from twiceshy.shell.call_words import call_words, path_pairs, relative_directory


def of(command: str) -> list[tuple[str, ...]]:
    return call_words({"command": command})


COMMANDS = {
    "a program and what it is given": ("gh pr diff --stat", [("gh", "pr", "diff", "--stat")]),
    "a part for each program": ("npm ci && npm test", [("npm", "ci"), ("npm", "test")]),
    "a folder of the project": ("cd web && npm test", [("npm", "test", "cd=web")]),
    "where the project lies does not matter": ("cd /srv/a && npm test", [("npm", "test")]),
    "a folder for one bracket": (
        "(cd web/ && npm ci) && npm test",
        [("npm", "ci", "cd=web"), ("npm", "test")],
    ),
    "a pattern that the shell replaces": ("ls *.py", [("ls", "*.py", "*")]),
    "a pattern as a value": (
        "grep --include=*.py x",
        [("grep", "--include", "--include=*.py", "x", "--include=*")],
    ),
    "a quoted pattern": ("ls '*.py'", [("ls", "*.py")]),
    "who looks on does not matter": ("npm test 2>&1 | tail -5", [("npm", "test")]),
    "a flag with its value": ("ls --color=auto", [("ls", "--color", "--color=auto")]),
    "a flag with a number": ("head-of --lines=5", [("head-of", "--lines")]),
    "what is set for one call": ("CI=yes npm test", [("npm", "test", "CI=yes")]),
    "what is set, whatever the number": ("CI=1 npm test", [("npm", "test", "CI=")]),
    "what is set, wherever it lies": ("TMP=/x/y npm test", [("npm", "test", "TMP=")]),
    "a verdict turned round": ("! npm test", [("npm", "test")]),
    "a verdict, and what is set": ("! CI=1 npm test", [("npm", "test", "CI=")]),
    "errors beside output": ("npm test 2>&1 --watch", [("npm", "test", "--watch")]),
    "what must not be found": ("find . ! -name x", [("find", "-name", "x")]),
    "a message is for people": ('git commit -m "fix it"', [("git", "commit", "-m")]),
    "a short quoted word": ("git add 'a.py'", [("git", "add", "a.py")]),
    "quotes inside a word": ('gi"t" st\\atus', [("git", "status")]),
    "a blank behind a backslash": (r"cat My\ Notes.txt", [("cat",)]),
    "a line that goes on": ("npm \\\n test", [("npm", "test")]),
    "a quote that never closes": ('npm test "abc', [("npm", "test", "abc")]),
    "an escaped quote": (r'grep "a\"b c" x', [("grep", "x")]),
    "numbers and hashes": ("git show 1a2b3c4d5 -n 12 ~5", [("git", "show", "-n")]),
    "lengths, shares and ranges": ("sed -n 12,40p 5s 80% a", [("sed", "-n", "a")]),
    "short flags": ("mkdir -p -m -k d", [("mkdir", "-p", "-m", "-k", "d")]),
    "variables": ("echo-it $HOME #x", [("echo-it",)]),
    "a file that is written": ("npm test > out.txt", [("npm", "test")]),
    "a file that is written, at once": ("npm test >out.txt &> all", [("npm", "test")]),
    "a here-document": ("cat <<EOF\nrm x\nEOF", []),
    "behind a here-document": ("cat >a <<'E'\nrm x\nE\nnpm test", [("npm", "test")]),
    "a here-document as a program": ("npm x - <<'E'\nrm x\nE", [("npm", "x")]),
    "paths by neighbours": ("cat /srv/a/b.py", [("cat", "b.py", "srv/a", "a/b.py")]),
    "a path from here": ("cat ./b.py", [("cat", "b.py")]),
    "an address is one word": ("curl https://a.b/c", [("curl", "https://a.b/c")]),
    "nothing but a look around": ("cd web; echo hi; sleep 5", []),
    "in brackets": ("(npm ci)", [("npm", "ci")]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_line_is_taken_apart(name: str) -> None:
    command, parts = COMMANDS[name]

    assert of(command) == parts


def test_a_tool_without_a_command_line_is_known_by_short_arguments_and_by_all_their_names() -> (
    None
):
    given_ = {"skill": "commit", "args": "fix the login page", "limit": 5, "id": "12345", "to": ""}

    assert call_words(given_) == [("skill=commit", "skill=", "args=", "limit:", "id=", "to=")]


def test_a_file_is_known_by_the_end_of_its_path() -> None:
    assert call_words({"file_path": "/home/u/shop/src/app.py"}) == [
        ("app.py", "home/u", "u/shop", "shop/src", "src/app.py")
    ]


def test_a_command_may_come_as_a_list_of_words() -> None:
    assert call_words({"cmd": ["git", "push", 5, None]}) == [("git", "push")]


def test_a_call_without_anything_has_no_grams() -> None:
    assert call_words({}) == []
    assert call_words({"file_path": ""}) == []


def test_only_so_many_programs_are_looked_at() -> None:
    assert len(of(";".join(f"run-{letter}" for letter in "abcdefghijklmnopqrstuvwxyzABCD"))) == 24


@pytest.mark.parametrize(
    ("path", "pairs"),
    [
        ("src/app.py", ["src/app.py"]),
        ("/a//b/./c/../d/e", ["d/e"]),
        ("a.py", ["a.py"]),
        ("../..", []),
        ("My Files/notes/a.txt", ["notes/a.txt"]),
    ],
)
def test_neighbours_stand_beside_each_other_in_the_path(path: str, pairs: list[str]) -> None:
    assert path_pairs(path) == pairs


@pytest.mark.parametrize(
    ("cwd", "root", "place"),
    [
        ("/home/u/shop/web/", "/home/u/shop", "web"),
        ("/home/u/shop", "/home/u/shop", ""),
        ("/home/u/shopping", "/home/u/shop", ""),
        ("/etc", "/", ""),
    ],
)
def test_a_place_is_seen_from_the_root_of_the_project(cwd: str, root: str, place: str) -> None:
    assert relative_directory(cwd, root) == place


anything = st.one_of(broken_texts, st.integers(), st.none(), st.lists(broken_texts, max_size=4))
calls = st.dictionaries(
    st.sampled_from(["command", "cmd", "file_path", "path", "skill", "a=b"]) | broken_texts,
    anything,
    max_size=4,
)
shell = st.lists(
    st.sampled_from([*"ab \t\n\\'\"|;&()<>=/-!$#~.5", "git", "--stat", "src/", " && ", "提交"]),
    max_size=40,
).map("".join)


@given(calls | shell.map(lambda command: {"command": command}))
def test_whatever_is_called_its_grams_can_be_written_into_a_trigger(
    arguments: dict[str, object],
) -> None:
    parts = call_words(arguments)

    assert all(parts)
    for part in parts:
        assert len(set(part)) == len(part)
        assert all(gram.isprintable() for gram in part)
        assert parse_trigger(Trigger("Bash", part).to_line()) == Trigger(
            "Bash", tuple(sorted(part))
        )


WORDS = "gh pr diff --stat -R acme/web npm run test:unit src/app.py --filter=web".split()
plain = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@given(
    st.lists(plain, min_size=1, max_size=3).map(" && ".join),
    st.sampled_from(["", "cd /home/u/shop && ", "cd ~/shop; ", "pushd $HOME/x && "]),
    st.sampled_from(["", " | tail -20", " 2>&1 | head -5", " >/dev/null 2>&1", " | sort | uniq"]),
)
def test_where_a_command_is_run_and_who_looks_at_it_changes_no_gram(
    command: str, before: str, behind: str
) -> None:
    assert of(before + command + behind) == of(command)


@given(st.sampled_from(["a ", '"', "\\", "'x' ", "a/", "|", "=-", "提"]), st.integers(1, 4_000))
@example("a ", 1_000_000)
def test_the_longest_command_costs_no_more_than_its_beginning(piece: str, times: int) -> None:
    command = piece * times

    assert of(command) == of(command[:4_000])


def test_of_a_long_command_only_the_beginning_is_looked_at() -> None:
    command = " ".join(f"word-{number}x" for number in range(2_000))

    assert of(command) == of(command[:4_000])
