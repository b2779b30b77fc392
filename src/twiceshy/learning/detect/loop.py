"""Detect loops: three failed tries in a short time, two alike, without a success between.

Counting calls alone finds nothing: of fifteen calls repeated five times or more, at most one
was a loop. Failures that are all different are progress, calls of one answer are one try,
and so is looking closer at a failure before anything was changed.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.summary import NOISY_TOOLS
from twiceshy.shell.tool_call import EDITS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.shell.tool_call import ToolCall

WINDOW = 40  # calls to hand over: long enough to see that a loop was reported before
REACH = 15
ENOUGH_TRIES = 3
# Who has seen a failure thinks before trying again. Calls of one answer come as fast as they are
# written: 96 of 100 within this time, and 5 of 100 of the others.
_ONE_ANSWER_MS, _MS_A_CHARACTER = 2_000, 3
# To look for something and not to find it is how looking goes.
_LOOKING = frozenset("Read Grep Glob LS NotebookRead View WebFetch WebSearch ToolSearch".split())
_STOPPED = frozenset("rejected interrupted cancelled denied".split())
_NOT_TRIED = frozenset(("rejected", "transient"))


class Loop(Value):
    """Failures of a call family, oldest first; ``stuck`` if every failure is the same."""

    ids: tuple[str, ...]
    tool: str
    head: str
    stuck: bool
    line: str

    @property
    def count(self) -> int:
        """Return the number of failures."""
        return len(self.ids)


def find_loop(acts: Sequence[ToolCall]) -> Loop | None:
    """Return the loop completed by the newest failure; reported once.

    ``acts`` are the last calls, ``WINDOW`` at most, and the newest is the last.
    """
    recent = acts[-WINDOW:]
    if not recent or not _has_failed(recent[-1]):
        return None
    heads = [_find_try_keys(act) for act in recent]
    # the last program of a line is what the line is for
    runs = [(head, _list_tries(recent, heads, head)) for head in reversed(heads[-1])]
    # a line of several programs that is in a loop by one of them is in no new one by another
    if any(_find_first_loop(recent, tries[:-1]) for _, tries in runs):
        return None
    for head, tries in runs:
        if tries[-1:] == [len(recent) - 1] and (places := _find_first_loop(recent, tries)):
            return _build_loop(head, [recent[place] for place in places])
    return None


def _list_tries(
    acts: Sequence[ToolCall], heads: Sequence[tuple[str, ...]], head: str
) -> list[int]:
    """Return the indexes of failed tries of a program since its last success."""
    newest = acts[-1]
    tries: list[int] = []
    last, changed = None, False
    for place, act in enumerate(acts):
        if act.agent != newest.agent:
            continue
        if act.family != newest.family or head not in heads[place]:
            changed = changed or (_has_worked(act) and _may_change_cause(act, heads[place]))
        elif _has_failed(act):
            if last is None or _is_new_try(last, act, changed=changed):
                tries.append(place)
            last, changed = act, False
        elif _has_worked(act):
            tries, last = [], None
    return tries


def _is_new_try(last: ToolCall, act: ToolCall, *, changed: bool) -> bool:
    written = sum(len(str(value)) for value in act.arguments.values())
    if act.beside:
        return False
    if act.at - last.at < _ONE_ANSWER_MS + _MS_A_CHARACTER * written:
        return False
    closer = act.mistake is not None and act.mistake.category == "outcome" and bool(act.command)
    return changed or not closer or act.command == last.command


def _may_change_cause(act: ToolCall, heads: tuple[str, ...]) -> bool:
    """True if a call may have changed the cause of a failure."""
    return act.tool in EDITS or bool(act.command and heads)


def _has_worked(act: ToolCall) -> bool:
    return act.mistake is None and not act.refusal


def _find_first_loop(acts: Sequence[ToolCall], tries: Sequence[int]) -> list[int]:
    """Return the first tries near each other, enough in number, with a repeated error."""
    for last in range(ENOUGH_TRIES, len(tries) + 1):
        places = [place for place in tries[:last] if place > tries[last - 1] - REACH]
        if len(places) >= ENOUGH_TRIES and len(_list_signatures(acts, places)) < len(places):
            return places
    return []


def _build_loop(head: str, failed: Sequence[ToolCall]) -> Loop:
    newest = failed[-1]
    line = newest.mistake.line if newest.mistake else ""
    alike = len(_list_signatures(failed, range(len(failed)))) == 1
    return Loop(tuple(act.id for act in failed), newest.tool, head, alike, line)


def _list_signatures(acts: Sequence[ToolCall], places: Sequence[int]) -> set[str]:
    return {mistake.signature for place in places if (mistake := acts[place].mistake)}


def _has_failed(act: ToolCall) -> bool:
    """True if a call was tried and failed; user stops and transient errors do not count."""
    if act.mistake is None or act.refusal in _STOPPED:
        return False
    return act.mistake.category not in _NOT_TRIED


def _find_try_keys(act: ToolCall) -> tuple[str, ...]:
    """Return the keys for recognising a repeated try: programs, file, or tool."""
    if act.tool in NOISY_TOOLS or act.tool in _LOOKING:
        return ()
    if act.command:
        return list_heads(act.command)
    if act.tool in EDITS or act.path:
        return (act.path,) if act.path else ()
    return (act.tool,)
