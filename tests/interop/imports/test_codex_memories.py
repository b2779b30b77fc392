"""What Codex keeps in its memories comes in: its handbook as notes, its summaries as episodes."""

import os
from pathlib import Path

from tests.interop.imports.conftest import Imported, all_notes, put
from tests.interop.imports.tables import episodes_of

from twiceshy.core.moment import format_stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.imports import ImportContext, codex_memories
from twiceshy.store.command_store import WholeStore

HANDBOOK = """# Task Group: releases of the shop

scope: how the shop is released
applies_to: cwd={here}; reuse_rule=safe in this checkout

## Task 1: tag a release, success

### rollout_summary_files

- rollout_summaries/one.md (cwd={here}, updated_at=2026-10-02T09:30:00+00:00)

### keywords

- uv.lock, release tag

## User preferences

- when tagging, the user asked for "signed tags" -> sign every tag [Task 1]

## Reusable knowledge

- Build once and promote the build [Task 1][Task 2]
  so that every stage runs the same bytes.

## Failures and how to do differently

- The tag pointed at an old lock file -> lock before tagging [Task 1]

# Task Group: anything

applies_to: cwd=any checkout; reuse_rule=general

## Reusable knowledge

- Ask git for the root commit.

# Task Group: a checkout that is gone

applies_to: cwd=/nowhere/depot, /nowhere/other; reuse_rule=checkout-specific

## Reusable knowledge

- Doors close at six.
"""
SUMMARY = """thread_id: 0194f5a6-89ab
updated_at: 2026-10-02T09:30:00+00:00
rollout_path: /home/someone/.codex/sessions/rollout.jsonl
cwd: {here}

# Tagged the release

The tag was signed.
"""


def filled(folder: Path, here: Path) -> Path:
    """Write a folder of memories about a project."""
    put(folder / "MEMORY.md", HANDBOOK.format(here=here))
    put(folder / "rollout_summaries" / "one.md", SUMMARY.format(here=here))
    put(folder / "raw_memories.md", "# Raw Memories\n\n- Not yet worked in.\n")
    put(folder / "memory_summary.md", "v1\n\n- A pointer.\n")
    return folder


def test_the_handbook_becomes_notes_of_the_directory_that_it_applies_to(
    imported: Imported, store: WholeStore, user: Path, project: Path, around: ImportContext
) -> None:
    filled(user / ".codex" / "memories", project)

    report = imported(codex_memories)

    git, build, doors, failure, signed = all_notes(store)
    assert (report.offered, len(report.imported), report.episodes, report.refused) == (6, 5, 1, {})
    assert build.text.startswith("Build once and promote the build")
    assert failure.text == "The tag pointed at an old lock file -> lock before tagging"
    assert (failure.kind, failure.subtype) == ("lesson", "pitfall")
    assert (signed.kind, signed.concepts) == ("preference", ("uv.lock", "release tag"))
    assert {note.scope.project for note in (build, failure, signed)} == {around.here.id}
    assert (git.scope.project, git.concepts) == (EVERYWHERE, ())
    assert doors.scope.project not in (EVERYWHERE, around.here.id)
    assert failure.origin_session == "codex: MEMORY.md:27"


def test_a_summary_becomes_an_episode_of_its_thread(
    imported: Imported, store: WholeStore, user: Path, project: Path, around: ImportContext
) -> None:
    filled(user / ".codex" / "memories", project)

    imported(codex_memories)

    episode = episodes_of(store, around.here.id)["Tagged the release"]
    assert episode.session == "import:codex:0194f5a6-89ab"
    assert episode.summary == "# Tagged the release\n\nThe tag was signed."
    assert format_stamp(episode.ended_at) == "2026-10-02T09:30:00.000Z"


def test_importing_a_handbook_whose_lines_moved_changes_nothing(
    imported: Imported, store: WholeStore, user: Path, project: Path
) -> None:
    folder = filled(user / ".codex" / "memories", project)
    imported(codex_memories)
    before = all_notes(store)
    put(folder / "MEMORY.md", "\n\n\n" + HANDBOOK.format(here=project))

    again = imported(codex_memories)

    assert (len(again.imported), again.known) == (0, 6)
    assert all_notes(store) == before


def test_a_variable_moves_its_folder(around: ImportContext, tmp_path: Path, project: Path) -> None:
    folder = filled(tmp_path / "codex" / "memories", project)

    found = codex_memories.find_places(around.but(environ={"CODEX_HOME": str(tmp_path / "codex")}))

    assert [place.path for place in found] == [str(folder)]
    assert codex_memories.find_places(around) == []


def test_a_secret_of_several_lines_is_taken_out_while_it_is_whole(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    key = "\n".join(("-----BEGIN PRIVATE KEY-----", "- MIIEvQIBADANBgkq", "- hkiG9w0BAQEFAASC"))
    text = f"# Task Group: x\n\n## Reusable knowledge\n\n- Use\n{key}\n-----END PRIVATE KEY-----\n"
    put(tmp_path / "m" / "MEMORY.md", text)

    imported(codex_memories, tmp_path / "m")

    assert not any("MIIE" in note.text or "hkiG" in note.text for note in all_notes(store))


def test_links_that_lead_out_and_files_that_are_no_text_stay_out(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    folder = tmp_path / "memories"
    put(tmp_path / "secret.md", "thread_id: x\n\nThe owner's diary.\n")
    put(folder / "rollout_summaries" / "good.md", "No header at all.\n")
    (folder / "rollout_summaries" / "odd.md").write_bytes(b"\xff\xfe")
    os.symlink(tmp_path / "secret.md", folder / "rollout_summaries" / "link.md")

    report = imported(codex_memories, folder)

    assert set(episodes_of(store, EVERYWHERE)) == {"No header at all."}
    assert set(report.refused) == {"rollout_summaries/link.md", "rollout_summaries/odd.md"}


def test_a_handbook_that_leads_out_ends_the_place(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    put(tmp_path / "outside.md", "# Task Group: x\n\n- Stolen.\n")
    (tmp_path / "memories").mkdir()
    os.symlink(tmp_path / "outside.md", tmp_path / "memories" / "MEMORY.md")

    report = imported(codex_memories, tmp_path / "memories")

    assert (len(report.refused), all_notes(store)) == (1, [])
