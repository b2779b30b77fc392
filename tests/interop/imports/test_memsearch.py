"""What memsearch wrote comes in: its sessions as episodes, what people wrote beside them as notes."""

import os
from pathlib import Path

from tests.interop.imports.conftest import Imported, all_notes, put
from tests.interop.imports.tables import episodes_of

from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.imports import ImportContext, memsearch
from twiceshy.store.command_store import WholeStore

DAY = """# 2026-10-02

- The build machine sleeps at night.
- [ ] Renew the certificate.

## Session 09:30

### 09:30
<!-- session:aaa-1 turn:u1 transcript:/home/someone/a.jsonl -->
- The user asked for a release.
- The agent locked and tagged.

### 09:52
<!-- session:aaa-1 turn:u2 transcript:/home/someone/a.jsonl -->
- The tag was pushed.

### 10:05
<!-- session:bbb-2 turn:u3 transcript:/home/someone/b.jsonl -->
- Memory summary unavailable: summarizer timed out; transcript content was omitted.

## Session 11:15

### 11:20
- An older line without an anchor.
"""


def filled(folder: Path) -> Path:
    """Write what memsearch keeps in a project."""
    put(folder / "memory" / "2026-10-02.md", DAY)
    put(folder / "PROJECT.md", "# The shop\n\nIt sells books.\n")
    put(folder / "USER.md", "# User\n\n- Prefers tabs.\n\nSome prose.\n")
    return folder


def test_a_day_becomes_an_episode_for_each_session(
    imported: Imported, store: WholeStore, project: Path, around: ImportContext
) -> None:
    filled(project / ".memsearch")

    report = imported(memsearch)

    episodes = episodes_of(store, around.here.id)
    first = episodes["The user asked for a release."]
    assert (report.offered, len(report.imported), report.episodes, report.refused) == (6, 4, 2, {})
    assert set(episodes) == {"The user asked for a release.", "An older line without an anchor."}
    assert first.session == "import:memsearch:aaa-1"
    assert first.summary.splitlines()[-1] == "- The tag was pushed."
    assert format_stamp(first.started_at) == "2026-10-02T09:30:00.000Z"
    assert format_stamp(first.ended_at) == "2026-10-02T09:52:00.000Z"


def test_what_people_wrote_becomes_notes_a_page_and_preferences(
    imported: Imported, store: WholeStore, project: Path, around: ImportContext
) -> None:
    filled(project / ".memsearch")

    imported(memsearch)

    page, tabs, task, build = all_notes(store)
    assert (build.kind, build.text) == ("lesson", "The build machine sleeps at night.")
    assert (task.kind, task.state, format_day(task.learned_at)) == ("task", "open", "2026-10-02")
    assert (page.kind, page.subtype, page.tag) == ("page", "project", "project")
    assert (tabs.kind, tabs.scope.project) == ("preference", EVERYWHERE)
    assert {page.scope.project, build.scope.project} == {around.here.id}


def test_importing_twice_changes_nothing(
    imported: Imported, store: WholeStore, project: Path
) -> None:
    filled(project / ".memsearch")
    imported(memsearch)
    before = all_notes(store)

    again = imported(memsearch)

    assert (len(again.imported), again.episodes, again.known) == (0, 0, 6)
    assert all_notes(store) == before


def test_workspaces_of_openclaw_are_found(around: ImportContext, user: Path) -> None:
    filled(user / ".openclaw" / "workspace-work" / ".memsearch")
    filled(user / ".openclaw" / "other" / ".memsearch")

    found = memsearch.find_places(around)

    assert [Path(place.path).parent.name for place in found] == ["workspace-work"]


def test_a_folder_can_be_named_by_any_of_its_parts(around: ImportContext, tmp_path: Path) -> None:
    folder = filled(tmp_path / "depot" / ".memsearch")

    found = [
        memsearch.find_places(around.but(given=str(path))) for path in (folder, folder / "memory")
    ]

    assert [[place.path for place in places] for places in found] == [[str(folder)]] * 2
    assert found[0][0].identity == around.identify(str(tmp_path / "depot"))


def test_odd_files_stay_out_and_odd_times_keep_nothing_out(
    imported: Imported, store: WholeStore, project: Path, tmp_path: Path, around: ImportContext
) -> None:
    folder = project / ".memsearch"
    put(folder / "memory" / "2026-99-99.md", "## Session 99:99\n\n- At no time.\n")
    put(folder / "memory" / "notes.md", "## Session 1:00\n\n<!-- session:x\n- Open comment.\n")
    (folder / "memory" / "odd.md").write_bytes(b"\0\0")
    put(tmp_path / "outside.md", "- Stolen.\n")
    os.symlink(tmp_path / "outside.md", folder / "memory" / "link.md")
    os.mkfifo(folder / "USER.md")

    report = imported(memsearch)

    assert set(report.refused) == {"memory/link.md", "memory/odd.md", "USER.md"}
    assert "At no time." in episodes_of(store, around.here.id)
    assert all_notes(store) == []
