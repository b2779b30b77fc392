"""Suggest a patch for CLAUDE.md and MEMORY.md, to be applied by hand."""

from __future__ import annotations

from difflib import unified_diff

from twiceshy.core.text import clean
from twiceshy.notes.rule_patch import with_rule
from twiceshy.project.pages.hub import pointer

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Note

_HUB = "MEMORY.md"
_MOST = 5


def suggested(
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
    return _of_rules(name, content, list(rules)[:_MOST]) + _of_pages(gone, new)


def _of_rules(name: str, content: str | None, rules: Sequence[Note]) -> str:
    old = (content or "").splitlines(keepends=True)
    lines = old
    for rule in rules:
        lines = with_rule(lines, f"- {' '.join(clean(rule.text).split())}")
    before = f"a/{name}" if content is not None else "/dev/null"
    diff = unified_diff(old, lines, before, f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in diff)


def _of_pages(gone: Sequence[Note], new: Sequence[Note]) -> str:
    if not (gone or new):
        return ""
    lines = [f"--- a/{_HUB}", f"+++ b/{_HUB}", "@@ pages @@"]
    lines += [f"-{pointer(page)}" for page in gone[:_MOST]]
    lines += [f"+{pointer(page)}" for page in new[:_MOST]]
    return "\n".join(lines) + "\n"
