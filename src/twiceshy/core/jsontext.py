"""JSON by the C half of Python's ``json`` alone, for a fast start.

The whole ``json`` imports ``re``, ``enum`` and ``functools``: 9 ms, where Python itself starts
in 9. Most hook runs have one small object to read and one text to write.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_BLANKS = " \t\r\n"


def parse_json(text: str) -> object:
    """Parse a JSON text; ValueError if invalid, RecursionError if too deep."""
    try:
        from _json import make_scanner  # noqa: PLC0415 - not every Python has it

        bare = text.strip(_BLANKS)
        value, end = make_scanner(_Rules)(bare, 0)  # type: ignore[arg-type]  # it asks for no more
    except (ImportError, AttributeError, StopIteration, SystemError):
        # the last one is how the scanner of Python 3.11 says that a text is wrong while nobody has
        # loaded the other half, which knows the name of the error
        return _parse_with_json(text)
    if end != len(bare):
        raise ValueError(f"more than one JSON value, the second at {end}")
    found: object = value
    return found


def parse_mapping_or_empty(text: str) -> Mapping[str, object]:
    """Parse a JSON object; return an empty mapping for any other text."""
    try:
        found = parse_json(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def get_list(kept: Mapping[str, object], name: str) -> list[object]:
    """Return a list from a parsed object; empty for any other type."""
    value = kept.get(name)
    return value if isinstance(value, list) else []


def get_integer(value: object) -> int:
    """Return an integer from a parsed object, or zero."""
    return value if isinstance(value, int) else 0


def parse_object(text: str) -> Mapping[str, object]:
    """Parse a JSON object; ValueError for any other value."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise ValueError("a JSON value, but not an object")
    return value


def write_json(value: object) -> str:
    """Write a value as JSON on one line, without blanks, in its own order."""
    match value:
        case str():
            return _quote_string(value)
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case int() | float():
            return repr(value)
        case dict():
            pairs = (
                f"{_quote_string(str(key))}:{write_json(item)}" for key, item in value.items()
            )
            return "{" + ",".join(pairs) + "}"
        case list() | tuple():
            return "[" + ",".join(map(write_json, value)) + "]"
        case _:
            raise TypeError(f"no JSON is known for {type(value).__name__}")


class _Rules:
    """Settings for the C scanner: plain values, strings without raw control characters."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def _quote_string(text: str) -> str:
    try:
        from _json import encode_basestring  # noqa: PLC0415 - not every Python has it
    except ImportError:
        import json  # noqa: PLC0415 - see above

        return json.dumps(text, ensure_ascii=False)
    quoted: str = encode_basestring(text)
    return quoted


def _parse_with_json(text: str) -> object:
    import json  # noqa: PLC0415 - see above

    value: object = json.loads(text)
    return value
