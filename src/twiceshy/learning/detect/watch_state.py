"""Serialise the state of a watch to plain JSON and back; unknown values are dropped."""

from twiceshy.core.jsontext import get_integer, parse_mapping_or_empty
from twiceshy.core.transcript import CallStep
from twiceshy.learning.detect.loop import FileEdit
from twiceshy.learning.detect.mistake import Mistake
from twiceshy.learning.distil.observations import Observation
from twiceshy.shell.tool_call import ToolCall

_LONGEST_COMMAND = 2_000
_LONGEST_VALUE = 200
_MOST_ARGUMENTS = 24
_HUGE = 1 << 63  # Python writes no number of more than 4,300 digits
_COMMANDS = ("command", "cmd")
_FIELDS = 10  # of a call as earlier versions wrote it


def shorten_arguments(arguments: str) -> dict[str, object]:
    """Return the short arguments of a call; of the others, such as file contents, only the names."""
    kept: dict[str, object] = {}
    for name, value in list(parse_mapping_or_empty(arguments).items())[:_MOST_ARGUMENTS]:
        if len(name) > _LONGEST_VALUE:
            continue
        words = isinstance(value, list) and all(isinstance(each, str) for each in value)
        said = " ".join(value) if words and isinstance(value, list) else value
        if isinstance(said, str) and (len(said) <= _LONGEST_VALUE or name in _COMMANDS):
            kept[name] = said[:_LONGEST_COMMAND]
        elif isinstance(said, bool | int) and abs(said) < _HUGE:
            kept[name] = said
        else:
            kept[name] = "" if isinstance(said, str) else None
    return kept


def serialise_call(act: ToolCall) -> list[object]:
    """Return a finished call as a list."""
    fields = act.fields()
    mistake = list(act.mistake.fields().values()) if act.mistake else None
    return list((fields | {"mistake": mistake, "arguments": dict(act.arguments)}).values())


def parse_call(row: object) -> ToolCall:
    """Parse a finished call from a list."""
    names = ToolCall.__fields__
    known = row if isinstance(row, list) and len(row) >= _FIELDS else []
    fields = dict(zip(names, [*known, *[None] * len(names)], strict=False))
    mistake, arguments = fields["mistake"], fields["arguments"]
    texts = ("id", "tool", "refusal", "agent", "skill", "place")
    return ToolCall(
        arguments=arguments if isinstance(arguments, dict) else {},
        at=get_integer(fields["at"]),
        mistake=_parse_mistake(mistake),
        beside=fields["beside"] is True,
        ran_ms=get_integer(fields["ran_ms"]),
        **{name: str(fields[name] or "") for name in texts},
    )


def _parse_mistake(row: object) -> Mistake | None:
    """Parse a mistake from a list; earlier versions did not count failures."""
    if not isinstance(row, list) or len(row) not in (3, 4, 5):
        return None
    category, line, signature, *counted = row
    is_finding = counted[1:] == [True]
    return Mistake(
        category, line, signature, get_integer(counted[0]) if counted else 0, is_finding
    )


def serialise_open_call(step: CallStep, *, beside: bool) -> list[object]:
    """Return a call without a result as a list."""
    return [step.id, step.tool, step.arguments, step.at, step.agent, step.skill, beside]


def parse_open_call(row: object) -> tuple[CallStep, bool]:
    """Parse a call without a result from a list; True if made in parallel."""
    values = [*row, *[""] * 7][:7] if isinstance(row, list) else [""] * 7
    call, tool, arguments, at, agent, skill, beside = values
    step = CallStep(
        id=str(call),
        session="",
        cwd="",
        at=get_integer(at),
        agent=str(agent),
        skill=str(skill),
        tool=str(tool),
        arguments=str(arguments),
    )
    return step, beside is True


def parse_change(row: object) -> FileEdit | None:
    """Parse a file edit from a list."""
    match row:
        case [str(file), str(before), str(after), str(call), int(at)]:
            return FileEdit(file, before, after, call, at)
        case _:
            return None


def parse_observation(row: object) -> Observation | None:
    """Parse an observation from a list."""
    match row:
        case [str(skill), str(kind), str(lesson)]:
            return Observation(skill, kind, lesson)
        case _:
            return None
