"""Audit finding: tag, severity, and the values for its message.

The message itself is worded elsewhere, in the user's language.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    Depth = Literal["quick", "full", "health"]
    Area = Literal["memory", "commands", "hooks", "project", "git"]
    Weight = Literal["OK", "WARNING", "BROKEN"]

WARNING, BROKEN = "WARNING", "BROKEN"
CLEAN, DUPLICATE, CONFLICT = "CLEAN", "DUPLICATE", "CONFLICT"
ORPHAN, FAT, STALE, DIRTY, BEHIND = "ORPHAN", "FAT", "STALE", "DIRTY", "BEHIND"

AREAS: tuple[Area, ...] = ("memory", "commands", "hooks", "project", "git")

# about → the tag of the full check, and how bad it is: only what is BROKEN makes the exit code 1
TAGS: dict[str, tuple[str, Weight]] = {
    "sound": (CLEAN, "OK"),
    "page-empty": (WARNING, "WARNING"),
    "page-fence": (WARNING, "WARNING"),
    "page-large": (FAT, "WARNING"),
    "page-stale": (STALE, "WARNING"),
    "page-orphan": (ORPHAN, "WARNING"),
    "hub-filling": (FAT, "WARNING"),
    "hub-full": (FAT, "BROKEN"),
    "link-broken": (BROKEN, "BROKEN"),
    "note-twice": (DUPLICATE, "WARNING"),
    "note-near": (DUPLICATE, "WARNING"),
    "line-twice": (DUPLICATE, "WARNING"),
    "instruction-twice": (DUPLICATE, "WARNING"),
    "rule-conflict": (CONFLICT, "BROKEN"),
    "note-conflict": (CONFLICT, "WARNING"),
    "trigger-conflict": (CONFLICT, "WARNING"),
    "skill-conflict": (CONFLICT, "WARNING"),
    "skill-crowded": (FAT, "WARNING"),
    "skill-gotchas": (FAT, "WARNING"),
    "vectors-missing": (STALE, "WARNING"),
    "view-drifted": (STALE, "WARNING"),
    "reference-large": (FAT, "WARNING"),
    "reference-orphan": (ORPHAN, "WARNING"),
    "command-empty": (WARNING, "WARNING"),
    "command-dead": (BROKEN, "BROKEN"),
    "command-twice": (DUPLICATE, "WARNING"),
    "hook-dead": (BROKEN, "BROKEN"),
    "hook-broken": (BROKEN, "BROKEN"),
    "hook-trouble": (WARNING, "WARNING"),
    "repository-dirty": (DIRTY, "WARNING"),
    "repository-behind": (BEHIND, "WARNING"),
}


class AuditFinding(Value):
    """Result of a check: code, area, place, and message values."""

    about: str
    area: Area
    where: str
    values: tuple[tuple[str, object], ...] = ()

    @property
    def weight(self) -> Weight:
        """Severity."""
        return TAGS[self.about][1]

    def tag_at_depth(self, depth: Depth) -> str:
        """Return the tag before the message: category in a full check, else the severity."""
        return TAGS[self.about][0] if depth == "full" else self.weight

    @property
    def message_values(self) -> Mapping[str, object]:
        """Values for the message."""
        return dict(self.values)


def build_finding(about: str, area: Area, where: str, **values: object) -> AuditFinding:
    """Build a finding with the values for its message."""
    return AuditFinding(about, area, where, tuple(values.items()))


def worst_weight(findings: Iterable[AuditFinding]) -> Weight:
    """Return the highest severity among findings."""
    weights = {finding.weight for finding in findings}
    if "BROKEN" in weights:
        return "BROKEN"
    return "WARNING" if "WARNING" in weights else "OK"
