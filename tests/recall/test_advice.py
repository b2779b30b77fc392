"""What a learned line says to do, when it is told a second time."""

import pytest
from tests.requirements import requirement

from twiceshy.recall.brief import keep_advice

ADVICE = {
    "`gh pr diff`: use `--name-only`, not `--stat`: unknown flag: --stat": (
        "`gh pr diff`: use `--name-only`, not `--stat`"
    ),
    "Use `od -c`; `cat -A` fails: illegal option": "Use `od -c`",
    "Use `a/b.go`, not `a/c.go`: no such file or directory": "Use `a/b.go`, not `a/c.go`",
    "Run `npm test` in `web`: Missing script: test": "Run `npm test` in `web`",
    "`git pull` first, then `git push`: rejected": "`git pull` first, then `git push`",
    "List `src/api` with `ls`: it is a directory": "List `src/api` with `ls`",
    "`rg`: use find where a glob may match nothing: no matches found: *.go": (
        "`rg`: use find where a glob may match nothing"
    ),
    "`pip install`: quote `'.[dev]'`; unquoted: no matches found: .[dev]": (
        "`pip install`: quote `'.[dev]'`"
    ),
    "mcp__hub__search: argument `jql`, not `query`: Invalid arguments": (
        "mcp__hub__search: argument `jql`, not `query`"
    ),
    "mcp__hub__list: owner `acme: labs`, not `acme`: unknown": (
        "mcp__hub__list: owner `acme: labs`, not `acme`"
    ),
    "mcp__hub__merge: add argument `branch`: required": "mcp__hub__merge: add argument `branch`",
    # a failure without a way around it
    "`redis-cli ping` fails: Connection refused": "",
    "`echo 'a: b'` fails: it broke": "",
    "`src/a.go`: no such file or directory": "",
    "The user refuses `git push` here: I push myself": "",
}


@requirement("T08")
@pytest.mark.parametrize("line", ADVICE)
def test_of_a_line_that_is_told_again_the_advice_is_kept(line: str) -> None:
    assert keep_advice(line) == ADVICE[line]
