"""A statement in its parts: what it is about, what it says about that, and how it says it.

The subject and what follows "for", "in" or "on" say what a statement is about. What follows a verb
or "to" and "with" is its value. Chinese has no blanks: what stands before the first verb is the
subject, and characters stand for words.
"""

from __future__ import annotations

from functools import lru_cache

from twiceshy.core.text import strip_list_marks
from twiceshy.core.value import Value
from twiceshy.language.han import fold_chinese
from twiceshy.language.statement_words import (
    ABOUT,
    AMOUNTS,
    ASKING,
    BACKWARD,
    BARE_VERBS,
    CHINESE,
    CHINESE_AMOUNTS,
    CHINESE_EMPTY,
    CHINESE_ENVIRONMENTS,
    CHINESE_LEADS,
    CHINESE_NOUNS,
    CHINESE_PLACES,
    CHINESE_VERBS,
    CLAUSE_ENDS,
    EMPTY,
    ENVIRONMENTS,
    FINITE,
    IRREGULAR,
    LANGUAGES,
    LONG_FORMS,
    NOUNS,
    ORDERS,
    PLACING,
    PRONOUNS,
    REASONS,
    REMOVED,
    TRIMMED,
    VERBS,
    WHO,
    WITH,
)
from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Clause(Value):
    """A part of a statement between two marks."""

    text: str
    about: frozenset[str] = frozenset()
    value: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    place: frozenset[str] = frozenset()
    lead: str = ""  # of a Chinese clause, what stands before the verb
    has_verb: bool = False
    has_subject: bool = False  # be it "we"

    @property
    def words(self) -> frozenset[str]:
        """Return all telling words."""
        return self.about | self.value

    @property
    def numbers(self) -> frozenset[str]:
        """Return numbers and versions."""
        return frozenset(filter(has_digit, self.words))


class Statement(Value):
    """A text in its clauses, in lower case and simplified characters."""

    text: str
    clauses: tuple[Clause, ...]

    @property
    def words(self) -> frozenset[str]:
        """Return the telling words of all clauses."""
        return frozenset().union(*(clause.words for clause in self.clauses))

    @property
    def about(self) -> frozenset[str]:
        """Return the words that say what the text is about."""
        return frozenset().union(*(clause.about for clause in self.clauses))

    @property
    def subject(self) -> frozenset[str]:
        """Return the words of the first subject."""
        return self.clauses[0].subject if self.clauses else frozenset()

    @property
    def place(self) -> frozenset[str]:
        """Return the words of places."""
        return frozenset().union(*(clause.place for clause in self.clauses))

    @property
    def numbers(self) -> frozenset[str]:
        """Return numbers and versions."""
        return frozenset(filter(has_digit, self.words))


def find_places(text: str) -> frozenset[str]:
    """Return the names of environments, platforms and regions in a folded text."""
    if not is_chinese(text):
        bare = (run.strip(TRIMMED) for run in text.split())
        return frozenset(LONG_FORMS.get(word, word) for word in bare if word in ENVIRONMENTS)
    latin = frozenset(word for word in _list_chinese(text) if word in ENVIRONMENTS)
    return latin.union(place for place in CHINESE_ENVIRONMENTS if place in text)


def is_amount(word: str) -> bool:
    """True if a word is a number, a version or a time, and not a name such as S3."""
    return word in AMOUNTS or word in CHINESE_AMOUNTS or word.removeprefix("v")[:1].isdigit()


def has_digit(word: str) -> bool:
    """True if a word is a number or a version, or holds one, or says how much or when."""
    return word in AMOUNTS or word in CHINESE_AMOUNTS or any(map(str.isdigit, word))


@lru_cache(maxsize=4_096)  # a text is compared with many others
def read_statement(text: str) -> Statement:
    """Read a text; long quotations are no statement of its author."""
    even = fold_chinese(strip_list_marks(text.replace("，", ", "))).replace("’", "'").casefold()
    clauses = tuple(filter(None, (read_clause(part) for part in _split_clauses(even))))
    return Statement(even, clauses)


def _split_clauses(text: str) -> Iterator[str]:
    """Split at marks that end a clause; a mark inside a word or a number ends none."""
    begun = 0
    for at, char in enumerate(text):
        if char in CLAUSE_ENDS or (char == "." and text[at + 1 : at + 2] in ("", " ")):
            around = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
            alone = (
                char in "()—–"
                or around[1] in ("", " ")
                or any(one >= CHINESE for one in around if one)
            )
            if alone:
                yield text[begun:at]
                begun = at + 1
    yield text[begun:]


def read_clause(text: str) -> Clause | None:
    """Read a folded clause; None if it is empty."""
    text = text.strip()
    if not text:
        return None
    return _read_chinese(text) if is_chinese(text) else _read_english(text)


def is_chinese(text: str) -> bool:
    """True if a text has a character of a script without blanks."""
    return not text.isascii() and any(char >= CHINESE for char in text)


