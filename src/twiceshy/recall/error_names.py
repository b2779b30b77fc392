"""Tell whether a note is about the same error of another name: another module, file, option or column.

An error names its thing in quotes, as its last word, or as a clause of one word. A note that has the
words around that place, and there one other name, is about something else. A note with several names
there, or with none, is about all of them.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_CLOSING = {"'": "'", '"': '"', "`": "`'", "‘": "’", "“": "”", "«": "»"}
_NAME_WORDS = 4  # of a name in quotes; more are a sentence
_LONGEST_NAME = 120
_BEFORE, _AFTER = 3, 2  # words around a name by which a note is seen to say the same
_FEWEST, _ENOUGH = 2, 3  # of these: in a line that the note repeats, and in any line
_PUNCTUATION = ".,:;!?()[]{}<>*'\"`‘’“”«»"
_STOPS = ".;!?"
_PLACEHOLDERS = "<{$[("
_BETWEEN = frozenset("or and oder und и или 或 和".split())
_NUMBER = "#"
_ROOTS = "/~\\"  # how a path begins that says where something lies
_CUT = "_-…"  # how a name ends of which the rest is left out


class ErrorWord(Value):
    """A word of a line, or a name in quotes; ``mark`` is the punctuation behind it."""

    word: str  # folded; empty for a name in quotes
    name: str
    mark: str = ""
    telling: bool = False  # written as names are: with a digit, a joiner or a capital inside


class NamedPlace(Value):
    """A name of an error, the words around it, and the punctuation before it."""

    name: str
    before: Sequence[str]
    after: Sequence[str]
    mark_before: str


def names_another(
    text: str, lines: Iterable[str], echoing: Iterable[bool], *, generic: Collection[str]
) -> bool:
    """True if a text has the error of a line with one other name in place of the line's.

    ``echoing`` tells for each line whether the text repeats it; of other lines more has to agree.
    ``generic`` are words that are no names without quotes.
    """
    readings = [
        [read_error_words(line, name_words=most) for most in (_NAME_WORDS, 1)]
        for line in text.splitlines()
    ]
    written = [words for each in readings for words in each]
    return any(
        _is_other_name(place.name, _find_names(written, place, _FEWEST if echoes else _ENOUGH))
        for line, echoes in zip(lines, echoing, strict=True)
        for place in _list_places(read_error_words(line), generic)
    )


def read_error_words(line: str, *, name_words: int = _NAME_WORDS) -> list[ErrorWord]:
    """Return the words of a line, and its names in quotes; unquoted paths are left out."""
    line = line.replace('\\"', '"')
    found: list[ErrorWord] = []
    start = at = 0
    while at < len(line):
        end = _find_quote_end(line, at, name_words) if line[at] in _CLOSING else 0
        if end:
            found += _read_plain(line[start:at])
            found.append(ErrorWord("", line[at + 1 : end].strip().casefold()))
            start = at = end + 1
        else:
            at += 1
    return [*found, *_read_plain(line[start:])]


def _find_quote_end(line: str, at: int, name_words: int) -> int:
    """Return where a name in quotes ends that begins here; 0 if none does."""
    if at and line[at - 1].isalnum():
        return 0
    for end in range(at + 1, min(len(line), at + _LONGEST_NAME)):
        if line[end] in _CLOSING[line[at]] and not line[end + 1 : end + 2].isalnum():
            name = line[at + 1 : end]
            is_name = name.strip() and len(name.split()) <= name_words
            return end if is_name and not any(sign in name for sign in "'\"`") else 0
    return 0


def _read_plain(part: str) -> Iterator[ErrorWord]:
    for raw in part.split():
        plain = raw.strip(_PUNCTUATION)
        if "/" in raw or "\\" in raw or not any(map(str.isalnum, plain)):
            continue
        word = _NUMBER if plain.isdigit() else plain.casefold()
        mark = raw[-1] if raw[-1] in _PUNCTUATION else ""
        is_name = not plain.isalpha() or plain[1:] != plain[1:].lower()
        is_open = raw[0] in _PLACEHOLDERS and (raw[0] != "(" or ")" in raw)
        yield ErrorWord("" if is_open else word, "" if is_open else word, mark, is_name)


def _list_places(words: Sequence[ErrorWord], generic: Collection[str]) -> Iterator[NamedPlace]:
    """Yield each name of an error with the words around it; where a file lies is no name."""
    for at, one in enumerate(words):
        is_clause = _is_clause(words, at)
        is_last = at == len(words) - 1
        if one.word and not ((is_clause or is_last) and one.word not in generic):
            continue
        if any(map(str.isalpha, one.name)) and one.name[0] not in _ROOTS:
            before = _until_name([each.word for each in words[:at][-_BEFORE:]][::-1])[::-1]
            after = _until_name([each.word for each in words[at + 1 :][:_AFTER]])
            yield NamedPlace(one.name, before, after, words[at - 1].mark if at else "")


def _is_clause(words: Sequence[ErrorWord], at: int) -> bool:
    """True for a word between two colons."""
    return at > 0 and words[at].mark == words[at - 1].mark == ":"


def _until_name(words: Sequence[str]) -> list[str]:
    return list(words[: words.index("")] if "" in words else words)


def _find_names(lines: Sequence[Sequence[ErrorWord]], place: NamedPlace, least: int) -> list[str]:
    """Return the names that a text has between most words of a place, at least so many."""
    for count in range(len(place.before), -1, -1):
        some = place.before[len(place.before) - count :]
        behind = () if count == _BEFORE else place.after
        if sum(word != _NUMBER for word in (*some, *behind)) >= least:
            around = place.but(before=some, after=behind)
            names = [name for words in lines for name in _match_place(words, around)]
            if names:
                return names
    return []


def _match_place(words: Sequence[ErrorWord], place: NamedPlace) -> Iterator[str]:
    """Yield the names that a line has at such a place."""
    plain = [each.word for each in words]
    before, after = list(place.before), list(place.after)
    for at in range(len(before), len(words) - len(after)):
        if (
            plain[at - len(before) : at] == before
            and plain[at + 1 : at + 1 + len(after)] == after
            and not (before and words[at - 1].mark in tuple(_STOPS))
            and (not words[at].word or _is_written_name(words, at, place))
        ):
            yield from _read_names(words, at)


def _is_written_name(words: Sequence[ErrorWord], at: int, place: NamedPlace) -> bool:
    """True if a word without quotes stands where an error has its name, and not a next clause."""
    if not place.before or words[at - 1].mark != place.mark_before:
        return False
    if words[at].telling or _is_clause(words, at):
        return True
    return not place.after and bool(words[at].mark or at == len(words) - 1)


def _read_names(words: Sequence[ErrorWord], at: int) -> Iterator[str]:
    """Yield the name at a place, and others that follow it: "'a' or 'b'"."""
    if words[at].word:
        yield words[at].name
        return
    for each in words[at:]:
        if each.word and each.word not in _BETWEEN:
            return
        if not each.word and each.name:
            yield each.name


def _is_other_name(name: str, names: Sequence[str]) -> bool:
    """True if there is one name, and it is another one; of a cut one only the begin counts."""
    if len(set(names)) != 1 or not any(map(str.isalpha, names[0])):
        return False
    (other,) = set(names)
    return not name.startswith(other) if other[-1] in _CUT else name != other
