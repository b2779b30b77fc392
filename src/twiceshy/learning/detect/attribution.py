"""Find the active skill: from its use to the next use, or to an unrelated prompt.

A prompt continues the skill if it follows at once, follows an interruption, or answers: of
29 such prompts in real sessions 25 were about the skill. Ending the skill at every prompt
would have lost them.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse, write
from twiceshy.core.transcript import AgentSaid, Called, Interrupted, Result, SkillUsed, UserSaid
from twiceshy.core.value import Value
from twiceshy.language.own_words import own_words, sentences
from twiceshy.learning.detect.correction_cues import asks, only_goes_on

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
    """An active skill, by the id of the step that used the skill.

    ``before`` is the skill active until then, which continues if the new skill turns out not to
    exist.
    """

    skill: str
    id: str
    before: str = ""
    acted: bool = False
    asked: bool = False
    stopped: bool = False


class Attribution(Value):
    """The active skill for every agent of a session; ``apply_step`` returns a new value."""

    spans: tuple[tuple[str, Span], ...] = ()

    def skill_at(self, agent: str = "") -> str:
        """Return the active skill; an agent without a skill inherits the session's skill."""
        return self._span(agent).skill or self._span("").skill

    def after(self, step: Step) -> Attribution:
        """Return the attribution after a step."""
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
        """Serialise as a line of JSON."""
        return write([[agent, *span.fields().values()] for agent, span in self.spans])

    def _span(self, agent: str) -> Span:
        return dict(self.spans).get(agent, _NOTHING)


def from_text(text: str) -> Attribution:
    """Parse a serialised attribution; anything else is the beginning of a session."""
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
    """Return the span of the active skill after a step."""
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
    """True if a prompt is still about the active skill."""
    if not span.acted or span.stopped:
        return True
    said = [sentence.plain for sentence in sentences(own_words(text[:_LONGEST_PROMPT]))]
    if not said or only_goes_on(" ".join(said)) or _picks(said[0]):
        return True
    return span.asked and not asks(said[0])


def _picks(plain: str) -> bool:
    """True if an answer begins with yes or no, or with an option's number or letter."""
    word = plain.partition(" ")[0]
    bare = word.rstrip(_MARKS)
    return bare.isdigit() or bare in _ANSWERS or (len(bare) == 1 and bare != word)
