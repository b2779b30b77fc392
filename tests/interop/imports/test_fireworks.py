"""What fireworks-skill-memory left comes in: lessons with month, tag and count, checkpoints and errors."""

from pathlib import Path

from tests.interop.imports.conftest import Imported, all_notes, put
from tests.store.support import app_of

from twiceshy.core.moment import format_day
from twiceshy.interop.imports.seeds import fireworks
from twiceshy.notes.undo import undo_batch
from twiceshy.store.command_store import WholeStore

RELEASE = """# release — experience

> What was learned.
> Last updated: 2026-09-01

## Entries

- [2026-08] [tags] Fetch the tags before tagging, or the tag lands on an old commit.  [HIT:4]
  why: the runner clones without them
- Sign the archive with the key of the team.
- [placeholder] No lessons recorded yet.
"""


def test_lessons_come_in_with_month_tag_count_and_reason(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    put(user / ".ai-memory/skills/release/KNOWLEDGE.md", RELEASE)

    report = imported(fireworks)

    tags, archive = all_notes(store)
    assert (report.offered, len(report.imported), report.refused) == (2, 2, {})
    assert tags.text == "Fetch the tags before tagging, or the tag lands on an old commit."
    assert (tags.tag, tags.sightings, format_day(tags.learned_at)) == ("tags", 4, "2026-08-01")
    assert tags.why == "the runner clones without them"
    assert (tags.scope.project, tags.scope.skill) == ("*", "release")
    assert (tags.source, tags.status, tags.trust) == ("import", "active", 0.5)
    assert tags.origin_session == "fireworks: release/KNOWLEDGE.md:8"
    assert format_day(archive.learned_at) == format_day(store.now())


def test_importing_twice_changes_nothing(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    put(user / ".ai-memory/skills/release/KNOWLEDGE.md", RELEASE)
    imported(fireworks)
    before = all_notes(store)

    again = imported(fireworks)

    assert (again.known, again.imported, again.merged, again.batch) == (2, (), {}, "")
    assert all_notes(store) == before


def test_one_undo_takes_it_back_and_importing_again_brings_it_back(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    put(user / ".ai-memory/skills/release/KNOWLEDGE.md", RELEASE)
    before = imported(fireworks)

    undo_batch(app_of(store))

    assert {note.status for note in all_notes(store)} == {"retired"}
    again = imported(fireworks)
    assert again.imported == before.imported
    assert {note.status for note in all_notes(store)} == {"active"}
