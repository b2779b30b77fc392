"""Fields of transcript records, and the steps of a tool call, whichever client wrote them."""

from __future__ import annotations

import json

from twiceshy.core.moment import parse_stamp
from twiceshy.core.transcript import CallStep, SkillStep

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.core.transcript import Step

    Record = Mapping[str, object]
    Shared = dict[str, object]  # the fields of every step of a record

_SKILL_FILE = "/SKILL.md"


def parse_line(line: bytes) -> dict[str, object] | None:
    """Return the JSON object of a line; None if invalid."""
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else {}


def get_value(record: object, *names: str) -> object:
    """Return the value at a path of names; None if absent."""
    value = record
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def get_text(record: object, *names: str) -> str:
    """Return the text at a path of names; empty if absent."""
    value = get_value(record, *names)
    return drop_surrogates(value) if isinstance(value, str) else ""


def get_mapping(record: object, *names: str) -> Record:
    """Return the object at a path of names; empty if absent."""
    value = get_value(record, *names)
    return value if isinstance(value, dict) else {}


def get_list(record: object, *names: str) -> list[object]:
    """Return the list at a path of names; empty if absent."""
    value = get_value(record, *names)
    return value if isinstance(value, list) else []


def get_count(record: object, *names: str) -> int:
    """Return the token count at a path of names; 0 if absent."""
    value = get_value(record, *names)
    return max(0, value) if isinstance(value, int) and not isinstance(value, bool) else 0


def list_blocks(content: object) -> Iterator[Record]:
    """Yield the blocks of a content; a plain text is a single block."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for block in content:
            yield block if isinstance(block, dict) else {}


def drop_surrogates(text: str) -> str:
    """Return a text without lone surrogates: JSON may hold them, files may not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def parse_moment(text: str) -> int:
    """Parse a time; 0 if absent."""
    try:
        return parse_stamp(text)
    except ValueError:
        return 0


def build_call(tool: str, arguments: object, shared: Shared) -> CallStep:
    """Build the step of a call, by our names."""
    try:
        written = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        written = "{}"
    return CallStep.of({**shared, "tool": tool, "arguments": drop_surrogates(written)})


def build_skill_uses(tool: str, arguments: object, shared: Shared) -> Iterator[Step]:
    """Yield the skill that a call loads by its tool, or by reading its SKILL.md."""
    if tool == "Skill" and isinstance(arguments, dict):
        name = get_text(arguments, "skill") or get_text(arguments, "command")
        yield SkillStep.of({**shared, "name": name, "arguments": get_text(arguments, "args")})
    elif tool == "Read" and (path := get_text(arguments, "file_path")).endswith(_SKILL_FILE):
        name = path.removesuffix(_SKILL_FILE).rpartition("/")[2]
        yield SkillStep.of({**shared, "name": name, "how": "read"})
