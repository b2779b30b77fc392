"""Detect commands that failed despite exit status 0.

A pipe returns the status of its last program: a quarter of the failures in real sessions
came back as success. The output tells. A hook asks ``may_hold_failure`` first, a plain byte
search; the rest is loaded on demand.
"""

from __future__ import annotations

# Every line that ``signs`` knows holds one of these words, in JSON as well …
_ALONE = (
    "FAIL|Failures:|(fail)|# fail|not ok |E   |Found | issues:|.go:|*** |** (|== Comp|build stopped"
    "|npm ERR|ERR_PNPM|LIFECYCLE|xception:|Exception in|Traceback|Uncaught |PHP |non-zero|$?|(eval)"
    "|panic|goroutine|Segmentation|core dumped|fatal|rejected]|CONFLICT (|command not found"
    "|No such file|ermission denied|onnection refused|Is a directory|requires an|nvalid r"
    "|unterminated|ignored by|ould not resolve|ailed to |(HTTP "
    "|✗|✘|✕|×|✖|错误|失败|未找到|没有那个|权限不够"
).encode().split(b"|")  # fmt: skip
_MARKS = slice(
    -10, None
)  # these; some runtimes write such characters as they are, others as \uXXXX
# … or one of these, which alone would say too little, together with another one.
_NOT_ALONE = (
    *(b" fail", b"rror", b"RROR", b"exit", b"\\u"),
    *(b"nknown ", b"unrecognized ", b"unexpected ", b"nvalid ", b"illegal ", b"o such "),
)
_THINGS = (b"command", b"subcommand", b"flag", b"option", b"argument")


def may_hold_failure(raw: bytes) -> bool:
    """True if a raw payload may hide a failure; False is certain."""
    return any(word in raw for word in _ALONE) or any(
        word in raw and any(each in raw for each in _list_companions(word)) for word in _NOT_ALONE
    )


def _list_companions(word: bytes) -> list[bytes]:
    """Return the words of which one must stand beside a word; few payloads ask for them."""
    match word:
        case b" fail":
            return _number(word)
        case b"rror":
            own = (
                b"rror:|rror[|rror TS|rror C|rror LNK|rror response|  error  |npm err|syntax error"
            )
            more = b"parse error|returned error|rror Command"
            return [*own.split(b"|"), *more.split(b"|"), *_number(b" error")]
        case b"RROR":
            return [b"RROR ", b"RROR:", b"RROR[", b"RROR]"]
        case b"exit":
            return [b"exit status", b"exit code", b"exit with", b"exited", b"exits"]
        case b"\\u":
            marks = [mark.decode() for mark in _ALONE[_MARKS]]
            return ["".join(f"\\u{ord(each):04x}" for each in mark).encode() for mark in marks]
        case _:
            return [word + thing for thing in _THINGS]


def _number(behind: bytes) -> list[bytes]:
    """Return how every count of something but zero ends."""
    ends = [*"123456789", *(f"{digit}0" for digit in "0123456789")]
    return [end.encode() + behind for end in ends]


def find_hidden_failure(command: str, output: str, *, is_status_known: bool = True) -> str:
    """Return the lines of a failure behind exit status 0 or an unknown one; empty if none."""
    from twiceshy.shell.failure.hidden import find_telling_lines  # noqa: PLC0415 - most calls end before
    from twiceshy.shell.summary import cut_excerpt  # noqa: PLC0415 - as above

    lines = find_telling_lines(command, output, is_status_known=is_status_known)
    return cut_excerpt("\n".join(lines))
