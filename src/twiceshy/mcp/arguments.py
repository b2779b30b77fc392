"""Arguments of tools: described as JSON schema, and checked by the same table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value

Shape = Literal["string", "integer", "boolean", "strings"]

_LONGEST_LINE = 500  # of one string in a list
_MOST_ITEMS = 50
_ECHO = 60


class ArgumentError(TwiceshyError):
    """A missing, unknown or invalid argument."""


class ToolArgument(Value):
    """An argument: type, purpose, and limits.

    ``least`` and ``most`` bound a number; ``most`` also limits the length of a string. ``also``
    are accepted choices that are not advertised; with ``any_choice`` every other one is, too.
    """

    name: str
    about: str
    shape: Shape = "string"
    required: bool = False
    choices: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    any_choice: bool = False
    least: int | None = None
    most: int | None = None
    default: object = None

    @property
    def to_schema(self) -> dict[str, object]:
        """Return the JSON schema of the argument."""
        said: dict[str, object] = {"description": self.about}
        if self.shape == "strings":
            items = {"type": "string", "maxLength": _LONGEST_LINE}
            return {"type": "array", "items": items, "maxItems": _MOST_ITEMS, **said}
        bounds = {"integer": ("minimum", "maximum"), "string": ("minLength", "maxLength")}
        if self.shape in bounds:
            both = zip(bounds[self.shape], (self.least, self.most), strict=True)
            said |= {name: bound for name, bound in both if bound is not None}
        if self.choices:
            said["enum"] = list(self.choices)
        if self.default is not None:
            said["default"] = self.default
        return {"type": self.shape, **said}


def build_schema(arguments: Sequence[ToolArgument]) -> dict[str, object]:
    """Return the JSON schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {each.name: each.to_schema for each in arguments},
        "required": [each.name for each in arguments if each.required],
        "additionalProperties": False,
    }


def check_arguments(
    arguments: Sequence[ToolArgument], given: Mapping[str, object]
) -> dict[str, Any]:
    """Return every argument by name with defaults; ArgumentError explains a fault."""
    if unknown := [name for name in given if name not in {each.name for each in arguments}]:
        names = ", ".join(each.name for each in arguments) or "none"
        raise ArgumentError(
            f"there is no argument {_quote_choices(unknown[0])}", hint=f"allowed: {names}"
        )
    return {each.name: _check_argument(each, given.get(each.name)) for each in arguments}


def _check_argument(argument: ToolArgument, value: object) -> object:
    if value is None:  # many clients send null for what was left out
        if argument.required:
            raise _build_error(argument, "is missing")
        return () if argument.shape == "strings" else argument.default
    match argument.shape:
        case "string":
            return _check_string(argument, value)
        case "integer":
            return _check_integer(argument, value)
        case "boolean":
            if isinstance(value, bool):
                return value
            raise _build_error(argument, f"is {_quote_choices(value)}")
        case "strings":
            return _check_strings(argument, value)


def _check_string(argument: ToolArgument, value: object) -> str:
    if not isinstance(value, str):
        raise _build_error(argument, f"is {_quote_choices(value)}")
    known = argument.any_choice or value in (*argument.choices, *argument.also)
    if argument.choices and not known:
        raise _build_error(argument, f"is {_quote_choices(value)}")
    if argument.most is not None and len(value) > argument.most:
        raise _build_error(argument, f"has {len(value):,} characters")
    if argument.required and not value.strip():
        raise _build_error(argument, "is empty")
    return value


def _check_integer(argument: ToolArgument, value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _build_error(argument, f"is {_quote_choices(value)}")
    low, high = argument.least, argument.most
    if (low is not None and value < low) or (high is not None and value > high):
        raise _build_error(argument, f"is {_quote_choices(value)}")
    return value


def _check_strings(argument: ToolArgument, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise _build_error(argument, f"is {_quote_choices(value)}")
    if len(value) > _MOST_ITEMS:
        raise _build_error(argument, f"has {len(value):,} items")
    if any(len(each) > _LONGEST_LINE for each in value):
        raise _build_error(argument, f"has an item of more than {_LONGEST_LINE} characters")
    return tuple(value)


def _build_error(argument: ToolArgument, what: str) -> ArgumentError:
    return ArgumentError(
        f"argument {argument.name!r} {what}", hint=" ".join(_describe_allowed(argument))
    )


def _describe_allowed(argument: ToolArgument) -> Iterable[str]:
    """Describe allowed values for a hint."""
    if argument.choices:
        yield f"one of: {', '.join(argument.choices)};"
    elif argument.shape == "integer":
        yield f"a whole number from {argument.least} to {argument.most};"
    elif argument.shape == "strings":
        yield f"a list of at most {_MOST_ITEMS} strings;"
    elif argument.shape == "boolean":
        yield "true or false;"
    else:
        yield (
            f"a string of at most {argument.most:,} characters;" if argument.most else "a string;"
        )
    yield argument.about


def _quote_choices(value: object) -> str:
    return fold_to_line(strip_unsafe(repr(value)), limit=_ECHO)
