"""Audit of memory at three depths: checks over gathered facts; read-only."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.project.audit import environment, notes, pages
from twiceshy.project.audit.facts import AREAS, build_finding

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from twiceshy.project.audit.facts import Area, AuditFacts, AuditFinding, Depth


class AuditCheck(Value):
    """Audit check with its area and depths."""

    area: Area
    find_flaws: Callable[[AuditFacts], Iterator[AuditFinding]]
    depths: tuple[Depth, ...]


_EVERY_DEPTH: tuple[Depth, ...] = ("quick", "full", "health")
_CHECK_DEPTHS: tuple[Depth, ...] = ("quick", "full")
_DEEP_DEPTHS: tuple[Depth, ...] = ("full", "health")
_FULL_DEPTH: tuple[Depth, ...] = ("full",)

CHECKS = (
    AuditCheck("memory", pages.check_structure, _CHECK_DEPTHS),
    AuditCheck("memory", pages.check_sizes, _EVERY_DEPTH),
    AuditCheck("memory", pages.find_broken_links, _CHECK_DEPTHS),
    AuditCheck("memory", pages.find_orphans, _CHECK_DEPTHS),
    AuditCheck("memory", notes.find_duplicates, _CHECK_DEPTHS),
    AuditCheck("memory", pages.find_stale_pages, _DEEP_DEPTHS),
    AuditCheck("memory", notes.report_near_pairs, _DEEP_DEPTHS),
    AuditCheck("memory", environment.find_crowded_skills, _DEEP_DEPTHS),
    AuditCheck("memory", environment.find_missing_vectors, _DEEP_DEPTHS),
    AuditCheck("memory", notes.find_shared_lines, _FULL_DEPTH),
    AuditCheck("memory", notes.find_opposites, _FULL_DEPTH),
    AuditCheck("memory", notes.find_shared_triggers, _FULL_DEPTH),
    AuditCheck("memory", environment.find_drifted_views, _FULL_DEPTH),
    AuditCheck("commands", environment.check_commands, _CHECK_DEPTHS),
    AuditCheck("commands", environment.find_shadowed_commands, _FULL_DEPTH),
    AuditCheck("commands", environment.check_references, _FULL_DEPTH),
    AuditCheck("commands", environment.find_same_descriptions, _FULL_DEPTH),
    AuditCheck("hooks", environment.check_hooks, _EVERY_DEPTH),
    AuditCheck("project", environment.check_instructions, _CHECK_DEPTHS),
    AuditCheck("project", notes.find_repeated_instructions, _FULL_DEPTH),
    AuditCheck("git", environment.check_repositories, _FULL_DEPTH),
)


def list_areas(depth: Depth) -> tuple[Area, ...]:
    """Return the areas covered at a depth."""
    return tuple(a for a in AREAS if any(c.area == a and depth in c.depths for c in CHECKS))


def run_audit(facts: AuditFacts, depth: Depth, areas: Collection[Area]) -> Iterator[AuditFinding]:
    """Yield the findings in some areas, and a sound finding for each area without flaws."""
    for area in list_areas(depth):
        if area not in areas:
            continue
        checks = (check for check in CHECKS if check.area == area and depth in check.depths)
        flaws = [flaw for check in checks for flaw in check.find_flaws(facts)]
        yield from flaws or [build_finding("sound", area, area, **facts.counts)]
