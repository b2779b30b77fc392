"""Reference policies for comparison: everything, strongest, or by words.

They share the simplest memory: a line per mistake with failure and fix.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from twiceshy.core.text import estimate_tokens, fold_to_line
from twiceshy.core.value import Value
from twiceshy.replay.words import recognisable_words, shared_word_ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.replay.failures import Failure, Recurrence
    from twiceshy.replay.words import Words

_LONGEST_PROMPT = 1_500
_SATURATION, _LENGTH = 1.2, 0.75  # as BM25 is usually set
_FADES = 0.97  # a session
_LONGEST = 500


class MistakeLine(Value):
    """A mistake as a line; ``hits`` counts sessions, ``last`` is the newest session's number."""

    key: str
    text: str
    words: Words
    tokens: int
    tool: str
    fixed: bool
    hits: int
    last: int


def build_line(failure: Failure, *, hits: int = 1, last: int = 0) -> MistakeLine:
    """Describe a failure, with its fix if seen."""
    text = f'- [{failure.tool}] `{failure.called}` failed: "{failure.line}".'
    if failure.fixed:
        text += f" `{failure.fixed}` worked."
    text = fold_to_line(text, limit=_LONGEST)
    return MistakeLine(
        key=failure.signature,
        text=text,
        words=recognisable_words(text),
        tokens=estimate_tokens(text),
        tool=failure.tool,
        fixed=bool(failure.fixed),
        hits=hits,
        last=last,
    )


class MistakeList:
    """Lines of a project, found by age, use or words."""

    def __init__(self) -> None:
        self._lines: dict[str, MistakeLine] = {}
        self._holding: dict[str, set[str]] = {}
        self._length = 0

    def learn_failures(self, failures: Iterable[Failure], number: int) -> None:
        """Learn the failures of a session; a line with a fix is never replaced."""
        for failure in failures:
            old = self._lines.get(failure.signature)
            hits = old.hits + (old.last != number) if old else 1
            if old and (old.fixed or not failure.fixed):
                self._lines[old.key] = old.but(hits=hits, last=number)
            else:
                self._put_line(build_line(failure, hits=hits, last=number), old)

    def newest_lines(self, most: int) -> list[MistakeLine]:
        """Return lines learned or seen last."""
        return sorted(self._lines.values(), key=lambda line: (-line.last, line.key))[:most]

    def strongest_lines(self, most: int, number: int) -> list[MistakeLine]:
        """Return lines seen often and recently."""

        def strength(line: MistakeLine) -> tuple[float, str]:
            return -line.hits * _FADES ** (number - line.last), line.key

        return sorted(self._lines.values(), key=strength)[:most]

    def exact_lines(self, signature: str) -> list[MistakeLine]:
        """Return the line with this signature, if any."""
        return [self._lines[signature]] if signature in self._lines else []

    def matching_lines(
        self, query: Words, most: int, *, tool: str = "", but: Iterable[str] = ()
    ) -> list[MistakeLine]:
        """Return the best lines by BM25; ``but`` are excluded keys."""
        total, scores = len(self._lines), dict[str, float]()
        usual = self._length / max(1, total)
        for word in sorted(query):
            holding = self._holding.get(word, ())
            rare = log(1 + (total - len(holding) + 0.5) / (len(holding) + 0.5))
            for key in holding:
                length = len(self._lines[key].words) / usual
                part = (_SATURATION + 1) / (1 + _SATURATION * (1 - _LENGTH + _LENGTH * length))
                scores[key] = scores.get(key, 0.0) + rare * part
        left_out = set(but)
        fit = [
            key
            for key in scores
            if key not in left_out and self._lines[key].tool in (tool or self._lines[key].tool,)
        ]
        return [
            self._lines[key] for key in sorted(fit, key=lambda key: (-scores[key], key))[:most]
        ]

    def _put_line(self, line: MistakeLine, old: MistakeLine | None) -> None:
        for word in old.words if old else ():
            self._holding[word].discard(line.key)
        for word in line.words:
            self._holding.setdefault(word, set()).add(line.key)
        self._length += len(line.words) - (len(old.words) if old else 0)
        self._lines[line.key] = line


