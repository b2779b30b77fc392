"""Notebook rules related to a prompt, only if clearly related."""

from __future__ import annotations

from twiceshy.core.filter import visible
from twiceshy.core.text import escape, token_estimate
from twiceshy.recall.brief import MAX_CHARACTERS, Brief, timely
from twiceshy.recall.choose import Recalled, no_key

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import Ranked
    from twiceshy.recall.choose import Key

NOTHING = Recalled(Brief("", (), "flat"), ())
_MOST = 2
_MOST_RULES = 200  # those learned last; more are no notebook


def before_task(
    store: HookStore,
    scope: Scope,
    prompt: str,
    *,
    tokens: int,
    key: Key = no_key,
    told: Collection[str] = (),
) -> Recalled:
    """Return at most two approved rules clearly related to a prompt.

    ``told`` are notes in the agent's context: nothing is repeated.
    """
    which = visible(store, scope).but(kinds=("rule",), state="current")
    rules, now = store.notes(which, limit=_MOST_RULES), store.now()
    hard = {note.tag for note in rules if note.subtype == "hard"}  # these are told from the start
    fresh = [
        note
        for note in rules
        if note.subtype == "correction"
        and note.id not in hard
        and note.id not in told
        and not 0 < note.expires_at <= now
    ]
    if not fresh:
        return NOTHING
    from twiceshy.project.notebook.fit import fitting

    ranked = fitting(fresh, prompt, now=now)
    if not ranked:
        return NOTHING
    from twiceshy.recall.rules import approved

    return _rendered(approved(store, ranked, key), tokens=tokens)


def _rendered(ranked: Sequence[Ranked], *, tokens: int) -> Recalled:
    said: list[str] = []
    notes: list[Note] = []
    for one in ranked:
        text = timely(one.note, failed=False, tokens=tokens) if len(notes) < _MOST else ""
        if escape(one.note.text, limit=MAX_CHARACTERS) in text:  # half a rule may say the opposite
            tokens -= token_estimate(text) + 1  # and the line break
            said.append(text)
            notes.append(one.note)
    return Recalled(Brief("\n".join(said), tuple(notes), "flat"), tuple(ranked))
