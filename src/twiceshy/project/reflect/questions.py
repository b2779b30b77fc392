"""Four questions about a note: useful, too long, covered by a rule, to remove.

Each answer is kept in a record line, so the same question is asked again only after the note, or
the evidence about the note, has changed.
"""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.text import clean, normalise
from twiceshy.core.value import Value
from twiceshy.project.reflect.review import MARKS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note
    from twiceshy.project.reflect.review import Mark, Marked

LONG = 400  # characters, behind which a brief cuts a note off
MOST = 20  # candidates of one reflection; more is no reflection any more
OPEN = "?"
HOW = 'keep, shorten:"new words", covered:RULE or remove'
_KEEP, _SHORTEN = "keep", "shorten"
_SAVING = 0.9
_PARTS = 4


class Keep(Value):
    """Answer: keep the note unchanged."""


class Shorten(Value):
    """Answer: keep the note with a shorter text."""

    text: str


class Covered(Value):
    """Answer: a rule covers the note."""

    rule: str


class Remove(Value):
    """Answer: remove the note."""


if TYPE_CHECKING:
    Answer = Keep | Shorten | Covered | Remove


class Candidate(Value):
    """Note under review, with the evidence for each answer."""

    seen: Marked
    shorter: str = ""  # the same in fewer words, if that can be told without understanding it
    rule: str = ""  # the id of the rule that covers it

    @property
    def note(self) -> Note:
        """Note under review."""
        return self.seen.note

    @property
    def serves(self) -> bool:
        """True if no evidence speaks against the note."""
        return self.seen.holds

    @property
    def must_go(self) -> bool:
        """True if removal is the only option; never for pinned notes."""
        return not self.serves and not self.note.pinned

    @property
    def proposal(self) -> Answer:
        """Answer supported by the evidence."""
        if self.must_go:
            return Remove()
        if self.rule and not self.note.pinned:
            return Covered(self.rule)
        return Shorten(self.shorter) if self.shorter else Keep()

    @property
    def doubtful(self) -> bool:
        """True if the note needs a question."""
        plain = self.seen.mark == "active" and self.seen.standing in ("", "relevant")
        return not plain or bool(self.rule or self.shorter) or _long(self.note)


class Decided(Value):
    """Record line: note, revision, mark and answer."""

    note: str
    revision: int
    mark: Mark
    answer: str = OPEN

    @property
    def lasting(self) -> bool:
        """True if the note stays after the answer, so a later question is possible."""
        return self.answer in (_KEEP, _SHORTEN)

    def line(self) -> str:
        """Return the record line as kept in a report."""
        return f"{self.note} {self.revision} {self.mark} {self.answer}"


def answer_of(text: str) -> Answer:
    """Parse a typed answer; NoteError explains the syntax."""
    word, colon, rest = text.strip().partition(":")
    rest = rest.strip()
    match word.strip().lower(), bool(colon and rest):
        case "keep", False:
            return Keep()
        case "remove", False:
            return Remove()
        case "shorten", True:
            return Shorten(_unquoted(rest))
        case "covered", True:
            return Covered(rest)
        case _:
            raise NoteError(f"{text!r} is no answer", hint=f"one of: {HOW}")


def candidate_facts(asked: Candidate) -> dict[str, object]:
    """Return what the four questions propose for a note, and the evidence, as plain facts."""
    return {
        "mark": asked.seen.mark,
        "evidence": list(asked.seen.evidence),
        "standing": asked.seen.standing or None,
        "questions": {
            "serves": asked.serves,
            "shorter": asked.shorter or None,
            "covered": asked.rule or None,
            "must_go": asked.must_go,
        },
        "proposal": written(asked.proposal),
    }


def written(answer: Answer) -> str:
    """Return an answer as recorded; new words are kept in the note itself."""
    match answer:
        case Keep():
            return _KEEP
        case Shorten():
            return _SHORTEN
        case Covered(rule):
            return f"covered:{rule}"
        case Remove():
            return "remove"


def asked_about(candidate: Candidate) -> Decided:
    """Build the record line of a candidate waiting for an answer."""
    note = candidate.note
    return Decided(note.id, note.revision, candidate.seen.mark)


def decided_of(lines: Iterable[str]) -> list[Decided]:
    """Parse record lines; skip unknown lines."""
    found = []
    for line in lines:
        parts = line.split(" ")
        known = len(parts) == _PARTS and parts[1].isdecimal() and parts[2] in MARKS
        if known:
            mark = next(mark for mark in MARKS if mark == parts[2])
            found.append(Decided(parts[0], int(parts[1]), mark, parts[3]))
    return found


def unanswered(
    candidates: Iterable[Candidate], before: Sequence[Decided]
) -> tuple[list[Candidate], list[Decided]]:
    """Return the candidates to ask about, and the earlier answers still valid."""
    # what was to go and is shown again was undone or restored: that answer holds no longer
    known = {(each.note, each.revision, each.mark): each for each in before if each.lasting}
    asked: list[Candidate] = []
    held: list[Decided] = []
    for candidate in candidates:
        line = asked_about(candidate)
        answered = known.get((line.note, line.revision, line.mark))
        if answered:
            held.append(answered)
        elif len(asked) < MOST:
            asked.append(candidate)
    return asked, held


def condensed(text: str) -> str:
    """Return a text without repeated sentences; empty if that saves under 10 %."""
    kept: list[str] = []
    known: set[str] = set()
    for line in clean(text).splitlines():
        sentences = [part for part in line.split(". ") if _new(part, known)]
        if sentences or not line.strip():
            kept.append(". ".join(sentences).rstrip())
    short = "\n".join(_without_gaps(kept)).strip()
    return short if short and len(short) <= _SAVING * len(text) else ""


def _new(part: str, known: set[str]) -> bool:
    key = normalise(part)
    if key in known:
        return False
    known.add(key)
    return True


def _without_gaps(lines: Iterable[str]) -> Iterable[str]:
    blank = False
    for line in lines:
        if line or not blank:
            yield line
        blank = not line


def _long(note: Note) -> bool:
    return note.kind != "page" and len(note.text) > LONG


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1].strip() if quoted else text
