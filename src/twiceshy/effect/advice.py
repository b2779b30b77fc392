"""Parse the advice of a note: the failing form, the working form, the related calls."""

from __future__ import annotations

from twiceshy.core.trigger import FILES, Trigger, parse_trigger, read_evidence, tool_family
from twiceshy.core.value import Value
from twiceshy.shell.call_words import call_words
from twiceshy.shell.command_line import list_wrapper_names

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.shell.call_words import Part

# Two words say which work it is (`go test`); one alone (`cat`) is in every other call.
_FEWEST_WORDS, _MOST_WORDS = 2, 3


class NoteAdvice(Value):
    """The calls a note is about.

    ``work`` are the words shared by the failing and the working form; ``remedies`` are the
    programs of the working form, each with the words absent from the failing form.
    """

    trigger: Trigger
    work: frozenset[str] = frozenset()
    remedies: tuple[tuple[str, frozenset[str]], ...] = ()

    def is_violated_by(self, tool: str, parts: Sequence[Part]) -> bool:
        """True if a call repeats the failing form."""
        return self.trigger.matches(tool, parts)

    def is_heeded_by(self, tool: str, parts: Sequence[Part]) -> bool:
        """True if a call follows the note: uses the working form, or omits the failing part."""
        if tool != self.trigger.tool or self.is_violated_by(tool, parts):
            return False
        if self.remedies:
            return any(self._has_remedy(part) for part in parts)
        return self._does_work(parts)

    def concerns_call(self, tool: str, parts: Sequence[Part]) -> bool:
        """True if a call does the same work, in any form."""
        if self.is_violated_by(tool, parts) or self.is_heeded_by(tool, parts):
            return True
        return tool == self.trigger.tool and self._does_work(parts)

    def _has_remedy(self, part: Part) -> bool:
        # with what was missing there, or the trigger would match
        mended = bool(self.trigger.absent) and set(self.trigger.words).issubset(part)
        # one gram of many is enough: what a remedy was applied to is another thing each time
        return mended or any(
            program in part and not (terms and terms.isdisjoint(part))
            for program, terms in self.remedies
        )

    def _does_work(self, parts: Sequence[Part]) -> bool:
        return bool(self.work) and any(self.work.issubset(part) for part in parts)


def parse_advice(note: Note) -> NoteAdvice | None:
    """Return the advice of a note; None without a trigger."""
    trigger = parse_trigger(note.trigger)
    if trigger is None:
        return None
    bad, good = find_forms(note)
    if not good:
        return NoteAdvice(trigger)
    wrong, right = _words_of_call(bad, trigger), _words_of_call(good, trigger)
    avoided = {term for part in wrong for term in part}
    wrappers = list_wrapper_names(bad) | list_wrapper_names(good)
    programs = {_program_with_wrappers(part, wrappers) for part in wrong}
    remedies = tuple(
        (part[0], frozenset(part[1:]) - avoided)
        for part in right
        if _program_with_wrappers(part, wrappers) not in programs or not avoided.issuperset(part)
    )
    kept = avoided.intersection(term for part in right for term in part)
    return NoteAdvice(trigger, _shared_words(bad, kept), remedies)


def _program_with_wrappers(part: Part, wrappers: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Return a program with its wrappers: without them the call differs."""
    return part[0], wrappers.intersection(part)


def find_forms(note: Note) -> tuple[str, str]:
    """Return the failing and the working form, from the code quoted in a note.

    The trigger tells them apart in any language and order; if the trigger matches neither, a
    form was cut short, and the first form is the failing form.
    """
    spans = [span for span in read_evidence(note).split("`")[1::2] if span.strip()]
    trigger = parse_trigger(note.trigger)
    if trigger is None or not spans:
        return "", ""
    wrong = [
        span for span in spans if trigger.matches(trigger.tool, _words_of_call(span, trigger))
    ]
    bad = (wrong or spans)[0]
    later = spans[spans.index(bad) + 1 :] + spans[: spans.index(bad)]
    return bad, next((span for span in later if span not in wrong and span != bad), "")


def _words_of_call(form: str, trigger: Trigger) -> list[Part]:
    """Return the words of a call as written in a note: a command, or a tool with its argument."""
    form = form.removesuffix("…")
    tool, _, rest = form.partition(" ")
    if tool_family(tool) != trigger.tool:
        return call_words({"command": form})
    if trigger.tool == FILES:
        return call_words({"file_path": rest})
    pairs = (word.partition("=") for word in rest.split())
    return call_words({name: value for name, _, value in pairs})


def _shared_words(bad: str, kept: set[str]) -> frozenset[str]:
    """Return the leading words shared by both forms, up to the first flag or path."""
    words: list[str] = []
    for word in bad.split():
        if not word.replace("-", "a").replace("_", "a").isalnum() or word[0] == "-":
            break
        if word in kept and len(words) < _MOST_WORDS:
            words.append(word)
    return frozenset(words) if len(words) >= _FEWEST_WORDS else frozenset()
