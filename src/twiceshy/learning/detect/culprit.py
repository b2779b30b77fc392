"""Find the trigger of a mistake: the words of a call that will fail again.

The error names the culprit, or the difference to the working call does. A path that is not
there is missing for every tool; anything else belongs to its program. A call with only a
missing part is recognised by the absence of the part.
"""

from __future__ import annotations

import re
from itertools import takewhile

from twiceshy.core.trigger import FILES, LARGE, Trigger, parse_trigger
from twiceshy.learning.detect.arguments import is_renamed, list_other_arguments
from twiceshy.learning.detect.difference import (
    find_difference,
    is_denial,
    is_through_other_program,
)
from twiceshy.learning.detect.fix import (
    find_other_folder,
    is_other_subcommand,
    list_working_parts,
)
from twiceshy.learning.detect.mistake import find_named_words
from twiceshy.learning.detect.shell_blame import find_blamed_word, list_blamed_words
from twiceshy.shell import DEPTH, IDLE, KNOWN
from twiceshy.shell.call_head import LINKS
from twiceshy.shell.call_summary import relative_to_root
from twiceshy.shell.call_words import is_argument_name, path_pairs
from twiceshy.shell.command_line import list_wrapper_names, parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.learning.detect.mistake import Mistake
    from twiceshy.shell.call_words import Part
    from twiceshy.shell.tool_call import ToolCall

PATH_MISTAKES = ("missing", "folder")
# the arguments of calls that do not take a whole file: see shell.call_words
READING_PARTS = ("limit:", "limit=", "offset:", "offset=", "old_string=", "pattern=")
_MOST_WORDS = 3
_MOST_GIVEN = 4  # a program, its subcommand, and what they are given
_MOST_UNEXPLAINED = 8
_TASK_WORD = re.compile(r"[^\W\d_][\w:-]*")  # ``create``, ``test:e2e``; no flag, path or number
_PATHS = re.compile(
    r"[^\s'\"`:,()=]*[./][^\s'\"`:,()]*|(?<=: )[\w.-]+(?=:|$)|(?<=['\"`])[\w.-]+(?=['\"`])"
)
_NOT_FOUND = re.compile(
    r"command not found: ([\w.+-]+)|(?:^|[:\s])([\w.+-]+): (?:command )?not found\b(?!:)"
)


def find_trigger(
    failed: ToolCall,
    mistake: Mistake,
    fix: ToolCall | None,
    *,
    root: str = "",
    known_paths: Collection[str] = (),
) -> Trigger | None:
    """Return the trigger of a mistake, if the trigger survives writing and parsing.

    ``known_paths`` are pairs of neighbours in the paths of files that are there.
    """
    if mistake.category == LARGE:
        pairs = tuple(path_pairs(relative_to_root(failed.path, root))[-1:])
        found: Trigger | None = Trigger(FILES, pairs, READING_PARTS, LARGE)
    elif fix is not None and is_other_subcommand(failed, fix):
        found = Trigger(failed.family, failed.parts[0][:_MOST_GIVEN], category=mistake.category)
    elif fix is not None and is_renamed(failed, fix):
        found = _find_argument_trigger(failed, fix)
    else:
        found = _find_trigger(failed, mistake, fix, root, known_paths)
    read = parse_trigger(found.to_line()) if found else None
    return read if read and read.tool in (failed.family, FILES) else None


def find_task_trigger(refused: ToolCall) -> Trigger | None:
    """Return a trigger for the task of a call; None for an edit, which is refused for its content."""
    if refused.path and not refused.command:
        return None
    parts = [part for part in refused.parts if part[0] not in IDLE]
    words = _name_task(parts[-1], refused.command) if parts else ()
    found = Trigger(refused.family, words, category="rejected") if words else None
    return parse_trigger(found.to_line()) if found else None


def find_missing_path(failed: ToolCall, mistake: Mistake) -> str:
    """Return the path that an error is about; empty if the call does not name it."""
    if failed.path and not failed.command:
        return failed.path
    words = {
        word.rstrip("/")
        for command in parse_command_line(failed.command).walk_commands()
        for word in command.arguments
        if word[:1] != "-"
    }
    named = (each.rstrip("/") for each in reversed(_PATHS.findall(mistake.line)))
    return next((path for path in named if path.strip(".~") and path in words), "")


