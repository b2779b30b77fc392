"""Layouts lose no file to another of the same name, and say which notes they hold."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id
from tests.store.support import a_store, app_of

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.session import SkillUsage
from twiceshy.interop.exports import (
    ExportedContent,
    ExportedFile,
    engine,
    fireworks,
    keeper,
    make_distinct,
    safe_component,
)
from twiceshy.interop.exports.magic_context import render_rows
from twiceshy.places.identity import Identity
from twiceshy.project.episodes.archive import build_archive

Layout = Callable[[ExportedContent], Iterator[ExportedFile]]


def held(**fields: Any) -> ExportedContent:
    usual: dict[str, Any] = {
        "notes": (),
        "episodes": (),
        "checkpoints": (),
        "usage": (),
        "places": {"demo": Identity("demo", "shop", "/home/u/shop")},
        "shown": frozenset(),
        "now": NOW,
    }
    return ExportedContent.of(usual | fields)


def an_episode(number: int, kind: str = "end", **fields: Any) -> Episode:
    usual: dict[str, Any] = {
        "id": f"e{number:031x}",
        "kind": kind,
        "session": f"session-{number}",
        "project": "demo",
        "started_at": NOW,
        "ended_at": NOW,
        "title": f"Part {number}",
        "summary": f"Part {number} was done.",
    }
    return Episode.of(usual | fields)


def written(layout: Layout, some: ExportedContent) -> dict[str, str]:
    return {file.path: file.text for file in make_distinct(layout(some))}


@pytest.mark.parametrize(
    "layout", [fireworks.render_files, keeper.render_files, engine.render_files]
)
def test_nothing_known_makes_hardly_a_file(layout: Layout) -> None:
    assert len(written(layout, held())) <= 1


def test_two_sessions_of_one_minute_have_two_files() -> None:
    some = held(episodes=[an_episode(1), an_episode(2)])

    files = written(keeper.render_files, some)

    sessions = sorted(path for path in files if "sessions/" in path)
    assert [path.rpartition("/")[2] for path in sessions] == [
        "2026-11-02_0000-2.md",
        "2026-11-02_0000.md",
    ]


def test_two_projects_of_one_name_share_no_file() -> None:
    notes = [
        a_note(id=an_id(number), kind="decision", scope=Scope(project))
        for number, project in enumerate(("demo", "other"))
    ]
    some = held(
        notes=notes,
        places={name: Identity(name, "shop", f"/{name}") for name in ("demo", "other")},
    )

    assert sorted(written(keeper.render_files, some)) == [
        "shop-2/.claude/memory/facts.json",
        "shop/.claude/memory/facts.json",
    ]


def test_an_archive_is_a_file_of_its_month_or_a_file_a_session() -> None:
    old = [an_episode(number, ended_at=NOW - 40 * DAY + number) for number in (1, 2)]
    some = held(episodes=[build_archive(None, old, project="demo", device="d")])
    month = format_day(NOW - 40 * DAY)[:7]

    kept, engines = written(keeper.render_files, some), written(engine.render_files, some)

    assert "Part 1" in kept[f"shop/.claude/memory/sessions/archive/{month}.md"]
    assert sum(path.endswith("-session.md") for path in engines) == 2


def test_diaries_and_reflections_stand_where_memory_engine_has_them() -> None:
    diary = an_episode(1, "diary", title="Diary: 2026-11-01", summary="# Diary: 2026-11-01\n")
    report = an_episode(2, "reflect", summary="# Reflection: 2026-11-02\n")

    files = written(engine.render_files, held(episodes=[diary, report]))

    assert files["sessions/diary/2026-11-01.md"] == "# Diary: 2026-11-01\n"
    assert files["sessions/reflect-2026-11-02.md"] == "# Reflection: 2026-11-02\n"


def test_a_project_that_nobody_knows_goes_by_its_id() -> None:
    page = a_note("# Tea\nGreen.", kind="page", tag="tea", scope=Scope("dir:ab"))

    files = written(engine.render_files, held(notes=[page]))

    assert "projects/dir-ab/memory/tea.md" in files


def test_what_holds_everywhere_has_a_folder_of_its_own() -> None:
    note = a_note(kind="decision", scope=Scope(EVERYWHERE))

    assert list(written(keeper.render_files, held(notes=[note]))) == [
        "everywhere/.claude/memory/facts.json"
    ]


def test_use_is_counted_in_fireworks_own_file() -> None:
    used = SkillUsage("release", 3, NOW, {"2026-11-02": 3})

    text = written(fireworks.render_files, held(usage=[used]))[".claude/skill-usage-stats.json"]

    assert '"total": 3' in text


def test_notes_that_magic_context_cannot_tell_apart_share_a_row(home: Path) -> None:
    notes = [
        a_note("Fetch tags.", id=an_id(1), sightings=3),
        a_note("fetch  TAGS.", id=an_id(2), sightings=2, recalls=4),
        a_note("Fetch tags.", id=an_id(3), scope=Scope("demo")),
        a_note("Fetch tags.", id=an_id(4), kind="decision"),
    ]

    [made] = render_rows(app_of(a_store(home)), held(notes=notes))
    row = made.columns

    assert (row["hit_count"], row["recall_count"], row["delta"]) == (3, 4, "Fetch tags.")
    assert made.notes == (an_id(1), an_id(2))


def test_a_folder_has_the_name_there_that_magic_context_gives_it(home: Path) -> None:
    place = Identity("dir:0", "shop", "/home/u/shop")
    note = a_note(scope=Scope("dir:0", "release"), origin_project="git:1", concepts=("tags",))

    [made] = render_rows(app_of(a_store(home)), held(notes=[note], places={"dir:0": place}))
    row = made.columns

    # printf %s /home/u/shop | md5sum
    assert row["project_identity"] == "dir:5827bd1b3f7d"
    assert (row["origin_project"], row["tags"]) == ("git:1", '["tags"]')


@given(st.text(st.characters(), max_size=120))
def test_a_name_is_one_harmless_part_of_a_path(text: str) -> None:
    name = safe_component(text, otherwise="project")

    assert name
    assert name[0] not in ". "
    assert not set("/\\:\0\n") & set(name)
    assert name not in (".", "..")


@given(st.lists(st.sampled_from(["a.md", "A.md", "b/a.md", "a-2.md", "x"]), max_size=12))
def test_no_two_files_share_a_path(names: list[str]) -> None:
    files = [file.path for file in make_distinct(ExportedFile(name, "") for name in names)]

    assert len({path.casefold() for path in files}) == len(names)
