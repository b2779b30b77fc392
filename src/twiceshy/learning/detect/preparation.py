"""Find the step that had to come before a failing call: ``terraform init``, then ``terraform plan``.

The call, or the last part of its line, works unchanged behind that step.
"""

from __future__ import annotations

import re

from twiceshy.learning.detect.difference import is_about_work
from twiceshy.learning.detect.mistake import find_named_words
from twiceshy.shell import IDLE
from twiceshy.shell.call_head import list_heads
from twiceshy.shell.call_words import call_words
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.tokens import OPERATOR, read_tokens
from twiceshy.shell.tool_call import EDITS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.shell.call_words import Part
    from twiceshy.shell.tool_call import ToolCall

    _Key = tuple[tuple[str, ...], ...]

_AND_THEN = " && "
_SHORTEST_NAME = 3
_MOST_PARTS = 2  # of a step
# Steps after which other work succeeds: they fetch, make or start what was missing.
_PREPARING = frozenset(
    """bootstrap build bundle ci clean compile configure create dependency deps download fetch fmt format generate init
    install link login migrate migrations prepare provision pull rebase restart restore seed setup
    start stash submodule sync tidy unlock up vendor""".split()
)
_REMOVING = frozenset("kill pkill rm rmdir".split())
_CHANGING = frozenset(("fix", "write"))
# what holds for the code and the working tree of the day
_OF_THE_DAY = re.compile(
    r"(?i)undefined|\bconflicts?\b|no changes added|nothing (?:added )?to commit|\bun(?:staged|committed|merged)\b"
)
_NAMES = re.compile(r"[:._/-]")
_WORD = re.compile(r"[\w:.+-]*\w")
_QUOTED = re.compile(r"['\"`]([\w./:@ -]+)['\"`]")


def find_inserted_step(failed: ToolCall, fix: ToolCall) -> str:
    """Return the step that a fix does before the failed call itself; empty if none."""
    return _split_fix(failed, fix)[0]


def narrow_calls(failed: ToolCall, fix: ToolCall) -> tuple[ToolCall, ToolCall]:
    """Return a failed call and its fix, with the part of the line that needs the step only.

    Earlier parts of the line had worked, unless the error names one; a quoted text differs each time.
    """
    step, again = _split_fix(failed, fix)
    parts = [part for part in _split_line(again) if _identify(part)]
    if not step or not parts:
        return failed, fix
    line = failed.mistake.line if failed.mistake else ""

    def blame(part: str) -> int:
        found = (find_named_words(words, line) for words in call_words({"command": part}))
        return max(map(len, found), default=0)

    part = max(reversed(parts), key=blame)
    has_text = any(" " in word for key in _identify(part) for word in key)
    part = next(iter(list_heads(part)), part) if has_text else part
    return (
        failed.but(arguments={**failed.arguments, "command": part}),
        fix.but(arguments={**fix.arguments, "command": f"{step}{_AND_THEN}{part}"}),
    )


def find_prepared_call(failed: ToolCall, later: Sequence[ToolCall]) -> ToolCall | None:
    """Return the failed call behind the one step after which it worked unchanged."""
    steps: list[ToolCall] = []
    for act in later:
        if act.agent != failed.agent or act.mistake or act.refusal:
            continue
        if act.tool in EDITS or writes_files(act):
            return None
        if act.command and act.place == failed.place and _repeats(failed, act):
            line = f"{steps[0].command}{_AND_THEN}{act.command}" if len(steps) == 1 else ""
            both = act.but(arguments={"command": line})
            return both if line and is_prepared(failed, both) else None
        if any(part[0] not in IDLE for part in act.parts):
            steps.append(act)
    return None


def is_prepared(failed: ToolCall, act: ToolCall) -> bool:
    """True if the steps before the failed call are known to help: by name, or by the error.

    A finding about code is put right in the code, unless it names the step.
    """
    line = failed.mistake.line if failed.mistake else ""
    step = find_inserted_step(failed, act)
    if not step or _OF_THE_DAY.search(line):
        return False
    if _find_last_folder(act.command) != _find_last_folder(failed.command):
        return False
    parts = [part for part in act.but(arguments={"command": step}).parts if part[0] not in IDLE]
    named = {name for part in parts for word in part for name in _NAMES.split(word)}
    # what does the same did it for a part of it
    does_same = {part[:2] for part in parts} & {part[:2] for part in failed.parts}
    is_long = not 0 < len(parts) <= _MOST_PARTS
    if is_long or does_same or any(part[0] in _REMOVING for part in parts):
        return False
    if not named.isdisjoint(_CHANGING) and {part[0] for part in parts} & {
        part[0] for part in failed.parts
    }:
        return False  # the program puts right what it found: ``lint:fix``
    is_passing = failed.mistake is not None and failed.mistake.category == "transient"
    if not is_passing and _is_asked_for(parts, failed, line):
        return True
    return not is_about_work(line) and not named.isdisjoint(_PREPARING)