def _find_trigger(
    failed: ToolCall,
    mistake: Mistake,
    fix: ToolCall | None,
    root: str,
    known_paths: Collection[str],
) -> Trigger | None:
    if found := _find_path_trigger(failed, mistake, fix, root, known_paths):
        return found
    parts = _list_speaking_parts(failed, mistake) or list_working_parts(failed) or failed.parts
    if not failed.command:
        parts = [values] if (values := _list_values(failed)) else []
    if not parts or (failed.family == FILES and not failed.path):
        return None
    if words := _find_plain_culprit(failed, mistake):
        found = Trigger(failed.family, words, category="usage")
        # another program may run the missing one: `python -m pytest`
        is_run = (
            find_missing_program(mistake.line) and fix and found.matches(fix.family, fix.parts)
        )
        return found.but(absent=_list_added_words(failed, fix)) if fix and is_run else found
    if fix and (program := _find_wrapped_program(failed, fix)):
        return Trigger(failed.family, program, _list_added_words(failed, fix), mistake.category)
    if mistake.category in ("outcome", "transient") and fix is None:
        # the work failed, and nothing says that it was called wrongly: its report tells it apart
        part = next((part for part in reversed(parts) if part[0] not in IDLE), parts[-1])
        words = _name_denied(part, mistake) or _name_task(part, failed.command)
        return Trigger(failed.family, words, category=mistake.category)
    return _find_difference(failed, mistake, fix, parts)


def _find_path_trigger(
    failed: ToolCall,
    mistake: Mistake,
    fix: ToolCall | None,
    root: str,
    known_paths: Collection[str],
) -> Trigger | None:
    """Return a trigger for a path that is not there, or is a folder; None for any other mistake."""
    if mistake.category not in PATH_MISTAKES or (fix and find_other_folder(failed, fix)):
        return None
    is_missing = mistake.category == "missing"
    path = find_missing_path(failed, mistake)
    pairs = _find_divergence(path, fix, root, known_paths if is_missing else ()) if path else ()
    if not pairs or ("/" not in pairs[0] and failed.command):
        return None
    found = Trigger(FILES, pairs, category=mistake.category)
    if fix and is_missing and found.matches(fix.family, fix.parts):
        # the right path ends in the wrong one: `src/a.kt` and `app/src/a.kt`
        return found.but(absent=_list_added_words(failed, fix))
    return found


def _find_wrapped_program(failed: ToolCall, fix: ToolCall) -> tuple[str, ...]:
    """Return a program that works only behind another one, with its subcommand; empty if none.

    What runs a script by its name is told by the script, too.
    """
    found = find_difference(failed, fix)
    if not found or not is_through_other_program(found):
        return ()
    program = found.failed.program
    if program not in found.worked.words or program in KNOWN - DEPTH.keys():
        return ()
    part = next((part for part in failed.parts if part[0] == program), ())
    return tuple(_find_task_words(part)[: DEPTH.get(program, 0) + 1]) if part else ()


def _list_values(failed: ToolCall) -> Part:
    """Return the words of a call of a tool, without switches and bare names of arguments."""
    return tuple(
        term
        for part in failed.parts
        for term in part
        if not is_argument_name(term) and not term.endswith(("=true", "=false"))
    )


def _find_argument_trigger(failed: ToolCall, fix: ToolCall) -> Trigger | None:
    """Return the argument names that a tool refused, or all of them without those it missed."""
    gone, new = list_other_arguments(failed, fix)
    if gone:
        return Trigger(failed.family, tuple(gone[:_MOST_WORDS]), category="usage")
    names = [term for part in failed.parts for term in part if is_argument_name(term)]
    absent = tuple(new[:_MOST_WORDS])
    return Trigger(failed.family, tuple(names[:_MOST_WORDS]), absent, "usage") if names else None


def _list_speaking_parts(failed: ToolCall, mistake: Mistake) -> list[Part]:
    """Return the parts of a command line whose program calls itself called wrongly."""
    program, says, _ = mistake.line.partition(": ")
    speaks = says and mistake.category == "usage"
    return [part for part in failed.parts if speaks and part[0] == program]


def find_missing_program(line: str) -> str:
    """Return the program that a shell did not find; empty if an error is about something else."""
    found = _NOT_FOUND.search(line)
    return (found[1] or found[2]) if found else ""


def _find_plain_culprit(failed: ToolCall, mistake: Mistake) -> tuple[str, ...]:
    """Return a word that the shell refused, or a program that is not there."""
    if blame := find_blamed_word(failed, mistake.line):
        words = list_blamed_words(blame)
        return words if any(set(words) <= set(part) for part in failed.parts) else ()
    name = find_missing_program(mistake.line)
    return (name,) if any(name in part for part in failed.parts) else ()


