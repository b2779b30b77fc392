"""Texts of the save reminder, with steps that use our verbs.

Words of a model reach a shell as quoted arguments or a file, never through ``echo -e`` or a
here-document, which the words could end.
"""

from __future__ import annotations

MARK = "[MEMORY_KEEPER]"  # the skill memory-save is about what begins so
_RULE = "═" * 63
_FACTS = (
    "Write down what was settled since the last time and is not written down yet, one call for each:",
    "   twiceshy add-decision 'WHAT WAS DECIDED' 'WHY' TYPE FILES CONCEPTS",
    "   twiceshy add-pattern 'HOW THINGS ARE DONE HERE' TYPE FILES CONCEPTS",
    "   twiceshy add-issue 'WHAT IS WRONG' open TYPE FILES CONCEPTS",
    "   FILES and CONCEPTS are lists with commas; TYPE and what follows may be left out.",
)
_FILE = (
    "If there are many, write them into a file with your own tool instead, below the headings",
    "   ## Decisions, ## Patterns and ## Issues, and run: twiceshy extract-facts FILE",
)
_PAGES = (
    "If the goals, the architecture or the conventions of the project changed, write that page anew:",
    "   twiceshy memory-set project 'TEXT'  (or architecture, or conventions)",
)
_COMPRESS = ("Put old sessions away: twiceshy compress",)
_QUOTING = (
    "Put every text between single quotes, and write '\\'' for one inside it. No echo, no here-document.",
    "What is known already is merged, so nothing is lost or doubled by doing this again.",
)


def is_reminder_due(count: int, interval: int) -> bool:
    """True if a reminder is due after this many tool uses."""
    return count % interval == 0


def render_reminder(interval: int) -> str:
    """Return the reminder after this many tool uses."""
    head = f"{MARK} AUTO-SAVE TRIGGERED - {interval} tool uses reached"
    return "\n".join((*_render_banner(head), *_list_steps(_FACTS, _FILE, _PAGES), *_QUOTING))


def render_farewell() -> str:
    """Return the reminder before the end of a session."""
    banner = _render_banner(f"{MARK} SESSION ENDING - Final Save Required")
    kept = "Raw transcript: not copied; the summary of the session names where it lies."
    return "\n".join((*banner, kept, *_list_steps(_FACTS, _FILE, _PAGES, _COMPRESS), *_QUOTING))


def _render_banner(head: str) -> tuple[str, ...]:
    return (_RULE, head, _RULE)


def _list_steps(*steps: tuple[str, ...]) -> list[str]:
    numbered = ((f"{number}. {first}", *rest) for number, (first, *rest) in enumerate(steps, 1))
    return [line for step in numbered for line in step]
