"""Changes by the user: approved rules stay approved. An agent's command approves nothing."""

from __future__ import annotations

from contextlib import contextmanager

from twiceshy.app import is_started_by_agent, rule_key
from twiceshy.core.admit import Refused, SeenAgain
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.note import SHOWN
from twiceshy.core.value import Value
from twiceshy.notes.approve import (
    has_same_words,
    list_approved_rules,
    matches_history,
    reseal_rules,
    sign_rule,
)
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.find_by_name import find_named_notes
from twiceshy.notes.take_note import take_note
from twiceshy.safety.signing import find_permitted_act

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.notes.write import Outcome


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
    with app.store.change():
        key = app.rule_key()
        held = list_approved_rules(app.store, key=key) if key and not is_started_by_agent() else {}
        yield
        if held:
            reseal_rules(app, held, key=key, changing=changing)


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
    with keep_approvals(app):
        changed = tuple(act(app, note) for note in notes)
    pairs = zip(notes, changed, strict=True) if approving else ()
    approved = approve_rules(
        app, [after for before, after in pairs if has_same_words(before, after)]
    )
    return ChangedNotes(changed, tuple(approved), tuple(list_unapproved(app, changed)))


def write_note(app: App, draft: Draft, *, keep_apart: bool) -> tuple[Outcome, list[Note]]:
    """Write a note, and sign a rule with exactly the user's words.

    Return the outcome, and the rule if unapproved.
    """
    with keep_approvals(app):
        outcome = take_note(app, draft, keep_apart=keep_apart)
    if isinstance(outcome, Refused) or outcome.note.kind != "rule":
        return outcome, []
    note = outcome.note
    known = app.store.note(note.id) or note
    own = not isinstance(outcome, SeenAgain) or (
        (outcome.variant, note.why, note.trigger) == ("", draft.why, draft.trigger)
    )
    if draft.source == "user" and own and has_same_words(note, known):
        approve_rules(app, [known])
    return outcome, list_unapproved(app, [known])


def edit_note(app: App, note: Note, fields: Mapping[str, object]) -> ChangedNotes:
    """Change fields of a note; rewording a rule approves it."""
    sound = matches_history(app.store, note)
    with keep_approvals(app, changing=fields):
        edited = edit_fields(app, note, fields)
    approved = approve_rules(app, [edited]) if "text" in fields and sound else []
    return ChangedNotes((edited,), tuple(approved), tuple(list_unapproved(app, [edited])))


def approve_rules(app: App, notes: Iterable[Note]) -> list[Note]:
    """Sign new or restored rules by the user; return them.

    A rule with an invalid signature was tampered with, and waits for review.
    """
    rules = [note for note in notes if note.kind == "rule" and note.status == "active"]
    if not rules or is_started_by_agent():
        return []
    key = rule_key(app.config, create=True)
    signatures = app.store.list_signatures()
    fresh = [note for note in rules if note.id not in signatures]
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


def refuse_agents() -> None:
    """Refuse approval by agents."""
    if is_started_by_agent():
        raise TwiceshyError(
            "an agent cannot decide what agents must follow",
            hint="call twiceshy review in a terminal of your own, outside of the agent",
        )
