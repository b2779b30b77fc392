"""Show an audit in --json; every verb that shows a part of it gives the same ids and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.output import flatten_text
from twiceshy.project.audit.wording import describe_action, describe_finding

if TYPE_CHECKING:
    from twiceshy.project.audit.facts import AuditFinding, AuditResult, Depth


def audit_json(done: AuditResult) -> dict[str, object]:
    """Return the verdict and the numbers of an audit."""
    numbers = {"broken": done.broken, "warnings": done.warnings}
    return {"verdict": done.verdict, **numbers, "counts": dict(done.facts.counts)}


def finding_json(finding: AuditFinding, depth: Depth) -> dict[str, object]:
    """Return a finding with its id, its tag at a depth, its words and its action."""
    return {
        "id": finding.id,
        "tag": finding.tag_at_depth(depth),
        "area": finding.area,
        "about": finding.about,
        "where": flatten_text(finding.where),
        "message": describe_finding(finding),
        "do": describe_action(finding),
    }
