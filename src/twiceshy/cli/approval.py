"""What the user does to a rule with a command approves of it; what an agent does with one never does."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from twiceshy.app import by_agent, rule_key
from twiceshy.core.errors import NoteError, TwiceshyError
from twiceshy.core.note import SHOWN
from twiceshy.core.store import Finding
from twiceshy.notes.approve import adds_up, approvals, seal_anew, sign, standing
from twiceshy.notes.conflict import conflict
from twiceshy.notes.edit import edit
from twiceshy.notes.review import accept, settle
from twiceshy.safety.signing import act_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.safety.signing import Act

_REVIEW = "twiceshy review"
_SEE = "see: twiceshy review"
_FEW = 5


@contextmanager
def keeping_approvals(app: App, *, changing: Collection[str] = ()) -> Iterator[None]:
    """Make one change of the user's; rules that were approved before it are approved after it.

    ``changing`` names the fields that the user gave; what else a rule says must stay as it was.
    """
    with app.store.change():
        key = app.rule_key()
        held = approvals(app.store, key=key) if key and not by_agent() else {}
        yield
        if held:
            seal_anew(app, held, key=key, changing=changing)


def approve(app: App, notes: Iterable[Note]) -> list[Note]:
    """Sign the rules among these that the user has just written, or brought back; return them.

    One whose signature does not fit was tampered with, and waits for a closer look.
    """
    rules = [note for note in notes if note.kind == "rule" and note.life == "active"]
    if not rules or by_agent():
        return []
    key = rule_key(app.config, create=True)
    signatures = app.store.signatures()
    fresh = [note for note in rules if note.id not in signatures]
    for note in fresh:
        sign(app, note, "tell", key=key)
    return fresh


def accept_now(app: App, note: Note, *, act: Act | None, torn: bool = False) -> Note:
    """Accept a note as it is; the key is made when the first rule is."""
    key = rule_key(app.config, create=True) if note.kind == "rule" else b""
    return accept(app, note, act=act, key=key, torn=torn)


def accept_edited(app: App, note: Note, words: Mapping[str, str], *, act: Act | None) -> Note:
    """Accept a note in other words; a rule may do what it was approved for before."""
    with keeping_approvals(app):
        act = act or act_of(app.rule_key(), note, app.store.signatures().get(note.id))
        sound = adds_up(app.store, note)
        torn = settle(app, note)
        edited = edit(app, note, words)
        return accept_now(app, edited if sound else note, act=act, torn=torn)


def accept_other(app: App, note: Note, *, act: Act | None) -> Note:
    """Accept a note in the words of the other device; of several, in those it said last."""
    others = sorted(conflict(app.store.history(note.id)), key=lambda wording: wording.at)
    if not others:
        raise NoteError(f"no other device says anything else of {note.handle}", hint=_SEE)
    return accept_edited(app, note, {one.field: one.said for one in others}, act=act)


def without_approval(app: App, notes: Iterable[Note]) -> list[Note]:
    """Return the rules among these that could be shown, but are not approved of."""
    rules = [note for note in notes if note.kind == "rule" and note.life in SHOWN]
    if not rules:
        return []
    key, signatures = app.rule_key(), app.store.signatures()
    return [note for note in rules if act_of(key, note, signatures.get(note.id)) is None]


def hint_for(notes: Iterable[Note]) -> str:
    """Say how to approve of rules."""
    return f"hint: not shown until you approve: {_REVIEW} --accept " + _handles(notes)


def refuse_agents() -> None:
    """Let only people decide what agents are told to follow."""
    if by_agent():
        raise TwiceshyError(
            "an agent cannot decide what agents must follow",
            hint=f"call {_REVIEW} in a terminal of your own, outside of the agent",
        )


def rules_finding(app: App) -> Finding:
    """Report the rules that count, and those that are left out."""
    key = app.rule_key()
    rules = standing(app.store, key=key)
    left_out = [
        f"{_handles(notes)} {what}"
        for notes, what in (
            (rules.changed, "changed since you approved"),
            (rules.unsigned, "not approved on this device"),
        )
        if notes
    ]
    if left_out:
        without = "" if key else "; there is no key to check them with"
        said = f"left out, not shown: {'; '.join(left_out)}{without}"
        return Finding("rules", "warning", said, _REVIEW)
    acts = [act for _, act in rules.approved]
    more = ", ".join(f"{acts.count(act)} {verb}" for act, verb in _VERBS.items() if act in acts)
    return Finding("rules", "ok", f"{len(acts)} signed" + (f": {more}" if more else ""))


_VERBS = {"tell": "told", "ask": "that ask", "deny": "that deny"}


def _handles(notes: Iterable[Note]) -> str:
    found = [note.handle for note in notes]
    return " ".join(found[:_FEW]) + (f" and {len(found) - _FEW} more" if len(found) > _FEW else "")
