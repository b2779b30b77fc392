"""What somebody asked: the words to search for, and whether any of them tells what it is about."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.terms import has_telling_terms, query_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.language.vector import QueryVector


class AskedQuestion(Value):
    """A question in words, with its index terms and its vector by a better model."""

    text: str
    terms: tuple[str, ...]
    is_telling: bool
    meaning: QueryVector | None = None

    @property
    def is_wordless(self) -> bool:
        """True for a question of signs only, which the index cannot look up."""
        return bool(self.text.strip()) and not self.terms


def read_question(text: str, meaning: QueryVector | None = None) -> AskedQuestion:
    """Read a question; one of function words only tells nothing."""
    return AskedQuestion(text, query_terms(text), has_telling_terms(text), meaning)
