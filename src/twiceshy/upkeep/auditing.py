"""Audit a project: store, files, hooks, and connected runtimes."""

from __future__ import annotations

import os

from twiceshy.app import Gate, clock, user_home, working_directory
from twiceshy.core.value import Value
from twiceshy.project.audit import audit
from twiceshy.project.audit.gather import Others, Scene, gathered, place
from twiceshy.runtimes.installers import connected_runtimes
from twiceshy.upkeep.hook_health import hook_findings

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection

    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.places.identity import Identity
    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Area, Depth, Finding


class Audited(Value):
    """An audited project with facts and findings."""

    here: Identity
    facts: Facts
    findings: tuple[Finding, ...]


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
    here, folders = place(app, project, cwd=cwd, home=user_home(), environ=os.environ)
    hooks = tuple(hook_findings(config, trial=False)) if "hooks" in areas else ()
    others = Others(hooks, len(connected_runtimes(config.home)), verbs)
    facts = gathered(Scene(here, folders, clock(), app), depth, areas, others)
    gate = Gate(config)
    findings = (_redacted(finding, gate) for finding in audit(facts, depth, areas))
    return Audited(here, facts, tuple(findings))


def _redacted(finding: Finding, gate: Gate) -> Finding:
    """Redact quoted foreign files."""
    values = (
        (name, gate(told) if isinstance(told, str) else told) for name, told in finding.values
    )
    return finding.but(where=gate(finding.where), values=tuple(values))
