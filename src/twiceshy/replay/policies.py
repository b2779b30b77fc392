"""Reference policies for comparison: everything, strongest, or by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.replay.mistake_list import build_line
from twiceshy.replay.words import recognisable_words, shared_word_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.replay.failures import Recurrence
    from twiceshy.replay.mistake_list import MistakeLine, MistakeList
    from twiceshy.replay.words import Words

_LONGEST_PROMPT = 1_500


class Policy:
    """A policy that shows nothing; subclasses override moments. An instance serves a session."""

    name = "none"
    clairvoyant = False  # sees calls that no hook is told of

    def __init__(self, shelf: MistakeList, number: int) -> None:
        self.shelf = shelf
        self.number = number
        self.seen: set[str] = set()

    def at_start(self) -> Sequence[MistakeLine]:
        """Return lines shown at session start."""
        return ()

    def at_prompt(self, prompt: str) -> Sequence[MistakeLine]:  # noqa: ARG002 - for those who look at it
        """Return lines shown with a prompt."""
        return ()

    def before_call(
        self,
        tool: str,  # noqa: ARG002 - for those who look at it
        words: Words,  # noqa: ARG002 - the same
        recurrence: Recurrence | None,  # noqa: ARG002 - only an oracle knows
    ) -> Sequence[MistakeLine]:
        """Return lines shown before a call."""
        return ()


class InjectAll(Policy):
    """Everything at the start: the newest hundred lines."""

    name = "inject-all, newest 100"
    most = 100

    def at_start(self) -> Sequence[MistakeLine]:
        """Show the newest lines."""
        return self.shelf.newest_lines(self.most)


class Strongest(Policy):
    """Lines seen often and recently, at the start."""

    name = "recency × hits, top 20"
    most = 20

    def at_start(self) -> Sequence[MistakeLine]:
        """Show the strongest lines."""
        return self.shelf.strongest_lines(self.most, self.number)


class ByPrompt(Policy):
    """Lines found by the words of the first prompt."""

    name = "BM25 on prompt, top 8"
    most = 8

    def __init__(self, shelf: MistakeList, number: int) -> None:
        super().__init__(shelf, number)
        self._asked = False

    def at_prompt(self, prompt: str) -> Sequence[MistakeLine]:
        """Show lines found by the first prompt."""
        if self._asked:
            return ()
        self._asked = True
        return self.shelf.matching_lines(recognisable_words(prompt[:_LONGEST_PROMPT]), self.most)


class ByCall(Policy):
    """Lines found by the words of a pending call."""

    name = "BM25 on call, top 3"
    most = 3

    def before_call(
        self,
        tool: str,
        words: Words,
        recurrence: Recurrence | None,  # noqa: ARG002 - nobody knows
    ) -> Sequence[MistakeLine]:
        """Show new lines found by the call."""
        return self.shelf.matching_lines(words, self.most, tool=tool, but=self.seen)


class Oracle(Policy):
    """Knows the failures to come, and shows exactly their lessons."""

    name = "oracle"
    clairvoyant = True

    def before_call(
        self,
        tool: str,  # noqa: ARG002 - it knows better
        words: Words,  # noqa: ARG002 - the same
        recurrence: Recurrence | None,
    ) -> Sequence[MistakeLine]:
        """Show an earlier case of the coming failure, preferably with a fix."""
        if recurrence is None:
            return ()
        call = recurrence.failure.wrong
        best = max(
            recurrence.earlier,
            key=lambda each: (bool(each.right), shared_word_ratio(each.wrong, call)),
        )
        return (build_line(best),)


BASELINES: tuple[type[Policy], ...] = (Policy, InjectAll, Strongest, ByPrompt, ByCall, Oracle)
