"""Which later call put a mistake right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import texts
from tests.learning.detect.acts import act, edited, failed, ran

from twiceshy.learning.detect.arguments import measure_similarity
from twiceshy.learning.detect.fix import REACH, find_fix, list_working_parts
from twiceshy.shell.tool_call import ToolCall

FLAG = "unknown flag: --stat"
STAT = failed("gh pr diff --stat", FLAG)
GONE = "File does not exist."


def a_read(path: str, error: str = "") -> ToolCall:
    return act("Read", file_path=path, error=error)


def an_issue(title: str, parent: str, error: str = "") -> ToolCall:
    return act("mcp__tracker__create", title=title, parentId=parent, error=error)


NO_FILE = failed("sed -n '1,80p' net/http.go", "sed: net/http.go: No such file or directory")

# what failed, what came then, which of them put it right
FIXES: dict[str, tuple[ToolCall, list[ToolCall], int | None]] = {
    "another flag": (STAT, [ran("gh pr diff --name-only")], 0),
    "the most alike": (STAT, [ran("gh pr list"), ran("gh pr diff --name-only")], 1),
    "the first of equals": (STAT, [ran("gh pr diff -a"), ran("gh pr diff -b")], 0),
    "without a wrapper": (
        failed("rtk bun run test", "unrecognized subcommand 'bun'"),
        [ran("bun run test")],
        0,
    ),
    "one that ran and failed": (STAT, [failed("gh pr diff --names", "1 test failed")], 0),
    "not one called wrongly too": (STAT, [failed("gh pr diff --x", "unknown flag: --x")], None),
    "not the same again": (STAT, [ran("gh pr diff --stat")], None),
    "not something else": (STAT, [ran("ls src"), ran("git status")], None),
    "not asking for help": (STAT, [ran("gh pr diff --help")], None),
    "not another agent's": (STAT, [ran("gh pr diff --name-only", agent="a1")], None),
    "not one that was refused": (
        STAT,
        [ran("gh pr diff --name-only", refusal="denied")],
        None,
    ),
    "not another tool": (STAT, [act("Read", file_path="/gh/pr/diff")], None),
    "work that passed, with more to its name": (
        failed("npm run e2e", "Error: connect to the browser first"),
        [ran("npm run e2e:headless")],
        0,
    ),
    "a linter that puts right what it found": (
        failed("npm run lint", "1 failed"),
        [ran("npm run lint:fix")],
        0,
    ),
    "not another target": (
        failed("task lint:gofmt", "1 failed"),
        [ran("task lint:gomod")],
        None,
    ),
    "a file with a name like the missing one": (
        NO_FILE,
        [ran("sed -n '1,90p' net/smarthttp.go")],
        0,
    ),
    "not a file of another name, read by the same program": (
        NO_FILE,
        [ran("sed -n '1,80p' net/fetch.go")],
        None,
    ),
    "not the tests of what is missing": (
        a_read("/p/net/http_test.go", GONE),
        [a_read("/p/net/http.go")],
        None,
    ),
    "a search without the folder that is missing": (
        failed("rg -n total docs lib", "rg: lib: No such file or directory (os error 2)"),
        [ran("rg -n sum docs")],
        0,
    ),
    "not a search of another kind": (
        failed("rg --files docs lib", "rg: lib: No such file or directory (os error 2)"),
        [ran("rg -n sum docs")],
        None,
    ),
    "not one that was called before the failure was known": (
        a_read("/p/settings.local.json", GONE).but(at=9_000),
        [a_read("/p/settings.json").but(at=9_500, ran_ms=1_000)],
        None,
    ),
    "of several, the one with most arguments in common": (
        an_issue("two", "T-53", "parentId contained a non-uuid identifier"),
        [an_issue("one", "4ce84f4e"), an_issue("two", "4ce84f4e")],
        1,
    ),
    "a variable before it": (
        failed("go build ./...", "undefined: syscall.Kill"),
        [ran("GOOS=linux go build ./...")],
        0,
    ),
    "the folder, if something was not found": (
        failed("npm test", "npm error Missing script: test"),
        [ran("cd web && npm test")],
        0,
    ),
    "not the folder of other work": (
        failed("npm test", "Tests: 1 failed"),
        [ran("cd web && npm test")],
        None,
    ),
    "not another folder": (
        failed("cd api && npm test", "npm error Missing script: test"),
        [ran("cd web && npm test")],
        None,
    ),
    "the program that the error asks for": (
        failed("npm install", "ERR This project is configured to use pnpm"),
        [ran("pnpm install")],
        0,
    ),
    "not any program": (
        failed("npm install", "ERR This project is broken"),
        [ran("pnpm install")],
        None,
    ),
    "a step in the same line": (
        failed("git push", "error: failed to push some refs"),
        [ran("git pull --rebase && git push")],
        0,
    ),
    "not work after an edit": (
        failed("npm run lint", "1 failed"),
        [edited(), ran("npm run lint:fix")],
        None,
    ),
    "not the same work with more": (
        failed("npm test", "1 failed"),
        [ran("npm test && npm run lint")],
        None,
    ),
    "not another number": (
        failed("npm run job v1x", "1 failed"),
        [ran("npm run job v2x")],
        None,
    ),
    "not from elsewhere": (
        failed("npm run lint", "1 failed"),
        [ran("cd web && npm run lint:fix")],
        None,
    ),
    "a like name": (a_read("/s/a.yml", GONE), [a_read("/s/a.yaml")], 0),
    "the folder above": (a_read("/s/src/a.yml", GONE), [a_read("/s/src")], 0),
    "a namesake in the folder": (
        a_read("/s/store_test.go", GONE),
        [a_read("/s/stores_test.go")],
        0,
    ),
    "not any file": (a_read("/s/a.yml", GONE), [a_read("/t/readme.md")], None),
    "not another file of the sort": (
        a_read("/s/x_test.go", GONE),
        [a_read("/s/login_test.go")],
        None,
    ),
    "not the same file": (a_read("/s/a.yml", GONE), [a_read("/s/a.yml")], None),
    "another name": (
        act("Skill", skill="commit", error="Unknown skill: commit"),
        [act("Skill", skill="git:commit")],
        0,
    ),
    "the argument at fault": (
        act("mcp__x__y", owner="acme", error="unknown field: owner acme"),
        [act("mcp__x__y", owner="zebra-labs")],
        0,
    ),
    "not another text": (
        act("mcp__x__y", q="one thing", error="Unknown tool q"),
        [act("mcp__x__y", q="one thing more")],
        None,
    ),
}


@pytest.mark.parametrize("name", FIXES)
def test_a_mistake_is_put_right_by_a_variant_that_worked(name: str) -> None:
    wrong, later, place = FIXES[name]

    assert find_fix(wrong, later) == (None if place is None else later[place])


def test_a_fix_is_looked_for_among_the_next_calls_only() -> None:
    fix = ran("gh pr diff --name-only")

    assert find_fix(STAT, [ran("ls")] * (REACH - 1) + [fix]) == fix
    assert find_fix(STAT, [ran("ls")] * REACH + [fix]) is None


def test_parts_that_only_show_do_no_work() -> None:
    assert list_working_parts(ran("npm test | grep x && cat a.txt")) == [("npm", "test")]


@given(texts, texts)
def test_likeness_is_a_share_and_the_same_from_both_sides(one: str, other: str) -> None:
    assert 0.0 <= measure_similarity(one, other) == measure_similarity(other, one) <= 1.0
    assert measure_similarity(one, one) == 1.0


commands = st.lists(
    st.sampled_from("gh pr diff --stat --name-only npm test cd web && | grep 1 v2 a/b.py".split()),
    min_size=1,
    max_size=7,
).map(" ".join)
ended = st.builds(
    lambda command, error: failed(command, error) if error else ran(command),
    commands,
    st.sampled_from(["", "", FLAG, "1 failed", "No such file: a/b.py"]),
)


@given(ended, st.lists(ended, max_size=12))
def test_whatever_happens_a_fix_is_a_later_call_of_another_form(
    wrong: ToolCall, later: list[ToolCall]
) -> None:
    fix = find_fix(wrong, later)

    assert fix is None or fix.id in [act.id for act in later[:REACH]]
    assert fix is None or fix.arguments != wrong.arguments


@pytest.mark.parametrize(
    ("called", "error", "mended"),
    [
        ("python x.py", "bash: python: command not found", "python3 x.py"),
        ("pytest tests", "zsh: command not found: pytest", "python -m pytest tests"),
        ("pytest", "sh: 1: pytest: not found", "uv run pytest"),
        ("docker-compose up -d", "docker-compose: command not found", "docker compose up -d"),
        ("pytest tests", "pytest: command not found", ".venv/bin/pytest tests"),
    ],
)
def test_what_a_missing_program_was_to_do_is_done_by_another_or_by_way_of_one(
    called: str, error: str, mended: str
) -> None:
    worked = ran(mended)

    assert find_fix(failed(called, error), [ran("ls"), worked]) == worked


@pytest.mark.parametrize(
    "later",
    ["which pytest", "pip install pytest", "uv add pytest", "grep pytest x", "python x.py"],
)
def test_to_look_for_a_missing_program_or_to_install_it_is_not_to_run_it(later: str) -> None:
    assert find_fix(failed("pytest", "pytest: command not found"), [ran(later)]) is None


PUSH = failed("git push", "error: failed to push some refs to 'origin'")
PULL = ran("git pull --rebase")


@pytest.mark.parametrize(
    ("wrong", "later", "line"),
    [
        (PUSH, [PULL, ran("git push")], "git pull --rebase && git push"),
        (PUSH, [ran("git log"), ran("git status")], None),
        (PUSH, [failed("git pull", "conflict"), ran("git push")], None),
        (PUSH, [ran("ls"), PULL, ran("git push")], "git pull --rebase && git push"),
        (PUSH, [PULL, ran("npm test"), ran("git push")], None),  # two steps
        (PUSH, [PULL, edited(), ran("git push")], None),
        (PUSH, [PULL, ran("echo x > a.txt"), ran("git push")], None),
        (PUSH, [PULL, ran("git push", agent="a1")], None),
        (PUSH, [ran("git pull", agent="a1"), ran("git push")], None),
        (PUSH, [ran("git push")], None),  # it came right by itself
        (failed("npm test", "1 failed"), [ran("npm run lint"), ran("npm test")], None),
        # the error says what to do: known before, it saves the turn
        (
            failed("npm test", "Error: first run npm build"),
            [ran("npm build"), ran("npm test")],
            "npm build && npm test",
        ),
        # a finding about code is put right in the code
        (failed("go vet", "a.go:3:1: undefined: Foo"), [ran("go build"), ran("go vet")], None),
    ],
)
def test_a_call_that_works_unchanged_after_one_preparing_step_is_put_right_by_it(
    wrong: ToolCall, later: list[ToolCall], line: str | None
) -> None:
    fix = find_fix(wrong, later)

    assert (fix.command if fix else None) == line
    assert fix is None or fix.id == later[-1].id