def _find_difference(
    failed: ToolCall, mistake: Mistake, fix: ToolCall | None, parts: Sequence[Part]
) -> Trigger:
    """Return the words that the error blames, or that the fix did without or added."""
    right = {term for part in fix.parts for term in part} if fix else set()
    again = {part[0] for part in fix.parts} if fix else set()

    def blame(part: Part) -> tuple[bool, int, bool]:
        named = len(find_named_words(part, mistake.line))
        return part[0] in again, named, bool(set(part) - right)

    part = max(parts, key=blame)
    terms = _find_culprits(part, mistake, right, failed.command)
    kept = all(term in right for term in part)
    absent = _list_added_words(failed, fix) if fix and kept else ()
    return Trigger(failed.family, terms, absent, mistake.category)


def _list_added_words(failed: ToolCall, fix: ToolCall) -> tuple[str, ...]:
    """Return the first words that only the fix has."""
    one, other = ({term for part in act.parts for term in part} for act in (failed, fix))
    return tuple(sorted(other - one))[:_MOST_WORDS]


def _find_culprits(part: Part, mistake: Mistake, right: set[str], command: str) -> tuple[str, ...]:
    """Return the program with the words blamed by the error, or absent from the fix."""
    named = _list_unmentioned_flags(part, mistake) or find_named_words(part, mistake.line)
    blamed = named if named != [part[0]] else []  # a bare program is in every other call
    gone = [term for term in part if term not in right] if right else []
    if right and not gone and not any(_is_quoted(term, mistake.line) for term in blamed):
        # it only lacked something, and nothing of it is called wrong: all that it does counts
        return tuple(dict.fromkeys((*_find_task_words(part, command), *blamed[:_MOST_WORDS])))
    blamed = _drop_values([term for term in blamed if term in gone] if gone else blamed)
    chosen = blamed if blamed and mistake.category != "outcome" else gone or list(part)
    most = _MOST_WORDS if right or blamed else _MOST_UNEXPLAINED
    dropped = filter(
        list_wrapper_names(command).__contains__, gone
    )  # that the right call did without
    words = tuple(dict.fromkeys((part[0], *dropped, *chosen)))[:most]
    return words if len(words) > 1 else _name_task(part, command)


def _drop_values(blamed: list[str]) -> list[str]:
    """Return the blamed options without their values, which an error repeats; else all words."""
    return [term for term in blamed if term[:1] == "-" and "=" not in term] or blamed


def _is_quoted(term: str, line: str) -> bool:
    """True if an error points at a command word instead of merely mentioning the word."""
    return term[:1] == "-" or any(f"{mark}{term}{mark}" in line for mark in "'\"`")


def _name_task(part: Part, command: str = "") -> tuple[str, ...]:
    """Return the words of a task, or the program with what it is given: a bare program says nothing."""
    words = _find_task_words(part, command)
    return tuple(words) if len(words) > 1 else part[:2]


def _name_denied(part: Part, mistake: Mistake) -> tuple[str, ...]:
    """Return the program with the words that an error says are wrong; empty if it names none."""
    if not is_denial(mistake.line):
        return ()
    blamed = [term for term in find_named_words(part[1:], mistake.line) if term != part[0]]
    return (part[0], *_drop_values(blamed))[:_MOST_WORDS] if blamed else ()


def _find_task_words(part: Part, command: str = "") -> list[str]:
    """Return the leading words of a command line, which name the task: gh release create.

    What a subcommand is given does not count, but for a path.
    """
    words, most = [part[0]], DEPTH.get(part[0], _MOST_WORDS) + 1
    given = command.split()
    for term in part[1:]:
        if "/" in term and len(words) == 1:
            continue  # where the program lies
        is_given = len(words) >= most and term in given
        if len(words) >= _MOST_WORDS or is_given or not _TASK_WORD.fullmatch(term):
            break
        words.append(term)
        most += term in LINKS
    return words


def _list_unmentioned_flags(part: Part, mistake: Mistake) -> list[str]:
    """Return the flags missing in the usage text printed by a program."""
    if not mistake.line.lower().startswith("usage:"):
        return []
    return [term for term in part if term.startswith("--") and term not in mistake.line]


def _find_divergence(
    path: str, fix: ToolCall | None, root: str, known_paths: Collection[str]
) -> tuple[str, ...]:
    """Return the first step of a path that nobody was seen to take, or the end of the path."""
    pairs = path_pairs(relative_to_root(path, root).rstrip("/"))
    if not pairs:
        return ()
    right = {*known_paths, *(path_pairs(relative_to_root(fix.path, root)) if fix else ())}
    known = len(list(takewhile(right.__contains__, pairs)))
    if pairs[-1] in right:
        return ()  # it is there, seen from another folder
    return (pairs[known] if known else pairs[-1],)
