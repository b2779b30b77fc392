"""Build a lesson from a mistake and its fix: the trigger, and the text.

The error names the culprit, or the difference to the working call does. The culprit,
together with the program, is the trigger; a call with only a missing part is recognised by
the absence of the part.
"""

from __future__ import annotations

from twiceshy.core.trigger import FILES, Trigger, list_quoted_errors, parse_trigger
from twiceshy.core.value import Value
from twiceshy.learning.detect.fix import list_working_parts
from twiceshy.learning.detect.mistake import find_named_words
from twiceshy.safety.danger import quote_untrusted
from twiceshy.shell.call_summary import relative_to_root, summarise_call
from twiceshy.shell.call_words import path_pairs
from twiceshy.shell.command_line import list_wrapper_names

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.learning.detect.mistake import Mistake
    from twiceshy.shell.call_words import Part
    from twiceshy.shell.tool_call import ToolCall

_MOST_WORDS = 3
_MOST_UNEXPLAINED = 8


class MistakeLesson(Value):
    """Lesson of a failed call: the fix, if any, the trigger, and the text.

    ``lost_calls`` and ``lost_ms`` are the cost of the mistake.
    """

    failed: ToolCall
    fix: ToolCall | None
    trigger: Trigger
    text: str
    why: str
    lost_calls: int = 1
    lost_ms: int = 0


def build_lesson(
    failed: ToolCall, fix: ToolCall | None, *, root: str = ""
) -> MistakeLesson | None:
    """Build the lesson of a mistake; None if nothing concrete can be said."""
    mistake = failed.mistake
    if mistake is None or not mistake.line or list_quoted_errors(mistake.line):
        return None  # what reads like a note of ours was printed, and did not happen
    trigger = _build_trigger(failed, mistake, fix, root)
    if trigger and fix and trigger.matches(fix.family, fix.parts):
        fix = None  # what still makes the mistake did not put it right
        trigger = _build_trigger(failed, mistake, fix, root)
    if trigger is None:
        return None
    why = quote_untrusted(relative_to_root(mistake.line, root)).replace('"', "'")
    text = f'`{summarise_call(failed, root)}` failed: "{why}".'
    if fix is not None:
        text += f" `{summarise_call(fix, root)}` {'ran' if fix.mistake else 'worked'}."
    return MistakeLesson(failed, fix, trigger, text, why)


def _build_trigger(
    failed: ToolCall, mistake: Mistake, fix: ToolCall | None, root: str
) -> Trigger | None:
    """Return the trigger of a mistake, if the trigger survives writing and parsing."""
    found = _find_trigger(failed, mistake, fix, root)
    read = parse_trigger(found.to_line()) if found else None
    return read if read and read.tool == failed.family else None


def _find_trigger(
    failed: ToolCall, mistake: Mistake, fix: ToolCall | None, root: str
) -> Trigger | None:
    if failed.path and not failed.command and mistake.category == "missing":
        terms = _find_divergence(failed, fix, root)
        return Trigger(failed.family, terms, category=mistake.category) if terms else None
    parts = list_working_parts(failed) or failed.parts
    if not parts or (failed.family == FILES and not failed.path):
        return None
    right = {term for part in fix.parts for term in part} if fix else set()
    part = max(
        parts,
        key=lambda part: (len(find_named_words(part, mistake.line)), bool(set(part) - right)),
    )
    terms = _find_culprits(part, mistake, right, list_wrapper_names(failed.command))
    kept = all(term in right for term in part)
    had = {term for other in failed.parts for term in other}
    absent = tuple(sorted(right - had))[:_MOST_WORDS] if fix and kept else ()
    return Trigger(failed.family, terms, absent, mistake.category)


def _find_culprits(
    part: Part, mistake: Mistake, right: set[str], wrappers: frozenset[str]
) -> tuple[str, ...]:
    """Return the program with the words blamed by the error, or absent from the fix."""
    blamed = _list_unmentioned_flags(part, mistake) or find_named_words(part, mistake.line)
    gone = [term for term in part if term not in right] if right else []
    if right and not gone and not any(_is_quoted(term, mistake.line) for term in blamed):
        # it only lacked something, and nothing of it is called wrong: all that it does counts
        return tuple(dict.fromkeys((*_find_task_words(part), *blamed[:_MOST_WORDS])))
    chosen = blamed if blamed and mistake.category != "outcome" else gone or list(part)
    most = _MOST_WORDS if right or blamed else _MOST_UNEXPLAINED
    dropped = filter(wrappers.__contains__, gone)  # that the right call did without
    return tuple(dict.fromkeys((part[0], *dropped, *chosen)))[:most]


def _is_quoted(term: str, line: str) -> bool:
    """True if an error points at a command word instead of merely mentioning the word."""
    return term[:1] == "-" or any(f"{mark}{term}{mark}" in line for mark in "'\"`")


def _find_task_words(part: Part) -> list[str]:
    """Return the leading words of a command line, which name the task: gh release create."""
    words = [part[0]]
    for term in part[1:_MOST_WORDS]:
        if term[:1] == "-" or not term.replace("-", "").replace(":", "").isalpha():
            break
        words.append(term)
    return words


def _list_unmentioned_flags(part: Part, mistake: Mistake) -> list[str]:
    """Return the flags missing in the usage text printed by a program."""
    if not mistake.line.lower().startswith("usage:"):
        return []
    return [term for term in part if term.startswith("--") and term not in mistake.line]


def _find_divergence(failed: ToolCall, fix: ToolCall | None, root: str) -> tuple[str, ...]:
    """Return the point where a path leaves the correct path, or the end of the path."""
    pairs = path_pairs(relative_to_root(failed.path, root))
    if not pairs:
        return ()
    right = set(path_pairs(relative_to_root(fix.path, root))) if fix else set()
    shared = [at for at, pair in enumerate(pairs) if pair in right]
    behind = shared[-1] + 1 if shared else len(pairs)
    return (pairs[min(behind, len(pairs) - 1)],)
