"""Find sentences repeated in two files: pages, MEMORY.md and instruction files."""

from __future__ import annotations

from twiceshy.core.text import normalise
from twiceshy.project.audit.finding import found
from twiceshy.project.audit.links import prose_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Finding

# Shorter lines are headings, labels and items that many files may have.
_LEAST, _LEAST_DENSE = 40, 14
_NO_SENTENCE = ("#", "|", ">", "<", "---", "===", "***")


def telling_lines(text: str) -> dict[str, str]:
    """Map the normalised sentences of a text to their original wording."""
    found_here: dict[str, str] = {}
    for line in prose_lines(_body(text)):
        stripped = line.strip()
        if not stripped or stripped.startswith(_NO_SENTENCE) or "](" in stripped:
            continue  # a pointer may stand in as many files as like
        key = normalise(stripped)
        if len(key) >= (_LEAST if key.isascii() else _LEAST_DENSE):
            found_here.setdefault(key, stripped)
    return found_here


def among_pages(facts: Facts) -> Iterator[Finding]:
    """Find sentences shared by pages of the same collection."""
    for shelf in facts.shelves:
        holders: dict[str, list[str]] = {}
        words: dict[str, str] = {}
        for page in shelf.pages:
            for key, line in telling_lines(page.text).items():
                holders.setdefault(key, []).append(page.where)
                words.setdefault(key, line)
        for places, lines in _by_places(holders).items():
            text = words[lines[0]]
            yield found("line-twice", "memory", ", ".join(places), count=len(lines), text=text)


def against_instructions(facts: Facts) -> Iterator[Finding]:
    """Find sentences of an instruction file repeated in a hub or page."""
    shelved = [
        (each.where, telling_lines(each.text))
        for shelf in facts.shelves
        for each in (*((shelf.hub,) if shelf.hub else ()), *shelf.pages)
    ]
    for instructions in facts.instructions:
        own = telling_lines(instructions.text)
        for where, lines in shelved:
            shared = [key for key in own if key in lines]
            if shared:
                yield found(
                    *("instruction-twice", "project", instructions.place),
                    count=len(shared),
                    other=where,
                    text=own[shared[0]],
                )


def _by_places(holders: dict[str, list[str]]) -> dict[tuple[str, ...], list[str]]:
    """Group the sentences shared by several pages by these pages."""
    shared: dict[tuple[str, ...], list[str]] = {}
    for key, places in holders.items():
        if len(places) > 1:
            shared.setdefault(tuple(places), []).append(key)
    return shared


def _body(text: str) -> str:
    """Return a text without its front matter."""
    lines = text.splitlines()
    if lines[:1] == ["---"] and "---" in lines[1:]:
        return "\n".join(lines[lines.index("---", 1) + 1 :])
    return text
