"""Find what differs between a failing command line and the next one, and if that put it right.

A call that works at once and differs from the failing one in a word or two says what was wrong,
however the error is worded. The error only has to be about the call, and not about the work.
"""

from __future__ import annotations

import re

from twiceshy.core.value import Value
from twiceshy.learning.detect.arguments import SIMILAR, measure_similarity
from twiceshy.learning.detect.cause import is_finding
from twiceshy.learning.detect.mistake import has_place, is_summary
from twiceshy.learning.detect.spelling import is_extended, is_respelled, is_slip
from twiceshy.shell import HANDLING, IDLE
from twiceshy.shell.command_line import parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.shell.command_line import SimpleCommand
    from twiceshy.shell.tool_call import ToolCall

IMMEDIATE = 3  # calls behind a mistake among which no phrase of the error is asked for
_MOST_CHANGED = 4  # words
_MOST_BEFORE = 4  # words of a wrapper
_SHORTEST_OPTION = 3  # letters by which an error may name an option
# An error that says what is not there, not known, not right, or what is needed.
_DENIAL = re.compile(
    r"(?i)\b(?:no|not|non-?\w+|nothing|cannot|unable|bad|illegal|wrong|missing|misspelled|without"
    r"|outside|only|externally|requires?|required|must|needs?|needed|expects?|ambiguous"
    r"|un(?:known|recogni[sz]ed|expected|resolved|supported|set)|in(?:valid|correct)"
    r"|could ?n.t|does ?n.t|did ?n.t|is ?n.t|are ?n.t)\b|can't"
)
# Errors of running code: another run does not explain them.
_CRASH = re.compile(
    r"(?:E +)?(?:Uncaught )?(?:panic: |thread '|Traceback|goroutine |(?:\w+\.)*(?:Type|Key|Index|Value|Range"
    r"|Attribute|Name|Assertion|ZeroDivision|Reference|Syntax)Error\b)"
)
# Options with which a call asks, shows more or less, forces, or does other work than before.
_OTHER_AIM = re.compile(
    r"-{1,2}(?:h|help|v+|version|verbose|V|list|dry-?run|force|quiet|q|silent|fix|write|no-verify"
    r"|debug|trace|stacktrace|info|skip\S*|ignore\S*|exit-zero|no-fail\S*|allow\S*|lf|last-failed"
    r"|only\S*|grep|filter|run|testNamePattern|k|t|g|m|u|force-\S+|tb|watch\S*|retr\S+|bail|x)(?:=.*)?"
)
_LABEL = re.compile(r"(?i)\W*(?:failed|failure|error|fatal): +")  # it says nothing about the rest
_ASKING = IDLE | frozenset("whereis apt apt-get brew dnf yum".split())
OTHER_AIMS = frozenset("fix write force watch debug update".split())  # ``lint:fix`` changes code
_NUMBERED = re.compile(r"\d{3,}|[0-9a-f]{7,}")


class LineDifference(Value):
    """A failing step of a line, the step in its place, and the words that only one of them has."""

    failed: SimpleCommand
    worked: SimpleCommand
    gone: tuple[str, ...]
    new: tuple[str, ...]


def is_denial(line: str) -> bool:
    """True if an error is about a call: something is not there, not known, or needed."""
    return _DENIAL.search(line) is not None and not is_about_work(line)


def is_about_work(line: str) -> bool:
    """True if an error is a finding about code, counts what failed, or tells where code broke."""
    is_count = is_summary(line) and is_summary(_LABEL.sub("", line))
    return is_count or has_place(line) or is_finding(line) or _CRASH.match(line) is not None


def list_doing_steps(command: str) -> list[SimpleCommand]:
    """Return the steps of a line that do the work, without those that look, move or cut."""
    return [
        step
        for step in parse_command_line(command).list_steps()
        if step.words and step.program not in IDLE
    ]


def find_difference(failed: ToolCall, act: ToolCall) -> LineDifference | None:
    """Return the one step in which two lines differ; None if they differ in more."""
    one, other = (list_doing_steps(call.command) for call in (failed, act))
    left, new = _drop_equal_steps(one, other), _drop_equal_steps(other, one)
    if len(new) != 1 or not left:
        return None
    worked = new[0]
    wrong = next((step for step in reversed(left) if step.program == worked.program), left[-1])
    if wrong.environment != worked.environment or wrong.folder != worked.folder:
        return None
    return LineDifference(
        wrong,
        worked,
        tuple(word for word in wrong.words if word not in worked.words),
        tuple(word for word in worked.words if word not in wrong.words),
    )


