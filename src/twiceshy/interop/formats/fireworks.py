"""fireworks' files: KNOWLEDGE.md, CHECKPOINTS.md, error seeds, and usage statistics.

KNOWLEDGE.md has the lessons of a skill, of every skill, or of a starter pack. A bullet with
continuation lines is a lesson; other lines are prose. The file holds text, tag, month, count and
reason. Type, files, concepts, trigger, day, line breaks, and a leading bracket or trailing count
in a text are not held.

CHECKPOINTS.md has dated remarks, one bullet each: skill, time (to the second) and text on a line.
The session is not held.

Error seeds are what tools printed when something failed, of a skill or of a session. An item is
such a line with the text below it; the file holds moment (to the second), tool and excerpt.

    --- error seed 2026-11-02T09:30:00 ---          in <skill>/.error_seeds
    --- [2026-11-02T09:30:00] tool=Bash ---         in error-seeds/<session>.txt

skill-usage-stats.json has the usage of each skill, total and by day. Usage is counted, not noted,
so the file is prose for note readers. Total, last day and days are held; nothing is lost.

skill-memory.log says what each run did. It is kept as it came, and holds no notes.
"""

from __future__ import annotations

import re

from twiceshy.core import jsontext
from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.session import SkillUsage
from twiceshy.interop import checkpoints
from twiceshy.interop.formats import BOM, FileFormat, ParsedItem, pieces
from twiceshy.notes import knowledge

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

_BEGINS = re.compile(r"\s*[-*]\s+\S")
_ENDS = ("#", ">")
_NO_SKILL = "this project"
_COUNT = re.compile(r"\[HIT:\d{1,9}\]")
_CHECKPOINT = re.compile(
    r"- \[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] (?=\S)([^\n]*?)(?:  \[n[0-9a-z]{4}\])?"
)
_KEY = "checkpoint:"
_SEED = re.compile(
    r"--- (?:error seed ([\dT:.+Z-]{10,40})|\[([\dT:.+Z-]{10,40})\] tool=([^\n]{0,100}?)) ---"
)
_OF_SKILL = ".error_seeds"
_MOST = 1_000_000_000


def _render_lessons(notes: Sequence[Note], about: FileContext) -> str:
    """Render the list of a skill in given order; without a skill, of a project or of principles."""
    called = about.skill or ("" if about.project == EVERYWHERE else _NO_SKILL)
    empty = knowledge.render_knowledge(called, (), format_day(about.now))
    if not notes:
        return empty
    return empty.removesuffix(knowledge.NOTHING + "\n") + "".join(map(_render_bullet, notes))


def _render_bullet(note: Note) -> str:
    # a bullet is taken off where the first one stands, and that must not be inside of the text
    listed = note.but(text=f"- {note.text}")
    first, gap, why = knowledge.render_bullet(listed).partition("\n")
    said, count = _split_count(first)
    return f"{said}{pieces.render_mark(note.id)}{count}{gap}{why}\n"


def _renew_lesson(item: ParsedItem, note: Note) -> str:
    """Return a lesson with its new words, or only with its new count."""
    draft = item.draft
    said = draft and (" ".join(draft.text.split()), draft.why, draft.tag)
    if said != (" ".join(note.text.split()), note.why, note.tag):
        return _render_bullet(note)
    line, end, rest = item.raw.partition("\n")
    if _COUNT.search(item.raw):
        return _COUNT.sub(f"[HIT:{note.sightings}]", item.raw)
    return f"{line.rstrip()}  [HIT:{note.sightings}]{end}{rest}"


def _split_count(line: str) -> tuple[str, str]:
    """Split a line before its trailing count, which fireworks rewrites."""
    at = line.rfind("[HIT:")
    said = line[:at].rstrip() if at >= 0 and _COUNT.fullmatch(line[at:].rstrip()) else line
    return said, line[len(said) :]


def _strip_mark(line: str) -> tuple[str, str]:
    """Return a line without its mark, and the mark's content."""
    said, count = _split_count(line)
    bare, name = pieces.split_mark(said)
    return (bare + count, name) if name else pieces.split_mark(line)


