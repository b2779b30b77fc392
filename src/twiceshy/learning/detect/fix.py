"""Find the fix of a mistake: a later variant of the same call that worked.

The most similar of the next few calls is taken. Work that failed and then passed was mostly
fixed by an edit in between, which says nothing about how to call it; therefore little counts
as its fix.
"""

from __future__ import annotations

import re

from twiceshy.core.trigger import LARGE
from twiceshy.learning.detect.arguments import (
    SIMILAR,
    is_renamed,
    measure_similarity,
    score_arguments,
)
from twiceshy.learning.detect.difference import (
    IMMEDIATE,
    is_about_work,
    is_correction,
    is_denial,
)
from twiceshy.learning.detect.preparation import find_prepared_call, is_prepared, writes_files
from twiceshy.learning.detect.spelling import is_slip
from twiceshy.shell import DEPTH
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.tool_call import EDITS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.shell.call_words import Part
    from twiceshy.shell.command_line import SimpleCommand
    from twiceshy.shell.tool_call import ToolCall

REACH = 8  # calls behind a mistake among which its fix is looked for
_AT_ONCE = 2.0  # a small difference that worked at once says more than any likeness
_NEAR = 0.25
_SAME_NAME = 0.75
_NAMESAKE = 0.4
PARTS = frozenset("limit offset pattern".split())  # arguments of calls that take a part of a file
_HELP = frozenset("--help -h help --version".split())
_LOOKING = frozenset("which type whereis command man echo apt apt-get brew dnf yum".split())
_SHOWING = frozenset(
    "grep egrep rg ag awk sed cat jq cut xargs ls find head tail wc sort uniq less more".split()
)
# Errors of a program that looked for its files in the folder it was started in.
_MISPLACED = re.compile(
    r"(?i)\b(?:enoent|no such file|could not (?:find|read|locate)|cannot find|can't find|not found"
    r"|no [\w. -]{1,40} found|does not exist|missing script|not a git repository|no rule to make"
    r"|does not contain (?:\w+ )?(?:module|package)|outside (?:\w+ )?(?:module|workspace|package))"
)
# A subcommand has nothing to do with what it is given; another one may have.
_NOTHING_THERE = re.compile(
    r"(?i)\bno (?:[\w-]+ ){1,3}files\b|build constraints exclude|no buildable|nothing to be done"
    r"|no (?:tests?|targets?|packages?) (?:found|to|ran|matched)|is not a main package"
)
_TEST_NAME = re.compile(r"^test_|[._-](?:test|tests|spec)(?=\.\w+$)")


def find_fix(failed: ToolCall, later: Sequence[ToolCall]) -> ToolCall | None:
    """Return the most similar working call among those right after a mistake.

    A call that worked unchanged after another step counts as the two of them in a line.
    """
    best, likeness, edited = None, 0.0, False
    for at, act in enumerate(later[:REACH]):
        has_changed, edited = edited, edited or _changes_files(act)
        if act.refusal or act.family != failed.family or not _has_run(failed, act):
            continue
        if act.ran_ms and act.at - act.ran_ms < failed.at:
            continue  # it was called before anybody knew of the failure
        is_near = at < IMMEDIATE and not has_changed and act.agent == failed.agent
        found = _AT_ONCE if is_near and is_correction(failed, act) else 0.0
        if act.agent == failed.agent:
            found = found or _score_fix(failed, act, edited=has_changed)
        if found > likeness:
            best, likeness = act, found
    return best or find_prepared_call(failed, later[:REACH])


def find_other_folder(failed: ToolCall, fix: ToolCall) -> str:
    """Return the folder in which a fix makes the very same call; empty if none."""
    folder = _find_folder(fix)
    is_same = _collect_words(fix) - _collect_words(failed) == {f"cd={folder}"}
    return folder if is_same and not _find_folder(failed) else ""


def list_working_parts(act: ToolCall) -> list[Part]:
    """Return the parts of a command line, without those for showing or searching."""
    return [part for part in act.parts if part[0] not in _SHOWING]


def _changes_files(act: ToolCall) -> bool:
    """True if a call that worked changed files."""
    return act.mistake is None and (act.tool in EDITS or writes_files(act))


def _has_run(failed: ToolCall, act: ToolCall) -> bool:
    """True if a call worked, or merely ran where the failed call was a wrong usage."""
    if act.mistake is None:
        return True
    if is_about_work(act.mistake.line) and is_correction(failed, act):
        return True  # it ran, and found something
    wrongly = failed.mistake is not None and failed.mistake.category == "usage"
    return wrongly and act.mistake.category == "outcome" and bool(act.command)