def _drop_equal_steps(
    steps: Sequence[SimpleCommand], others: Sequence[SimpleCommand]
) -> list[SimpleCommand]:
    known = {_identify_step(step) for step in others}
    return [step for step in steps if _identify_step(step) not in known]


def _identify_step(step: SimpleCommand) -> tuple[tuple[str, ...], ...]:
    return (step.words, step.environment, (step.folder,))


def is_correction(failed: ToolCall, act: ToolCall) -> bool:
    """True if a call that worked at once says by its difference what was wrong."""
    if not failed.command or not act.command or failed.mistake is None:
        return False
    line = failed.mistake.line
    found = find_difference(failed, act)
    if found is None or _is_softened(failed, act):
        return False
    if is_through_other_program(found):
        return not is_summary(line)
    if found.failed.program != found.worked.program:
        return False
    changed = (*found.gone, *found.new)
    if not found.new or len(changed) > _MOST_CHANGED or any(" " in word for word in changed):
        return False
    added = _match_words(found, line)
    return added is not None and _may_be_added(found, added, line)


def is_through_other_program(found: LineDifference) -> bool:
    """True if another program, or a program in front, is given exactly the same words."""
    words, others = found.failed.words, found.worked.words
    before = len(others) - len(words)
    if words == others or not 0 <= before <= _MOST_BEFORE or others[before + 1 :] != words[1:]:
        return False
    if not HANDLING.isdisjoint(others[1:before]):
        return False  # it is installed, and not run
    name, other = found.failed.program, others[before].rpartition("/")[2]
    fits = name == other or is_extended(name, other) or is_extended(other, name)
    is_version = name.rstrip("0123456789.") == other.rstrip("0123456789.") != ""
    return (fits or is_version) and found.worked.program not in _ASKING and others[0][:1] != "-"


def _match_words(found: LineDifference, line: str) -> list[str] | None:
    """Return the added words without those that replace a wrong one; None if one has no reason."""
    new = list(found.new)
    for old in found.gone:
        right = next((word for word in new if _is_replacement(old, word, line)), None)
        if right is None:
            return None
        new.remove(right)
    return new


def _is_replacement(old: str, new: str, line: str) -> bool:
    """True if a word is a wrong one put right: spelled otherwise, or denied by the error."""
    if (old[:1] == "-") != (new[:1] == "-"):
        return False
    if old[:1] == "-" and is_slip(old, new):
        return True
    if is_about_work(line) and not (is_slip(old, new) and _is_quoted(old, line)):
        return False
    if is_respelled(old, new):
        is_other_aim = new.startswith(old) and new[len(old) + 1 :] in OTHER_AIMS
        is_named = names_word(old, line) or (is_denial(line) and "/" not in old)
        return not is_other_aim and (old[:1] == "-" or is_named)
    is_numbered = _NUMBERED.search(old) or _NUMBERED.search(new)
    if is_numbered or not is_denial(line) or not names_word(old, line):
        return False
    return names_word(new, line) or ("/" not in old and measure_similarity(old, new) >= SIMILAR)


def _may_be_added(found: LineDifference, added: Sequence[str], line: str) -> bool:
    """True if every added word is an option, or its value, that the error may ask for."""
    if not added:
        return True
    options = [word for word in added if word[:1] == "-" and word != "-"]
    words = found.worked.words
    for at, word in enumerate(words):
        is_value = word in added and word not in options
        if is_value and words[at - 1] not in options:
            return False
    forces = "-f" in options and words[words.index("-f") + 1 :][:1] not in [
        (each,) for each in added
    ]
    if forces or any(map(_OTHER_AIM.fullmatch, options)) or is_about_work(line):
        return False
    return bool(options) and (
        is_denial(line) or any(_names_option(each, line) for each in options)
    )


def names_word(word: str, line: str) -> bool:
    """True if an error names a word, or the last name in it, as a whole."""
    names = {word, word.partition("=")[0], re.split(r"[/:=]", word)[-1], word.lstrip("-")}
    return any(
        len(name) > 1 and re.search(rf"(?<![\w.]){re.escape(name)}(?![\w-])", line) is not None
        for name in names
    )


def _is_quoted(word: str, line: str) -> bool:
    return any(f"{mark}{word}{mark}" in line for mark in "'\"`")


def _names_option(option: str, line: str) -> bool:
    name = option.partition("=")[0].lstrip("-")
    return len(name) >= _SHORTEST_OPTION and names_word(name, line)


def _is_softened(failed: ToolCall, act: ToolCall) -> bool:
    """True if a line goes on whatever fails, unlike the failing one."""
    return "||" in act.command and "||" not in failed.command
