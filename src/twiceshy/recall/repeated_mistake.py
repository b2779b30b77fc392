"""Which lessons a pending call would prove right again: it repeats a call that failed."""

from __future__ import annotations

from twiceshy.core.trigger import list_quoted_errors, parse_trigger, read_evidence, stable_quote
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Trigger
    from twiceshy.shell.repeated_line import FailedLines

_SHELL = "Bash"
_FAILED = "` failed: "
_NOT_FOUND = "not found"


class FailedCalls(Value):
    """The failed calls on record for a lesson: lines of the shell, and calls of other tools."""

    lines: FailedLines
    others: frozenset[tuple[str, str]]
    root: str
    place: str

    def are_repeated_by(self, tool: str, target: str) -> bool:
        """True if a call is the same mistake as one of these."""
        if tool == _SHELL:
            line = _in_project(target, self.root, self.place)
            return self.lines.are_repeated_by(line, place=self.place)
        return any(
            tool == known and _repeats_arguments(target, given, self.lines.trigger)
            for known, given in self.others
        )


def list_failed_calls(
    note: Note,
    trigger: Trigger,
    taught: Iterable[Signal],
    session: Iterable[Signal],
    *,
    root: str,
    place: str,
) -> FailedCalls:
    """Return the failed calls of a lesson: those that ``taught`` it, its own form, and this session's.

    Only those errors of the session count that the lesson quotes.
    """
    from twiceshy.shell.repeated_line import read_failed_lines

    known = (*taught, *(each for each in session if echoes_lesson(note, each)))
    found = [(each.tool, each.target) for each in known]
    if form := _find_failing_form(note):
        found.append((trigger.tool, form))
    lines = [_in_project(target, root, place) for tool, target in found if tool == _SHELL]
    others = frozenset(
        (tool, target.removeprefix(f"{tool} ")) for tool, target in found if tool != _SHELL
    )
    missing = _find_missing_program(note, trigger)
    read = read_failed_lines(trigger, lines, place=place, missing=missing)
    return FailedCalls(read, others, root, place)


def echoes_lesson(note: Note, error: Signal) -> bool:
    """True if an error holds what a lesson quotes, names and numbers aside."""
    return stable_quote(note) in error.excerpt


def repeats_own_form(note: Note, command: str) -> bool:
    """True if a command is the mistake that a lesson quotes, in other operands at most."""
    from twiceshy.shell.repeated_line import read_failed_lines

    trigger = parse_trigger(note.trigger)
    form = _find_failing_form(note)
    return trigger is not None and read_failed_lines(trigger, [form]).are_repeated_by(command)


def _find_failing_form(note: Note) -> str:
    """Return the failing call that a lesson quotes; empty if it quotes none."""
    quoted, failed, _ = read_evidence(note).partition(_FAILED)
    return quoted.rpartition("`")[2] if failed else ""


def _find_missing_program(note: Note, trigger: Trigger) -> str:
    """Return the program that a shell did not find; empty for other mistakes."""
    program = trigger.words[0] if len(trigger.words) == 1 else ""
    quoted = list_quoted_errors(read_evidence(note))
    is_missing = any(_NOT_FOUND in error and program in error for error in quoted)
    return program if is_missing else ""


def _in_project(line: str, root: str, place: str) -> str:
    """Return a line of the project's root with relative paths, as lessons have them."""
    if place or len(root) < 2:
        return line
    return line.replace(f"{root}/", "").replace(root, ".")


def _repeats_arguments(target: str, known: str, trigger: Trigger) -> bool:
    """True for equal arguments; where only their names were wrong, for equal names."""
    from twiceshy.core.jsontext import parse_json
    from twiceshy.shell.call_words import is_argument_name

    if target == known or not all(map(is_argument_name, trigger.words)):
        return target == known
    try:
        given, before = parse_json(target), parse_json(known)
    except (ValueError, RecursionError):
        return False
    return isinstance(given, dict) and isinstance(before, dict) and set(given) == set(before)
