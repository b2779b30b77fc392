"""Detect edits that undo each other: from A to B, back to A, and to B again, in a file.

An edit is kept as two hashes, of the replaced text and of the new text. Lines in both texts,
and blanks, are not hashed: the same change is seldom cut out of a file in the same way
twice.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.shell.tool_call import EDITS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.shell.tool_call import ToolCall

WINDOW = 60  # changes to hand over
_TURNS = 3
_MOST_EDITS = 50
_LONGEST_TEXT = 200_000
_FEWEST_CHARACTERS = 6  # a brace or a comma comes and goes with everything
_BEFORE = ("old_string", "old_str", "oldString")
_AFTER = ("new_string", "new_str", "newString")
_WHOLE = ("content", "file_text")


class FileEdit(Value):
    """Change of a file by an edit; ``before`` is empty if the file was rewritten."""

    file: str
    before: str
    after: str
    id: str
    at: int


class Thrash(Value):
    """A file edited back and forth, and the calls."""

    file: str
    ids: tuple[str, ...]


def list_changes(act: ToolCall) -> list[FileEdit]:
    """Return the changes made by a call; empty for a failed call or no edit."""
    if act.tool not in EDITS or act.mistake is not None or act.refusal or not act.path:
        return []
    hashes = [*_hash_replacements(act.arguments), *_hash_written(act.arguments)]
    return [FileEdit(act.path, before, after, act.id, act.at) for before, after in hashes]


def find_thrash(changes: Sequence[FileEdit]) -> Thrash | None:
    """Return the thrash completed by the newest change, once for a file and a pair of texts.

    ``changes`` are the last ones of a session, ``WINDOW`` at most, and the newest is the last.
    """
    recent = changes[-WINDOW:]
    here = _fill_in_before([change for change in recent if change.file == recent[-1].file])
    if not here or here[-1].before in ("", here[-1].after):
        return None
    pair = {here[-1].before, here[-1].after}
    turns: list[FileEdit] = []
    for change in here:
        undoes = not turns or turns[-1].after == change.before  # and is not the same elsewhere
        if undoes and {change.before, change.after} == pair:
            turns.append(change)
    if len(turns) != _TURNS or turns[-1] is not here[-1]:
        return None
    return Thrash(here[-1].file, tuple(turn.id for turn in turns))


def _fill_in_before(changes: Sequence[FileEdit]) -> list[FileEdit]:
    """Fill in the replaced text of a rewritten file, if written just before."""
    found: list[FileEdit] = []
    for at, change in enumerate(changes):
        known = at > 0 and not change.before and not changes[at - 1].before
        found.append(change.but(before=changes[at - 1].after) if known else change)
    return found


def _hash_replacements(arguments: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the hashes of every replacement made by a call."""
    several = arguments.get("edits")
    for edit in several[:_MOST_EDITS] if isinstance(several, list) else [dict(arguments)]:
        if not isinstance(edit, dict):
            continue
        before, after = _fold_lines(edit, _BEFORE), _fold_lines(edit, _AFTER)
        if before is None or after is None or before == after:
            continue
        start = _count_shared_lines(before, after)
        end = _count_shared_lines(before[start:][::-1], after[start:][::-1])
        texts = ["\n".join(lines[start : len(lines) - end]) for lines in (before, after)]
        if max(map(len, texts)) >= _FEWEST_CHARACTERS:
            yield _hash_text(texts[0]), _hash_text(texts[1])


def _hash_written(arguments: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    whole = _fold_lines(arguments, _WHOLE)
    if whole is not None:
        yield "", _hash_text("\n".join(whole))


def _fold_lines(arguments: Mapping[str, object], names: Sequence[str]) -> list[str] | None:
    """Return the lines of an argument without insignificant blanks; None if absent."""
    text = next((text for name in names if isinstance(text := arguments.get(name), str)), None)
    if text is None:
        return None
    folded = (" ".join(line.split()) for line in text[:_LONGEST_TEXT].splitlines())
    return [line for line in folded if line]


def _count_shared_lines(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _hash_text(text: str) -> str:
    """Return a 32-bit hash: enough to recognise a text of a file, too few to guess the text."""
    from zlib import crc32  # noqa: PLC0415 - most sessions edit nothing twice

    return f"{crc32(text.encode('utf-8', 'replace')):08x}"
