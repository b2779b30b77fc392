"""What somebody asked: the words to search for, and whether any of them tells what it is about."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.terms import has_telling_terms, query_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.language.vector import QueryVector


class AskedQuestion(Value):
    """A question in words, with its index terms and its vector by a better model.

    ``meant`` are words that no note has, each with the word of a note that stands beside it.
    """

    text: str
    terms: tuple[str, ...]
    is_telling: bool
    meaning: QueryVector | None = None
    meant: Mapping[str, str] = {}

    def add_meant(self, meant: Mapping[str, str]) -> AskedQuestion:
        """Return the question with the words that may be meant beside its own.

        So a note with such a word can never fit as well as one with the question's own.
        """
        text = " ".join((self.text, *meant.values()))
        return self.but(text=text, terms=query_terms(text), meant=meant)

    @property
    def is_wordless(self) -> bool:
        """True for a question of signs only, which the index cannot look up."""
        return bool(self.text.strip()) and not self.terms


def read_question(text: str, meaning: QueryVector | None = None) -> AskedQuestion:
    """Read a question; one of function words only tells nothing."""
    return AskedQuestion(text, query_terms(text), has_telling_terms(text), meaning)
