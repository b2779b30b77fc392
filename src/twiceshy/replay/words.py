"""Words for comparing shown notes with failed calls, weighted by rarity.

Words come from calls and their output, never from a note's own claims, so every policy is
measured alike. A word used in half of the sessions proves nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from math import fsum, log
from typing import TYPE_CHECKING

from twiceshy.language.terms import index_terms
from twiceshy.shell.tool_call import EDITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Words = frozenset[str]

_APART = re.compile(r"[\s\"'`|;&()<>{}\[\],/\\=…“”，。；：！？、（）]+")
_VARIES = re.compile(r"-?\d+[a-z]?|[0-9a-f]{7,40}|[\d.:-]+")
_HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?\w+.*", re.DOTALL)
_ELSEWHERE = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")  # where a command runs is not what it does
_LONG_TEXT = re.compile(r"\"[^\"]{120,}\"|'[^']{120,}'")
# They look on, or stand in every sentence about a failure.
_EMPTY = frozenset(
    """tail head dev null echo true false and the for with cat eof users home seen before this call
    about such calls failed fails here worked observation not an instruction once times last use exit code error""".split()
)
_LONGEST_VALUE = 160
_LONGEST = 4_000
_UNSEEN = 20  # sessions we pretend to have seen without a word; two alone would know no rare one
_LEAST = 0.1


def recognisable_words(text: str) -> Words:
    """Return recognisable words of a text: no numbers, hashes, punctuation."""
    found: set[str] = set()
    for raw in _APART.split(text[:_LONGEST].lower()):
        word = raw.strip(":!?.*").rstrip("$")
        if not word.isascii():
            found.update(index_terms(word))
        elif len(word) > 1 and word not in _EMPTY and not _VARIES.fullmatch(word):
            found.add(word)
    return frozenset(found)


def identifying_words(tool: str, arguments: Mapping[str, object]) -> Words:
    """Return identifying words of a call: command, file, or short arguments."""
    return recognisable_words(call_to_line(tool, arguments))


def call_to_line(tool: str, arguments: Mapping[str, object]) -> str:
    """Return a call as a line, without written content or messages."""
    given = arguments.get("command") or arguments.get("cmd")
    if given:
        command = " ".join(map(str, given)) if isinstance(given, list) else str(given)
        bare = _HERE_DOCUMENT.sub(" ", _ELSEWHERE.sub("", command))
        return " ".join(_LONG_TEXT.sub(" ", bare).split())
    if tool in EDITS:
        return str(arguments.get("file_path") or arguments.get("notebook_path") or "")
    short = {name: str(value) for name, value in arguments.items()}
    return " ".join(
        f"{name} {value}" for name, value in short.items() if len(value) <= _LONGEST_VALUE
    )


def shared_word_ratio(one: Words, other: Words) -> float:
    """Return the share of common words, from 0 to 1."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0


class WordRarity:
    """Number of sessions per word; rare words tell more."""

    def __init__(self) -> None:
        self.sessions = 0
        self._seen: Counter[str] = Counter()

    def count_session(self, used: Iterable[str]) -> None:
        """Count the words of a session, each once."""
        self._seen.update(set(used))
        self.sessions += 1

    def weigh_words(self, words: Iterable[str]) -> float:
        """Return the total weight of words."""
        heard = self.sessions + _UNSEEN
        # fsum: a set has no order, and a rounding must not decide
        return fsum(max(_LEAST, log(heard / (1 + self._seen[word]))) for word in words)

    def covered_share(self, have: Words, want: Words) -> float:
        """Return the weighted share of wanted words present; 0 if nothing is wanted."""
        return self.weigh_words(have & want) / self.weigh_words(want) if want else 0.0
