"""Find the active skill: from its use to the next use, or to an unrelated prompt.

A prompt continues the skill if it follows at once, follows an interruption, or answers: of
29 such prompts in real sessions 25 were about the skill. Ending the skill at every prompt
would have lost them.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse_json, write_json
from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    InterruptStep,
    ResultStep,
    SkillStep,
    Step,
    UserMessage,
)
from twiceshy.core.value import Value
from twiceshy.language.own_words import extract_own_words, split_sentences
from twiceshy.learning.detect.correction import is_go_on, is_question

_LONGEST_NAME, _LONGEST_PROMPT = 100, 2_000
_MOST_AGENTS = 32
_TAIL = 200  # characters at the end of an answer, where it asks
_MARKS = ".):,，。、!"
_ANSWERS = frozenset(
    "yes yep yeah no nope ok okay sure 好 好的 是 是的 对 不 不是 可以 行".split()
)


class SkillSpan(Value):
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

    spans: tuple[tuple[str, SkillSpan], ...] = ()

    def find_skill(self, agent: str = "") -> str:
        """Return the active skill; an agent without a skill inherits the session's skill."""
        return self._find_span(agent).skill or self._find_span("").skill

    def apply_step(self, step: Step) -> Attribution:
        """Return the attribution after a step."""
        span = self._find_span(step.agent)
        moved = _advance_span(span, step)
        if step.skill not in ("", moved.skill) and not isinstance(step, SkillStep):
            moved = SkillSpan(step.skill[:_LONGEST_NAME], "", acted=True)  # the runtime knows best
        if moved == span:
            return self
        spans = [each for each in self.spans if each[0] != step.agent]
        spans += [(step.agent, moved)] if moved.skill else []
        spans.sort(key=lambda each: not each[0])  # the session's own agent is never crowded out
        return Attribution(tuple(spans[-_MOST_AGENTS:]))

    def to_text(self) -> str:
        """Serialise as a line of JSON."""
        return write_json([[agent, *span.fields().values()] for agent, span in self.spans])

    def _find_span(self, agent: str) -> SkillSpan:
        return dict(self.spans).get(agent, _NO_SPAN)


def parse_attribution(text: str) -> Attribution:
    """Parse a serialised attribution; anything else is the beginning of a session."""
    try:
        rows = parse_json(text)
    except (ValueError, RecursionError):
        return Attribution()
    if not isinstance(rows, list) or not all(map(_is_sound_row, rows)):
        return Attribution()
    return Attribution(tuple((row[0], SkillSpan(*row[1:])) for row in rows[:_MOST_AGENTS]))


_NO_SPAN = SkillSpan("", "")
_FIELD_TYPES = (str, str, str, str, bool, bool, bool)


def _is_sound_row(row: object) -> bool:
    return (
        isinstance(row, list)
        and len(row) == len(_FIELD_TYPES)
        and all(isinstance(value, kind) for value, kind in zip(row, _FIELD_TYPES, strict=True))
    )


def _advance_span(span: SkillSpan, step: Step) -> SkillSpan:
    if isinstance(step, SkillStep) and step.name.strip():
        before = span.before if span.id == step.id else span.skill
        return SkillSpan(step.name.strip()[:_LONGEST_NAME], step.id, before)
    return _advance_active_span(span, step) if span.skill else span


def _advance_active_span(span: SkillSpan, step: Step) -> SkillSpan:
    """Return the span of the active skill after a step."""
    moved = span
    match step:
        case CallStep(id=call) if call != span.id:
            moved = span.but(acted=True, asked=False, stopped=False)
        case ResultStep(id=call, failed=True) if call == span.id:
            moved = SkillSpan(span.before, "", acted=True) if span.before else _NO_SPAN
        case AgentMessage(text=text):
            moved = span.but(asked="?" in text[-_TAIL:] or "？" in text[-_TAIL:])
        case InterruptStep():
            moved = span.but(stopped=True)
        case UserMessage(text=text):
            moved = span.but(asked=False, stopped=False) if _is_continued(span, text) else _NO_SPAN
        case _:
            pass
    return moved


def _is_continued(span: SkillSpan, text: str) -> bool:
    """True if a prompt is still about the active skill."""
    if not span.acted or span.stopped:
        return True
    said = [
        sentence.plain for sentence in split_sentences(extract_own_words(text[:_LONGEST_PROMPT]))
    ]
    if not said or is_go_on(" ".join(said)) or _is_choice(said[0]):
        return True
    return span.asked and not is_question(said[0])


def _is_choice(plain: str) -> bool:
    """True if an answer begins with yes or no, or with an option's number or letter."""
    word = plain.partition(" ")[0]
    bare = word.rstrip(_MARKS)
    return bare.isdigit() or bare in _ANSWERS or (len(bare) == 1 and bare != word)
