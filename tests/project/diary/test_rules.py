"""A day has under 30 lines, whatever happened."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.project.diary import Diary, render_diary

items = st.lists(st.text(max_size=300), max_size=40).map(tuple)


@given(st.builds(Diary, st.just("2026-11-02"), st.text(), items, items, items, items))
def test_a_diary_has_under_thirty_lines_whatever_happened(diary: Diary) -> None:
    lines = render_diary(diary).splitlines()

    assert len(lines) < 30
    assert max(map(len, lines)) <= 140


def test_what_does_not_fit_is_counted() -> None:
    text = render_diary(Diary("2026-11-02", "shop", did=tuple(f"part {n}" for n in range(9))))

    assert "- part 3\n- and 5 more\n\n## What I learned\n" in text


def test_every_section_is_there() -> None:
    assert render_diary(Diary("2026-11-02", "shop", later=("fetch first",))) == (
        "# Diary 2026-11-02\n**Project:** shop\n\n## What I did today\n\n## What I learned\n\n## Patterns I noticed\n\n"
        "## Notes for next time\n- fetch first\n"
    )
