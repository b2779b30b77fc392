"""Put other languages into an English word table: fewer numbers a word, half a byte each, more words.

    python -m tools.lexicon.languages ENGLISH.db TRANSLATIONS.jsonl.gz --out src/twiceshy/lexicon/words.db

The English words stay where they are. Each word of another language gets the vector that makes what its
messages say in English, as nearly as all words of a message together can.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sqlite3
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from tools.lexicon.write import write_halves

from twiceshy.language.terms import list_telling_terms

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

DIMS = 208
# Of each language the commonest terms, if so many messages have them.
TERMS, LEAST = 5_000, 3
LONGEST_TERM = 24
FAINT = 0.01  # the length of a vector that says nothing; the usual one is 0.9
PULL, ROUNDS = 1.0, 40  # towards nothing, for words with few messages; of conjugate gradients
IDENTITY = "twiceshy-words-2"
# Of a message of two words nobody can tell the language: these words stand beside it.
ENGLISH = "the and with your folder"
SMALL_WORDS = {
    "de": "der die das und nicht wird mit eine",
    "es": "el los las una para con pero como",
    "fr": "le les des une dans pour avec vous",
    "ru": "и не это как для что",
    "zh": "的 了 在 是 不",
}


def main() -> None:
    """Write the table, and say how large it became."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("english")
    parser.add_argument("translations")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    terms, vectors, meta = read_table(given.english)
    terms, vectors, added = with_languages(
        terms, narrowed(vectors, DIMS), read_messages(given.translations)
    )
    meta |= {
        "identity": IDENTITY,
        "dims": str(DIMS),
        "languages": " ".join(sorted(("en", *added))),
        "recipe": f"{meta['recipe']}; fewer axes; other languages by least squares over translations",
    }
    write_halves(given.out, terms, vectors, meta)
    print(f"{given.out}: {len(terms):,} terms, {added}, {os.path.getsize(given.out):,} bytes")


def read_table(path: str) -> tuple[list[str], np.ndarray, dict[str, str]]:
    """Return the terms of a table of whole bytes, their vectors, and what it says of itself."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = db.execute("SELECT term, weight, vector FROM words ORDER BY term").fetchall()
    meta = dict(db.execute("SELECT key, value FROM meta"))
    db.close()
    steps = np.array([step for _, step, _ in rows], np.float32)
    bytes_ = np.stack([np.frombuffer(vector, np.int8) for _, _, vector in rows])
    return [term for term, _, _ in rows], bytes_.astype(np.float32) * steps[:, None], meta


def narrowed(vectors: np.ndarray, dims: int) -> np.ndarray:
    """Return the vectors along the axes on which they differ most."""
    axes = np.linalg.svd((vectors.T @ vectors).astype(np.float64))[0][:, :dims]
    return np.asarray(vectors @ axes, np.float32)


def read_messages(path: str) -> dict[str, list[tuple[str, str]]]:
    """Return the messages of each language."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            said = json.loads(line)
            found[said["lang"]].append((said["en"], said["said"]))
    return dict(sorted(found.items()))


def with_languages(
    terms: list[str], vectors: np.ndarray, messages: dict[str, list[tuple[str, str]]]
) -> tuple[list[str], np.ndarray, dict[str, int]]:
    """Return the table with the words of other languages, and how many words each brought.

    A word of two languages is fitted to the messages of both.
    """
    number = {term: at for at, term in enumerate(terms)}
    english: list[Counter[str]] = []
    said: list[Counter[str]] = []
    new: dict[str, None] = {}
    added = {}
    for language, pairs in messages.items():
        here = [_counted(SMALL_WORDS[language], text) for _, text in pairs]
        english += [_counted(ENGLISH, text) for text, _ in pairs]
        said += here
        before = len(new)
        new |= dict.fromkeys(commonest(here, number))
        added[language] = len(new) - before
    meant = _matrix(english, number) @ vectors
    # names and loanwords are in both: what is left is for the other words to say
    left = meant - _matrix(said, number) @ vectors
    length = np.linalg.norm(meant, axis=1)
    weight = np.where(length > 0, 1 / np.maximum(1, length), 0)
    weight /= weight[weight > 0].mean()
    held = sparse.diags(weight) @ _matrix(said, {term: at for at, term in enumerate(new)})
    fitted = least_squares(held.tocsr(), weight[:, None] * left)
    # names of countries, mostly: their English words are unknown
    some = np.linalg.norm(fitted, axis=1) > FAINT
    told = [term for term, telling in zip(new, some, strict=True) if telling]
    return [*terms, *told], np.vstack([vectors, fitted[some]]), added


def commonest(texts: Sequence[Counter[str]], known: Container[str]) -> list[str]:
    """Return the terms that most texts have, without the known ones."""
    holding = Counter(term for counted in texts for term in counted)
    return [
        term
        for term, count in sorted(holding.items(), key=lambda item: (-item[1], item[0]))
        if count >= LEAST and term not in known and _worth(term)
    ][:TERMS]


def least_squares(held: sparse.csr_matrix, wanted: np.ndarray) -> np.ndarray:
    """Return the vectors whose sums come nearest to what is wanted, by conjugate gradients."""
    square = (held.T @ held + PULL * sparse.identity(held.shape[1])).tocsr()
    scale = square.diagonal()[:, None]
    target = held.T @ wanted
    found = target / scale
    rest = target - square @ found
    nudge = rest / scale
    way, size = nudge.copy(), (rest * nudge).sum(0)
    for _ in range(ROUNDS):
        moved = square @ way
        step = size / ((way * moved).sum(0) + 1e-12)
        found += step * way
        rest -= step * moved
        nudge = rest / scale
        before, size = size, (rest * nudge).sum(0)
        way = nudge + size / (before + 1e-12) * way
    return np.asarray(found, np.float32)


def _counted(beside: str, text: str) -> Counter[str]:
    """Count the terms of a text as a query has them, in the language of what stands beside it."""
    return Counter(list_telling_terms([beside, text])[1])


def _worth(term: str) -> bool:
    plain = term.isalpha() if term.isascii() else any(char.isalpha() for char in term)
    return plain and len(term) <= LONGEST_TERM


def _matrix(texts: Sequence[Counter[str]], number: dict[str, int]) -> sparse.csr_matrix:
    found = [
        (row, number[term], 1 + np.log(count))
        for row, counted in enumerate(texts)
        for term, count in counted.items()
        if term in number
    ]
    rows, columns, values = zip(*found, strict=True)
    shape = (len(texts), len(number))
    return sparse.csr_matrix((np.array(values, np.float32), (rows, columns)), shape=shape)


if __name__ == "__main__":
    main()
