"""CHECKPOINTS.md: what was written down about a skill in passing, line by line, until it is flushed.

A checkpoint is a signal. Flushing pairs it with the note that was made of it; nothing empties the list.
"""

from __future__ import annotations

from twiceshy.core.evidence import Signal
from twiceshy.core.moment import stamp
from twiceshy.core.note import handle
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import escape

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable


def checkpoint(text: str, *, skill: str, name: str, at: int) -> Signal:
    """Return the signal that keeps a note made in passing; ``name`` tells it from all others."""
    key = f"checkpoint:{name}"
    return Signal(
        key=key,
        kind="checkpoint",
        session=key,  # nobody says in which session it was made, and no two share one
        project=EVERYWHERE,
        at=at,
        skill=skill,
        target=skill,
        excerpt=text,
    )


def rendered(skill: str, signals: Iterable[Signal]) -> str:
    """Return the whole file; a checkpoint that became a note names it."""
    lines = (
        f"# {escape(skill, limit=100)} — checkpoints",
        "",
        "> Written down in passing; `flush --include-checkpoints` makes notes of them.",
        "",
        *map(_line, signals),
        "",
    )
    return "\n".join(lines)


def _line(signal: Signal) -> str:
    when = stamp(signal.at)[:19].replace("T", " ")
    text = escape(signal.excerpt, limit=len(signal.excerpt) + 1)
    became = f"  [{handle(signal.pair)}]" if signal.pair else ""
    return f"- [{when}] {text}{became}"
