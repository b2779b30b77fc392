"""The user's approval of rules: sealed word for word, kept through the user's own changes."""

from __future__ import annotations

from twiceshy.core.filter import Filter
from twiceshy.core.history import replay
from twiceshy.core.value import Value
from twiceshy.safety.signing import Signature, act_of, approved_for, resting, seal, words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.safety.signing import Act

_MOST = 10_000
_MOST_PAST = 8  # wordings that undo can bring back with their approval


class Standing(Value):
    """Active rules of a store: approved, changed, unsigned."""

    approved: tuple[tuple[Note, Act], ...]
    changed: tuple[Note, ...]  # approved once, but not as they stand
    unsigned: tuple[Note, ...]


class Held(Value):
    """A rule with a valid seal, its act, and seals of earlier wordings."""

    note: Note
    act: Act
    past: tuple[str, ...]


def sign(app: App, note: Note, act: Act, *, key: bytes, past: Iterable[str] = ()) -> None:
    """Seal a rule in its current wording; hidden rules get a resting seal."""
    said = act if note.status == "active" else resting(act)
    seals = (seal(key, note, said), *past)
    app.store.keep(Signature(note.id, said, " ".join(seals[: 1 + _MOST_PAST]), app.store.now()))


def standing(store: Store, *, key: bytes) -> Standing:
    """Sort the active rules by validity of their seals."""
    which = Filter(kinds=("rule",), statuses=("active",))
    signatures = store.signatures()
    approved: list[tuple[Note, Act]] = []
    changed: list[Note] = []
    unsigned: list[Note] = []
    for note in store.notes(which, limit=_MOST):
        signature = signatures.get(note.id)
        if act := act_of(key, note, signature):
            approved.append((note, act))
        else:
            (changed if signature else unsigned).append(note)
    return Standing(tuple(approved), tuple(changed), tuple(unsigned))


def approvals(store: Store, *, key: bytes) -> dict[str, Held]:
    """Return rules with valid seals and matching histories, shown or hidden."""
    found: dict[str, Held] = {}
    for note_id, signature in store.signatures().items():
        note = store.note(note_id)
        act = approved_for(key, note, signature) if note else None
        if note and act and adds_up(store, note):
            found[note_id] = Held(note, act, tuple(signature.mac.split(" ")[1:]))
    return found


def seal_anew(
    app: App, held: Mapping[str, Held], *, key: bytes, changing: Collection[str] = ()
) -> None:
    """Reseal approved rules after the user's change, within the same change.

    The user changed the fields ``changing``, or undid a change. All other words must be the
    approved words: a tampered history may bring others.
    """
    signatures = app.store.signatures()
    for note_id, was in held.items():
        note = app.store.note(note_id)
        if note is None or note_id not in signatures:
            continue  # forgotten, or the approval itself was taken back
        if approved_for(key, note, signatures[note_id]):
            continue  # as it was, or approved for something else meanwhile
        past = _past(key, was.note, was.act)
        if same_words(was.note, note, but=changing) or _past(key, note, was.act) in was.past:
            more = (past,) if words(was.note) != words(note) and past not in was.past else ()
            sign(app, note, was.act, key=key, past=(*more, *was.past))


def same_words(one: Note, other: Note, *, but: Collection[str] = ()) -> bool:
    """True if two versions of a rule say the same, some fields aside."""
    return words(one) == words(other.but(**{name: getattr(one, name) for name in but}))


def adds_up(store: Store, note: Note) -> bool:
    """True if a rule equals its replayed history."""
    try:
        told = replay(store.history(note.id))
    except (KeyError, TypeError, ValueError):  # nobody but us can have written such a history
        return False
    return told is not None and same_words(told, note)


def _past(key: bytes, note: Note, act: Act) -> str:
    return seal(key, note, f"past {act}")
