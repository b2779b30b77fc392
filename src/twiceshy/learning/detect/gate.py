"""Refuse lessons that are not worth reading: no cause, no fix, or a failure on purpose.

A lesson is told to every later session that may need it, so it has to say something that a
senior engineer would say. What is refused is still counted as a failure of the session.
"""

from __future__ import annotations

import re
from itertools import takewhile

from twiceshy.core.trigger import LARGE
from twiceshy.learning.detect.cause import find_certain_part, names_cause
from twiceshy.learning.detect.culprit import find_missing_program
from twiceshy.learning.detect.difference import is_correction, names_word
from twiceshy.learning.detect.fix import extends_word, find_other_folder, is_other_subcommand
from twiceshy.learning.detect.mistake import is_summary
from twiceshy.learning.detect.preparation import find_inserted_step
from twiceshy.learning.detect.shell_blame import find_blamed_word, speaks_for_shell
from twiceshy.learning.detect.spelling import is_respelled
from twiceshy.safety.danger import WITHHELD
from twiceshy.shell.call_words import call_words
from twiceshy.shell.command_line import base_name, parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.core.trigger import Trigger
    from twiceshy.learning.detect.lesson import MistakeLesson
    from twiceshy.learning.detect.mistake import Mistake
    from twiceshy.shell.command_line import SimpleCommand
    from twiceshy.shell.tool_call import ToolCall

_TEMPORARY = re.compile(r"(?:^|/)(?:tmp|temp|var/folders|scratchpad|\.git|T)(?:/|$)")
_PASSING = re.compile(
    r"(?i)(?:^|/)(?:\.\w+|_?build|coverage|dist|logs?|node_modules|out|target|tool-results)/"
    r"|\.(?:log|out|output)$"
)
_TRYING = re.compile(r"\$\?|\$\{?PIPESTATUS|\bmktemp\b|(?<![\w-])--help\b")
_ASKING = frozenset(
    ("which", "command", "type", "stat", "test", "[")
)  # is it there? No is an answer
_NUMBERED = re.compile(r"(?:^|[/#=])(?:\d{2,}|[0-9a-f]{7,40})(?:[/~^.]|$)")
_CD_FAILED = re.compile(r"(?:^|[:\s])cd(?::\d+)?: ")
_INLINE = frozenset(("-c", "-e", "--eval"))
_FEWEST_WORDS = 2
_STARTING = ("-y", "-p", "-m", "--", "--yes")  # a program stands behind them
_DELIMITER = re.compile(r"<<-?\s*['\"\\]?(\w+)")
_NONSENSE = re.compile(
    r"(?i)(?<![\w-])(?:--?)?(?:bogus|bad|nope|nonexist\w*|does-?not-?exist|invalid|foo(?:bar)?|xyz(?:zy)?)\b"
)
# what holds for a branch, a commit or a change, and not for the project
_OF_THE_DAY = re.compile(
    r"(?i)\bconflicts?\b|no upstream|nothing to commit|no changes added|pull requests? found"
    r"|up-to-date|\[rejected\]|non-fast-forward|undefined: |is not a valid branch|could not apply"
)
_POINTING = re.compile(r"(?i)\b(?:this|these|those|right now|yet)\b|for now")
_MACHINE = re.compile(
    r"(?i)index\.lock|connection refused|econnrefused|already (?:in use|running)"
)


def may_come_back(mistake: Mistake) -> bool:
    """True unless an error passes by itself, as the network does; locks and services come back."""
    if mistake.category != "transient":
        return True
    is_gone = "No such file" in mistake.line  # the lock itself, by now
    return _MACHINE.search(mistake.line) is not None and not is_gone


