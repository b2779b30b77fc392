"""Build a lesson from a mistake and its fix: the trigger, the line, and the evidence."""

from __future__ import annotations

from twiceshy.core.trigger import LARGE, Trigger, list_quoted_errors
from twiceshy.core.value import Value
from twiceshy.learning.detect.culprit import (
    PATH_MISTAKES,
    find_missing_path,
    find_task_trigger,
    find_trigger,
)
from twiceshy.learning.detect.fix import PARTS
from twiceshy.learning.detect.gate import is_on_purpose, is_passing, is_real_fix, is_temporary
from twiceshy.learning.detect.mistake import Mistake
from twiceshy.learning.detect.preparation import find_inserted_step, narrow_calls
from twiceshy.learning.detect.shell_blame import find_blamed_word
from twiceshy.learning.detect.wording import (
    quote_error,
    shorten_error,
    tells_nothing,
    word_evidence,
    word_lesson,
    word_refusal,
)
from twiceshy.shell.call_summary import relative_to_root

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection

    from twiceshy.shell.tool_call import ToolCall


class MistakeLesson(Value):
    """Lesson of a failed call: the fix, if any, the trigger, the line, and the evidence.

    ``lost_calls`` and ``lost_ms`` are the cost of the mistake.
    """

    failed: ToolCall
    fix: ToolCall | None
    trigger: Trigger
    text: str
    evidence: str
    why: str
    lost_calls: int = 1
    lost_ms: int = 0

    @property
    def key(self) -> str:
        """Return the identity of the mistake, equal in other wordings and on other devices.

        What a program reported about its work is told apart by the report.
        """
        line = self.trigger.to_line()
        if self.trigger.category not in ("outcome", "transient") or self.fix:
            return line
        mistake = self.failed.mistake
        report = mistake.signature.split("|", 2)[-1] if mistake else ""
        return f"{line} ~ {report}"


def build_lesson(
    failed: ToolCall,
    fix: ToolCall | None,
    *,
    root: str = "",
    known_paths: Collection[str] = (),
) -> MistakeLesson | None:
    """Build the lesson of a mistake; None if nothing concrete can be said."""
    mistake = failed.mistake
    if mistake is None or list_quoted_errors(mistake.line):
        return None  # what reads like a note of ours was printed, and did not happen
    if not shorten_error(mistake.line, root) or is_on_purpose(failed):
        return None
    if fix and not _is_fix(failed, fix, mistake, root):
        fix = None
    whole, worked = failed, fix
    if fix:
        failed, fix = narrow_calls(failed, fix)
    trigger = find_trigger(failed, mistake, fix, root=root, known_paths=known_paths)
    if trigger and fix and trigger.matches(fix.family, fix.parts):
        fix, failed = None, whole  # what still makes the mistake did not put it right
        trigger = find_trigger(failed, mistake, fix, root=root, known_paths=known_paths)
    if trigger is None or is_about_temporary(failed, mistake, root):
        return None
    text = word_lesson(failed, mistake, fix, trigger, root=root)
    if tells_nothing(text):
        return build_lesson(whole, None, root=root, known_paths=known_paths)
    return MistakeLesson(
        whole,
        worked if fix else None,
        trigger,
        text,
        word_evidence(failed, mistake, fix, root),
        quote_error(mistake.line, root),
    )


def build_refusal(refused: ToolCall, reason: str, *, root: str = "") -> MistakeLesson | None:
    """Build the lesson of a call that the user refused; None if nothing identifies the call."""
    trigger = find_task_trigger(refused)
    if trigger is None:
        return None
    signature = f"{refused.family}|{' '.join(trigger.words)}|rejected"
    said = quote_error(" ".join(reason.split()), root)
    return MistakeLesson(
        refused.but(mistake=Mistake("rejected", said, signature)),
        None,
        trigger,
        word_refusal(refused, said, trigger, root=root),
        "",
        said,
    )


def _is_fix(failed: ToolCall, fix: ToolCall, mistake: Mistake, root: str) -> bool:
    """True if a call put a mistake right; what passes by itself needs a step in between."""
    if mistake.category == "transient" and not find_inserted_step(failed, fix):
        return False  # the same call again, later
    blame = find_blamed_word(failed, mistake.line)
    if blame and blame.is_operand:
        return False  # whatever was done instead, the line says how to look for files
    return is_real_fix(failed, fix, mistake) and not _is_elsewhere(fix, root)


def _is_elsewhere(fix: ToolCall, root: str) -> bool:
    """True if a call looks at the project as a whole, or at a file outside of it."""
    if fix.command or not fix.path:
        return False
    path = relative_to_root(fix.path, root)
    return path.rstrip("/") in ("", ".") or (bool(root) and path.startswith("/"))


def is_about_temporary(failed: ToolCall, mistake: Mistake, root: str) -> bool:
    """True if what is missing or too large lies in a temporary folder or outside the project.

    What a later run writes anew, or was read in parts, is not too large for the next reader.
    """
    if mistake.category == LARGE:
        path = relative_to_root(failed.path, root)
        is_part = not PARTS.isdisjoint(failed.arguments)
        return is_part or path[:1] in ("", "/", "~") or is_temporary(path) or is_passing(path)
    if mistake.category not in PATH_MISTAKES:
        return False
    path = relative_to_root(find_missing_path(failed, mistake), root)
    return bool(path) and (path[0] in "/~" or is_temporary(path))
