"""Extract the user's own words from a message: no code, quotations or tags."""

from __future__ import annotations

import re

from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.han import fold_chinese

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

HEAD, TAIL = 600, 200  # characters; a correction comes first, or after what it is about
LONGEST_TEXT = 300
FILLER = "·"  # no letter, so that nothing is found across it

_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,40})(?:\s[^<>]{0,200})?>")
_HEADING = re.compile(r" {0,3}#{1,6} \S")
_FENCE = re.compile(r"\s*(```|~~~)")
# Lines that a person pastes: quotations, code, tables, diffs, and what programs print.
_PASTED = re.compile(
    r"\s*(?:>|\||[│┃├└╭╰⏺⎿❯])|(?:\t| {2,})(?!\s*(?:[-*•]|\d{1,2}[.)])\s)\s*\S|\s*\d+ [+-]"
    r"|[+-]{3} |={3,}|\s*[\[{}\]]|@@ |\$ |%\s|\s*\d{4}-\d\d-\d\d[T ]\d\d:|\s*\[?\d\d:\d\d:\d\d|Traceback |\s*at \S+\("
    r"|.*\b\w*(?:Error|Exception): |.*\bUncaught |.*\bexit (?:status|code) \d+\s*$|\s*(?:FAIL|FAILED|ERROR|WARN|INFO|DEBUG|fatal|panic|npm ERR!)\b[:\s]|\s*error: "
)
_QUOTED = re.compile(
    r'"[^"\n]{1,300}"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|‘[^’\n]{1,300}’'
    r"|`[^`\n]{1,300}`|(?<!\w)'[^'\n]{1,300}'(?!\w)"
)
_ENDS = re.compile(r"(?<=[.!?;])(?<!\d\.)(?<!\.\.)(?=\s)|(?<=[。！？；])|\n+")
# of whole sentences: a semicolon and an abbreviation end none
_WHOLE_ENDS = re.compile(
    r"(?<=[.!?])(?<!\d\.)(?<!\.\.)(?<!\b[eE]\.g\.)(?<!\b[iI]\.e\.)(?<!\betc\.)(?<!\bvs\.)(?=\s)|(?<=[。！？])|\n+"
)
_WRAPPED = 50  # characters of a line that may go on in the next


class Sentence(Value):
    """A sentence of the user, with a folded copy for cue matching."""

    text: str
    plain: str


def extract_own_words(text: str) -> str:
    """Return the lines written by the user, without control and bidi characters."""
    lines = _strip_document(_strip_tags(strip_unsafe(text)).split("\n"))
    return "\n".join(_strip_fences(lines)).strip()


def split_sentences(own: str) -> list[Sentence]:
    """Return sentences from the head and the tail of the user's words."""
    if len(own) <= HEAD + TAIL:
        return _split_at_ends(own)
    return [
        *_split_at_ends(_cut_after_word(own, HEAD)),
        *_split_at_ends(_keep_last_words(own, TAIL)),
    ]


def list_whole_sentences(own: str) -> list[Sentence]:
    """Return every sentence of the user's words, joined where a line was wrapped."""
    lines: list[str] = []
    for line in own.split("\n"):
        bare = line.strip()
        wrapped = lines and len(lines[-1]) >= _WRAPPED and lines[-1][-1] not in ".!?:。！？："
        if wrapped and bare[:1].islower():
            lines[-1] += f" {bare}"
        elif bare:
            lines.append(bare)
    return _split_at_ends("\n".join(lines), ends=_WHOLE_ENDS)


def join_sentences(texts: Iterable[str]) -> str:
    """Join sentences to a line of whole words within the length limit."""
    return _cut_after_word(" ".join(" ".join(texts).split()), LONGEST_TEXT)


def _split_at_ends(text: str, *, ends: re.Pattern[str] = _ENDS) -> list[Sentence]:
    """Split at sentence ends, never inside a quotation."""
    plain = _fold_sentence(text)
    found, at = [], 0
    for start, end in (*(each.span() for each in ends.finditer(plain)), (len(text), len(text))):
        if part := " ".join(text[at:start].split()):
            found.append(Sentence(part, " ".join(plain[at:start].lower().split())))
        at = end
    return found


def _fold_sentence(text: str) -> str:
    """Fold equal spellings and mask quotations, character by character."""
    text = fold_chinese(text).replace("’", "'").replace("，", ",").replace("：", ":")
    return _QUOTED.sub(lambda found: FILLER * len(found[0]), text)


def _cut_after_word(text: str, limit: int) -> str:
    """Cut a text after its last whole word; without blanks, between characters."""
    if len(text) <= limit:
        return text
    end = limit
    while end and _cuts_word(text, end):
        end -= 1
    return text[:end].rstrip()


def _keep_last_words(text: str, limit: int) -> str:
    start = len(text) - limit
    while start < len(text) and _cuts_word(text, start):
        start += 1
    return text[start:].lstrip()


def _cuts_word(text: str, at: int) -> bool:
    """True if a cut here would split a word; Chinese may be cut anywhere."""
    before, behind = text[at - 1], text[at]
    return not (before.isspace() or behind.isspace() or before >= "\u2e80" or behind >= "\u2e80")


def _strip_tags(text: str) -> str:
    """Remove text between a tag and its end, in a single pass; an unclosed tag is text."""
    opened: dict[str, int] = {}
    order: list[str] = []
    gone: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if not tag[1] and name not in opened:
            opened[name] = tag.start()
            order.append(name)
        elif tag[1] and name in opened:
            start = opened[name]
            while order and opened.get(order[-1], start) >= start:
                del opened[order.pop()]
            while gone and gone[-1][0] >= start:
                gone.pop()
            gone.append((start, tag.end()))
    kept, at = [], 0
    for start, end in gone:
        kept.append(text[at:start])
        at = end
    return "\n".join([*kept, text[at:]])


def _strip_document(lines: list[str]) -> list[str]:
    """Remove a document with headings that a line announces: it was pasted."""
    before = ""
    for at, line in enumerate(lines):
        if _HEADING.match(line) and before.endswith((":", "：")):
            return lines[:at]
        before = line.strip() or before
    return lines


def _strip_fences(lines: list[str]) -> list[str]:
    """Remove fenced code, including an unclosed fence, and pasted lines."""
    kept: list[str] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        elif not fence and not _PASTED.match(line[:400]):
            kept.append(line)
    return kept
