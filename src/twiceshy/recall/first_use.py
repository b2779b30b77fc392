"""First use of a program in a session: with its result, the lesson worth most about it is told.

The chance that a mistake comes back is larger in a session that uses the program than in any
session. So a lesson that does not pay at the start may pay then, by the same prices.
"""

from __future__ import annotations

import os

from twiceshy.core.lesson_value import choose_lessons, value_at_use
from twiceshy.recall.capture import CALLS
from twiceshy.runtimes.quick_look import FIRST_USE
from twiceshy.shell.call_words import call_words
from twiceshy.store.store_file import make_folder

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.event import CallSucceeded
    from twiceshy.core.prices import Prices
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.recall.event_context import EventContext

USE = "use"
_UNASKED = ("start", "prompt", USE)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)


def watch_programs(home: str, session: str, programs: Iterable[str]) -> None:
    """Name the programs of lessons that wait for their first use in a session."""
    path = os.path.join(home, CALLS, session + os.fsdecode(FIRST_USE))
    names = "".join(f"{program}\n" for program in programs if _is_word(program))
    try:
        make_folder(home)
        make_folder(os.path.dirname(path))
        handle = os.open(path, _NEW, 0o600)
    except OSError:
        return  # then the lessons wait for a failure
    with open(handle, "wb") as file:
        file.write(names.encode())


def tell_at_first_use(context: EventContext, event: CallSucceeded) -> str:
    """Return the lesson worth most about the programs of a call that worked, if it pays."""
    programs = {part[0] for part in call_words(event.arguments)}
    learned = context.store.match_triggers(context.visible_projects(), which="learned")
    told = context.told_notes()
    matches = [
        match
        for match in learned
        if match.program in programs and match.note.id not in told and context.may_tell(match.note)
    ]
    if not matches:
        return ""
    prices = read_prices_left(context, learned)
    chosen = choose_lessons(matches, prices, value=value_at_use)
    return context.tell_notes(
        [match.note for match, _ in chosen[:1]],
        channel=USE,
        tokens=context.app.config.integer("brief.call_tokens"),
    )


def read_prices_left(context: EventContext, learned: Sequence[TriggerMatch] = ()) -> Prices:
    """Return the prices, with the tokens that this session has left for lessons told unasked."""
    from twiceshy.core.prices import read_prices

    prices, projects = read_prices(context.app.config), context.visible_projects()
    known = learned or context.store.match_triggers(projects, which="learned")
    lessons = {match.note.id for match in known}
    shown = context.session_exposures()
    told = sum(one.tokens for one in shown if one.channel in _UNASKED and one.note in lessons)
    return prices.but(most_tokens=prices.most_tokens - told)


def _is_word(program: str) -> bool:
    """True if a program can be found in the bytes of a payload."""
    return (
        bool(program)
        and program.isascii()
        and program.isprintable()
        and not set(" \"'\\").intersection(program)
    )
