"""Which skill is at work: from its use to the next one, or to a prompt that is about something else.

A prompt goes on with the skill if it follows at once, follows an interruption, or answers: of 29 such
prompts in real sessions 25 were about the skill. To let every prompt end it would have lost them.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse, write
from twiceshy.core.transcript import AgentSaid, Called, Interrupted, Result, SkillUsed, UserSaid
from twiceshy.core.value import Value
from twiceshy.language.own_words import own_words, sentences
from twiceshy.learning.detect.correction import asks, only_goes_on

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.transcript import Step

_LONGEST_NAME, _LONGEST_PROMPT = 100, 2_000
_MOST_AGENTS = 32
_TAIL = 200  # characters at the end of an answer, where it asks
_MARKS = ".):,，。、!"
_ANSWERS = frozenset(
    "yes yep yeah no nope ok okay sure 好 好的 是 是的 对 不 不是 可以 行".split()
)


class Span(Value):
    """A skill that is at work, by the id of the step that used it.

    ``before`` is the skill that was at work then, and goes on if this one turns out not to exist.
    """

    skill: str
    id: str
    before: str = ""
    acted: bool = False
    asked: bool = False
    stopped: bool = False


class Attribution(Value):
    """The skill at work for every agent of a session; ``after`` each step it is another value."""

    spans: tuple[tuple[str, Span], ...] = ()

    def skill_at(self, agent: str = "") -> str:
        """Return the skill at work; an agent that was started goes on with the one of the session."""
        return self._span(agent).skill or self._span("").skill

    def after(self, step: Step) -> Attribution:
        """Return what is at work once this step has happened."""
        span = self._span(step.agent)
        moved = _moved(span, step)
        if step.skill not in ("", moved.skill) and not isinstance(step, SkillUsed):
            moved = Span(step.skill[:_LONGEST_NAME], "", acted=True)  # the runtime knows best
        if moved == span:
            return self
        spans = [each for each in self.spans if each[0] != step.agent]
        spans += [(step.agent, moved)] if moved.skill else []
        spans.sort(key=lambda each: not each[0])  # the session's own agent is never crowded out
        return Attribution(tuple(spans[-_MOST_AGENTS:]))

    def to_text(self) -> str:
        """Write it as one line of JSON."""
        return write([[agent, *span.fields().values()] for agent, span in self.spans])

    def _span(self, agent: str) -> Span:
        return dict(self.spans).get(agent, _NOTHING)


def from_text(text: str) -> Attribution:
    """Read what was written; anything else is the beginning of a session."""
    try:
        rows = parse(text)
    except (ValueError, RecursionError):
        return Attribution()
    if not isinstance(rows, list) or not all(map(_sound, rows)):
        return Attribution()
    return Attribution(tuple((row[0], Span(*row[1:])) for row in rows[:_MOST_AGENTS]))


_NOTHING = Span("", "")
_KINDS = (str, str, str, str, bool, bool, bool)


def _sound(row: object) -> bool:
    return (
        isinstance(row, list)
        and len(row) == len(_KINDS)
        and all(isinstance(value, kind) for value, kind in zip(row, _KINDS, strict=True))
    )


def _moved(span: Span, step: Step) -> Span:
    if isinstance(step, SkillUsed) and step.name.strip():
        before = span.before if span.id == step.id else span.skill
        return Span(step.name.strip()[:_LONGEST_NAME], step.id, before)
    return _within(span, step) if span.skill else span


def _within(span: Span, step: Step) -> Span:
    """Return what a step makes of the skill that is at work."""
    moved = span
    match step:
        case Called(id=call) if call != span.id:
            moved = span.but(acted=True, asked=False, stopped=False)
        case Result(id=call, failed=True) if call == span.id:
            moved = Span(span.before, "", acted=True) if span.before else _NOTHING
        case AgentSaid(text=text):
            moved = span.but(asked="?" in text[-_TAIL:] or "？" in text[-_TAIL:])
        case Interrupted():
            moved = span.but(stopped=True)
        case UserSaid(text=text):
            moved = span.but(asked=False, stopped=False) if _goes_on(span, text) else _NOTHING
        case _:
            pass
    return moved


def _goes_on(span: Span, text: str) -> bool:
    """Tell whether a prompt is still about the skill at work."""
    if not span.acted or span.stopped:
        return True
    said = [sentence.plain for sentence in sentences(own_words(text[:_LONGEST_PROMPT]))]
    if not said or only_goes_on(" ".join(said)) or _picks(said[0]):
        return True
    return span.asked and not asks(said[0])


def _picks(plain: str) -> bool:
    """Tell whether an answer begins with yes or no, or with the number or letter of an option."""
    word = plain.partition(" ")[0]
    bare = word.rstrip(_MARKS)
    return bare.isdigit() or bare in _ANSWERS or (len(bare) == 1 and bare != word)
