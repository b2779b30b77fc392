"""Find the line of an output that names a cause, and tell findings about code from it.

Much of what a failing call prints names no cause: progress, timings, headings, diffs, source
code. A heading is followed to what it announces, a chain of causes to its end.
"""

from __future__ import annotations

import re

from twiceshy.shell.tokens import read_tokens

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

_MOST_CHARACTERS = 12_000  # characters of a result that are looked at, from both ends
_LONGEST = 300
_LONGEST_RAW = 800
_NEAR = 2  # lines between a message and its place in a file
_AHEAD = 6  # lines in which a heading is followed to a cause
_FEWEST_WORDS = 3  # a line of fewer words names no cause
_FRAMES = ("skill-memory", "project-memory", "twiceshy-note")

_COLOURS = re.compile(
    r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|</?tool_use_error>"
)
_MARGIN = re.compile(r"^[│┃╷╵╭╰╮╯]\s*")
_MESSAGE = re.compile(r'"message" ?: ?"((?:[^"\\]|\\.){8,300})"')
_LINE_END = re.compile(r"(?<=[.:;,)\]\s])(?:\\n)+")  # of an output that was printed as JSON
# the place at which a recorder left something out
_CUT = re.compile(r"…\[\d+\]…|\[?\.{3} ?\[?\d+ \w+ (?:truncated|omitted)[^\]\n]*\]?(?: ?\.{3})?")

_TELLING = re.compile(
    r"(?i)(?:\berr(?:or)?s?\b|\w(?:Error|Exception)\b|fail|fatal|panic|denied|not found|no such|no matches|cannot|can't|unable"
    r"|undefined|unknown|invalid|illegal|unrecogni|unexpected|refused|conflict|rejected|missing|does not|already"
    r"|exceeds|is a directory|错误|失败|无法|未找到|没有)"
)
# a line without any of the words above may still say why
_HINTING = re.compile(
    r"(?i)\b(?:unsupported|incompatible|requires?|required|must|expired|pending|mismatch|in use|out of \w+"
    r"|too (?:many|large|long|old|new)|can only|(?:is|are|was|were|has|have|do|did) not\b|isn't|aren't|doesn't|didn't|couldn't"
    r"|could not|not (?:supported|installed|configured|running|available|allowed|permitted|set|enough)|no longer|terminated|killed"
    r"|no (?!errors?\b|issues?\b|problems?\b|warnings?\b|fix|changes?\b)\w|none of|outdated|deprecated|disabled|is running in|has no)"
)
_DENIED = re.compile(
    r"(?i)\bfail|(?:: |\b)(?:cannot|can't|could not|unable|denied|refused|not found)\b"
)
# "Checking 88 files", "Reverting to original state"; not "Missing script"
_PROGRESS = re.compile(
    r"(?:error: )?\W*(?:\[\w+\] *)?(?!Missing|\w*[Tt]hing\b|String|Warning|During|Remaining|Existing|Conflicting)[A-Z][a-z]+ing\b"
)
_TIMING = re.compile(
    r"(?i).*\bin \d+(?:\.\d+)? ?(?:ms|s|sec|seconds|minutes)\b|.*\(?\b(?:\d+[.:])?\d+ ?(?:ms|s|sec|seconds)\)?\W*$"
)
_NUMBER = re.compile(r"\W*(?:[A-Za-z][\w-]* )?v?\d+(?:\.\d+)+\w*\W*$")
_FRAGMENT = re.compile(r"[;,)\]}=&%?]")
_ONLY_FAILED = re.compile(
    r"(?i).*\b(?:because of|due to|with|after) (?:(?:\d+|the|an?|previous|above) )*(?:errors?|failures?)(?: from \w+)?(?: above)?\W*$"
    r"|.*\bfail(?:ed|s|ure)?\W*(?:in )?(?:[\d.]+ ?\w+)?\W*$"
    r"|.*\bexit(?:ed|s)?(?: with)?(?: non-zero)?(?: exit)?(?: status| code):? -?\d+\W*$"
)
_SOURCE = re.compile(
    r"^//|:=|[{;]$|(?:;.*){2}|/>|^\w+ = |\w\(\)$|-{5}|={5}|\) ?\{|=>|\bfunc\(|&&|\|\||</?\w+[^>]*>|^(?:func|return|const|let|var|import|def|class|if|for|else|self)\b|^[\w.]+\(.*\)?$|^\d+ ?[|│]"
)
_DIFF = re.compile(r"@@ -\d|diff --git |\d+(?:,\d+)?[acd]\d+(?:,\d+)?$")
_CHANGED = re.compile(
    r"(?:[-+<>](?: |$)|[-+]{3}|@@ |diff --git |index [0-9a-f]+\.\.|\d+(?:,\d+)?[acd]\d)"
)

