"""Recognise text that quotes a forgotten text, and take the quotation out of it.

A text quotes another one by a run of five of its words, however they are written, by a word that
is unusual, or by an exact string. A character of Chinese, Japanese or Korean counts as half a word.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata

from twiceshy.core.jsontext import parse_json, write_json
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Needle = tuple[str, ...]
    Span = tuple[int, int]

ERASED = "[forgotten]"  # stands where an exact string was
_RUN = 10  # half words
_LONGEST_FIELD = 20
_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_DENSE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
_WORD = rf"[{_DENSE}]|(?:(?![{_DENSE}_])[\w\u0300-\u036f])+"
_SENTENCE = r"[^.!?。！？]*(?:[.!?](?![\"')\]*_`]*(?:\s|$))[^.!?。！？]*)*(?:[.!?。！？]+[\"')\]*_`]*\s*|$)"
_BARE = r"[\s\-*+>#|\d.)(\[\]xX`_:·•]*"  # what is left of a line that lost its words


class QuotedWords(Value):
    """What must vanish: needles are words in a row, ``exact`` are strings as they stand."""

    needles: frozenset[Needle] = frozenset()
    exact: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing is looked for."""
        return not (self.needles or self.exact)

    def combine_with(self, other: QuotedWords) -> QuotedWords:
        """Return what either of two looks for."""
        exact = tuple(dict.fromkeys((*self.exact, *other.exact)))
        return QuotedWords(self.needles | other.needles, exact)


class QuoteFinder:
    """Finds and removes quotations of given words."""

    def __init__(self, words: QuotedWords) -> None:
        self.words = words
        self._firsts: dict[str, list[Needle]] = {}
        for needle in words.needles:
            self._firsts.setdefault(needle[0], []).append(needle)
        self._telling = frozenset(max(needle, key=len) for needle in words.needles)
        forms = sorted({form for one in words.exact for form in list_forms(one)}, key=len)
        joined = "|".join(re.escape(form) for form in reversed(forms))
        self._exact = re.compile(joined, re.IGNORECASE) if joined else None
        self._word = re.compile(_WORD)
        self._sentence = re.compile(_SENTENCE)
        self._bare = re.compile(_BARE)
        self._escape = re.compile(r"\\+[nrtbf]")

    def holds(self, text: str) -> bool:
        """True if a text quotes, or is JSON with a string that does."""
        if self._exact and self._exact.search(text):
            return True
        if "\\" not in text:
            return self._may_hold(text) and bool(self._find_spans(text))
        if (
            "\\u" not in text
            and not self._exact
            and not self._may_hold(self._escape.sub(" ", text))
        ):
            return False
        return self.clean(text) != text

    def clean(self, text: str, *, keep_places: bool = False) -> str:
        """Return a text, plain or JSON, without its quotations.

        With ``keep_places``, an item of a list becomes empty instead of leaving the list.
        """
        value = _parse_or_none(text)
        if value is None:
            return self.clean_plain(text)
        cleaned = self.clean_value(value, keep_places=keep_places)
        return text if cleaned == value else write_json(cleaned)

    def replace_exact(self, text: str) -> str:
        """Return a text with exact strings replaced, and nothing else changed."""
        return self._exact.sub(ERASED, text) if self._exact else text

    def clean_plain(self, text: str) -> str:
        """Return a plain text without the sentences that quote, and with exact strings replaced."""
        text = self.replace_exact(text)
        while self._may_hold(text) and (spans := self._find_spans(text)):
            text = self._drop_sentences(text, spans)
        return text

    def clean_value(self, value: object, *, keep_places: bool = False) -> object:
        """Return a parsed JSON value without quotations; items of lists that become empty go."""
        match value:
            case str():
                return self.clean(value, keep_places=keep_places)
            case list():
                pairs = [(each, self.clean_value(each, keep_places=keep_places)) for each in value]
                return [
                    new for old, new in pairs if keep_places or new == old or not _is_hollow(new)
                ]
            case dict():
                return {
                    key if _is_field_name(key) else self.clean_plain(key): self.clean_value(
                        each, keep_places=keep_places
                    )
                    for key, each in value.items()
                }
            case _:
                return value

    def list_own_lines(self, text: str, ours: str) -> list[str]:
        """Return the lines of a text that quote and are not in ``ours``."""
        known = set(ours.splitlines())
        return [line for line in text.splitlines() if line not in known and self.holds(line)]

    def _may_hold(self, text: str) -> bool:
        """True if a text has the longest word of some needle; most texts have none."""
        words = self._word.findall(text.lower() if text.isascii() else text)
        folded = words if text.isascii() else map(_fold, words)
        return not self._telling.isdisjoint(folded)

    def _find_spans(self, text: str) -> list[Span]:
        found = [(one.start(), one.end()) for one in self._word.finditer(text)]
        words = [_fold(text[begin:end]) for begin, end in found]
        spans = []
        for at, word in enumerate(words):
            for needle in self._firsts.get(word, ()):
                last = at + len(needle)
                if tuple(words[at:last]) == needle:
                    spans.append((found[at][0], found[last - 1][1]))
        return spans

    def _drop_sentences(self, text: str, spans: Sequence[Span]) -> str:
        rows, begin = [], 0
        for row in text.split("\n"):
            kept = []
            for one in self._sentence.finditer(row):
                first, last = begin + one.start(), begin + one.end()
                if not any(first < end and start < last for start, end in spans):
                    kept.append(one[0])
            left = "".join(kept)
            if left == row or not self._bare.fullmatch(left):
                rows.append(left if left == row else left.rstrip())
            begin += len(row) + 1
        return "\n".join(rows).strip("\n") if any(map(str.strip, rows)) else ""


