"""Filter rules: only rules approved word for word on this device count."""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.scope import NO_SKILL
from twiceshy.safety.signing import ACTS, find_permitted_act

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.brief import Key
    from twiceshy.safety.signing import Act

_MOST = 1_000


def keep_approved_rules(
    store: HookStore, ranked: Iterable[RankedNote], key: Key
) -> list[RankedNote]:
    """Drop rules without a valid approval; other notes stay, in order."""
    signatures, secret = store.list_signatures(), key()
    return [
        one
        for one in ranked
        if one.note.kind != "rule"
        or find_permitted_act(secret, one.note, signatures.get(one.note.id))
    ]


def list_binding_rules(
    store: HookStore, scope: Scope, key: Key, *, any_skill: bool = False
) -> list[tuple[Note, Act]]:
    """Return the rules for a project and a skill, or for any skill, strictest first."""
    which = filter_visible_notes(store, scope).but(kinds=("rule",), state="current", skill=None)
    rules = [
        note
        for note in store.notes(which, limit=_MOST)
        if any_skill or note.scope.skill in (NO_SKILL, scope.skill)
    ]
    if not rules:
        return []
    signatures, secret, now = store.list_signatures(), key(), store.now()
    bound = [
        (note, act)
        for note in rules
        if not note.is_expired(now)
        and (act := find_permitted_act(secret, note, signatures.get(note.id)))
    ]
    return sorted(bound, key=lambda one: -ACTS.index(one[1]))
