"""Notebook rules related to a prompt, only if clearly related."""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.text import escape_line, estimate_tokens
from twiceshy.recall.brief import MAX_CHARACTERS, Brief, RecallResult, no_key, render_timely_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.brief import Key

NOTHING = RecallResult(Brief("", (), "flat"), ())
_MOST = 2
_MOST_RULES = 200  # those learned last; more are no notebook


def tell_notebook_rules(
    store: HookStore,
    scope: Scope,
    prompt: str,
    *,
    tokens: int,
    key: Key = no_key,
    told: Collection[str] = (),
) -> RecallResult:
    """Return at most two approved rules clearly related to a prompt.

    ``told`` are notes in the agent's context: nothing is repeated.
    """
    which = filter_visible_notes(store, scope).but(kinds=("rule",), state="current")
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
    from twiceshy.project.notebook.match_prompt import match_rules

    ranked = match_rules(fresh, prompt, now=now)
    if not ranked:
        return NOTHING
    from twiceshy.recall.rules import keep_approved_rules

    return _render_rules(keep_approved_rules(store, ranked, key), tokens=tokens)


def _render_rules(ranked: Sequence[RankedNote], *, tokens: int) -> RecallResult:
    said: list[str] = []
    notes: list[Note] = []
    for one in ranked:
        text = render_timely_note(one.note, "prompt", tokens=tokens) if len(notes) < _MOST else ""
        if (
            escape_line(one.note.text, limit=MAX_CHARACTERS) in text
        ):  # half a rule may say the opposite
            tokens -= estimate_tokens(text) + 1  # and the line break
            said.append(text)
            notes.append(one.note)
    return RecallResult(Brief("\n".join(said), tuple(notes), "flat"), tuple(ranked))
