"""The user's approval of rules: sealed word for word, kept through the user's own changes."""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import replay_note
from twiceshy.core.prefilter_words import FOLDER
from twiceshy.core.value import Value
from twiceshy.safety.signing import (
    Signature,
    compute_seal,
    find_approved_act,
    find_permitted_act,
    list_signed_words,
    resting_act,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.safety.signing import Act

_MOST = 10_000
_MOST_PAST = 8  # wordings that undo can bring back with their approval


class RuleApprovals(Value):
    """Active rules of a store: approved, changed, unsigned."""

    approved: tuple[tuple[Note, Act], ...]
    changed: tuple[Note, ...]  # approved once, but not as they stand
    unsigned: tuple[Note, ...]


class SealedRule(Value):
    """A rule with a valid seal, its act, and seals of earlier wordings."""

    note: Note
    act: Act
    past: tuple[str, ...]


def sign_rule(app: App, note: Note, act: Act, *, key: bytes, past: Iterable[str] = ()) -> None:
    """Seal a rule in its current wording; hidden rules get a resting seal."""
    said = act if note.status == "active" else resting_act(act)
    seals = (compute_seal(key, note, said), *past)
    app.store.save_records(
        Signature(note.id, said, " ".join(seals[: 1 + _MOST_PAST]), app.store.now())
    )
    _drop_prefilters(app.config.home)


def _drop_prefilters(home: str) -> None:
    """Delete the prefilter files: sessions that run shall obey the rule from the next call on."""
    folder = os.path.join(home, FOLDER)
    with suppress(FileNotFoundError):
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))


def sort_active_rules(store: Store, *, key: bytes) -> RuleApprovals:
    """Sort the active rules by validity of their seals."""
    which = NoteFilter(kinds=("rule",), statuses=("active",))
    signatures = store.list_signatures()
    approved: list[tuple[Note, Act]] = []
    changed: list[Note] = []
    unsigned: list[Note] = []
    for note in store.notes(which, limit=_MOST):
        signature = signatures.get(note.id)
        if act := find_permitted_act(key, note, signature):
            approved.append((note, act))
        else:
            (changed if signature else unsigned).append(note)
    return RuleApprovals(tuple(approved), tuple(changed), tuple(unsigned))


def list_approved_rules(store: Store, *, key: bytes) -> dict[str, SealedRule]:
    """Return rules with valid seals and matching histories, shown or hidden."""
    found: dict[str, SealedRule] = {}
    for note_id, signature in store.list_signatures().items():
        note = store.note(note_id)
        act = find_approved_act(key, note, signature) if note else None
        if note and act and matches_history(store, note):
            found[note_id] = SealedRule(note, act, tuple(signature.mac.split(" ")[1:]))
    return found


def reseal_rules(
    app: App, held: Mapping[str, SealedRule], *, key: bytes, changing: Collection[str] = ()
) -> None:
    """Reseal approved rules after the user's change, within the same change.

    The user changed the fields ``changing``, or undid a change. All other words must be the
    approved words: a tampered history may bring others.
    """
    signatures = app.store.list_signatures()
    for note_id, was in held.items():
        note = app.store.note(note_id)
        if note is None or note_id not in signatures:
            continue  # forgotten, or the approval itself was taken back
        if find_approved_act(key, note, signatures[note_id]):
            continue  # as it was, or approved for something else meanwhile
        past = _past_seals(key, was.note, was.act)
        if (
            has_same_words(was.note, note, but=changing)
            or _past_seals(key, note, was.act) in was.past
        ):
            more = (
                (past,)
                if list_signed_words(was.note) != list_signed_words(note) and past not in was.past
                else ()
            )
            sign_rule(app, note, was.act, key=key, past=(*more, *was.past))


def has_same_words(one: Note, other: Note, *, but: Collection[str] = ()) -> bool:
    """True if two versions of a rule say the same, some fields aside."""
    return list_signed_words(one) == list_signed_words(
        other.but(**{name: getattr(one, name) for name in but})
    )


def matches_history(store: Store, note: Note) -> bool:
    """True if a rule equals its replayed history."""
    try:
        told = replay_note(store.history(note.id))
    except (KeyError, TypeError, ValueError):  # nobody but us can have written such a history
        return False
    return told is not None and has_same_words(told, note)


def _past_seals(key: bytes, note: Note, act: Act) -> str:
    return compute_seal(key, note, f"past {act}")