def _parse_lessons(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse lessons; the placeholder of an empty list is prose."""
    return (_build_lesson(block, about) for block in _split_bullets(text))


def _split_bullets(text: str) -> Iterator[list[str]]:
    """Yield bullets with continuation lines, and other lines one by one."""
    block: list[str] = []
    for line in pieces.split_lines(text):
        begins = bool(_BEGINS.match(line))
        goes_on = block and not begins and line.strip() and not line.lstrip().startswith(_ENDS)
        if goes_on:
            block.append(line)
            continue
        if block:
            yield block
        block = [line] if begins else []
        if not begins:
            yield [line]
    if block:
        yield block


def _build_lesson(block: list[str], about: FileContext) -> Piece:
    raw = "".join(block)
    first, name = _strip_mark(block[0])
    found = knowledge.parse_lessons("".join((first, *block[1:])))
    if len(found) != 1:
        return raw
    (lesson,) = found
    draft = Draft(
        kind="lesson",
        text=lesson.text,
        scope=about.scope,
        source="import",
        subtype="principle" if about.scope == Scope() else "gotcha",
        why=lesson.why,
        tag=lesson.tag,
        state="current",
        learned_at=pieces.parse_day_or_zero(lesson.month),
        sightings=max(1, lesson.sightings),
    )
    key, at = name or draft.fingerprint, draft.learned_at
    return ParsedItem(raw=raw, key=key, draft=draft, sightings=lesson.sightings, at=at)


def _render_checkpoints(signals: Sequence[Signal], about: FileContext) -> str:
    """Render the file from signals; a flushed checkpoint names its note."""
    lines = [checkpoints.render_checkpoints(about.skill, ())]
    for signal in signals:
        *_, line, _ = checkpoints.render_checkpoints(about.skill, [signal]).split("\n")
        lines.append(f"{line}{pieces.render_mark(signal.key)}\n")
    return "".join(lines)


def _parse_checkpoints(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse the checkpoints of a skill, each with a stable name."""
    return (_build_checkpoint(line, about) for line in pieces.split_lines(text))


def _build_checkpoint(line: str, about: FileContext) -> Piece:
    bare, name = pieces.split_mark(line)
    found = _CHECKPOINT.fullmatch(bare.rstrip())
    at = pieces.parse_stamp_or_zero(found[1]) if found else 0
    text = found[2].strip() if found else ""
    if not at or not text:
        return line
    own = name.removeprefix(_KEY) or pieces.stable_name(about.skill, str(at), text)
    signal = checkpoints.build_checkpoint(text, skill=about.skill, name=own, at=at)
    return ParsedItem(raw=line, key=signal.key, signal=signal, at=at)


def _render_seeds(signals: Sequence[Signal], about: FileContext) -> str:
    """Render seeds for a skill, else for a session."""
    return "".join(_render_seed(signal, about) for signal in signals)


def _render_seed(signal: Signal, about: FileContext) -> str:
    when = format_stamp(signal.at)[:19]
    tool = " ".join(signal.tool.split())
    head = f"error seed {when}" if about.skill else f"[{when}] tool={tool}"
    told = (f" {line}" if _SEED.match(line) else line for line in signal.excerpt.split("\n"))
    return f"\n--- {head} ---\n" + "\n".join(told) + "\n"


def _parse_seeds(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse the seeds; a session's are named by the file."""
    blocks = pieces.split_blocks(text, lambda line: _SEED.fullmatch(line.rstrip()))
    return (_build_seed(block, about) for block in blocks)


def _build_seed(block: list[str], about: FileContext) -> Piece:
    raw = "".join(block)
    head = _SEED.fullmatch(block[0].rstrip())
    excerpt = "".join(block[1:]).replace("\r\n", "\n").strip()
    if not head or not excerpt:
        return raw
    at = pieces.parse_stamp_or_zero((head[1] or head[2])[:19])
    tool = head[3] or ""
    key = f"seed:{pieces.stable_name(about.skill, about.name, str(at), tool, excerpt)}"
    signal = Signal(
        key=key,
        kind="error",
        session=_session_of_file(about) or key,  # the seed of a skill does not say whose it is
        project=about.project,
        at=at or about.now,
        skill=about.skill,
        tool=tool,
        excerpt=excerpt,
    )
    return ParsedItem(raw=raw, key=key, signal=signal, at=at)


def _session_of_file(about: FileContext) -> str:
    name = about.name.rpartition("/")[2]
    return "" if about.skill or name == _OF_SKILL else name.removesuffix(".txt")


def preamble_name(skill: str) -> str:
    """Return the name of the page that holds the prose around the lessons of a skill."""
    return f"knowledge-preamble {skill}".strip()


def parse_usages(text: str) -> list[SkillUsage]:
    """Return the usage of each skill; invalid counts are skipped."""
    try:
        told = jsontext.parse_object(text.removeprefix(BOM))
    except (ValueError, RecursionError):
        return []
    found = (_parse_usage(skill, said) for skill, said in told.items() if isinstance(said, dict))
    return [one for one in found if one.sessions]


def render_usages(usages: Iterable[SkillUsage]) -> str:
    """Render the file in fireworks' form."""
    import json  # noqa: PLC0415 - only who writes the file needs blanks in it

    told = {
        one.skill: {
            "total": one.sessions,
            "last_seen": format_day(one.last_at),
            "daily": dict(sorted(one.daily.items())),
        }
        for one in sorted(usages, key=lambda one: one.skill)
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def _parse_usage(skill: str, said: Mapping[str, object]) -> SkillUsage:
    daily = said.get("daily")
    days = {
        name: _parse_count(value)
        for name, value in (daily.items() if isinstance(daily, dict) else ())
        if pieces.parse_day_or_zero(name) and _parse_count(value)
    }
    last = said.get("last_seen")
    at = pieces.parse_day_or_zero(last[:10]) if isinstance(last, str) else 0
    total = max(_parse_count(said.get("total")), sum(days.values()))
    return SkillUsage(
        skill,
        total,
        at or max(map(pieces.parse_day_or_zero, days), default=0),
        dict(sorted(days.items())),
    )


def _parse_count(value: object) -> int:
    counts = isinstance(value, int) and not isinstance(value, bool)
    return min(max(0, value), _MOST) if counts and isinstance(value, int) else 0


FIREWORKS_KNOWLEDGE = FileFormat(
    "fireworks_knowledge", _parse_lessons, _render_lessons, renew_item=_renew_lesson
)
FIREWORKS_CHECKPOINTS = FileFormat(
    "fireworks_checkpoints", _parse_checkpoints, _render_checkpoints
)
FIREWORKS_SEEDS = FileFormat("fireworks_seeds", _parse_seeds, _render_seeds)
# notes have no place in statistics
FIREWORKS_STATS = FileFormat(
    "fireworks_stats", lambda text, _: (text,), lambda _, __: render_usages(())
)
FIREWORKS_LOG = FileFormat("fireworks_log", lambda text, _: (text,), lambda _, __: "")
