"""Suggest a patch for instruction files: missing rules, and pointers to pages."""

from __future__ import annotations

from difflib import unified_diff

from twiceshy.core.text import strip_unsafe
from twiceshy.notes.rule_patch import add_rule_line
from twiceshy.project.pages.hub import render_pointer

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note

_HUB = "MEMORY.md"
_MAX_ITEMS = 5


def suggest_patch(
    name: str,
    content: str | None,
    rules: Iterable[Note],
    *,
    gone: Sequence[Note],
    new: Sequence[Note],
) -> str:
    """Build the patch: missing rules for the instruction file, and page pointers.

    Pointers of new pages are added, those of pages to remove are deleted. ``content`` is None if the
    instruction file does not exist.
    """
    return _diff_rules(name, content, list(rules)[:_MAX_ITEMS]) + _diff_pages(gone, new)


def _diff_rules(name: str, content: str | None, rules: Sequence[Note]) -> str:
    old = (content or "").splitlines(keepends=True)
    lines = old
    for rule in rules:
        lines = add_rule_line(lines, f"- {' '.join(strip_unsafe(rule.text).split())}")
    before = f"a/{name}" if content is not None else "/dev/null"
    diff = unified_diff(old, lines, before, f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in diff)


def _diff_pages(gone: Sequence[Note], new: Sequence[Note]) -> str:
    if not (gone or new):
        return ""
    lines = [f"--- a/{_HUB}", f"+++ b/{_HUB}", "@@ pages @@"]
    lines += [f"-{render_pointer(page)}" for page in gone[:_MAX_ITEMS]]
    lines += [f"+{render_pointer(page)}" for page in new[:_MAX_ITEMS]]
    return "\n".join(lines) + "\n"
