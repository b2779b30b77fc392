"""What others do with SQLite's full text, to compare with: each takes documents and returns a ranker.

Runs of Chinese characters are indexed in pairs everywhere but in ``unicode61``: without them nothing is
found at all, and no gain over that would mean anything.
"""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

from bench.retrieval_metrics import DEPTH

from twiceshy.language.terms import STOP_WORDS, index_terms, query_terms
from twiceshy.language.vector import cosine_similarity
from twiceshy.store import vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.retrieval_sets import Doc

    Ranker = Callable[[str], list[str]]

BASELINE = "porter OR"  # what gains are measured against
_RRF = 60
_FUSED = 100
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def raw_and(docs: Sequence[Doc]) -> Ranker:
    """Hand the prompt to FTS5 as it is: every word must be there."""
    return _full_text(docs, porter=True, ask=lambda text: " ".join(_quoted(_words(_paired(text)))))


def unicode_or(docs: Sequence[Doc]) -> Ranker:
    """Ask for any word, without stemming."""
    return _full_text(docs, porter=False, ask=lambda text: _any(_words(text)))


def porter_or(docs: Sequence[Doc]) -> Ranker:
    """Ask for any word, stemmed: the plain thing that anyone would build."""
    return _full_text(docs, porter=True, ask=lambda text: _any(_words(_paired(text))))


def porter_telling(docs: Sequence[Doc], *, depth: int = DEPTH) -> Ranker:
    """Ask for any word that is no stop word."""

    def ask(text: str) -> str:
        words = _words(_paired(text))
        return _any([word for word in words if word not in STOP_WORDS] or words)

    return _full_text(docs, porter=True, ask=ask, depth=depth)


def rrf60(docs: Sequence[Doc]) -> Ranker:
    """Fuse the ranks of full text and of the shipped word table, as hybrid search often does."""
    by_words = porter_telling(docs, depth=_FUSED)
    known = [(doc.id, vectors.shipped.embed_text(index_terms(doc.whole))) for doc in docs]

    def by_meaning(text: str) -> list[str]:
        asked = vectors.shipped.embed_text(query_terms(text))
        if not asked:
            return []
        alike = [(-cosine_similarity(asked, vector), name) for name, vector in known if vector]
        return [name for _, name in sorted(alike)[:_FUSED]]

    return lambda text: fused([by_words(text), by_meaning(text)])[:DEPTH]


def fused(rankings: Iterable[Sequence[str]]) -> list[str]:
    """Add up 1 / (60 + rank) over rankings, best first."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1 / (_RRF + rank)
    return sorted(scores, key=lambda name: (-scores[name], name))


BASELINES: dict[str, Callable[[Sequence[Doc]], Ranker]] = {
    "raw prompt, AND": raw_and,
    "unicode61 OR": unicode_or,
    BASELINE: porter_or,
    "porter OR, no stop words": porter_telling,
    "RRF60, words and table": rrf60,
}


def _full_text(
    docs: Sequence[Doc], *, porter: bool, ask: Callable[[str], str], depth: int = DEPTH
) -> Ranker:
    db = sqlite3.connect(":memory:")
    tokenizer = "porter unicode61" if porter else "unicode61"
    db.execute(f"CREATE VIRTUAL TABLE docs USING fts5 (text, tokenize = '{tokenizer}')")
    texts = (_paired(doc.whole) if porter else doc.whole for doc in docs)
    db.executemany(
        "INSERT INTO docs (rowid, text) VALUES (?, ?)", enumerate(texts)
    )  # the row is the document's place in the list

    def ranker(text: str) -> list[str]:
        asked = ask(text)
        if not asked:
            return []
        found = db.execute(
            "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank, rowid LIMIT ?",
            (asked, depth),
        )
        return [docs[row].id for (row,) in found]

    return ranker


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"\w+", text.lower())))


def _quoted(words: Sequence[str]) -> list[str]:
    return [f'"{word}"' for word in words]


def _any(words: Sequence[str]) -> str:
    return " OR ".join(_quoted(words))


def _paired(text: str) -> str:
    def pairs(run: re.Match[str]) -> str:
        whole = run[0]
        return f" {' '.join(whole[at : at + 2] for at in range(max(1, len(whole) - 1)))} "

    return _CHINESE.sub(pairs, text)
