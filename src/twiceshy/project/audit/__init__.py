"""Audit of memory at three depths: checks over gathered facts; read-only."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.project.audit import conflicts, likeness, lines, outside, pages, skills
from twiceshy.project.audit.finding import AREAS, found

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Area, Depth, Finding


class Check(Value):
    """Audit check with its area and depths."""

    area: Area
    look: Callable[[Facts], Iterator[Finding]]
    depths: tuple[Depth, ...]


_ALL: tuple[Depth, ...] = ("quick", "full", "health")
_CHECKS: tuple[Depth, ...] = ("quick", "full")
_DEEP: tuple[Depth, ...] = ("full", "health")
_FULL: tuple[Depth, ...] = ("full",)

CHECKS = (
    Check("memory", pages.structure, _CHECKS),
    Check("memory", pages.sizes, _ALL),
    Check("memory", pages.broken_links, _CHECKS),
    Check("memory", pages.orphans, _CHECKS),
    Check("memory", likeness.said_twice, _CHECKS),
    Check("memory", pages.stale, _DEEP),
    Check("memory", likeness.nearly_said_twice, _DEEP),
    Check("memory", skills.crowds, _DEEP),
    Check("memory", skills.missing_vectors, _DEEP),
    Check("memory", lines.among_pages, _FULL),
    Check("memory", conflicts.opposed, _FULL),
    Check("memory", conflicts.shared_triggers, _FULL),
    Check("memory", skills.drifted, _FULL),
    Check("commands", outside.commands, _CHECKS),
    Check("commands", outside.overlapping_commands, _FULL),
    Check("commands", skills.references, _FULL),
    Check("commands", skills.same_descriptions, _FULL),
    Check("hooks", outside.hooks, _ALL),
    Check("project", outside.instructions, _CHECKS),
    Check("project", lines.against_instructions, _FULL),
    Check("git", outside.repositories, _FULL),
)


def areas_of(depth: Depth) -> tuple[Area, ...]:
    """Return the areas covered at a depth."""
    return tuple(a for a in AREAS if any(c.area == a and depth in c.depths for c in CHECKS))


def audit(facts: Facts, depth: Depth, areas: Collection[Area]) -> Iterator[Finding]:
    """Yield the findings in some areas, and a sound finding for each area without flaws."""
    for area in areas_of(depth):
        if area not in areas:
            continue
        flawed = False
        for check in CHECKS:
            if check.area == area and depth in check.depths:
                for flaw in check.look(facts):
                    flawed = True
                    yield flaw
        if not flawed:
            yield found("sound", area, area, **facts.counts)