_CAUSED = re.compile(r"Caused by: *")
_NESTED = re.compile(r"Caused by: *|> ")
_ADVISING = re.compile(r"(?i)\b(?:run|use|try|execute)\b[^:]{0,30}:$")  # the advice follows
_FRAME = re.compile(r'File ".*", line \d+')
_RAISED = re.compile(r"(?:\w+\.)*[A-Z]\w+(?:: |$)")
_QUOTED = re.compile(r"[\"'`‘“]([^\"'`’”]{2,60})[\"'`’”]")

# a place in a file, alone on its line, or with a message behind it
_PLACE_LINE = re.compile(
    r"\W*(?:-->|└─|on|in)?\s*[\w./@+-]+\.[a-z]\w*(?::\d+(?::\d+)?\b|\(\d+,\d+\)|:? line \d+)"
)
_PLACE_INSIDE = re.compile(
    r"(?:[\w-]\.[a-z]\w*|/[\w.-]+):\d+:\d+\b|/[\w.-]+\.[a-z]\w{0,5}:\d+\b(?!/)"
)
# what compilers, linters, type checkers, formatters and tests say of the code being written
_FINDING = re.compile(
    r"(?i)\W*(?:\[[\w:.-]+\] )?(?:--> )?[\w./@+-]+\.[a-z]\w*(?::\d+(?::\d+)?\b|\(\d+,\d+\))"
    r"|\s*\d+:\d+ +(?:error|warning)\b|.*\berror (?:TS\d+\b|\[E\d+\])|error\[\w+\]"
    r"|\W*\d+\) |.*\bassert(?:ion)?\w*\b.*\b(?:fail|error)|assert(?:ion)?(?:error)?\b|expect\("
    r"|expected\b.*\b(?:got|received|but|to)\b|panic: |E {1,4}\S"
    r"|.*\bundefined(?:: | (?:name|function|variable|method|local)\b)|.*\bis not defined\b"
    r"|.*\bhas no (?:attribute|member|field or method)\b|.*\bdoes not exist on type\b"
    r"|.*\bcannot find (?:name|symbol|type|function|value|macro)\b|.*\bcannot import name\b"
    r"|.*\bunresolved (?:import|reference)|.*\bis not a function\b|.* and not used\b|.*\bimport cycle\b"
    r"|.*\bnot (?:properly )?formatted\b|.*\bcode style\b|.*\bwould (?:be )?reformat|.*\bneeds? formatting\b"
    r"|.*\b(?:Name|Attribute|NoMethod|Reference|Type|Value|Key|Index|Syntax|Range|Indentation|UnboundLocal"
    r"|ZeroDivision|NullPointer|ClassCast)(?:Error|Exception)\b"
)

# how a test runner says that its tests ran, and that some of them failed
_TESTED = re.compile(
    r"(?i)--- FAIL: |FAILED \S+::|not ok \d|.*\b(?:tests?|examples?|specs?|scenarios?|passed|runs)\b.*\b[1-9]\d* fail"
    r"|.*\b[1-9]\d* (?:failed|failures?|failing)\b.*\b(?:tests?|passed|total)\b"
)


