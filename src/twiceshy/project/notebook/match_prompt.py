"""Match notebook rules to a prompt: quoted terms first, then shared words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from twiceshy.core.filter import QueryFit
from twiceshy.core.note import Note
from twiceshy.core.value import Value
from twiceshy.language.passages import passage_scorer, split_passages
from twiceshy.language.rank import (
    RankedNote,
    bm25_scorer,
    count_terms,
    describe_collection,
    is_worth_telling,
    rank_notes,
)
from twiceshy.language.terms import STOP_WORDS, index_terms, query_terms

if TYPE_CHECKING:
    from twiceshy.language.rank import FieldTerms

_CLOSING = {'"': '"', "`": "`", "“": "”", "「": "」", "『": "』"}
_MAX_TERM = 80  # characters; what is longer is a sentence, not a term
_MIN_SHARED = 2  # terms in common; one alone is chance
_STEM_LENGTH = 4  # characters by which a term is looked for; what follows may be bent


class QuotedTerm(Value):
    """Quoted term with the position of its quotes."""

    text: str
    start: int
    end: int


def find_quoted_terms(text: str) -> list[QuotedTerm]:
    """Return the quoted terms in order; scanned without a regex, for use in hooks."""
    found, at = [], 0
    while at < len(text):
        closing = _CLOSING.get(text[at])
        end = text.find(closing, at + 1) if closing else -1
        if end < 0:
            at += 1
            continue
        inside = text[at + 1 : end].strip()
        if inside and len(inside) <= _MAX_TERM and "\n" not in inside:
            found.append(QuotedTerm(inside, at, end + 1))
        at = end + 1
    return found


def match_rules(rules: Sequence[Note], prompt: str, *, now: int) -> list[RankedNote]:
    """Return the rules whose quoted terms a prompt names, then rules sharing enough words."""
    asked = query_terms(prompt)
    if not asked or asked[0] in STOP_WORDS:  # which are left where there is nothing else
        return []
    named, passages = frozenset(asked), split_passages(prompt)
    needles = {term.lstrip("-")[:_STEM_LENGTH] for term in named}
    likely = [rule for rule in rules if _may_match(rule, needles)]
    names = {rule.id for rule in likely if _quotes_term(rule, named)}
    parts = [(index_terms(rule.text), (), (), rule.concepts, ()) for rule in likely]
    fits = _fit_rules(likely, parts, passages)
    found = [
        one
        for one in rank_notes(likely, fits, now=now)
        if one.note.id in names or is_worth_telling(one.fit) or _shares_subject(one.note, passages)
    ]
    found.sort(key=lambda one: one.note.id not in names)  # stable: else as ranked
    return found


def _fit_rules(
    rules: Sequence[Note], parts: Sequence[FieldTerms], passages: Sequence[Sequence[str]]
) -> dict[str, QueryFit]:
    """Return the fit of each rule to a prompt, or to the passage that it fits best."""
    terms = tuple(dict.fromkeys(term for passage in passages for term in passage))
    collection = describe_collection(parts, terms)
    counted = {rule.id: count_terms(each, terms) for rule, each in zip(rules, parts, strict=True)}
    if len(passages) == 1:
        score = bm25_scorer(passages[0], collection)
        return {key: QueryFit(*score(each)) for key, each in counted.items()}
    best = passage_scorer(passages, collection)
    found = ((key, best(each)) for key, each in counted.items())
    return {key: QueryFit(words, share, 0.0, len(passages)) for key, (words, share, _) in found}


def _may_match(rule: Note, needles: Collection[str]) -> bool:
    """True if a rule may match; a cheap prefilter.

    Splitting a rule into terms takes ten times as long.
    """
    if not rule.text.isascii():
        return True  # terms have one form for characters of which a text has another
    low = rule.text.lower()
    here = [needle for needle in needles if needle in low]
    return len(here) >= _MIN_SHARED or any(
        needle in one.text for one in find_quoted_terms(low) for needle in here
    )


def _quotes_term(rule: Note, named: frozenset[str]) -> bool:
    """True if a prompt names a term quoted by a rule."""
    return any(
        (wanted := index_terms(one.text)) and named.issuperset(wanted)
        for one in find_quoted_terms(rule.text)
    )


def _shares_subject(rule: Note, passages: Sequence[Sequence[str]]) -> bool:
    """True if a passage of a prompt contains at least half of a rule's terms."""
    about = frozenset(query_terms(rule.text))
    shared = max(len(about.intersection(passage)) for passage in passages)
    return shared >= _MIN_SHARED and 2 * shared >= len(about)
