"""Find out why a lesson must wait for a person, from its calls and its line."""

from __future__ import annotations

from twiceshy.safety.danger import WITHHELD, find_danger, has_instruction
from twiceshy.safety.danger.reasons import INSTRUCTION
from twiceshy.shell.call_summary import summarise_call

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.learning.detect.lesson import MistakeLesson


def find_lesson_danger(lesson: MistakeLesson) -> str:
    """Return the reason why a lesson must wait for a person, or nothing.

    The failed call is checked too, for it may have been planted. Calls are checked as they were
    made: parts left out of the note, such as redirected output, count; and so does the line,
    which may hold more of an argument than a summary. A refusal names a call to warn of it, so
    only an order is dangerous there: in the call, or in the reason, which is withheld then.
    """
    calls = [act.command or summarise_call(act) for act in (lesson.fix, lesson.failed) if act]
    texts = (*calls, lesson.text)
    if lesson.trigger.category == "rejected":
        ordered = WITHHELD in lesson.text or any(map(has_instruction, texts))
        return INSTRUCTION if ordered else ""
    return next((why for text in texts if (why := find_danger(text))), "")