class HashedQuoteFinder(QuoteFinder):
    """Finds quotations of words of which only digests are known, by their number of words."""

    def __init__(self, digests: Iterable[str]) -> None:
        super().__init__(QuotedWords())
        self._digests = frozenset(digests)
        self._lengths = sorted({int(digest.partition(":")[0]) for digest in self._digests})

    def _may_hold(self, text: str) -> bool:
        return bool(self._lengths) and len(self._word.findall(text)) >= self._lengths[0]

    def _find_spans(self, text: str) -> list[Span]:
        found = [(one.start(), one.end()) for one in self._word.finditer(text)]
        words = [_fold(text[begin:end]) for begin, end in found]
        return [
            (found[at][0], found[at + length - 1][1])
            for length in self._lengths
            for at in range(len(words) - length + 1)
            if digest_needle(tuple(words[at : at + length])) in self._digests
        ]


def digest_needle(needle: Needle) -> str:
    """Return the number of words of a needle and a digest of them."""
    digest = hashlib.blake2b(" ".join(needle).encode("utf-8", "replace"), digest_size=10)
    return f"{len(needle)}:{digest.hexdigest()}"


def list_words(text: str) -> list[str]:
    """Return the words of a text, folded, as quotations are compared by."""
    return [_fold(word) for word in re.findall(_WORD, text)]


def list_runs(words: Sequence[str]) -> Iterator[Needle]:
    """Yield every run of five words, or as much in half words."""
    for first in range(len(words)):
        weight = 0
        for last in range(first, len(words)):
            weight += weigh_word(words[last])
            if weight >= _RUN:
                yield tuple(words[first : last + 1])
                break


def weigh_word(word: str) -> int:
    """Return the weight of a word in half words."""
    return 1 if len(word) == 1 and "\u2e80" <= word <= "\uffdc" else 2


def list_forms(text: str) -> set[str]:
    """Return an exact string as it stands in texts, addresses, JSON and base64."""
    raw = text.encode("utf-8", "replace")
    quoted = _quote_address(raw)
    forms = {text, quoted, quoted.replace("%2F", "/"), quoted.replace("%20", "+")}
    import json  # noqa: PLC0415 - only where something is erased

    forms |= {json.dumps(text, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False)}
    if len(raw) >= 8:
        forms.add(raw.hex())
        for shift in range(3):  # as a part of something longer
            coded = base64.b64encode(b"\0" * shift + raw).decode()
            begin, end = (0, 2, 3)[shift], len(coded) - (4 if (len(raw) + shift) % 3 else 0)
            core = coded[begin:end]
            forms |= {core, core.replace("+", "-").replace("/", "_")}
    return {form for form in forms if form}


def _quote_address(raw: bytes) -> str:
    """Return bytes as they stand in an address."""
    return "".join(chr(each) if each in _PLAIN else f"%{each:02X}" for each in raw)


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).casefold()


def _parse_or_none(text: str) -> object:
    """Return the object or list that a text is as JSON; None for plain text."""
    if text[:1] not in ("{", "["):
        return None
    try:
        found = parse_json(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _is_field_name(key: str) -> bool:
    """True for a key as programs name their fields: it holds no words of people."""
    return len(key) <= _LONGEST_FIELD and key.islower() and key.replace("_", "").isalpha()


def _is_hollow(value: object) -> bool:
    return value in ("", [], {})
