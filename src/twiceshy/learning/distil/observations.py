"""Parse the skill observations in a host summariser's summary: a block, a lesson a line."""

from collections.abc import Iterator

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.value import Value
from twiceshy.safety.names import check_name

KINDS = ("gotcha", "discovery", "fix", "workflow")
_OPEN, _CLOSE = "<skill_observations>", "</skill_observations>"
_ENTITIES = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}
_MOST = 20
_LONGEST = 500  # characters of a lesson; one that needs more is no lesson


class Observation(Value):
    """A lesson about a skill."""

    skill: str
    kind: str
    lesson: str


def parse_observations(text: str) -> list[Observation]:
    """Return the observations of the first block, each once; malformed lines are skipped."""
    _, begun, rest = text.partition(_OPEN)
    block, closed, _ = rest.partition(_CLOSE)
    if not (begun and closed):
        return []
    return list(dict.fromkeys(_parse_lines(block)))[:_MOST]


def _parse_lines(block: str) -> Iterator[Observation]:
    for line in block.splitlines():
        bullet, _, rest = line.strip().partition(" ")
        fields = [field.strip() for field in rest.split("|", 2)]
        if bullet != "*" or len(fields) != 3:
            continue
        skill, kind = _clean_name(_decode_entities(fields[0])), fields[1]
        lesson = _decode_entities(fields[2])
        if skill and kind in KINDS and 0 < len(lesson) <= _LONGEST:
            yield Observation(skill, kind, lesson)


def _clean_name(text: str) -> str:
    try:
        return check_name(text)
    except UnsafeNameError:
        return ""


def _decode_entities(text: str) -> str:
    """Decode the five entities of XML, each once: ``&amp;lt;`` becomes ``&lt;``."""
    pieces = text.split("&")
    whole = pieces[0]
    for piece in pieces[1:]:
        name, semicolon, rest = piece.partition(";")
        whole += _ENTITIES[name] + rest if semicolon and name in _ENTITIES else "&" + piece
    return whole