def is_worth_noting(lesson: MistakeLesson, *, seen_before: bool) -> bool:
    """True if a lesson says how to call something, or what keeps this project from working.

    How many tests failed is no lesson, nor a finding about code, nor what holds for a branch of the
    day. A refusal by the user, or a lock, is one when another session met it, too.
    """
    mistake = lesson.failed.mistake
    if mistake is None or _is_uncertain(lesson, mistake):
        return False
    if lesson.fix:
        return True
    says_what = not is_summary(mistake.line) and not mistake.line.endswith(":")
    if not says_what or WITHHELD in lesson.text:
        return False
    is_call = mistake.category in ("usage", "folder", LARGE)
    # what is not there once may be there tomorrow
    is_gone = mistake.category == "missing" and seen_before
    is_script = mistake.category != "rejected" and _is_script(lesson.trigger)
    is_lasting = not is_script and _is_lasting(lesson.failed, mistake, seen_before=seen_before)
    if not (is_call or is_gone or is_lasting):
        return False
    return not _asks(lesson.failed, mistake) and not _blames_another(lesson.failed, mistake)


def _asks(failed: ToolCall, mistake: Mistake) -> bool:
    """True if a call only asked whether something is there, and it was not."""
    programs = {step.program for step in _list_steps(failed)} - {"cd", "echo", "pwd"}
    return mistake.category != "usage" and bool(programs) and programs <= _ASKING


def _is_script(trigger: Trigger) -> bool:
    """True if a trigger says only that a script stands in the call: the script is of the day."""
    return len(trigger.words) <= _FEWEST_WORDS and not _INLINE.isdisjoint(trigger.words)


def _is_lasting(failed: ToolCall, mistake: Mistake, *, seen_before: bool) -> bool:
    """True if a report, or a reason of the user, will hold tomorrow, too."""
    if not mistake.line or _OF_THE_DAY.search(mistake.line) or _names_number(failed):
        return False
    if mistake.category == "missing":
        return False
    if mistake.category == "outcome" and not failed.command and not seen_before:
        return False  # what a tool was given may be of the day
    if mistake.category == "outcome":
        is_said = len(mistake.line.split()) >= _FEWEST_WORDS and names_cause(mistake.line)
        return is_said and not mistake.is_finding
    # a question is no reason, and what points at the moment is none for later
    return seen_before and "?" not in mistake.line and not _POINTING.search(mistake.line)


def _names_number(failed: ToolCall) -> bool:
    """True if a call is about one pull request, comment or commit."""
    words = (word for step in _list_steps(failed) for word in step.arguments)
    return any(_NUMBERED.search(word) for word in words if " " not in word)


def _blames_another(failed: ToolCall, mistake: Mistake) -> bool:
    """True if an error is about what a call did not run: a folder to go to, a word in a text."""
    if _CD_FAILED.search(mistake.line):
        return True
    missing = find_missing_program(mistake.line)
    return bool(missing) and missing not in set(_list_started(failed))


def _list_started(failed: ToolCall) -> Iterator[str]:
    """Yield what a call may have started: programs, and the first words given to one."""
    for step in _list_steps(failed):
        wrappers = (word for wrapper in step.wrappers for word in wrapper)
        leading = takewhile(lambda word: word[:1] != "-" or word in _STARTING, step.words)
        for word in (*wrappers, *leading):
            yield from (word, base_name(word))


def _is_uncertain(lesson: MistakeLesson, mistake: Mistake) -> bool:
    """True if a lesson is about what stands behind a cut in a call, or about no program at all."""
    failed, trigger = lesson.failed, lesson.trigger
    if not failed.command:
        # the path is that of the project, or lies outside of it
        is_path = trigger.category in ("folder", "missing")
        return is_path and len(trigger.words) > 1
    if any(word in _DELIMITER.findall(failed.command) for word in trigger.words):
        return True
    if speaks_for_shell(mistake.line) and not find_blamed_word(failed, mistake.line):
        return True
    certain = find_certain_part(failed.command)
    if certain == failed.command or trigger.tool != failed.family:
        return False
    return not trigger.matches(failed.family, call_words({"command": certain}))


