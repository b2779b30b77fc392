"""Triggers: match a note to a tool call by the words of the call.

A trigger is a line of a note: the tool, the category of the mistake, then the command words;
words that must be absent have a mark. A trigger written by hand has no category.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from twiceshy.core.note import Note

FORM = "="  # instead of a directory: calls in the very form that a note is about are counted there
REMEDY = "+"  # the same for calls with the working word in place of the failing one
MOVED = ">"  # the same for calls in the folder that a note asks for
FEWEST_FAILURES = 3  # below this no lesson stops or rewrites a call
STATED = "stated"  # by a person: nobody has to prove it
FILES = "files"
LARGE = "large"  # a file that no tool reads at once
# Tools that look for a file: what is not there for one is not there for the others.
_FILE_TOOLS = frozenset("Read Grep LS Edit MultiEdit NotebookRead NotebookEdit View".split())
_BETWEEN = " "
_ABSENT = "!"
# sort → how many calls we pretend to have seen fail and succeed before the first one
_BEFORE = {
    STATED: (9, 1),
    "usage": (3, 1),
    "missing": (2, 1),
    "folder": (2, 1),
    LARGE: (2, 1),
    "rejected": (2, 1),
    "outcome": (1, 3),
}
_ENOUGH = 3  # calls in one place that tell more than all calls elsewhere
_FEWEST_FAILING = 0.3  # share of failing calls below which a call is no mistake any more
_FAILED = "` failed: "
_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
_LONGEST_ECHO = 300  # characters of an output that repeat what a note quotes
_ECHO_WORDS = 2  # one word, such as FAIL, is in every other error
_LEFT_OUT = ("(address)", "(withheld:")  # what a quote has instead of what may do harm


class Trigger(Value):
    """A tool family, the words required in one part of a call, and the words forbidden."""

    tool: str
    words: tuple[str, ...]
    absent: tuple[str, ...] = ()
    category: str = STATED

    def to_line(self) -> str:
        """Return the trigger as a line, in a canonical order."""
        tool = self.tool if self.category == STATED else f"{self.tool}/{self.category}"
        without = (_ABSENT + term for term in sorted(self.absent))
        return _BETWEEN.join((tool, *sorted(self.words), *without))

    def matches(self, tool: str, parts: Iterable[Collection[str]]) -> bool:
        """True if a call of this tool family has the required words and no forbidden word.

        A path that is not there is missing for every tool; a file that is too large to be read at
        once is no mistake of a command.
        """
        if self.tool not in (tool, FILES) or (self.category == LARGE and tool != FILES):
            return False
        parts = list(parts)
        if any(term in part for part in parts for term in self.absent):
            return False
        return any(all(term in part for term in self.words) for part in parts)

    @property
    def lookup_word(self) -> str:
        """Return the word used to look up the trigger: flags first, then the longest."""
        return max(self.words, key=lambda term: (term[:1] == "-", len(term), term))


def parse_trigger(text: str) -> Trigger | None:
    """Parse a trigger line; None if invalid."""
    named, *terms = text.split(_BETWEEN)
    tool, _, sort = named.partition("/")
    present = tuple([term for term in terms if term and term[0] != _ABSENT])
    absent = tuple([term[1:] for term in terms if term[:1] == _ABSENT and len(term) > 1])
    return Trigger(tool, present, absent, sort or STATED) if tool and present else None


def tool_family(tool: str) -> str:
    """Return the family name of a tool: tools with shared mistakes have one family."""
    return FILES if tool in _FILE_TOOLS else tool


class TriggerMatch(Value):
    """A note with a trigger that may match a call, and the record of its trigger.

    ``failed_calls`` and ``succeeded_calls`` count matched calls in the project, and in the
    current folder (``_here``); ``recent`` has a bit for each recent session, the newest lowest;
    ``unseen`` counts mistakes in calls without a hook event. ``shortest_ms`` is the shortest failed
    run, ``succeeded_since`` the successes since the last failure in some folder, and
    ``remedy_calls`` the successes of the remedy of a one-word slip. ``uses`` has a bit for each
    recent session that used the program.
    """

    note: Note
    trigger: Trigger
    failed_calls: int = 0
    succeeded_calls: int = 0
    failed_calls_here: int = 0
    succeeded_calls_here: int = 0
    age: int = 0
    recent: int = 0
    unseen: int = 0
    lost_calls: int = 0
    lost_ms: int = 0
    shortest_ms: int = 0
    succeeded_since: int = 0
    remedy_calls: int = 0
    uses: int = 0
    program: str = ""

    @property
    def failure_odds(self) -> float:
        """Return the probability that a matched call fails."""
        before = _BEFORE.get(self.trigger.category)
        if before is None:
            return 0.0
        right, wrong = self.failed_calls, self.succeeded_calls
        if self.failed_calls_here + self.succeeded_calls_here >= _ENOUGH:
            right, wrong = self.failed_calls_here, self.succeeded_calls_here
        return (before[0] + right) / (sum(before) + right + wrong)

    @property
    def has_remedy(self) -> bool:
        """True if the note names a remedy, not only a failure."""
        return self.note.subtype == "fix" or self.trigger.category == STATED


def failing_share(match: TriggerMatch) -> float:
    """Return the share of matching calls that fail; where the note holds for a report, all."""
    failed = max(match.failed_calls, match.note.sightings)
    return (failed + 1) / (failed + match.succeeded_calls + 1.5)


def may_still_fail(match: TriggerMatch) -> bool:
    """True unless calls with the words of a note mostly work by now.

    Work that mostly succeeds may still fail for the reason that a note quotes.
    """
    return match.trigger.category == "outcome" or failing_share(match) >= _FEWEST_FAILING


def error_matches_quote(note: Note, error: str) -> bool:
    """True if an error contains the error quoted by a note, names and numbers aside."""
    quoted = map(_stable_pieces, list_quoted_errors(read_evidence(note)))
    return any(
        len(" ".join(pieces).split()) >= _ECHO_WORDS and _stand_together(pieces, error)
        for pieces in quoted
    )


def _stand_together(pieces: list[str], text: str) -> bool:
    """True if a text has all pieces near each other: a long output says many things."""
    at = text.find(pieces[0])
    while at >= 0:
        near = text[at : at + _LONGEST_ECHO]
        if all(piece in near for piece in pieces):
            return True
        at = text.find(pieces[0], at + 1)
    return False


def stable_quote(note: Note) -> str:
    """Return the longest part of a quoted error without names or numbers."""
    pieces = [
        piece
        for quoted in list_quoted_errors(read_evidence(note))[:1]
        for piece in _stable_pieces(quoted)
    ]
    return max(pieces, key=len, default="")


def longest_word(text: str) -> str:
    """Return the longest run of letters of a text; empty without one."""
    return max(split_letters(text), key=lambda word: (len(word), word), default="")


def split_letters(text: str) -> list[str]:
    """Return the runs of ASCII letters of a text."""
    if not text.isascii():
        text = text.encode("ascii", "replace").decode()
    return text.translate(_NO_LETTERS).split()


def read_evidence(note: Note) -> str:
    """Return what happened, with both calls: beside the line, or in older notes instead of it."""
    return note.why if _FAILED in note.why else note.text


def list_quoted_errors(text: str) -> list[str]:
    """Return the errors quoted by a learned note: one, or two with equal meaning."""
    said = text.partition(_FAILED)[2].partition(". `")[0]
    return said.split('"')[1::2]


def _stable_pieces(line: str) -> list[str]:
    """Return the parts of a line that do not depend on names."""
    pieces, words = [], []
    for word in [*line.split()[:8], ""]:
        if _is_stable(word):
            words.append(word)
        elif words:
            pieces.append(" ".join(words))
            words = []
    return [piece for piece in pieces if len(piece) > 3][:3]


def _is_stable(word: str) -> bool:
    plain = word.isascii() and word.strip("'\".,:;()").isalpha()
    return plain and word[0] not in "'\"" and not word.startswith(_LEFT_OUT)
