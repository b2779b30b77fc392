"""Choose the terms of the table by how many sources use them, and find the words behind each stem."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from twiceshy.language.terms import STOP_WORDS, index_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

STOP_STEMS = STOP_WORDS.union(*map(index_terms, STOP_WORDS))
WORD = re.compile(r"[A-Za-z]+")
# What says less than its parts: attributes of whatever ``self`` is, versions, paths.
HOLLOW = re.compile(r"(self|cls|this|np|e)\.|.*\d\.\d|.*//|[\d.x_-]+$|.*\.(py|html|com|org|io)\b")
LONGEST_TERM, LONGEST_TEXT = 24, 800
# A word of everyday English is worth its place even where few manuals use it.
EVERYDAY = 3


class Bags:
    """Texts as one long array of term numbers and their weights; where each begins is in ``starts``."""

    def __init__(self, texts: list[Counter[str]], number: dict[str, int]) -> None:
        known = [
            [(number[t], count) for t, count in each.items() if t in number] for each in texts
        ]
        self.starts = np.cumsum([0, *map(len, known)])
        self.numbers = np.array([at for each in known for at, _ in each], np.int64)
        # what is said five times is not five times as telling
        self.weights = 1 + np.log(np.array([c for each in known for _, c in each], np.float32))

    def take(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the numbers and weights of some texts, and where each text begins in them."""
        sizes = self.starts[which + 1] - self.starts[which]
        begins = np.cumsum(sizes) - sizes
        places = np.repeat(self.starts[which] - begins, sizes) + np.arange(sizes.sum())
        return self.numbers[places], self.weights[places], begins


class Texts:
    """Pairs of texts as term numbers, with the vocabulary that numbers them."""

    def __init__(self, paths: Iterable[str], *, everyday: Collection[str], size: int) -> None:
        pairs = [
            json.loads(line)
            for path in paths
            for line in gzip.open(path, "rt", encoding="utf-8")  # noqa: SIM115 - ends with the run
        ]
        self.shorts = [pair["short"] for pair in pairs]
        self.longs = [pair["long"][:LONGEST_TEXT] for pair in pairs]
        short_terms = [_telling(_counted(text)) for text in self.shorts]
        long_terms = [_counted(text) for text in self.longs]
        self.holding = Counter(chain.from_iterable([*short_terms, *long_terms]))
        self.total = 2 * len(pairs)
        origins = [pair["from"] for pair in pairs]
        known = {term for word in everyday for term in index_terms(word)}
        self.vocabulary = choose(_sources(origins, short_terms, long_terms), known, size=size)
        number = {term: at for at, term in enumerate(self.vocabulary)}
        self.short_bags = Bags(short_terms, number)
        self.long_bags = Bags(long_terms, number)

    def surfaces(self, everyday: Collection[str], *, most: int = 3) -> list[list[tuple[str, int]]]:
        """Return for each term the words it stands for, with how often each was met."""
        met = Counter(
            chain.from_iterable(WORD.findall(text.lower()) for text in self.shorts + self.longs)
        )
        met.update(everyday)
        behind: dict[str, Counter[str]] = defaultdict(Counter)
        for word, count in met.items():
            for term in set(_chunk(word)):
                behind[term][word] += count
        alone = {term: Counter({term: 1}) for term in self.vocabulary}
        return [(behind.get(term) or alone[term]).most_common(most) for term in self.vocabulary]


def choose(sources: Counter[str], everyday: Collection[str], *, size: int) -> list[str]:
    """Return the terms that most sources use, in the order of the alphabet."""
    rank = {term: count + (EVERYDAY if term in everyday else 0) for term, count in sources.items()}
    rank |= {term: EVERYDAY for term in everyday if term not in rank}
    best = sorted(filter(_worth, rank), key=lambda term: (-rank[term] / _cost(term), term))
    return sorted(best[:size])


def _cost(term: str) -> int:
    # the parts of an identifier are in the table already; the whole has to be twice as common
    return 1 if term.isalpha() else 2


def _worth(term: str) -> bool:
    return (
        term.isascii()
        and len(term) <= LONGEST_TERM
        and any(char.isalpha() for char in term)
        and not HOLLOW.match(term)
    )


def _sources(origins: list[str], *texts: list[Counter[str]]) -> Counter[str]:
    """Count in how many sources each term occurs."""
    met: dict[str, set[str]] = defaultdict(set)
    for each in texts:
        for origin, found in zip(origins, each, strict=True):
            met[origin].update(found)
    return Counter(chain.from_iterable(met.values()))


@cache
def _chunk(chunk: str) -> tuple[str, ...]:
    return tuple(index_terms(chunk))


def _counted(text: str) -> Counter[str]:
    """Count the terms; word by word, because most words were met before."""
    return Counter(chain.from_iterable(map(_chunk, text.split())))


def _telling(found: Counter[str]) -> Counter[str]:
    """Leave the stop words out, as a query does."""
    return Counter({t: count for t, count in found.items() if t not in STOP_STEMS}) or found
