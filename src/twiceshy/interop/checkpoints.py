"""CHECKPOINTS.md: passing remarks about a skill, kept until flushed.

A checkpoint is a signal. Flushing pairs the signal with its note; nothing empties the list.
"""

from collections.abc import Iterable

from twiceshy.app import App, command_author
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_stamp
from twiceshy.core.note import short_handle
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import strip_unsafe
from twiceshy.learning.flush import FlushResult, find_lessons, keep_lessons, split_passages
from twiceshy.notes.write import note_limits_of

_MOST = 10_000


def build_checkpoint(text: str, *, skill: str, name: str, at: int) -> Signal:
    """Return the signal of a remark; ``name`` makes it unique."""
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


def write_checkpoint(app: App, skill: str, text: str) -> tuple[Signal, str]:
    """Keep a remark; return the signal, and whether it was stored or spooled."""
    raw = strip_unsafe(text)
    if not raw:
        raise NoteError("the checkpoint is empty", hint='say what happened: --note "…"')
    store, longest = app.store, note_limits_of(app.config).longest
    if len(raw) > longest:
        raise NoteError(
            f"the checkpoint has {len(raw):,} characters; {longest:,} is the most",
            hint="write down less at a time, or keep it in a file and flush that",
        )
    made = build_checkpoint(app.redact(raw), skill=skill, name=store.new_id(), at=store.now())
    return made, store.capture(made)


def list_checkpoints(app: App, skill: str) -> list[Signal]:
    """Return the remarks about a skill, oldest first."""
    newest = app.store.list_signals(EVERYWHERE, "checkpoint", limit=_MOST)
    return [one for one in reversed(newest) if one.skill == skill]


def flush_lessons(
    app: App, skill: str, text: str, *, suffix: str, checkpoints: bool, close: bool, most: int
) -> FlushResult:
    """Keep lessons of a summary, a session and checkpoints as notes of a skill."""
    return keep_lessons(
        app,
        find_lessons(split_passages(text, suffix=suffix), redact=app.redact),
        list_checkpoints(app, skill) if checkpoints else (),
        draft=Draft("lesson", "", Scope(EVERYWHERE, skill), command_author()),
        most=most,
        close=close,
    )


def render_checkpoints(skill: str, signals: Iterable[Signal]) -> str:
    """Return the whole file; a flushed checkpoint names its note."""
    lines = (
        f"# {skill} — checkpoints",
        "",
        "> Written down in passing; `flush --include-checkpoints` makes notes of them.",
        "",
        *map(_render_line, signals),
        "",
    )
    return "\n".join(lines)


def _render_line(signal: Signal) -> str:
    when = format_stamp(signal.at)[:19].replace("T", " ")
    text = " ".join(strip_unsafe(signal.excerpt).split())
    became = f"  [{short_handle(signal.pair)}]" if signal.pair else ""
    return f"- [{when}] {text}{became}"
