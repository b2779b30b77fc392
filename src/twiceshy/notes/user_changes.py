"""Changes by the user: approved rules are sealed word for word, and stay approved.

What no person confirmed approves nothing, and changes no approved rule.
"""

from __future__ import annotations

from contextlib import contextmanager

from twiceshy.app import App, is_started_by_agent, rule_key
from twiceshy.config.compiled import drop_prefilters
from twiceshy.core.admit import Refused, SeenAgain
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import replay_note
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.find_by_name import find_named_notes
from twiceshy.notes.person import require_person
from twiceshy.notes.take_note import take_note
from twiceshy.notes.vouch import vouch_for_changes
from twiceshy.safety.gate_rules import vouch_for
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
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from twiceshy.core.draft import Draft
    from twiceshy.core.store import Store
    from twiceshy.notes.write import Outcome, Written
    from twiceshy.safety.signing import Act

_LONGEST_RULE = 2_000
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
    """Seal a rule in its current wording; hidden rules get a resting seal.

    Every signature is made here, and none without a person.
    """
    require_person("sign", [describe_for_person(note)])
    said = act if note.status == "active" else resting_act(act)
    seals = (compute_seal(key, note, said), *past)
    signature = Signature(note.id, said, " ".join(seals[: 1 + _MOST_PAST]), app.store.now())
    app.store.save_records(signature, vouch_for(note))
    drop_prefilters(app.config.home)


def sort_active_rules(store: Store, *, key: bytes) -> RuleApprovals:
    """Sort the active rules by validity of their seals."""
    which = NoteFilter(kinds=("rule",), statuses=("active",))
    signatures = store.list_signatures()
    approved: list[tuple[Note, Act]] = []
    changed: list[Note] = []
    unsigned: list[Note] = []
    for note in store.notes(which, limit=None):
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
        past, now = (_compute_past_seal(key, one, was.act) for one in (was.note, note))
        if has_same_words(was.note, note, but=changing) or now in was.past:
            reworded = not has_same_words(was.note, note) and past not in was.past
            seals = (past, *was.past) if reworded else was.past
            sign_rule(app, note, was.act, key=key, past=seals)


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


def _compute_past_seal(key: bytes, note: Note, act: Act) -> str:
    return compute_seal(key, note, f"past {act}")


class ChangedNotes(Value):
    """Changed notes, newly approved rules, and unapproved rules."""

    notes: tuple[Note, ...]
    approved: tuple[Note, ...]
    unapproved: tuple[Note, ...]


@contextmanager
def keep_approvals(app: App, *, changing: Collection[str] = ()) -> Iterator[None]:
    """Make a change by the user; approved rules stay approved.

    ``changing`` names the changed fields; everything else a rule says must stay.
    """
    with vouch_for_changes(app), app.store.change():
        key = app.rule_key()
        held = list_approved_rules(app.store, key=key) if key else {}
        yield
        if held and (moved := _list_moved(app.store, held, key=key)):
            require_person("rule", map(describe_for_person, moved))
            reseal_rules(app, held, key=key, changing=changing)


def _list_moved(store: Store, held: Mapping[str, SealedRule], *, key: bytes) -> list[Note]:
    """Return the approved rules whose words, act or signature are no more as they were."""
    signatures = store.list_signatures()
    return [
        was.note
        for note_id, was in held.items()
        if (note := store.note(note_id)) is None
        or note.status != was.note.status
        or find_approved_act(key, note, signatures.get(note_id)) != was.act
    ]


def require_owner(notes: Iterable[Note]) -> None:
    """Let what an agent started change no note that a person wrote or pinned."""
    if is_started_by_agent():
        owned = [note for note in notes if note.source == "user" or note.pinned]
        if owned:
            require_person("own", map(describe_for_person, owned))


def describe_for_person(note: Note) -> str:
    """Return a note in one line, for the person who is asked about it."""
    return f"{note.handle}: {fold_to_line(strip_unsafe(note.text), limit=_LONGEST_RULE)}"


def change_notes(
    app: App,
    names: Iterable[str],
    act: Callable[[App, Note], Note],
    *,
    approving: bool = False,
) -> ChangedNotes:
    """Act on each named note in one undoable change: on every note, or none.

    With ``approving``, the act approves a rule.
    """
    notes = find_named_notes(app, names)
    require_owner(notes)
    with app.store.change():
        with keep_approvals(app):
            changed = tuple(act(app, note) for note in notes)
        pairs = zip(notes, changed, strict=True) if approving else ()
        same = [after for before, after in pairs if has_same_words(before, after)]
        approved = approve_rules(app, same)
    return ChangedNotes(changed, tuple(approved), tuple(list_unapproved(app, changed)))


def write_note(app: App, draft: Draft, *, keep_apart: bool) -> tuple[Outcome, list[Note]]:
    """Write a note, and sign a rule with exactly the user's words.

    Return the outcome, and the rule if unapproved.
    """
    if draft.supersedes and (old := app.store.note(draft.supersedes)):
        require_owner([old])
    with app.store.change():
        with keep_approvals(app):
            outcome = take_note(app, draft, keep_apart=keep_apart)
        if isinstance(outcome, Refused) or outcome.note.kind != "rule":
            return outcome, []
        return outcome, _approve_written(app, outcome, draft)


def _approve_written(app: App, outcome: Written, draft: Draft) -> list[Note]:
    """Sign a rule with exactly the user's words; return the rule if it stays unapproved."""
    note = outcome.note
    known = app.store.note(note.id) or note
    own = not isinstance(outcome, SeenAgain) or (
        (outcome.variant, note.why, note.trigger) == ("", draft.why, draft.trigger)
    )
    if draft.source == "user" and own and has_same_words(note, known):
        approve_rules(app, [known])
    return list_unapproved(app, [known])


def edit_note(app: App, note: Note, fields: Mapping[str, object]) -> ChangedNotes:
    """Change fields of a note; rewording a rule approves it."""
    require_owner([note])
    sound = matches_history(app.store, note)
    with app.store.change():
        with keep_approvals(app, changing=fields):
            edited = edit_fields(app, note, fields)
        approved = approve_rules(app, [edited]) if "text" in fields and sound else []
    return ChangedNotes((edited,), tuple(approved), tuple(list_unapproved(app, [edited])))


def approve_rules(app: App, notes: Iterable[Note]) -> list[Note]:
    """Sign new or restored rules by the user; return them.

    A rule with an invalid signature was tampered with, and waits for review.
    """
    rules = [note for note in notes if note.kind == "rule" and note.status == "active"]
    signatures = app.store.list_signatures() if rules else {}
    fresh = [note for note in rules if note.id not in signatures]
    if not fresh:
        return []
    key = rule_key(app.config, create=True)
    for note in fresh:
        sign_rule(app, note, "tell", key=key)
    return fresh


def list_unapproved(app: App, notes: Iterable[Note]) -> list[Note]:
    """Return showable but unapproved rules."""
    rules = [note for note in notes if note.kind == "rule" and note.status in SHOWN]
    if not rules:
        return []
    key, signatures = app.rule_key(), app.store.list_signatures()
    return [
        note for note in rules if find_permitted_act(key, note, signatures.get(note.id)) is None
    ]
