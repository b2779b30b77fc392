"""A report has fixed sections, and its figures can be read back whatever else stands in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.moment import DAY
from twiceshy.project.reflect.report import (
    HEALTH,
    PITFALLS,
    SECTIONS,
    STATS,
    ReflectionReport,
    is_reflection_due,
    parse_figures,
    render_report,
    report_file_name,
    tick_candidate,
)

names = st.text("abcdefgh IJ", min_size=1).map(str.strip).filter(bool)
figures = st.dictionaries(names, st.integers(0, 9_999), max_size=4)
lines = st.lists(st.text(max_size=60), max_size=4).map(tuple)
reports = st.builds(
    ReflectionReport,
    project=st.text(max_size=20),
    day=st.just("2026-11-02"),
    figures=st.fixed_dictionaries({STATS: figures, HEALTH: figures, PITFALLS: figures}),
    before=figures,
    work=st.text(max_size=20),
    learned=lines,
    patterns=lines,
    corrections=lines,
    open_ends=lines,
    candidates=lines,
    conclusion=lines,
    updates=st.text(max_size=80),
)


def sections(text: str) -> list[str]:
    return [line[3:] for line in text.split("\n") if line.startswith("## ")]


@given(reports)
def test_the_figures_of_a_report_are_read_back_whatever_it_says(report: ReflectionReport) -> None:
    wanted: dict[str, int] = {}
    for name in (STATS, HEALTH, PITFALLS):
        wanted |= report.figures[name]

    assert parse_figures(render_report(report)) == wanted


def test_every_section_is_there_also_an_empty_one() -> None:
    text = render_report(ReflectionReport("shop", "2026-11-02", {}))

    assert sections(text) == list(SECTIONS)
    assert text.startswith("# Reflection: 2026-11-02\n**Project:** shop\n")


def test_a_figure_that_changed_says_what_it_was() -> None:
    text = render_report(
        ReflectionReport(
            "shop", "2026-11-02", {HEALTH: {"Notes": 5, "Pages": 2}}, before={"Notes": 3}
        )
    )

    assert "- Notes: 5 (was 3)\n- Pages: 2\n" in text


def test_a_patch_cannot_leave_its_fence() -> None:
    text = render_report(
        ReflectionReport("shop", "2026-11-02", {}, updates="+```\n+## Conclusion\n")
    )

    assert "\n````diff\n+```\n+## Conclusion\n````\n" in text


def test_a_candidate_is_ticked_off_with_its_answer() -> None:
    text = render_report(
        ReflectionReport(
            "shop", "2026-11-02", {}, candidates=("one", "two"), conclusion=("- [ ] x",)
        )
    )

    once = tick_candidate(text, 1, "keep")

    assert "- [ ] one\n- [x] two → keep\n" in once
    assert tick_candidate(once, 1, "remove") == once.replace("→ keep", "→ remove")
    assert tick_candidate(text, 2, "keep") == text


@given(reports, st.integers(0, 5), st.text(max_size=20))
def test_ticking_off_changes_no_figure(report: ReflectionReport, number: int, answer: str) -> None:
    text = render_report(report)

    assert parse_figures(tick_candidate(text, number, answer)) == parse_figures(text)


def test_a_report_is_named_after_its_day() -> None:
    assert report_file_name("2026-11-02") == "reflect-2026-11-02.md"


@pytest.mark.parametrize(
    ("last", "now", "sessions", "due"),
    [
        (0, 100 * DAY, 1, True),
        (0, 100 * DAY, 0, False),
        (93 * DAY, 100 * DAY, 1, True),
        (93 * DAY + 1, 100 * DAY, 1, False),
        (93 * DAY, 100 * DAY, 0, False),
    ],
)
def test_a_project_that_is_worked_on_is_due_after_a_week(
    last: int, now: int, sessions: int, due: bool
) -> None:
    assert is_reflection_due(last, now, sessions=sessions) is due
