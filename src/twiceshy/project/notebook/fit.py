"""Match notebook rules to a prompt: quoted terms first, then shared words."""

from __future__ import annotations

from twiceshy.core.filter import Fit
from twiceshy.language.rank import bm25, describe, rank, worth_telling
from twiceshy.language.terms import STOP_WORDS, query_terms, terms
from twiceshy.project.notebook.quoted import quoted

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import Ranked

_PROMPT = 4_000  # characters; what is pasted behind them is material, not the task
_LEAST = 2  # terms in common; one alone is chance
_NEEDLE = 4  # characters by which a term is looked for; what follows may be bent


def fitting(rules: Sequence[Note], prompt: str, *, now: int) -> list[Ranked]:
    """Return the rules whose quoted terms a prompt names, then rules sharing enough words."""
    prompt = prompt[:_PROMPT]
    asked = query_terms(prompt)
    if not asked or asked[0] in STOP_WORDS:  # which are left where there is nothing else
        return []
    named = frozenset(query_terms(prompt, most=_PROMPT))
    needles = {term.lstrip("-")[:_NEEDLE] for term in named}
    likely = [rule for rule in rules if _likely(rule, needles)]
    names = {rule.id for rule in likely if _names(rule, named)}
    parts = [(terms(rule.text), (), (), rule.concepts, ()) for rule in likely]
    score = bm25(asked, describe(parts, asked))
    fits = {rule.id: Fit(*score(each)) for rule, each in zip(likely, parts, strict=True)}
    found = [
        one
        for one in rank(likely, fits, now=now)
        if one.note.id in names or worth_telling(one.fit) or _says(one.note, asked)
    ]
    found.sort(key=lambda one: one.note.id not in names)  # stable: else as ranked
    return found


def _likely(rule: Note, needles: Collection[str]) -> bool:
    """True if a rule may match; a cheap prefilter.

    Splitting a rule into terms takes ten times as long.
    """
    if not rule.text.isascii():
        return True  # terms have one form for characters of which a text has another
    low = rule.text.lower()
    here = [needle for needle in needles if needle in low]
    return len(here) >= _LEAST or any(needle in one.text for one in quoted(low) for needle in here)


def _names(rule: Note, named: frozenset[str]) -> bool:
    """True if a prompt names a term quoted by a rule."""
    return any(
        (wanted := terms(one.text)) and named.issuperset(wanted) for one in quoted(rule.text)
    )


def _says(rule: Note, asked: Sequence[str]) -> bool:
    """True if a prompt contains at least half of a rule's terms."""
    about = query_terms(rule.text)
    shared = len(set(about).intersection(asked))
    return shared >= _LEAST and 2 * shared >= len(about)