class PendingCall(Value):
    """A call about to be made."""

    tool: str
    words: Words


class Policy:
    """A policy that shows nothing; subclasses override moments. An instance serves a session."""

    name = "none"

    def __init__(
        self, mistakes: MistakeList, number: int, coming: Sequence[Recurrence] = ()
    ) -> None:
        self.mistakes = mistakes
        self.number = number
        self.coming = coming  # what only an oracle looks at
        self.seen: set[str] = set()

    def at_start(self) -> Sequence[MistakeLine]:
        """Return lines shown at session start."""
        return ()

    def at_prompt(self, prompt: str) -> Sequence[MistakeLine]:  # noqa: ARG002 - for those who look at it
        """Return lines shown with a prompt."""
        return ()

    def before_call(self, call: PendingCall) -> Sequence[MistakeLine]:  # noqa: ARG002 - the same
        """Return lines shown at a pending call."""
        return ()

    def at_failure(self, failure: Failure) -> Sequence[MistakeLine]:  # noqa: ARG002 - the same
        """Return lines shown beside a failure."""
        return ()


class InjectAll(Policy):
    """Everything at the start: the newest hundred lines."""

    name = "inject-all, newest 100"
    most = 100

    def at_start(self) -> Sequence[MistakeLine]:
        """Show the newest lines."""
        return self.mistakes.newest_lines(self.most)


class Strongest(Policy):
    """Lines seen often and recently, at the start."""

    name = "recency × hits, top 20"
    most = 20

    def at_start(self) -> Sequence[MistakeLine]:
        """Show the strongest lines."""
        return self.mistakes.strongest_lines(self.most, self.number)


class ByPrompt(Policy):
    """Lines found by the words of the first prompt."""

    name = "BM25 on prompt, top 8"
    most = 8

    def __init__(
        self, mistakes: MistakeList, number: int, coming: Sequence[Recurrence] = ()
    ) -> None:
        super().__init__(mistakes, number, coming)
        self._asked = False

    def at_prompt(self, prompt: str) -> Sequence[MistakeLine]:
        """Show lines found by the first prompt."""
        if self._asked:
            return ()
        self._asked = True
        return self.mistakes.matching_lines(
            recognisable_words(prompt[:_LONGEST_PROMPT]), self.most
        )


class ByCall(Policy):
    """Lines found by the words of a pending call."""

    name = "BM25 on call, top 3"
    most = 3

    def before_call(self, call: PendingCall) -> Sequence[MistakeLine]:
        """Show new lines found by the call."""
        return self.mistakes.matching_lines(call.words, self.most, tool=call.tool, but=self.seen)


class RepairExact(Policy):
    """The line with the very signature of a failure, beside the failure."""

    name = "exact repair at failure"

    def at_failure(self, failure: Failure) -> Sequence[MistakeLine]:
        """Show what is known about this failure."""
        return self.mistakes.exact_lines(failure.signature)


class StartWithin(RepairExact):
    """The strongest lines within a budget of tokens at the start, and exact repair."""

    name = "200 tokens at start, repair"
    room = 200

    def at_start(self) -> Sequence[MistakeLine]:
        """Show the strongest lines that fit."""
        lines, left = [], self.room
        for line in self.mistakes.strongest_lines(self.room, self.number):
            if line.tokens <= left:
                lines.append(line)
                left -= line.tokens
        return lines


class Oracle(Policy):
    """Knows the failures to come, and shows exactly their lessons at the start."""

    name = "oracle"

    def at_start(self) -> Sequence[MistakeLine]:
        """Show an earlier case of every coming failure, preferably with a fix."""
        return [self._lesson_of(again) for again in self.coming if again.failure.is_preventable]

    def _lesson_of(self, again: Recurrence) -> MistakeLine:
        wrong = again.failure.wrong
        best = max(
            again.earlier,
            key=lambda each: (bool(each.right), shared_word_ratio(each.wrong, wrong)),
        )
        return build_line(best)


BASELINES: tuple[type[Policy], ...] = (
    Policy,
    InjectAll,
    Strongest,
    ByPrompt,
    ByCall,
    RepairExact,
    StartWithin,
    Oracle,
)
