"""Audit of memory: every check over gathered facts, once for all verbs; read-only."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.project.audit import environment, notes, pages, review
from twiceshy.project.audit.facts import AREAS, DEPTHS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from twiceshy.project.audit.facts import Area, AuditFacts, AuditFinding, Depth


class AuditCheck(Value):
    """Audit check with its area, and the shallowest depth that shows its warnings."""

    area: Area
    depth: Depth
    find_flaws: Callable[[AuditFacts], Iterator[AuditFinding]]


CHECKS = (
    AuditCheck("memory", "quick", pages.check_structure),
    AuditCheck("memory", "quick", pages.check_sizes),
    AuditCheck("memory", "quick", pages.find_broken_links),
    AuditCheck("memory", "quick", pages.find_orphans),
    AuditCheck("memory", "quick", notes.find_duplicates),
    AuditCheck("memory", "health", pages.find_stale_pages),
    AuditCheck("memory", "health", notes.report_near_pairs),
    AuditCheck("memory", "health", review.find_doubtful_notes),
    AuditCheck("memory", "health", environment.find_crowded_skills),
    AuditCheck("memory", "health", environment.find_missing_vectors),
    AuditCheck("memory", "full", notes.find_shared_lines),
    AuditCheck("memory", "full", notes.find_opposites),
    AuditCheck("memory", "full", notes.find_shared_triggers),
    AuditCheck("memory", "full", environment.find_drifted_views),
    AuditCheck("commands", "quick", environment.check_commands),
    AuditCheck("commands", "full", environment.find_shadowed_commands),
    AuditCheck("commands", "full", environment.check_references),
    AuditCheck("commands", "full", environment.find_same_descriptions),
    AuditCheck("hooks", "quick", environment.check_hooks),
    AuditCheck("project", "quick", environment.check_instructions),
    AuditCheck("project", "full", notes.find_repeated_instructions),
    AuditCheck("git", "full", environment.check_repositories),
)


def list_areas(depth: Depth) -> tuple[Area, ...]:
    """Return the areas of which a depth shows findings."""
    shown = DEPTHS[: DEPTHS.index(depth) + 1]
    return tuple(a for a in AREAS if any(c.area == a and c.depth in shown for c in CHECKS))


def run_audit(facts: AuditFacts, areas: Collection[Area]) -> Iterator[AuditFinding]:
    """Yield every finding in some areas; every depth shows what is broken."""
    for check in sorted(CHECKS, key=lambda check: AREAS.index(check.area)):
        if check.area in areas:
            for flaw in check.find_flaws(facts):
                yield flaw.but(depth="quick" if flaw.weight == "BROKEN" else check.depth)
