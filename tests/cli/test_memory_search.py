"""One word, looked for wherever something is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY
from twiceshy.project.memory_search import cut_excerpt

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from tests.cli.conftest import Command


@pytest.fixture(autouse=True)
def morning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:00:00Z")


def here(twiceshy: Command) -> str:
    return str(twiceshy("status", "--json").json["project"])


def an_episode(home: Path, kind: str, project: str, *, ago: int, **fields: Any) -> None:
    usual: dict[str, Any] = {"session": f"s-{kind}", "started_at": NOW - ago * DAY}
    usual |= {"id": f"e0000000{kind:0<8}", "kind": kind, "project": project}
    with opened(home) as store:
        store.capture(Episode.of(usual | {"ended_at": NOW - ago * DAY} | fields))


def found(command: Command, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = command("memory-search", *words, "--json").json
    return told


@requirement("U153", "E61")
def test_notes_pages_sessions_archives_and_the_diary_are_searched_at_once_the_newest_first(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", "Quota is checked before the upload.", "--concept", "billing")
    twiceshy("memory-set", "architecture", "# Parts\n\nThe QUOTA service.\n")
    project = here(twiceshy)
    an_episode(home, "end", project, ago=1, title="Raise the Quota")
    an_episode(home, "diary", project, ago=2, summary="learned: quotas are soft")
    an_episode(home, "archive", project, ago=40, summary="2026-09-20 fix quota alarm\nother")
    an_episode(home, "handoff", project, ago=3, summary="left: the rest")

    told = twiceshy("memory-search", "qUoTa")
    hits = found(twiceshy, "qUoTa")["hits"]

    assert {hit["kind"] for hit in hits[:2]} == {"lesson", "page"}
    assert [hit["kind"] for hit in hits[2:]] == ["end", "diary", "archive"]
    assert [hit["at"] for hit in hits] == sorted((hit["at"] for hit in hits), reverse=True)
    assert len(told.out.splitlines()) == 5
    assert "2026-09-20 fix quota alarm" in told.out
    assert "other" not in told.out
    assert told.err.startswith("related: billing")


@requirement("U153", "E61")
def test_at_most_twenty_lines_of_120_characters_are_shown(twiceshy: Command, home: Path) -> None:
    project = here(twiceshy)
    for number in range(25):
        an_episode(
            home,
            "end",
            project,
            ago=number,
            id=f"e{number:016}",
            summary=f"day{number} " + "and much more of it " * 30 + "needle" + " and on" * 30,
        )

    told = twiceshy("memory-search", "needle")

    lines = told.out.splitlines()
    assert len(lines) == 20
    assert all(len(line) <= 120 and "needle" in line for line in lines)
    assert lines[0] > lines[-1]
    assert "only the newest 20 of 25 are shown" in told.err


def test_a_part_of_a_word_and_another_form_of_it_are_found(twiceshy: Command) -> None:
    twiceshy("note", "Authentication needs a token.")
    twiceshy("note", "先拉取標籤再發布。")

    assert len(found(twiceshy, "thentic")["hits"]) == 1
    assert len(found(twiceshy, "authenticated")["hits"]) == 1
    assert len(found(twiceshy, "标签")["hits"]) == 1
    assert len(found(twiceshy, "needs", "a", "token")["hits"]) == 1


@requirement("U153")
def test_what_is_not_found_is_said_with_what_was_searched_and_what_was_meant(
    twiceshy: Command,
) -> None:
    twiceshy("note", "Deploy with make ship; the deployment is blue-green.")

    told = twiceshy("memory-search", "deplyo")
    near = twiceshy("memory-search", "rollout")

    assert told.out == ""
    assert "'deplyo' was not found; searched: notes 1, pages 0" in told.err
    assert "did you mean deploy?" in told.err.lower()
    assert "--all" in told.err
    assert "'rollout' was not found" in near.err


def test_other_projects_are_searched_only_when_asked(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", "The needle is in the shop.")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    twiceshy("note", "The needle is in the other one.")
    twiceshy("note", "--everywhere", "A needle is sharp.")

    assert len(found(twiceshy, "needle")["hits"]) == 2
    assert len(found(twiceshy, "needle", "--all")["hits"]) == 3
    assert len(found(twiceshy, "needle", "--project", "shop")["hits"]) == 2
    assert "[shop] The needle" in twiceshy("memory-search", "needle", "--all").out
    assert "exclude each other" in (
        twiceshy("memory-search", "x", "--all", "--project", "shop", fails=2).err
    )


def test_a_page_counts_from_its_last_change(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("memory-set", "architecture", "One needle.")
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-03T09:00:00Z")
    twiceshy("note", "A needle in the hay.")
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-04T09:00:00Z")
    twiceshy("memory-set", "architecture", "Two needles.")

    hits = found(twiceshy, "needle")["hits"]

    assert [hit["at"][:10] for hit in hits] == ["2026-11-04", "2026-11-03"]


def test_what_is_retired_is_not_shown_and_nothing_is_written(twiceshy: Command) -> None:
    note = twiceshy("note", "A needle in the hay.").out.strip()
    twiceshy("retire", note)
    before = twiceshy("status", "--json").json

    hits = found(twiceshy, "needle")["hits"]

    assert hits == []
    assert twiceshy("status", "--json").json["entries"] == before["entries"]


def test_text_that_would_steer_the_terminal_is_harmless(twiceshy: Command, home: Path) -> None:
    an_episode(home, "end", here(twiceshy), ago=1, title="needle \x1b[2J\u202e gone")

    told = twiceshy("memory-search", "needle").out

    assert "\x1b" not in told
    assert "\u202e" not in told


def test_an_empty_keyword_is_refused(twiceshy: Command) -> None:
    assert "give a word" in twiceshy("memory-search", "  ", fails=2).err


def test_the_search_speaks_chinese(twiceshy: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_LANGUAGE", "zh")

    assert "找不到 'x'" in twiceshy("memory-search", "x").err


@given(st.text(max_size=300), st.text(min_size=1, max_size=30), st.integers(20, 120))
def test_an_excerpt_is_one_line_that_fits(text: str, keyword: str, width: int) -> None:
    shown = cut_excerpt(text, keyword, width=width)

    assert len(shown) <= width
    assert len(shown.splitlines()) <= 1
    assert json.dumps(shown)


@given(st.text("abc \n", max_size=300), st.integers(40, 120))
def test_an_excerpt_holds_the_keyword_if_the_text_does(text: str, width: int) -> None:
    shown = cut_excerpt(text + "\nNeedle " + text, "needle", width=width)

    assert "Needle" in shown
