"""What a note advises, as calls: the form that failed, the one that worked, and which calls are either."""

from __future__ import annotations

from twiceshy.core.trigger import FILES, family, parsed
from twiceshy.core.value import Value
from twiceshy.shell.command_line import WRAPPERS
from twiceshy.shell.grams import parts_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Trigger
    from twiceshy.shell.grams import Part

# Two words say which work it is (`go test`); one alone (`cat`) is in every other call.
_FEWEST_WORDS, _MOST_WORDS = 2, 3


class Advice(Value):
    """Which calls a note is about.

    ``work`` are the words that the failing form and the working one have in common; ``remedies`` are
    the programs of the working form, each with the grams that the failing one does not have.
    """

    trigger: Trigger
    work: frozenset[str] = frozenset()
    remedies: tuple[tuple[str, frozenset[str]], ...] = ()

    def violated(self, tool: str, parts: Sequence[Part]) -> bool:
        """Tell whether a call does what the note warns of."""
        return self.trigger.matches(tool, parts)

    def heeded(self, tool: str, parts: Sequence[Part]) -> bool:
        """Tell whether a call does what the note says, or leaves away what it says to leave away."""
        if tool != self.trigger.tool or self.violated(tool, parts):
            return False
        if self.remedies:
            return any(self._remedied(part) for part in parts)
        return self._works(parts)

    def concerned(self, tool: str, parts: Sequence[Part]) -> bool:
        """Tell whether a call does the work that the note is about, in whichever way."""
        if self.violated(tool, parts) or self.heeded(tool, parts):
            return True
        return tool == self.trigger.tool and self._works(parts)

    def _remedied(self, part: Part) -> bool:
        # with what was missing there, or the trigger would match
        mended = bool(self.trigger.absent) and set(self.trigger.grams).issubset(part)
        # one gram of many is enough: what a remedy was applied to is another thing each time
        return mended or any(
            program in part and not (grams and grams.isdisjoint(part))
            for program, grams in self.remedies
        )

    def _works(self, parts: Sequence[Part]) -> bool:
        return bool(self.work) and any(self.work.issubset(part) for part in parts)


def advice_of(note: Note) -> Advice | None:
    """Return what a note advises; None if it does not say which calls it is about."""
    trigger = parsed(note.trigger)
    if trigger is None:
        return None
    bad, good = forms(note)
    if not good:
        return Advice(trigger)
    wrong, right = _grams(bad, trigger), _grams(good, trigger)
    avoided = {gram for part in wrong for gram in part}
    programs = {_started(part) for part in wrong}
    remedies = tuple(
        (part[0], frozenset(part[1:]) - avoided)
        for part in right
        if _started(part) not in programs or not avoided.issuperset(part)
    )
    kept = avoided.intersection(gram for part in right for gram in part)
    return Advice(trigger, _work(bad, kept), remedies)


def _started(part: Part) -> tuple[str, frozenset[str]]:
    """Return a program and the wrappers that start it: without one it is another way to call it."""
    return part[0], frozenset(WRAPPERS.intersection(part))


def forms(note: Note) -> tuple[str, str]:
    """Return the form that a note warns of and the one it recommends, out of what it has in backticks.

    The trigger knows which is which, in any language and whichever comes first; where it knows
    neither, a form was cut short, and the first of the two is the one that failed.
    """
    spans = [span for span in note.text.split("`")[1::2] if span.strip()]
    trigger = parsed(note.trigger)
    if trigger is None or not spans:
        return "", ""
    wrong = [span for span in spans if trigger.matches(trigger.tool, _grams(span, trigger))]
    bad = (wrong or spans)[0]
    later = spans[spans.index(bad) + 1 :] + spans[: spans.index(bad)]
    return bad, next((span for span in later if span not in wrong and span != bad), "")


def _grams(form: str, trigger: Trigger) -> list[Part]:
    """Return the grams of a call as it is written in a note: a command, or a tool and what it is given."""
    form = form.removesuffix("…")
    tool, _, rest = form.partition(" ")
    if family(tool) != trigger.tool:
        return parts_of({"command": form})
    if trigger.tool == FILES:
        return parts_of({"file_path": rest})
    pairs = (word.partition("=") for word in rest.split())
    return parts_of({name: value for name, _, value in pairs})


def _work(bad: str, kept: set[str]) -> frozenset[str]:
    """Return the words with which both forms begin, up to the first flag or path."""
    words: list[str] = []
    for word in bad.split():
        if not word.replace("-", "a").replace("_", "a").isalnum() or word[0] == "-":
            break
        if word in kept and len(words) < _MOST_WORDS:
            words.append(word)
    return frozenset(words) if len(words) >= _FEWEST_WORDS else frozenset()
