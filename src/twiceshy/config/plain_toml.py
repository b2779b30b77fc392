"""Read settings files that are as plain as most are: tables of numbers, switches and strings.

Python's own reader loads 6 ms of modules. Whatever is less plain is left to it, each mistake included.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_NUMBER = 15  # digits, which both readers take as they are


def parse_plain_toml(text: str) -> dict[str, object] | None:
    """Return the content of a plain file, as Python's reader would; None for any other file."""
    found: dict[str, object] = {}
    table = found
    for line in _list_lines(text):
        if line is None:
            return None
        if line[0] == "[":
            name = line[1:-1]
            if line[-1] != "]" or not _is_plain_key(name) or name in found:
                return None
            table = {}
            found[name] = table
            continue
        key, _, said = line.partition("=")
        key, value = key.rstrip(" \t"), _parse_value(said.strip(" \t"))
        if value is None or not _is_plain_key(key) or key in table:
            return None
        table[key] = value
    return found


def _list_lines(text: str) -> Iterator[str | None]:
    """Yield the lines that say something; None for a line with signs that only the rules know."""
    for line in text.split("\n"):
        bare = line.removesuffix("\r").strip(" \t")
        if not bare.replace("\t", " ").isprintable():
            yield None
        elif bare and bare[0] != "#":
            yield bare


def _is_plain_key(key: str) -> bool:
    return key.isascii() and key.replace("_", "0").replace("-", "0").isalnum()


def _parse_value(said: str) -> object:
    """Return a plain value; None for any other."""
    if said in ("true", "false"):
        return said == "true"
    if said[:1] == "[" and said[-1:] == "]" and len(said) > 1:
        inside = said[1:-1].strip(" \t")
        items = [_parse_string(one.strip(" \t")) for one in inside.split(",")] if inside else []
        return None if None in items else items
    if said[:1] in ('"', "'"):
        return _parse_string(said)
    return _parse_number(said)


def _parse_string(said: str) -> str | None:
    inside = said[1:-1]
    is_string = len(said) > 1 and said[0] == said[-1] and said[0] in "\"'"
    return inside if is_string and said[0] not in inside and "\\" not in inside else None


def _parse_number(said: str) -> int | float | None:
    whole, point, part = said.partition(".")
    digits = whole.split("_")
    if len(said) > _LONGEST_NUMBER or not all(map(_are_digits, digits)):
        return None
    if whole[0] == "0" and whole != "0":
        return None
    if not point:
        return int(whole)
    return float(f"{''.join(digits)}.{part}") if _are_digits(part) else None


def _are_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
