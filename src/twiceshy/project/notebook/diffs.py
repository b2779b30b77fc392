"""Find the text chunks replaced by an edit, from a unified diff or from two texts.

Only a replacement is a correction. Added, deleted and fully rewritten text does not show how
something should have been written.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from twiceshy.core.errors import NoteError
from twiceshy.core.value import Value

MAX_DIFF = 4 * 1024 * 1024  # characters; redacting them takes seconds
_MAX_CHUNK_LINES = 60  # lines; more is a rewrite
_MAX_TOKENS = 2_000
_MIN_KEPT_SHARE = 0.4  # share of tokens that a stretch keeps while it is corrected
_MAX_SHORT_CHUNK = 3  # tokens that may all be replaced: a word in a list has nothing around it
_CJK = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_LETTER = rf"(?:(?![{_CJK}])\w)"
_TOKEN = re.compile(
    rf"\[(?:REDACTED:[^\]\n]*|PRIVATE)\]|[{_CJK}]"
    rf"|(?:(?<![\w-])--?)?{_LETTER}+(?:['’-]{_LETTER}+)*|[^\s\w]"
)
_DENSE = re.compile(f"[{_CJK}]")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_INDEX = re.compile(r"index ([0-9a-f]{7,64})\.\.[0-9a-f]{7,64}")
_PRIVATE_OPEN, _PRIVATE_CLOSE = "<private>", "</private>"


class EditedText(Value):
    """File or part of a file before and after an edit; ``base`` identifies the version."""

    file: str
    before: str
    after: str
    base: str = ""


class UnifiedDiff(Value):
    """Content of a unified diff; ``skipped`` lists files that are no text."""

    edited: tuple[EditedText, ...]
    skipped: tuple[str, ...]


class TextChange(Value):
    """Lines replaced by new lines."""

    file: str
    removed: str
    added: str
    base: str = ""


class DiffToken(Value):
    """Word, CJK character or sign, with its position."""

    text: str
    start: int
    end: int

    @property
    def is_dense(self) -> bool:
        """True for a character of a script without blanks between words."""
        return bool(_DENSE.match(self.text))


class WordSwap(Value):
    """Replaced words with their replacement, and the token on each side."""

    wrong: str
    right: str
    word_before: str
    word_after: str


def read_diff(text: str) -> UnifiedDiff:
    """Parse a unified diff into a part for each hunk."""
    if "\0" in text:
        raise NoteError("this is binary, not a diff", hint="pipe a unified diff: git diff HEAD")
    reading = _DiffReader()
    for line in text.splitlines():
        reading.read_line(line)
    reading.close_hunk()
    if text.strip() and not reading.begun:
        raise NoteError("this is no unified diff", hint="pipe one: git diff HEAD, or diff -u")
    return UnifiedDiff(tuple(reading.edited), tuple(reading.skipped))


class _DiffReader:
    """Line-by-line parser of a unified diff."""

    def __init__(self) -> None:
        self.edited: list[EditedText] = []
        self.skipped: list[str] = []
        self.begun = False
        self._file = self._base = ""
        self._sides: tuple[list[str], list[str]] = ([], [])
        self._left = (0, 0)  # lines that the hunk still has, before and after

    def read_line(self, line: str) -> None:
        """Read the next line, inside a hunk or in a file header."""
        if self._left == (0, 0):
            self._read_header(line)
        elif not line.startswith("\\"):
            self._read_hunk_line(line)

    def close_hunk(self) -> None:
        """Close the current hunk."""
        before, after = ("\n".join(side) for side in self._sides)
        if before or after:
            self.edited.append(EditedText(self._file, before, after, self._base))
        self._sides = ([], [])

    def _read_header(self, line: str) -> None:
        if found := _HUNK.match(line):
            self.close_hunk()
            self.begun = True
            self._left = (int(found[1] or 1), int(found[2] or 1))
        elif line.startswith(("diff ", "Index: ", "--- ")):
            self.close_hunk()
            self.begun = True
            if not line.startswith("--- "):  # a file may have no `+++` line
                path = line.rpartition(" b/" if " b/" in line else " ")[2]
                self._file, self._base = _clean_path(path), ""
        elif line.startswith("+++ ") and not line.startswith("+++ /dev/null"):
            self._file = _clean_path(line[4:])
        elif line.startswith(("Binary files ", "GIT binary patch", "@@@ ")):
            self.skipped.append(self._file)
        elif found := _INDEX.match(line):
            self._base = found[1]

    def _read_hunk_line(self, line: str) -> None:
        sign, rest = line[:1], line[1:]
        gone, new = sign in ("", " ", "-"), sign in ("", " ", "+")
        if gone:
            self._sides[0].append(rest)
        if new:
            self._sides[1].append(rest)
        self._left = (max(0, self._left[0] - gone), max(0, self._left[1] - new))


def _clean_path(text: str) -> str:
    return text.partition("\t")[0].strip().strip('"').removeprefix("b/")


def find_changes(edited: Iterable[EditedText], redact: Callable[[str], str]) -> list[TextChange]:
    """Return the replaced chunks, with secret and private text redacted on both sides."""
    found: list[TextChange] = []
    for each in edited:
        if each.before and each.after:
            sides = {"before": each.before, "after": each.after}
            safe = {name: _redact_part(text, redact) for name, text in sides.items()}
            found += _list_replaced(each.but(**safe))
    return found


def _redact_part(text: str, redact: Callable[[str], str]) -> str:
    """Redact a part of a file; a private passage closed here began before the part."""
    low = text.lower()
    opened, closed = low.find(_PRIVATE_OPEN), low.find(_PRIVATE_CLOSE)
    return redact(_PRIVATE_OPEN + text if closed >= 0 and not 0 <= opened < closed else text)


def _list_replaced(edited: EditedText) -> Iterator[TextChange]:
    from difflib import SequenceMatcher  # noqa: PLC0415 - it brings much along

    before, after = edited.before.splitlines(), edited.after.splitlines()
    for op, *span in SequenceMatcher(None, before, after).get_opcodes():
        gone, new = before[span[0] : span[1]], after[span[2] : span[3]]
        if op == "replace" and max(len(gone), len(new)) <= _MAX_CHUNK_LINES:
            for removed, added in _pair_chunks(gone, new):
                change = TextChange(edited.file, removed, added, edited.base)
                if _is_correction(change):
                    yield change


def _pair_chunks(gone: list[str], new: list[str]) -> list[tuple[str, str]]:
    """Pair replaced lines one by one; return a single pair if lines were rewrapped."""
    if len(gone) == len(new):
        pairs = list(zip(gone, new, strict=True))
        if all(
            split_words(one) == split_words(other) or _is_correction(TextChange("", one, other))
            for one, other in pairs
        ):
            return pairs
    return [("\n".join(gone), "\n".join(new))]


def _is_correction(change: TextChange) -> bool:
    """True if most words of a chunk stayed, but not every word; blanks do not count."""
    gone, new = split_words(change.removed), split_words(change.added)
    if gone == new or not gone or not new or max(len(gone), len(new)) > _MAX_TOKENS:
        return False
    kept = sum(min(gone.count(each), new.count(each)) for each in set(gone))
    short = max(len(gone), len(new)) <= _MAX_SHORT_CHUNK
    return short or 2 * kept / (len(gone) + len(new)) >= _MIN_KEPT_SHARE


def split_tokens(text: str) -> list[DiffToken]:
    """Return the words, CJK characters and signs of a text, with positions."""
    return [DiffToken(found[0], *found.span()) for found in _TOKEN.finditer(text)]


def split_words(text: str) -> list[str]:
    """Return the words, CJK characters and signs of a text."""
    return _TOKEN.findall(text)


def find_swaps(removed: str, added: str) -> list[WordSwap]:
    """Return the replaced words; ignore words only added or only deleted."""
    old, new = split_tokens(removed), split_tokens(added)
    found = []
    for i, j, k, m in _list_spans(old, new):
        left = old[i - 1].text if i and k and old[i - 1].text == new[k - 1].text else ""
        both = j < len(old) and m < len(new) and old[j].text == new[m].text
        if i < j and k < m:
            wrong, right = _text_of_tokens(removed, old[i:j]), _text_of_tokens(added, new[k:m])
            found.append(WordSwap(wrong, right, left, old[j].text if both else ""))
    return found


def find_deleted_words(removed: str, added: str) -> list[str]:
    """Return the words deleted without a replacement."""
    old = split_tokens(removed)
    spans = _list_spans(old, split_tokens(added))
    return [_text_of_tokens(removed, old[i:j]) for i, j, k, m in spans if i < j and k == m]


def _list_spans(
    old: Sequence[DiffToken], new: Sequence[DiffToken]
) -> list[tuple[int, int, int, int]]:
    """Return the differing spans of two texts.

    A single CJK character between two differences is part of the same word, so the spans are joined.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - it brings much along

    words, others = [token.text for token in old], [token.text for token in new]
    found: list[tuple[int, int, int, int]] = []
    for op, i, j, k, m in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if op == "equal":
            continue
        first, end, *_ = found[-1] if found else (0, -1)
        # in the old text, both differences and the character between them are dense
        if found and i - end == 1 and all(token.is_dense for token in old[first:j]):
            found[-1] = (first, j, found[-1][2], m)
        else:
            found.append((i, j, k, m))
    return found


def _text_of_tokens(text: str, part: list[DiffToken]) -> str:
    return " ".join(text[part[0].start : part[-1].end].split())
