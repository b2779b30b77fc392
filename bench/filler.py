"""Real text to fill stores with: short sections of documentation that lies on any machine.

Docstrings of Python files and paragraphs of Markdown, reStructuredText and plain text, 20 to 80 words each.
Where there are too few of them, sentences of several sections are put together; the same seed gives the same texts.
"""

from __future__ import annotations

import ast
import os
import random
import re
import sys
import unicodedata
import warnings
from itertools import islice
from typing import TYPE_CHECKING

from twiceshy.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHORTEST, LONGEST = 20, 80  # words
_WRITTEN = (".md", ".rst", ".txt")
_LARGEST = 1_000_000  # bytes; what is larger is data
_NUMBERED, _SIGNS = re.compile(r"\S*\d\S*"), re.compile(r"[\W_]+")
_FEWEST = 200  # sections; fewer give no variety to put together


class Filler:
    """An endless supply of distinct texts; ``harvested`` of them are sections as they were found."""

    def __init__(self, folders: Sequence[str], *, seed: int = 1) -> None:
        self.harvested = 0
        self._texts = self._make(folders, random.Random(seed))

    def take(self, count: int) -> Iterator[str]:
        """Yield so many texts that were not taken before."""
        return islice(self._texts, count)

    def _make(self, folders: Sequence[str], dice: random.Random) -> Iterator[str]:
        known: set[int] = set()  # hashes: a million texts need not be kept
        sentences: list[str] = []
        for text in find_sections(folders, dice):
            if (mark := mark_words(text)) not in known:
                known.add(mark)
                self.harvested += 1
                sentences += split_sentences(text)
                yield text
        if self.harvested < _FEWEST:
            raise ConfigError(
                f"only {self.harvested} sections of text in {', '.join(folders)}",
                hint="name folders with documentation or Python packages after --filler",
            )
        while True:
            text = recombine(sentences, dice)
            if (mark := mark_words(text)) not in known:
                known.add(mark)
                yield text


def mark_words(text: str) -> int:
    """Return the same number for texts that differ in signs, capitals and words with digits only.

    Of two such texts the store may keep one: it redacts what looks like a key.
    """
    folded = unicodedata.normalize("NFKC", _NUMBERED.sub(" ", text)).casefold()
    return hash(_SIGNS.sub("", folded))


def default_folders() -> list[str]:
    """Return where this interpreter's standard library and packages are."""
    library = os.path.dirname(os.__file__)
    packages = [path for path in sys.path if path.endswith("site-packages")]
    return [library, *packages]


def find_sections(folders: Sequence[str], dice: random.Random) -> Iterator[str]:
    """Yield the sections of all files below some folders, in random order of the files."""
    files = sorted({file for folder in folders for file in _walk(folder)})
    dice.shuffle(files)
    for file in files:
        try:
            with open(file, encoding="utf-8") as opened:
                text = opened.read(_LARGEST)
        except (OSError, UnicodeDecodeError):
            continue
        parts = _docstrings(text) if file.endswith(".py") else [text]
        yield from (section for part in parts for section in cut(part))


def cut(text: str) -> Iterator[str]:
    """Yield sections of a text: paragraphs, joined while they are short and cut where they are long."""
    kept: list[str] = []
    for paragraph in text.split("\n\n"):
        words = paragraph.split()
        if not any(word.isalpha() for word in words):
            continue
        kept += words
        if len(kept) >= SHORTEST:
            yield " ".join(kept[:LONGEST])
            kept = []


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text that have more than a few words."""
    return [one for one in text.split(". ") if len(one.split()) >= 5]


def recombine(sentences: Sequence[str], dice: random.Random) -> str:
    """Return sentences of different sources as one text."""
    kept: list[str] = []
    wanted = dice.randint(SHORTEST, LONGEST * 3 // 4)
    while len(kept) < wanted:
        kept += f"{dice.choice(sentences).rstrip('.')}.".split()
    return " ".join(kept[:LONGEST])


def _walk(folder: str) -> Iterator[str]:
    for place, below, names in os.walk(folder):
        below.sort()
        for name in names:
            if name.endswith((".py", *_WRITTEN)):
                yield os.path.join(place, name)


def _docstrings(source: str) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what other people's code escapes
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(tree) if isinstance(node, documented))
    yield from filter(None, map(ast.get_docstring, nodes))
