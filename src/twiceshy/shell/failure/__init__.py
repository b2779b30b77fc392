"""Detect commands that failed despite exit status 0.

A pipe returns the status of its last program: a quarter of the failures in real sessions
came back as success. The output tells. A hook asks ``may_hold_failure`` first, a plain byte
search; the rest is loaded on demand.
"""

from __future__ import annotations

# Every line that ``signs`` knows holds one of these words, in JSON as well …
_WORDS = (
    "FAIL|Failures:|(fail)|# fail|not ok |E   |Found | issues:|.go:|*** |** (|== Comp|build stopped"
    "|npm ERR|ERR_PNPM|LIFECYCLE|xception:|Exception in|Traceback|Uncaught |PHP |non-zero|$?|(eval)"
    "|panic|goroutine|Segmentation|core dumped|fatal|rejected]|CONFLICT (|command not found"
    "|No such file|ermission denied|onnection refused|Is a directory|requires an|nvalid r"
    "|unterminated|ignored by|ould not resolve|ailed to |(HTTP "
).split("|")
# … or one of these, which alone would say too little, together with one behind it.
_NUMBERS = [*"123456789", *(f"{digit}0" for digit in "0123456789")]  # how all but zero end
_THINGS = ("command", "subcommand", "flag", "option", "argument")
_TOGETHER = {
    " fail": [f"{number} fail" for number in _NUMBERS],
    "rror": [
        *("rror:", "rror[", "rror TS", "rror C", "rror LNK", "rror response", "  error  "),
        *("npm err", "syntax error", "parse error", "returned error", "rror Command"),
        *(f"{number} error" for number in _NUMBERS),
    ],
    "RROR": ["RROR ", "RROR:", "RROR[", "RROR]"],
    "exit": ["exit status", "exit code", "exit with", "exited", "exits"],
    **{
        f"{how} ": [f"{how} {thing}" for thing in _THINGS]
        for how in ("nknown", "unrecognized", "unexpected", "nvalid", "illegal", "o such")
    },
}
# Some runtimes write such characters as they are, others as \uXXXX.
_MARKS = "✗ ✘ ✕ × ✖ 错误 失败 未找到 没有那个 权限不够".split()
_ESCAPED = ["".join(f"\\u{ord(each):04x}" for each in mark) for mark in _MARKS]
_TOGETHER["\\u"] = _ESCAPED
_ALONE = [word.encode() for word in (*_WORDS, *_MARKS)]
_PAIRED = [(word.encode(), [more.encode() for more in _TOGETHER[word]]) for word in _TOGETHER]


def may_hold_failure(raw: bytes) -> bool:
    """True if a raw payload may hide a failure; False is certain."""
    return any(word in raw for word in _ALONE) or any(
        word in raw and any(each in raw for each in more) for word, more in _PAIRED
    )


def find_hidden_failure(command: str, output: str, *, is_status_known: bool = True) -> str:
    """Return the lines of a failure behind exit status 0 or an unknown one; empty if none."""
    from twiceshy.shell.failure.hidden import find_telling_lines  # noqa: PLC0415 - most calls end before
    from twiceshy.shell.summary import cut_excerpt  # noqa: PLC0415 - as above

    lines = find_telling_lines(command, output, is_status_known=is_status_known)
    return cut_excerpt("\n".join(lines))
