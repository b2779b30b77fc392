"""Route a new text to the topic page named by its words, else to a note of a kind.

Two fixed rules and no model. A page is meant when the text names the page or a concept of the page;
the kind follows from typical words. If neither is clear, the options are returned, because nobody
finds a note in the wrong place.
"""

from __future__ import annotations

from twiceshy.core.text import normalise_text
from twiceshy.core.value import Value
from twiceshy.language.similar import telling_terms_of
from twiceshy.language.terms import index_terms
from twiceshy.notes.pages import is_stable
from twiceshy.notes.pages.sections import split_sections

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Kind, Note

KINDS: tuple[Kind, ...] = ("decision", "pattern", "issue", "lesson", "preference")

# What people say when they mean one; Chinese stands without blanks, English with them.
_CUES: dict[Kind, str] = {
    "decision": """decided|decision|we chose|chosen|we use|we will use|agreed|instead of|rather than
        |settled on|went with|決定|決策|改用|選用|採用|捨棄""",
    "pattern": """convention|by convention|pattern|naming|we always|every module|every file|style is
        |is named|are named|慣例|命名|規範|一律""",
    "issue": """bug|bugs|broken|fails|crashes|leaks|is slow|does not work|doesn't work|flaky
        |regression|壞了|有問題|失敗|當掉|無法|漏洞""",
    "lesson": """learned|gotcha|watch out|beware|remember to|make sure|turns out|must be|or else
        |otherwise|before you|the trick is|學到|注意|記得|小心|否則|原來""",
    "preference": """i prefer|i like|i want|i'd rather|please always|prefers|call me|我喜歡|我偏好
        |我習慣|我希望|請用|請不要|叫我""",
}
_SEPARATORS = str.maketrans(dict.fromkeys(',;:!?()[]"`*_', " "))


class ToPage(Value):
    """Route to a page; an empty section means the end of the page."""

    page: Note
    section: str


class ToNote(Value):
    """Route to a note of a kind."""

    kind: Kind


class UnclearRoute(Value):
    """No clear route; the likeliest pages and kinds."""

    pages: tuple[Note, ...]
    kinds: tuple[Kind, ...]


def route_text(text: str, pages: Sequence[Note]) -> ToPage | ToNote | UnclearRoute:
    """Choose the page or the note kind for a text of a project."""
    about = [page for page in pages if not is_stable(page) and _names_page(text, page)]
    kinds = guess_kinds(text)
    if len(about) == 1:
        return ToPage(about[0], find_section(text, about[0]))
    if not about and len(kinds) == 1:
        return ToNote(kinds[0])
    return UnclearRoute(tuple(about or pages), kinds or KINDS)


def guess_kinds(text: str) -> tuple[Kind, ...]:
    """Return the note kinds with a cue phrase in a text."""
    words = (word.rstrip(".") for word in text.casefold().translate(_SEPARATORS).split())
    plain = f" {' '.join(words)} "
    return tuple(kind for kind in KINDS if any(cue in plain for cue in _list_cues(kind)))


def _list_cues(kind: Kind) -> list[str]:
    """Return the cue phrases of a kind; blanks keep "bug" from matching "debug"."""
    phrases = (" ".join(phrase.split()) for phrase in _CUES[kind].split("|"))
    return [f" {phrase} " if phrase.isascii() else phrase for phrase in phrases]


def find_section(text: str, page: Note) -> str:
    """Return the page heading that shares the most words with a text; empty if no match."""
    own = telling_terms_of(text)
    found = [one for one in split_sections(page.text) if one.level > 1]
    titles = [normalise_text(one.title) for one in found]
    best, most = "", 0
    for section, title in zip(found, titles, strict=True):
        shared = len(own & telling_terms_of(section.title))
        if shared > most and titles.count(title) == 1:
            best, most = section.title, shared
    return best


def _names_page(text: str, page: Note) -> bool:
    """True if a text contains every word of a page's name or of a page concept."""
    own = set(index_terms(text))
    names = map(_name_terms, (page.tag, *page.concepts))
    return any(wanted and own.issuperset(wanted) for wanted in names)


def _name_terms(name: str) -> list[str]:
    """Return the terms of a split name: "steps to deploy" matches `deploy-steps`."""
    return index_terms(name.replace("-", " ").replace("_", " ").replace(".", " "))