def _score_fix(failed: ToolCall, act: ToolCall, *, edited: bool) -> float:
    """Return the similarity of a call to the failed call; 0 if not a fix."""
    if failed.command:
        if not _HELP.isdisjoint(_collect_words(act) - _collect_words(failed)):
            return 0.0  # to ask how something is called is not to call it
        return _score_command(failed, act, edited=edited)
    if failed.path and not is_renamed(failed, act):
        sort = failed.mistake.category if failed.mistake else ""
        if sort == LARGE:
            return float(act.path == failed.path and not PARTS.isdisjoint(act.arguments))
        return _score_path(failed.path, act.path) if sort in ("missing", "folder") else 0.0
    return score_arguments(failed, act)


def _score_command(failed: ToolCall, act: ToolCall, *, edited: bool) -> float:
    """Compare command lines: by folder, by step, by what the error asks for, by words."""
    sort, line = (failed.mistake.category, failed.mistake.line) if failed.mistake else ("", "")
    if find_other_folder(failed, act):
        is_misplaced = _MISPLACED.search(line) is not None or is_denial(line)
        return float(not edited and is_misplaced)
    elsewhere = _find_folder(failed) != _find_folder(act) or "cd:" in line
    changed = _collect_words(failed) ^ _collect_words(act)
    if elsewhere and (sort != "usage" or all(word[:3] == "cd=" for word in changed)):
        return 0.0  # where it was called put it right, not how
    if not edited and is_other_subcommand(failed, act):
        return 1.0
    if not edited and (is_prepared(failed, act) or _is_suggested(failed, act, line)):
        return 1.0
    if sort == "outcome":
        return _score_adjusted(failed, act, edited=edited)
    return _score_variant(failed, act)


def is_other_subcommand(failed: ToolCall, act: ToolCall) -> bool:
    """True if another subcommand of a program takes what the failed one had nothing to do with."""
    line = failed.mistake.line if failed.mistake else ""
    steps = [list(parse_command_line(call.command).list_steps()) for call in (failed, act)]
    if not _NOTHING_THERE.search(line) or any(len(each) == 0 for each in steps):
        return False
    (one, *_), (other, *_) = steps
    given, taken = ({word for word in step.arguments if "/" in word} for step in (one, other))
    return (
        one.program == other.program
        and one.arguments[:1] != other.arguments[:1]
        and given == taken != set()
    )


def _is_suggested(failed: ToolCall, act: ToolCall, line: str) -> bool:
    """True if a call differs from the failed call only by a program that the error names."""
    if len(failed.parts) != 1 or len(act.parts) != 1:
        return False
    (program, *words), (other, *others) = failed.parts[0], act.parts[0]
    return (
        program != other and words == others and bool(re.search(rf"\b{re.escape(other)}\b", line))
    )


def _score_variant(failed: ToolCall, act: ToolCall) -> float:
    """Compare command lines: mostly equal, or partly equal with the same program."""
    one, other = _collect_words(failed), _collect_words(act)
    if one == other or not one or not other:
        return 0.0
    if missing := _find_missing_program(failed):
        return _score_replacement(missing, failed, act)
    for step, missing in _list_missing_paths(failed):
        found = _score_found(step, missing, act)
        if not found or found >= _SAME_NAME:
            return found
    shared = len(one & other) / len(one | other)
    first = {word for part in failed.parts for word in part[:2]}
    related = any(_find_program(part) in first for part in act.parts)
    if not related or shared < _NEAR:
        return 0.0
    # to give another option is better than to give none
    is_less = other < one and all(word[:1] == "-" for word in one - other)
    return _NEAR * shared if is_less else shared


def _list_missing_paths(failed: ToolCall) -> Iterator[tuple[SimpleCommand, str]]:
    """Yield the first path of a call that its error calls missing, with the program given it."""
    line = failed.mistake.line if failed.mistake and failed.mistake.category == "missing" else ""
    for step in parse_command_line(failed.command).list_steps() if line else ():
        for word in step.arguments:
            if word[:1] != "-" and _is_named(word.rpartition(":")[2], line):
                yield step, word
                return


def _score_found(step: SimpleCommand, missing: str, act: ToolCall) -> float:
    """Compare what a program is given with the missing path; 0 if it neither finds it nor does without.

    A call does without a path if it has the same options and one of the other paths.
    """
    given = {word for word in step.arguments if word[:1] != "-"}
    subcommands = {missing, *step.arguments[: DEPTH.get(step.program, 0)]}
    others = {word for word in given - subcommands if _is_path(word)}
    options, best = set(step.arguments) - given, 0.0
    for again in parse_command_line(act.command).list_steps():
        if again.program == step.program:
            words = again.arguments
            without = options.issubset(words) and not others.isdisjoint(words)
            best = max(best, _NEAR * without, *(_score_path(missing, word) for word in words))
    return best


def _is_named(word: str, line: str) -> bool:
    """True if an error names a word as a whole."""
    bare = re.escape(word.rstrip("/"))
    return len(word) > 1 and re.search(rf"(?<![\w./-]){bare}/?(?![\w/-])", line) is not None