class _EnglishReader:
    """Sorts the words of an English clause into its parts, one after the other."""

    def __init__(self, *, names_first: bool) -> None:
        self._names_first = names_first
        self.found: dict[str, set[str]] = {"subject": set(), "place": set(), "value": set()}
        self.has_verb = self.has_subject = self._has_preposition = False
        self._slot, self._last = "subject", ""
        self._is_bare = self._removes = self._places = False

    def read_word(self, word: str) -> None:
        """Take the next word."""
        if word in ABOUT or word in WITH:
            self._begin_phrase(word)
        elif word in PRONOUNS:
            self._slot, self.has_subject = "subject", word not in BACKWARD
        elif self._is_verb(word):
            self._is_bare = word in BARE_VERBS or (self._is_bare and _is_participle(word))
            self._places = self._places or word in PLACING
            self.has_verb, self._slot = True, "value"
            if word not in EMPTY:
                self.found["value"].add(stem_word(word))
        elif word and word not in EMPTY:
            self._add_thing(word)
        self._removes = self._removes or word in REMOVED
        self._last = word or self._last

    def build_clause(self, text: str) -> Clause:
        """Return the clause; "pandas for the ETL" has a value without a verb."""
        found = self.found
        if not self.has_verb and self._has_preposition and found["place"]:
            found["value"] |= found["subject"]
            found["subject"] = set()
        subject, place, value = map(frozenset, found.values())
        return Clause(
            text,
            subject | place,
            value,
            subject,
            place,
            has_verb=self.has_verb,
            has_subject=self.has_subject or bool(subject),
        )

    def _begin_phrase(self, word: str) -> None:
        of_subject = (
            bool(self.found["subject"]) and not self.has_verb
        )  # "access to the shop is ..."
        leaves = word == "from" and self._removes
        if word in WITH and not of_subject and not leaves:
            self._slot, self._is_bare = "value", False
        else:
            self._has_preposition = self._has_preposition or word in ABOUT - {"of"}
            ties = self._is_bare or (self._places and word != "for")
            self._slot = "value" if ties and not leaves else "place"

    def _add_thing(self, word: str) -> None:
        stems = set(_stems(word))
        self._is_bare = False
        slot = "value" if self._slot == "place" and _is_name(word) else self._slot
        self.found[slot] |= stems

    def _is_verb(self, word: str) -> bool:
        if word not in EMPTY and (
            self._last in PRONOUNS or (self._is_bare and _is_participle(word))
        ):
            return True
        if word in ORDERS:
            if self._names_first and not self._last:
                return False
            if self._slot == "subject" and self._last.endswith("s"):
                return True  # "images go to ..."
            return self._last in ASKING or not (self._last or any(self.found.values()))
        return word in VERBS


def _read_english(text: str) -> Clause:
    words = [run.strip(TRIMMED) for run in text.split()]
    named = words[0] in NOUNS and not FINITE.isdisjoint(words[1:4])
    reader = _EnglishReader(names_first=named)
    for word in words:
        if word in REASONS and any(reader.found.values()):
            break
        reader.read_word(word)
    return reader.build_clause(text)


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or word in IRREGULAR


def _is_name(word: str) -> bool:
    """True for a channel, an address or a language, which are values and no places."""
    return word in LANGUAGES or word[0] == "#" or "@" in word or "://" in word


def list_words(text: str) -> list[str]:
    """Return the telling words of a folded text in their order."""
    if is_chinese(text):
        return list(_list_chinese(text))
    bare = (run.strip(TRIMMED) for run in text.split())
    return [stem for word in bare if word and word not in EMPTY for stem in _stems(word)]


def _stems(word: str) -> Iterator[str]:
    if "-" in word.strip("-") and word.replace("-", "").isalpha():
        yield from (stem_word(part) for part in word.split("-") if part and part not in EMPTY)
    else:
        word = word.removesuffix("'s")
        yield stem_word(LONG_FORMS.get(word, word))


def _read_chinese(text: str) -> Clause:
    said = _strip_leads(text)
    plain = said
    for noun in CHINESE_NOUNS:
        plain = plain.replace(noun, "〇" * len(noun))
    cut = min((at for verb in CHINESE_VERBS if (at := plain.find(verb)) > 0), default=len(said))
    subject, every = frozenset(_list_chinese(said[:cut])), frozenset(_list_chinese(text))
    place, has_verb = frozenset(_list_places(text)), cut < len(said)
    lead = said[:cut].strip()
    return Clause(
        text,
        subject,
        every - subject,
        subject,
        place,
        lead=lead,
        has_verb=has_verb,
        has_subject=len(lead) > 1,
    )


def _strip_leads(text: str) -> str:
    """Strip words that lead to the statement, and who says so."""
    for lead in CHINESE_LEADS:
        text = text.removeprefix(lead).strip()
    for told in ("要求", "说", "规定", "决定", "通知"):
        if 0 < text.find(told) <= WHO:
            text = text.partition(told)[2].strip(" 的") or text
    return text


def _list_places(text: str) -> Iterable[str]:
    """Return the two characters before each noun of a place."""
    for noun in CHINESE_PLACES:
        at = text.find(noun)
        while at > 0:
            before = text[max(0, at - 2) : at]
            if before.isalpha() and before > CHINESE:
                yield from (char for char in before if char not in CHINESE_EMPTY)
            at = text.find(noun, at + 1)


def _list_chinese(text: str) -> Iterable[str]:
    """Return the Latin words and the single characters that tell something."""
    spaced = "".join(f" {char} " if char >= CHINESE or char in ",:;" else char for char in text)
    for run in spaced.split():
        word = run.strip(TRIMMED + "、「」『』《》")
        if not word or word in CHINESE_EMPTY or word in EMPTY:
            continue
        yield word if word[0] >= CHINESE else stem_word(word)