def clean_lines(text: str) -> list[str]:
    """Return the lines of an output without colours, own briefs, changes and cut lines."""
    if len(text) > _MOST_CHARACTERS:
        first, last = text[: _MOST_CHARACTERS // 2], text[-_MOST_CHARACTERS // 2 :]
        text = "\n".join((first.rpartition("\n")[0] or first, last.partition("\n")[2] or last))
    whole = (
        line for line in _drop_own_briefs(_COLOURS.sub("", text).splitlines()) if not has_cut(line)
    )
    said = (each for line in whole for each in _LINE_END.split(_read_message(line)))
    plain = [_MARGIN.sub("", " ".join(each.split())) for each in said]
    kept = [_cut_words(line) for line in plain if line and not line.startswith("Exit code")]
    if any(map(_DIFF.match, kept)):
        kept = [line for line in kept if not _CHANGED.match(line)]
    return kept


def has_cut(text: str) -> bool:
    """True if a recorder left something out of a text."""
    return _CUT.search(text) is not None


def find_certain_part(command: str) -> str:
    """Return a command line up to where a recorder cut it, or a quote was left open."""
    found = _CUT.search(command)
    if found:
        return command[: found.start()].rpartition(" ")[0]
    tokens, is_complete = read_tokens(command)
    return command if is_complete or not tokens else command[: tokens[-1].start]


def names_cause(line: str) -> bool:
    """True if a line says what is wrong: no progress, timing, fragment or source code."""
    if _FRAGMENT.match(line) or _NUMBER.fullmatch(line) or _ONLY_FAILED.match(line):
        return False
    if (_PROGRESS.match(line) or _TIMING.match(line)) and not _DENIED.search(line):
        return False
    return not _SOURCE.search(line) and has_hint(line)


def denies(text: str) -> bool:
    """True if a text says itself what failed."""
    return bool(_DENIED.search(text))


def has_hint(line: str) -> bool:
    """True if a line has a word of failing, denying or requiring."""
    return bool(_TELLING.search(line) or _HINTING.search(line))


def is_telling(line: str) -> bool:
    """True if a line has a word of failing."""
    return bool(_TELLING.search(line))


def find_raised(lines: Sequence[str]) -> str:
    """Return the last exception behind the frames of a Python traceback; empty if none."""
    frames = [at for at, line in enumerate(lines) if _FRAME.match(line)]
    behind = lines[frames[-1] + 1 :] if frames else ()
    return next((line for line in behind if _RAISED.match(line)), "")


def find_echo(lines: Sequence[str], words: Collection[str]) -> str:
    """Return the first line that quotes what was called; empty if none."""
    for line in lines:
        for quoted in _QUOTED.findall(line):
            if has_hint(line) and set(quoted.split()) <= set(words):
                return line
    return ""


def follow_cause(
    lines: Sequence[str], line: str, is_cause: Callable[[str], bool]
) -> tuple[str, str]:
    """Return a line with the cause that it announces, and the cause: the end of a chain of causes."""
    at = lines.index(line)
    chain = [place for place, each in enumerate(lines) if place >= at and _CAUSED.match(each)]
    if not chain and lines[at + 1 : at + 2] and _NESTED.match(lines[at + 1]):
        chain = [at + 1]
    if chain:
        ahead = (_NESTED.sub("", each, count=1) for each in lines[chain[-1] :][:_AHEAD])
        cause = next(filter(is_cause, ahead), "")
        return cause or line, cause or line
    if not line.endswith(":"):
        return line, line
    behind = lines[at + 1 :][:_AHEAD]
    said = (each for each in behind if len(each.split()) >= _FEWEST_WORDS and names_cause(each))
    cause = next(iter(behind) if _ADVISING.search(line) else said, "")
    if cause:
        return f"{line} {cause}", cause
    before = line.rpartition(". ")[0]
    return (before, line) if is_cause(before) else (line, line)


def _has_place(line: str) -> bool:
    """True if a line has a place in a file: line and column."""
    return _PLACE_INSIDE.search(line) is not None


def is_finding(line: str) -> bool:
    """True if a line is a finding about code: by a compiler, a linter, a type checker or a test."""
    return bool(_FINDING.match(line)) or _has_place(line)


def is_about_code(lines: Sequence[str], line: str) -> bool:
    """True if tests failed, or a line stands beside a place in a file."""
    return any(map(_TESTED.match, lines)) or _stands_at_place(lines, line)


def _stands_at_place(lines: Sequence[str], line: str) -> bool:
    if line not in lines:
        return False
    at = lines.index(line)
    around = lines[max(0, at - _NEAR) : at + _NEAR + 1]
    return any(_PLACE_LINE.match(each) for each in around)


def _cut_words(line: str) -> str:
    """Return the whole words of a line within the limit."""
    return line if len(line) <= _LONGEST else line[:_LONGEST].rpartition(" ")[0] or line[:_LONGEST]


def _read_message(line: str) -> str:
    """Return the message of an error in JSON; any other line as it is."""
    found = _MESSAGE.search(line) if line.lstrip()[:1] in ("{", "[") else None
    return found[1].replace('\\"', "'") if found else line[:_LONGEST_RAW]


def _drop_own_briefs(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines without our own briefs: a repeated brief is not an error."""
    inside = ""
    for line in lines:
        frame = inside or next((each for each in _FRAMES if f"<{each}" in line), "")
        inside = "" if f"</{frame}>" in line else frame
        if not frame:
            yield line
