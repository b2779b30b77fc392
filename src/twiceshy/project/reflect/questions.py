"""Four questions about a note: useful, too long, covered by a rule, to remove.

Each answer is kept in a record line, so the same question is asked again only after the note, or
the evidence about the note, has changed.
"""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.errors import NoteError
from twiceshy.core.text import normalise_text, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.project.audit.review import MARKS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note
    from twiceshy.project.audit.review import Mark, ReviewedNote

LONG_NOTE = 400  # characters, behind which a brief cuts a note off
MAX_CANDIDATES = 20  # candidates of one reflection; more is no reflection any more
UNANSWERED = "?"
ANSWER_HELP = 'keep, shorten:"new words", covered:RULE or remove'
_KEEP, _SHORTEN = "keep", "shorten"
_MAX_CONDENSED_SHARE = 0.9
_LINE_PARTS = 4


class Keep(Value):
    """Answer: keep the note unchanged."""


class Shorten(Value):
    """Answer: keep the note with a shorter text."""

    text: str


class CoveredByRule(Value):
    """Answer: a rule covers the note."""

    rule: str


class Remove(Value):
    """Answer: remove the note."""


if TYPE_CHECKING:
    Answer = Keep | Shorten | CoveredByRule | Remove


class ReviewCandidate(Value):
    """Note under review, with the evidence for each answer."""

    reviewed: ReviewedNote
    shorter: str = ""  # the same in fewer words, if that can be told without understanding it

    @property
    def note(self) -> Note:
        """Note under review."""
        return self.reviewed.note

    @property
    def rule(self) -> str:
        """Id of the rule that covers the note; empty if none."""
        return self.reviewed.rule

    @property
    def is_useful(self) -> bool:
        """True if no evidence speaks against the note."""
        return self.reviewed.is_valid

    @property
    def must_go(self) -> bool:
        """True if removal is the only option; never for pinned notes."""
        return not self.is_useful and not self.note.pinned

    @property
    def proposal(self) -> Answer:
        """Answer supported by the evidence."""
        if self.must_go:
            return Remove()
        if self.rule and not self.note.pinned:
            return CoveredByRule(self.rule)
        return Shorten(self.shorter) if self.shorter else Keep()

    @property
    def needs_question(self) -> bool:
        """True if the note needs a question."""
        plain = self.reviewed.mark == "active" and self.reviewed.pitfall_status in ("", "relevant")
        long = self.note.kind != "page" and len(self.note.text) > LONG_NOTE
        return not plain or long or bool(self.rule or self.shorter)


class ReviewDecision(Value):
    """Record line: note, revision, mark and answer."""

    note: str
    revision: int
    mark: Mark
    answer: str = UNANSWERED

    @property
    def is_lasting(self) -> bool:
        """True if the note stays after the answer, so a later question is possible."""
        return self.answer in (_KEEP, _SHORTEN)

    def to_line(self) -> str:
        """Return the record line as kept in a report."""
        return f"{self.note} {self.revision} {self.mark} {self.answer}"


def parse_answer(text: str) -> Answer:
    """Parse a typed answer; NoteError explains the syntax."""
    word, colon, rest = text.strip().partition(":")
    rest = rest.strip()
    match word.strip().lower(), bool(colon and rest):
        case "keep", False:
            return Keep()
        case "remove", False:
            return Remove()
        case "shorten", True:
            return Shorten(_strip_quotes(rest))
        case "covered", True:
            return CoveredByRule(rest)
        case _:
            raise NoteError(f"{text!r} is no answer", hint=f"one of: {ANSWER_HELP}")


def candidate_facts(asked: ReviewCandidate) -> dict[str, object]:
    """Return what the four questions propose for a note, and the evidence, as plain facts."""
    return {
        "mark": asked.reviewed.mark,
        "evidence": list(asked.reviewed.evidence),
        "standing": asked.reviewed.pitfall_status or None,
        "questions": {
            "serves": asked.is_useful,
            "shorter": asked.shorter or None,
            "covered": asked.rule or None,
            "must_go": asked.must_go,
        },
        "proposal": answer_word(asked.proposal),
    }


def answer_word(answer: Answer) -> str:
    """Return an answer as recorded; new words are kept in the note itself."""
    match answer:
        case Keep():
            return _KEEP
        case Shorten():
            return _SHORTEN
        case CoveredByRule(rule):
            return f"covered:{rule}"
        case Remove():
            return "remove"


def build_question(reviewed: ReviewedNote) -> ReviewDecision:
    """Build the record line of a note waiting for an answer."""
    return ReviewDecision(reviewed.note.id, reviewed.note.revision, reviewed.mark)


def parse_decisions(lines: Iterable[str]) -> list[ReviewDecision]:
    """Parse record lines; skip unknown lines."""
    found = []
    for line in lines:
        parts = line.split(" ")
        mark = next((mark for mark in MARKS if mark in parts[2:3]), None)
        if mark and len(parts) == _LINE_PARTS and parts[1].isdecimal():
            found.append(ReviewDecision(parts[0], int(parts[1]), mark, parts[3]))
    return found


def select_questions(
    candidates: Iterable[ReviewCandidate], before: Sequence[ReviewDecision]
) -> tuple[list[ReviewCandidate], list[ReviewDecision]]:
    """Return the candidates to ask about, and the earlier answers still valid."""
    # what was to go and is shown again was undone or restored: that answer holds no longer
    known = {(each.note, each.revision, each.mark): each for each in before if each.is_lasting}
    asked: list[ReviewCandidate] = []
    held: list[ReviewDecision] = []
    for candidate in candidates:
        line = build_question(candidate.reviewed)
        answered = known.get((line.note, line.revision, line.mark))
        if answered:
            held.append(answered)
        elif len(asked) < MAX_CANDIDATES:
            asked.append(candidate)
    return asked, held


def condense_text(text: str) -> str:
    """Return a text without repeated sentences; empty if that saves under 10 %."""
    kept: list[str] = []
    known: set[str] = set()
    for line in strip_unsafe(text).splitlines():
        sentences = [part for part in line.split(". ") if _is_new(part, known)]
        if sentences or not line.strip():
            kept.append(". ".join(sentences).rstrip())
    # of several blank lines, one stays
    lines = (line for before, line in pairwise(("-", *kept)) if line or before)
    short = "\n".join(lines).strip()
    return short if short and len(short) <= _MAX_CONDENSED_SHARE * len(text) else ""


def _is_new(part: str, known: set[str]) -> bool:
    key = normalise_text(part)
    if key in known:
        return False
    known.add(key)
    return True


def _strip_quotes(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1].strip() if quoted else text