def _is_path(word: str) -> bool:
    """True if a word may be a path: a pattern to look for seldom is one."""
    return re.fullmatch(r"[\w.@+/-]+", word) is not None


def _find_missing_program(failed: ToolCall) -> str:
    """Return the program not found by a shell, if any."""
    line = failed.mistake.line if failed.mistake else ""
    programs = (_find_program(part) for part in failed.parts)
    return next(
        (
            name
            for name in programs
            if f"{name}: command not found" in line
            or f"command not found: {name}" in line
            or f": {name}: not found" in line
        ),
        "",
    )


def _score_replacement(missing: str, failed: ToolCall, act: ToolCall) -> float:
    """Compare a call of a missing program with its replacement.

    The replacement is a program with a similar name, or a program that runs the missing one.
    """
    wanted, did = _collect_words(failed) - {missing}, _collect_words(act)
    kept = len(wanted & did) / len(wanted) if wanted else 1.0
    through = any(missing in part and _is_runner(part) for part in act.parts)
    namesake = bool(wanted) and any(
        measure_similarity(_find_program(part).rpartition("/")[2], missing) >= SIMILAR
        for part in act.parts
    )
    return kept if kept >= SIMILAR and (through or namesake) else 0.0


def _is_runner(part: Part) -> bool:
    """True if a command runs its argument instead of searching or installing."""
    return part[0] not in _SHOWING | _LOOKING and "install" not in part and "add" not in part


def _find_program(part: Part) -> str:
    return part[1] if part[0] == "npx" and len(part) > 1 else part[0]


def _find_folder(act: ToolCall) -> str:
    """Return the directory of a command line before its first program."""
    commands = parse_command_line(act.command).commands
    return next((each.folder for each in commands if each.program != "cd"), "")


def _score_adjusted(failed: ToolCall, act: ToolCall, *, edited: bool) -> float:
    """Compare failed and passed work: every new word must resemble a removed word."""
    one, other = _collect_words(failed), _collect_words(act)
    gone, new = one - other, other - one
    if not gone and new and not edited and all(map(_is_surrounding, new)):
        return 1.0  # the same call with a variable set, or in another folder
    again = not set(list_working_parts(failed)).isdisjoint(list_working_parts(act))
    if edited or again or not new:
        return 0.0
    if {_strip_digits(word) for word in gone} == {_strip_digits(word) for word in new}:
        return 0.0  # another number is another thing, not another way
    shared = len(one & other) / len(one | other)
    # another name is another test or target; the same name with more to it is another way
    bent = all(any(extends_word(word, old) for old in gone) for word in new)
    return shared if bent and shared >= SIMILAR else 0.0


def extends_word(word: str, old: str) -> bool:
    """True if a word is another one with more to it: ``lint`` and ``lint:fix``."""
    more = word[len(old) :]
    return old.islower() and word.startswith(old) and more[:1] in (":", "-")


def _is_surrounding(word: str) -> bool:
    """True if a command word sets a variable or names a folder to start in."""
    name, equals, _ = word.partition("=")
    return word == "env" or (bool(equals) and name.isidentifier())


def _strip_digits(word: str) -> str:
    return "".join(char for char in word if not char.isdigit())


def _score_path(wrong: str, right: str) -> float:
    """Compare paths: a similar name, the parent folder, or a namesake in the same folder."""
    names, others = wrong.rstrip("/").split("/"), right.rstrip("/").split("/")
    if not right or names == others or _is_test_of(names[-1], others[-1]):
        return 0.0
    likeness = measure_similarity(names[-1], others[-1])
    if likeness >= _SAME_NAME:
        return likeness
    above = names[:-1]
    if above == others[:-1] and is_slip(names[-1], others[-1]):
        return _SAME_NAME
    if len(above) > 1 and others == above:
        return _NEAR
    stems = measure_similarity(*_strip_shared_ending(names[-1], others[-1]))
    return likeness if above == others[:-1] and stems >= SIMILAR else 0.0


def _is_test_of(one: str, other: str) -> bool:
    """True if one of two names is that of the tests for the other: two files, not two spellings."""
    plain = [_TEST_NAME.sub("", name) for name in (one, other)]
    return one != other and plain[0] == plain[1]


def _strip_shared_ending(one: str, other: str) -> tuple[str, str]:
    """Return two names without their shared ending: ``_test.go`` says nothing about a file."""
    cut = 0
    for end in range(1, min(len(one), len(other))):
        if one[-end] != other[-end]:
            break
        cut = end if one[-end] in "._-" else cut
    return one[: len(one) - cut], other[: len(other) - cut]


def _collect_words(act: ToolCall) -> set[str]:
    return {term for part in act.parts for term in part}
