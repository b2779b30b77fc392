"""Detect loops: three failed tries in a short time, the last one like another, no success between.

Counting calls alone finds nothing: of fifteen calls repeated five times or more, at most one
was a loop. Failures that are all different are progress, and so are fewer of them than the time
before, and the next piece of a work in pieces. Calls of one answer are one try, and so is looking
closer at a failure before anything was changed.

A thrash is a loop of edits: from A to B, back to A, and to B again, in a file. An edit is
kept as two hashes, of the replaced text and of the new text. Lines in both texts, and blanks,
are not hashed: the same change is seldom cut out of a file in the same way twice.
"""

from collections.abc import Iterator, Mapping, Sequence

from twiceshy.core.value import Value
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.summary import NOISY_TOOLS
from twiceshy.shell.tool_call import EDITS, ToolCall

WINDOW = 40  # calls to hand over: long enough to see that a loop was reported before
REACH = 15
ENOUGH_TRIES = 3
# Who has seen a failure thinks before trying again. Calls of one answer come as fast as they are
# written: 96 of 100 within this time, and 5 of 100 of the others.
_ONE_ANSWER_MS, _MS_A_CHARACTER = 2_000, 3
# To look for something and not to find it is how looking goes.
_LOOKING = frozenset("Read Grep Glob LS NotebookRead View WebFetch WebSearch ToolSearch".split())
_GOING_ON = frozenset(("--continue", "--skip"))  # what fails now is the next piece
_STOPPED = frozenset("rejected interrupted cancelled denied".split())
_NOT_TRIED = frozenset(("rejected", "transient"))
CHANGE_WINDOW = 60  # changes to hand over
_TURNS = 3
_MOST_EDITS = 50
_LONGEST_TEXT = 200_000
_FEWEST_CHARACTERS = 6  # a brace or a comma comes and goes with everything
_BEFORE = ("old_string", "old_str", "oldString")
_AFTER = ("new_string", "new_str", "newString")
_WHOLE = ("content", "file_text")


class Loop(Value):
    """Failures of a call family, oldest first; ``stuck`` if every failure is the same."""

    ids: tuple[str, ...]
    tool: str
    head: str
    stuck: bool
    line: str


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


def find_loop(acts: Sequence[ToolCall]) -> Loop | None:
    """Return the loop completed by the newest failure; reported once.

    ``acts`` are the last calls, ``WINDOW`` at most, and the newest is the last.
    """
    recent = acts[-WINDOW:]
    if not recent or not _has_failed(recent[-1]):
        return None
    heads = [_find_try_keys(act) for act in recent]
    # the last program of a line is what the line is for
    runs = [(head, _list_tries(recent, heads, head)) for head in reversed(heads[-1])]
    # a line of several programs that is in a loop by one of them is in no new one by another
    if any(_find_first_loop(recent, tries[:-1]) for _, tries in runs):
        return None
    for head, tries in runs:
        if tries[-1:] == [len(recent) - 1] and (places := _find_first_loop(recent, tries)):
            return _build_loop(head, [recent[place] for place in places])
    return None


def _list_tries(
    acts: Sequence[ToolCall], heads: Sequence[tuple[str, ...]], head: str
) -> list[int]:
    """Return the indexes of failed tries of a program since its last success."""
    newest = acts[-1]
    tries: list[int] = []
    last, changed = None, False
    for place, act in enumerate(acts):
        if act.agent != newest.agent:
            continue
        if not _is_same_work(act, newest) or head not in heads[place]:
            changed = changed or (_has_worked(act) and _may_change_cause(act, heads[place]))
        elif _has_failed(act):
            if last and _has_fewer_failures(act, last):
                tries = [place]
            elif last is None or _is_new_try(last, act, changed=changed):
                tries.append(place)
            last, changed = act, False
        elif _has_worked(act):
            tries, last = [], None
    return tries


def _is_same_work(act: ToolCall, newest: ToolCall) -> bool:
    """True if two calls are of one family; whatever writes a file edits it."""
    return act.family == newest.family or (act.tool in EDITS and newest.tool in EDITS)


def _has_fewer_failures(act: ToolCall, last: ToolCall) -> bool:
    now, before = (one.mistake.count if one.mistake else 0 for one in (act, last))
    return 0 < now < before


def _is_new_try(last: ToolCall, act: ToolCall, *, changed: bool) -> bool:
    written = sum(len(str(value)) for value in act.arguments.values())
    if act.beside:
        return False
    if act.at - last.at < _ONE_ANSWER_MS + _MS_A_CHARACTER * written:
        return False
    closer = act.mistake is not None and act.mistake.category == "outcome" and bool(act.command)
    return changed or not closer or act.parts == last.parts


def _may_change_cause(act: ToolCall, heads: tuple[str, ...]) -> bool:
    """True if a call may have changed the cause of a failure."""
    return act.tool in EDITS or bool(act.command and heads)


def _has_worked(act: ToolCall) -> bool:
    return act.mistake is None and not act.refusal


def _find_first_loop(acts: Sequence[ToolCall], tries: Sequence[int]) -> list[int]:
    """Return the first tries near each other, enough in number, the last with a known error."""
    for last in range(ENOUGH_TRIES, len(tries) + 1):
        places = [place for place in tries[:last] if place > tries[last - 1] - REACH]
        newest = _list_signatures(acts, places[-1:])
        if len(places) >= ENOUGH_TRIES and newest <= _list_signatures(acts, places[:-1]):
            return places
    return []


def _build_loop(head: str, failed: Sequence[ToolCall]) -> Loop:
    newest = failed[-1]
    line = newest.mistake.line if newest.mistake else ""
    alike = len(_list_signatures(failed, range(len(failed)))) == 1
    return Loop(tuple(act.id for act in failed), newest.tool, head, alike, line)


def _list_signatures(acts: Sequence[ToolCall], places: Sequence[int]) -> set[str]:
    return {mistake.signature for place in places if (mistake := acts[place].mistake)}


def _has_failed(act: ToolCall) -> bool:
    """True if a call was tried and failed; user stops and transient errors do not count."""
    if act.mistake is None or act.refusal in _STOPPED:
        return False
    return act.mistake.category not in _NOT_TRIED


def _find_try_keys(act: ToolCall) -> tuple[str, ...]:
    """Return the keys for recognising a repeated try: programs, file, or tool."""
    if act.tool in NOISY_TOOLS or act.tool in _LOOKING:
        return ()
    if not _GOING_ON.isdisjoint(word for part in act.parts for word in part):
        return ()
    if act.command:
        return list_heads(act.command)
    if act.tool in EDITS or act.path:
        return (act.path,) if act.path else ()
    return (act.tool,)


def list_changes(act: ToolCall) -> list[FileEdit]:
    """Return the changes made by a call; empty for a failed call or no edit."""
    if act.tool not in EDITS or act.mistake is not None or act.refusal or not act.path:
        return []
    hashes = list(_hash_replacements(act.arguments))
    if (whole := _fold_lines(act.arguments, _WHOLE)) is not None:
        hashes.append(("", _hash_text("\n".join(whole))))
    return [FileEdit(act.path, before, after, act.id, act.at) for before, after in hashes]


def find_thrash(changes: Sequence[FileEdit]) -> Thrash | None:
    """Return the thrash completed by the newest change, once for a file and a pair of texts.

    ``changes`` are the last ones of a session, ``CHANGE_WINDOW`` at most, and the newest is the last.
    """
    recent = changes[-CHANGE_WINDOW:]
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
