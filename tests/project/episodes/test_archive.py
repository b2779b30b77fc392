"""What is left of a session in an archive is one line that still tells when, what and in which files."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import parse_stamp
from twiceshy.project.episodes.archive import (
    MAX_LINE,
    MAX_LINES,
    archive_id,
    archive_month,
    build_archive,
    expand_archive,
    render_archive,
)
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_compact_episode,
    build_session_episode,
)
from twiceshy.project.episodes.work_segment import WorkSegment

AT = parse_stamp("2026-09-12T14:02:31Z")
ABOUT = EpisodeContext("s1", "demo", "shop", "fixing (login)", "/t/s1.jsonl")
STRETCH = WorkSegment(
    messages=2,
    title="Fix the login form",
    requests=("Fix the login form", "test it"),
    files=("src/login.py", "tests/test_login.py"),
    ended_at=AT,
)


def a_session(number: int = 1, **fields: object) -> Episode:
    return build_session_episode(STRETCH.but(**fields), ABOUT.but(session=f"s{number}"))


def into(known: Episode | None, *episodes: Episode) -> Episode:
    return build_archive(known, episodes, project="demo", device="d1")


def test_a_session_becomes_one_line() -> None:
    archive = into(None, a_session())

    assert (archive.kind, archive.title, archive.transcript) == (
        "archive",
        "1 summary of 2026-09",
        "",
    )
    assert (
        archive.summary
        == "- 2026-09-12 14:02 79f764aa [end] Fix the login form | login.py, test_login.py"
    )


def test_what_is_archived_can_be_read_back() -> None:
    archive = into(None, a_session(), a_session(2, title="Ship it | now", files=()))

    first, second = sorted(expand_archive(archive), key=lambda one: one.title)

    assert (first.title, first.files) == ("Fix the login form", ("login.py", "test_login.py"))
    assert (second.title, second.files) == ("Ship it / now", ())
    assert {archive_month(one) for one in (first, second)} == {"2026-09"}
    assert {one.kind for one in (first, second)} == {"end"}
    assert first.ended_at == AT // 60_000 * 60_000
    assert expand_archive(a_session()) == [a_session()]


def test_k15_two_sessions_of_one_minute_are_two_entries_under_the_day_of_one_clock() -> None:
    midnight = parse_stamp("2026-09-12T23:59:59Z")
    sessions = [a_session(number, ended_at=midnight) for number in (1, 2)]

    page = render_archive([into(None, *sessions)])

    assert page.count("# Session 2026-09-12_2359") == 2
    assert archive_month(a_session(ended_at=parse_stamp("2026-09-30T23:59:59Z"))) == "2026-09"


def test_an_episode_that_comes_back_takes_the_place_of_its_line() -> None:
    before = into(None, a_session(), a_session(2))

    after = into(before, a_session(title="Fix the login form, at last", ended_at=AT + 60_000))

    assert len(expand_archive(after)) == 2
    assert "at last" in after.summary
    assert after.id == before.id


def test_to_fold_the_same_again_changes_nothing() -> None:
    sessions = [a_session(number) for number in range(9)]
    archive = into(None, *sessions)

    assert into(archive, *sessions) == archive
    assert into(into(None, *sessions[:4]), *sessions[4:]) == archive


def test_a_month_has_so_many_lines_and_counts_those_that_gave_way() -> None:
    sessions = [
        a_session(n, title=f"Part {n}", ended_at=AT + n * 60_000) for n in range(MAX_LINES + 7)
    ]

    archive = into(into(None, *sessions[: MAX_LINES + 3]), *sessions[MAX_LINES + 3 :])

    assert archive.summary.startswith("(7 earlier ones are left out)\n")
    assert archive.title == f"{MAX_LINES + 7} summaries of 2026-09"
    assert [one.title for one in expand_archive(archive)][:: MAX_LINES - 1] == [
        "Part 7",
        f"Part {MAX_LINES + 6}",
    ]


@given(st.text(max_size=400), st.lists(st.text(max_size=60), max_size=60))
def test_a_line_is_short_and_stays_one_line(title: str, files: list[str]) -> None:
    archive = into(None, a_session(title=title, files=tuple(files)))

    [line] = archive.summary.split("\n")
    [entry] = expand_archive(archive)
    assert len(line) <= MAX_LINE
    assert into(None, a_session(title=title, files=tuple(files))) == archive
    assert len(entry.files) <= 8
    assert "</" not in line


def test_checkpoints_and_compactions_say_what_they_were() -> None:
    compaction = build_compact_episode(
        STRETCH, ABOUT, step="c1", automatic=True, summary="We fixed it."
    )

    archive = into(None, build_checkpoint_episode(STRETCH, ABOUT), compaction)

    assert "[checkpoint] Fix the login form |" in archive.summary
    assert "[compact] Fix the login form |" in archive.summary
    assert "# Session 2026-09-12_1402 (compact)\n" in render_archive([archive])


def test_the_page_is_memory_keepers_archive_file() -> None:
    page = render_archive([into(None, a_session()), into(None, a_session(2, files=()))])

    assert (
        page
        == """\
# Session 2026-09-12_1402

## Summary
Fix the login form

---

# Session 2026-09-12_1402

## Summary
Fix the login form
Files: login.py, test_login.py
"""
    )


def test_what_is_no_archive_makes_no_page() -> None:
    assert render_archive([a_session()]) == ""
    assert render_archive(expand_archive(into(None, a_session()))) == ""


def test_lines_that_make_no_sense_are_passed_over() -> None:
    broken = into(None, a_session())
    lines = (
        "(no earlier ones are left out)",
        "- yesterday [end] x",
        "- 2026-09-12 14:02 a b [x",
        "",
    )

    entries = expand_archive(broken.but(summary="\n".join((*lines, broken.summary))))

    assert [one.title for one in entries] == ["Fix the login form"]


def test_each_device_and_project_has_archives_of_its_own() -> None:
    ids = {archive_id(p, m, device=d) for p in "ab" for m in ("2026-09", "2026-10") for d in "xy"}

    assert len(ids) == 8
    assert all(one.startswith("e") for one in ids)
