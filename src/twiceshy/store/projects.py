"""Count notes, sessions and episodes by project id, and list skills."""

from __future__ import annotations

from twiceshy.core.note import SHOWN
from twiceshy.core.store import ProjectCounts
from twiceshy.store.database import explain_errors
from twiceshy.store.health import SqliteHealth
from twiceshy.store.prune_usage import list_pruned_starts

_IDS = """
    SELECT id FROM projects UNION SELECT project FROM notes UNION SELECT project FROM sessions
    UNION SELECT project FROM episodes ORDER BY 1
"""
_SEEN = """
    SELECT max(at) FROM (
        SELECT seen_at AS at FROM projects WHERE id = :id
        UNION ALL SELECT max(seen_at) FROM sessions WHERE project = :id
        UNION ALL SELECT max(ended_at) FROM episodes WHERE project = :id
        UNION ALL SELECT max(learned_at) FROM notes WHERE project = :id
    )
"""


class SqliteProjects(SqliteHealth):
    """Lists project ids and skills in use."""

    @explain_errors
    def list_project_counts(self) -> list[ProjectCounts]:
        """Return the counts of every project id in use, sorted by id."""
        return [self._count_project(project) for (project,) in self._db.execute(_IDS).fetchall()]

    @explain_errors
    def list_skills(self) -> list[str]:
        """Return the skills with notes."""
        known = self._db.execute("SELECT DISTINCT skill FROM notes WHERE skill <> '' ORDER BY 1")
        return [skill for (skill,) in known]

    def _count_project(self, project: str) -> ProjectCounts:
        shown = "SELECT count(*) FROM notes WHERE project = ? AND status IN (?, ?)"
        here = "SELECT count(*) FROM sessions WHERE project = ?"
        told = "SELECT count(*) FROM episodes WHERE project = ?"
        return ProjectCounts(
            project,
            notes=self._read_number(shown, project, *SHOWN),
            sessions=self._read_number(here, project)
            + len(list_pruned_starts(self._db, "", (project,))),
            episodes=self._read_number(told, project),
            seen_at=self._db.execute(_SEEN, {"id": project}).fetchone()[0] or 0,
        )
