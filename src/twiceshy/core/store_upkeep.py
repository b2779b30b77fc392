"""The part of the store port for upkeep, sync and doctor."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from twiceshy.core.maintenance import MaintenanceRun
    from twiceshy.core.note import Note
    from twiceshy.core.retention import Retention
    from twiceshy.core.store import (
        Derived,
        HealthFinding,
        ProjectCounts,
        Record,
        StoreSummary,
    )
    from twiceshy.core.view import ViewRecord
else:
    Protocol = object


class UpkeepStore(Protocol):
    """The part of the store port for maintenance, and for exchange with other stores."""

    def take_lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """Take, extend or release (0 seconds) a lease on some work.

        Return False while another holder has the lease.
        """

    def begin_run(self, what: str) -> MaintenanceRun:
        """Record the start of a maintenance run, and delete the oldest runs of the same work."""

    def list_runs(self, what: str, *, limit: int = 20) -> list[MaintenanceRun]:
        """Return maintenance runs and their results, newest first."""

    def list_unembedded_notes(self, model: str = "", *, limit: int | None = 100) -> list[Note]:
        """Return notes without a vector of a model (by default of the word table)."""

    def rebuild_derived(self, *, only: Derived = "") -> Iterator[str]:
        """Rebuild derived data, or only missing vectors; yield ids to show progress."""

    def check_health(self) -> Iterable[HealthFinding]:
        """Check every part of the store without changing anything."""

    def summarise_store(self, *, digested: bool = False) -> StoreSummary:
        """Count the contents of the store; ``digested`` also gives the digest of all records."""

    def list_project_counts(self) -> list[ProjectCounts]:
        """Return the counts of every project id in use, sorted by id."""

    def prune(
        self, rules: Retention, *, transcript_exists: Callable[[str], bool]
    ) -> Mapping[str, int]:
        """Delete expired records; return the number of deleted records by kind.

        ``transcript_exists`` tells whether a transcript file is still there.
        """

    def shrink(self) -> int:
        """Release unused disk space if worthwhile; return the number of bytes."""

    def list_views(self, path: str = "") -> list[ViewRecord]:
        """Return our last version of a view file, or of every view file, sorted by path."""

    def export_records(
        self,
        *,
        only: Sequence[type[Record]] = (),
        projects: Sequence[str] | None = None,
        skill: str | None = None,
    ) -> Iterator[Record]:
        """Return the records needed to replicate this store, always in the same order."""

    def import_records(self, records: Iterable[Record]) -> list[str]:
        """Import records of another store; return the affected notes and episodes, unsettled."""

    def settle_objects(self, objects: Iterable[str]) -> None:
        """Update these objects to the journal's state, and erase the forgotten objects."""
