"""Find where a text states something already: in a line, a sentence or a paragraph."""

from __future__ import annotations

from twiceshy.core.text import normalise_text
from twiceshy.language.similar import THRESHOLD, telling_terms_of, word_overlap

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_MIN_WORDS = 3  # of fewer telling words nobody can say that a line holds all of them by chance
_ENDS = (". ", "! ", "? ", "。", "！", "？")


def find_stating_line(text: str, wanted: str, *, near: float = THRESHOLD) -> int:
    """Return the number of the first line stating ``wanted``, from 1; 0 if no line does."""
    key, words = normalise_text(wanted), telling_terms_of(wanted)
    if not key:
        return 0
    found = (
        number
        for number, passage in _list_passages(text)
        if _states_same(passage, key, words, near)
    )
    return next(found, 0)


def _states_same(passage: str, key: str, words: frozenset[str], near: float) -> bool:
    folded = normalise_text(passage)
    if folded == key or (len(words) >= _MIN_WORDS and key in folded):
        return True
    return word_overlap(words, telling_terms_of(passage)) >= near


def _list_passages(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line, sentence and paragraph with the number of its first line."""
    paragraph: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        bare = line.strip()
        if bare:
            paragraph.append(bare)
            yield number, bare
            yield from ((number, sentence) for sentence in _split_sentences(bare))
            continue
        if len(paragraph) > 1:
            yield number - len(paragraph), " ".join(paragraph)
        paragraph = []


def _split_sentences(line: str) -> list[str]:
    cut = line
    for end in _ENDS:
        cut = cut.replace(end, f"{end}\n")
    found = [sentence.strip() for sentence in cut.split("\n") if sentence.strip()]
    return found if len(found) > 1 else []
