"""Audit a project: store, files, hooks, and connected runtimes."""

from __future__ import annotations

import os

from twiceshy.app import RedactionGate, read_clock, user_home, working_directory
from twiceshy.core.value import Value
from twiceshy.project.audit import run_audit
from twiceshy.project.audit.gather import (
    AuditPlace,
    OtherFiles,
    find_audited_project,
    gather_facts,
)
from twiceshy.runtimes.installers import list_connected_runtimes
from twiceshy.upkeep.hook_health import hook_findings

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection

    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.places.identity import Identity
    from twiceshy.project.audit.facts import Area, AuditFacts, AuditFinding, Depth


class Audited(Value):
    """An audited project with facts and findings."""

    here: Identity
    facts: AuditFacts
    findings: tuple[AuditFinding, ...]


def audit_project(
    config: Config,
    app: App | None,
    depth: Depth,
    areas: Collection[Area],
    *,
    project: str | None = None,
    verbs: frozenset[str] = frozenset(),
) -> Audited:
    """Audit areas; ``app`` is None without a store, ``verbs`` are our verbs."""
    cwd = app.cwd if app else working_directory()
    here, folders = find_audited_project(
        app, project, cwd=cwd, home=user_home(), environ=os.environ
    )
    hooks = tuple(hook_findings(config, trial=False)) if "hooks" in areas else ()
    others = OtherFiles(hooks, len(list_connected_runtimes(config.home)), verbs)
    facts = gather_facts(AuditPlace(here, folders, read_clock(), app), depth, areas, others)
    gate = RedactionGate(config)
    findings = (_redact_facts(finding, gate) for finding in run_audit(facts, depth, areas))
    return Audited(here, facts, tuple(findings))


def _redact_facts(finding: AuditFinding, gate: RedactionGate) -> AuditFinding:
    """Redact quoted foreign files."""
    values = (
        (name, gate(told) if isinstance(told, str) else told) for name, told in finding.values
    )
    return finding.but(where=gate(finding.where), values=tuple(values))