def writes_files(act: ToolCall) -> bool:
    """True if a command line changes files by itself."""
    steps = list(parse_command_line(act.command).list_steps())
    written = any(to[:5] != "/dev/" for step in steps for to in step.outputs)
    return written or any(
        step.program in ("sed", "perl") and word[:2] in ("-i", "-p")
        for step in steps
        for word in step.arguments
    )


def _split_fix(failed: ToolCall, fix: ToolCall) -> tuple[str, str]:
    """Return what a fix does first, and the failed call or the end of its line; or nothing."""
    if not read_tokens(failed.command)[1] or fix.command == failed.command:
        return "", ""  # a long text was cut, so where its parts end is unknown
    if fix.command.endswith(f"{_AND_THEN}{failed.command}"):
        return fix.command.removesuffix(f"{_AND_THEN}{failed.command}"), failed.command
    one, other = _split_line(failed.command), _split_line(fix.command)
    known = [_identify(text) for text in one]
    shared = _count_shared_end(known, list(map(_identify, other)))
    end = len(other) - shared
    before = [text for text in other[:end] if not (key := _identify(text)) or key not in known]
    if not shared or not any(map(_identify, before)):
        return "", ""
    heads = {head for text in one[: len(one) - shared] for head in list_heads(text)}
    if any(head in heads for text in before for head in list_heads(text)):
        return "", ""  # it does an earlier step in another way
    return _AND_THEN.join(before), _AND_THEN.join(other[end:])


def _repeats(failed: ToolCall, act: ToolCall) -> bool:
    """True if a call is the failed call, or the end of its line, however its output is cut."""
    if act.command == failed.command:
        return True
    one, other = (
        [key for text in _split_line(call.command) if (key := _identify(text))]
        for call in (failed, act)
    )
    return bool(other) and other == one[-len(other) :]


def _count_shared_end(one: list[_Key], other: list[_Key]) -> int:
    """Return how many parts of a line are also the last ones of another line."""
    count = 0
    for key, same in zip(reversed(one), reversed(other), strict=False):
        if not key or key != same:
            break
        count += 1
    return count


def _split_line(command: str) -> list[str]:
    """Return the parts of a line that run one after the other; the line itself if it branches."""
    tokens, is_complete = read_tokens(command)
    signs = [token for token in tokens if token.kind == OPERATOR and token.text[:1] != "|"]
    if not is_complete or any(sign.text not in ("&&", ";", "\n") for sign in signs):
        return [command]
    starts = [0, *(sign.end for sign in signs)]
    ends = [*(sign.start for sign in signs), len(command)]
    parts = (command[start:end].strip() for start, end in zip(starts, ends, strict=True))
    return [part for part in parts if part]


def _identify(text: str) -> _Key:
    """Return the programs of a part of a line with their words; empty if it only looks or moves."""
    steps = parse_command_line(text).list_steps()
    return tuple(
        (*step.environment, *step.words)
        for step in steps
        if step.words and step.program not in IDLE
    )


def _is_asked_for(parts: Sequence[Part], failed: ToolCall, line: str) -> bool:
    """True if an error names what a step does, or what the step is about."""
    said = set(_WORD.findall(line))
    if any(len(part) > 1 and said.issuperset(part[:2]) for part in parts):
        return True
    known = {word for part in failed.parts for word in part}
    about = {word for part in parts for word in part[1:] if word[:1] != "-"} - known
    quoted = [word for word in _QUOTED.findall(line) if len(word) >= _SHORTEST_NAME]
    return any(
        (len(word) > _SHORTEST_NAME and word in said) or any(name in word for name in quoted)
        for word in about
    )


def _find_last_folder(command: str) -> str:
    """Return the directory in which the last program of a line starts."""
    return next(
        (step.folder for step in reversed(list(parse_command_line(command).list_steps()))), ""
    )