def is_on_purpose(failed: ToolCall) -> bool:
    """True if a call was made to fail or to try something out: its status, a manual, nonsense."""
    if _TRYING.search(failed.command):
        return True
    words = (word for each in _list_steps(failed) for word in each.arguments)
    return any(_NONSENSE.search(word) for word in words if " " not in word)


def is_temporary(path: str) -> bool:
    """True if a path lies below a folder for temporary files."""
    return bool(_TEMPORARY.search(path))


def is_passing(path: str) -> bool:
    """True if a file is made anew by the next run: a log, or the output of a build."""
    return bool(_PASSING.search(path))


def is_real_fix(failed: ToolCall, fix: ToolCall, mistake: Mistake) -> bool:
    """True if a fix is another call that does the same work in another way.

    A call with less in it did less, unless the error blames what was left out.
    """
    if not failed.command:
        return failed.path != fix.path or failed.arguments != fix.arguments
    is_plain = is_correction(failed, fix) or bool(find_inserted_step(failed, fix))
    return is_plain or _does_same_work(failed, fix, mistake)


def _does_same_work(failed: ToolCall, fix: ToolCall, mistake: Mistake) -> bool:
    """True unless a call does other work, or less of it."""
    one, other = _list_words(failed), _list_words(fix)
    if not other or one == other:
        return bool(find_other_folder(failed, fix))
    cannot_fail = "||" in fix.command and "||" not in failed.command
    programs = {step.program for call in (failed, fix) for step in _list_steps(call)}
    is_other = _is_other_task(one, other, mistake, programs | {one[0], other[0]})
    is_other = is_other and not is_other_subcommand(failed, fix)
    if cannot_fail or is_other:
        return False
    if one[0] != other[0]:
        return True  # another program, or the same without a wrapper
    gone = [word for word in one if word not in other]
    if all(word in one for word in other):
        # without its only path, a call is about everything, or about the folder it is made in
        aimless = any(map(_is_path, gone)) and not any(map(_is_path, other))
        return bool(gone) and not aimless and all(_is_blamed(word, mistake) for word in gone)
    return True


def _is_other_task(
    one: Sequence[str], other: Sequence[str], mistake: Mistake, programs: Collection[str]
) -> bool:
    """True if a plain word gave way to another one that names other work: test and lint.

    A word that the error blames may give way to one that resembles it, that the error names, or
    that is given the same words: ``host list`` and ``cluster list``.
    """
    gone = [word for word in one if word not in other and _is_name(word, programs)]
    new = [word for word in other if word not in one and _is_name(word, programs)]
    if not gone or not new or any(extends_word(word, old) for word in new for old in gone):
        return False
    blamed = next((word for word in gone if _is_blamed(word, mistake)), "")
    if not blamed or one[0] != other[0]:
        return not blamed
    given, taken = one[one.index(blamed) + 1 :], other[other.index(new[0]) + 1 :]
    resembles = any(is_respelled(blamed, word) or names_word(word, mistake.line) for word in new)
    return not resembles and not (given and given == taken)


def _is_name(word: str, programs: Collection[str]) -> bool:
    """True if a word may name a task: no program, option, path, variable or quoted text."""
    letters = word.replace("-", "").replace("_", "").replace(":", "")
    return word not in programs and word[0] != "-" and letters.isalpha()


def _is_path(word: str) -> bool:
    return "/" in word and word[0] != "-" and " " not in word and "=" not in word


def _is_blamed(word: str, mistake: Mistake) -> bool:
    name = word.partition("=")[0]
    return name in mistake.line or (mistake.category == "usage" and word[:2] == "--")


def _list_steps(act: ToolCall) -> Iterator[SimpleCommand]:
    return parse_command_line(act.command).list_steps()


def _list_words(act: ToolCall) -> list[str]:
    return [
        word
        for step in _list_steps(act)
        if step.program not in ("cd", "echo")
        for word in (
            *step.environment,
            *(word for wrapper in step.wrappers for word in wrapper),
            *step.sources,
        )
    ]
