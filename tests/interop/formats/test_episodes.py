"""Episodes and signals that are written to a file and read from it make the same file again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW
from tests.interop.formats.noting import items_in

from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.moment import SECOND
from twiceshy.interop.checkpoints import build_checkpoint
from twiceshy.interop.formats import (
    FileContext,
    join_pieces,
)
from twiceshy.interop.formats.engine_episodes import ENGINE_HANDOFF, ENGINE_SESSION
from twiceshy.interop.formats.fireworks import FIREWORKS_CHECKPOINTS, FIREWORKS_SEEDS
from twiceshy.interop.formats.keeper_sessions import KEEPER_ARCHIVE, KEEPER_LOG, KEEPER_SESSION
from twiceshy.interop.formats.keeper_summary import find_rewording
from twiceshy.interop.formats.registry import load_format
from twiceshy.project.episodes.pages import render_engine_page
from twiceshy.project.handoff.rules import (
    Handoff,
    handoff_title,
    handoff_topic,
    parse_handoff,
    render_summary,
)

MINUTE = 60 * SECOND
ABOUT = FileContext("demo", "", NOW, "")
SAID = st.lists(
    st.sampled_from(("move", "the", "`mail.py`", "a<b", "測試", "#1", "**bold**", "[x]", "x:y")),
    min_size=1,
    max_size=6,
).map(" ".join)
SOME = st.lists(SAID, max_size=3, unique=True).map(tuple)
WHEN = st.integers(min_value=0, max_value=500_000).map(lambda minutes: NOW + minutes * MINUTE)


def an_episode(**fields: Any) -> Episode:
    usual: dict[str, Any] = {
        "id": "e1",
        "kind": "end",
        "session": "s1",
        "project": "demo",
        "started_at": NOW,
        "ended_at": NOW,
        "title": "Move the templates",
    }
    return Episode.of(usual | fields)


SESSIONS = {
    kind: an_episode(kind=kind, title=title, summary=said, requests=("why?",), files=("a.py",))
    for kind, title, said in (
        ("end", "Move it", "3 messages on shop; mail:\nMove it\nEnded: changed a.py"),
        ("checkpoint", "Move it", "3 messages on shop; mail:\nMove it\nAsk Ana."),
        ("compact", "Move it (auto, after 3 messages)", "All is\n\nmoved."),
        ("note", "Move it", "Move it\nDoing: mail\n\nAll is moved."),
    )
}
STORED = {"title": "Carry it", "requests": ("how?",)}


@given(
    title=SAID,
    requests=SOME,
    tools=st.lists(st.sampled_from(("Edit", "Bash", "mcp__x__y")), unique=True).map(tuple),
    files=st.lists(st.sampled_from(("mail.py", "a b.md", "名.md")), unique=True).map(tuple),
    at=WHEN,
    kind=st.sampled_from(("end", "checkpoint", "compact")),
)
def test_a_session_file_is_written_as_it_was_read(kind: str, title: str, **told: Any) -> None:
    at = told.pop("at")
    summaries = {
        "end": f"12 messages on shop:\n{title}",
        "checkpoint": f"20 messages on shop; fixing (mail):\n{title}",
        "compact": "The templates are moved.\n\nDates are left.",
    }
    episode = an_episode(
        kind=kind,
        title=f"{title} (manual, after 3 messages)" if kind == "compact" else title,
        summary=summaries[kind],
        ended_at=at,
        **told,
    )

    (item,) = items_in(ENGINE_SESSION.render_items([episode], ABOUT))

    assert item.episode is not None
    assert render_engine_page(item.episode) == item.raw == render_engine_page(episode)
    held = ("kind", "title", "ended_at", "requests", "tools", "files")
    assert [getattr(item.episode, name) for name in held] == [
        getattr(episode, name) for name in held
    ]


@given(
    status=st.one_of(st.just(""), SAID),
    done=SOME,
    left=SOME,
    decisions=SOME,
    topic=st.sampled_from(("", "checkout", "Mail templates")),
)
def test_a_handoff_says_the_same_after_it_was_a_file(topic: str, **told: Any) -> None:
    told["left"] = tuple(f"then {one}" for one in told["left"])  # "[x]" would be a box
    handoff = Handoff(files=("mail.py",), text="Ask Kim.", **told)
    episode = an_episode(
        kind="handoff",
        title=topic or handoff_title(handoff),
        summary=render_summary(handoff),
        files=handoff.files,
    )

    (item,) = items_in(ENGINE_HANDOFF.render_items([episode], ABOUT))

    assert item.episode is not None
    assert parse_handoff(item.episode) == handoff
    assert handoff_topic(item.episode) == topic
    assert join_pieces(ENGINE_HANDOFF.render_items([item.episode], ABOUT)) == item.raw


def test_a_task_of_a_handoff_that_was_ticked_is_done() -> None:
    text = "# Mail Handoff\n\n## What's left to do\n- [x] dates\n- [ ] names\n"

    (item,) = items_in(ENGINE_HANDOFF.parse_text(text, ABOUT))

    assert item.episode is not None
    assert parse_handoff(item.episode) == Handoff(done=("dates",), left=("names",))
    assert item.episode.title == "Mail"


@pytest.mark.parametrize("kind", ["diary", "reflect"])
@given(told=SOME)
def test_diaries_and_reports_are_kept_word_for_word(kind: str, told: tuple[str, ...]) -> None:
    heading = "Diary" if kind == "diary" else "Reflection"
    lines = [f"# {heading}: 2026-10-07", "**Project:** shop", "", *told]
    episode = an_episode(kind=kind, summary="\n".join(lines).rstrip() + "\n")

    (item,) = items_in(load_format(f"engine_{kind}").render_items([episode], ABOUT))

    assert item.episode is not None
    assert item.episode.summary == item.raw == episode.summary
    assert item.episode.kind == kind


@given(told=st.lists(SAID, min_size=1, max_size=4, unique=True))
def test_the_log_is_written_as_it_was_read(told: list[str]) -> None:
    episodes = [
        an_episode(id=f"e{n}", session=f"s{n}", title=title, ended_at=NOW + n * MINUTE)
        for n, title in enumerate(told)
    ]

    written = KEEPER_LOG.render_items(episodes, ABOUT)

    read = [item.episode for item in items_in(written) if item.episode]
    assert [(one.title, one.ended_at) for one in read] == [
        (one.title, one.ended_at) for one in episodes
    ]
    assert KEEPER_LOG.render_items(read, ABOUT) == written


@given(told=st.lists(SAID, min_size=1, max_size=4, unique=True), at=WHEN)
def test_the_summary_of_a_session_is_an_episode(told: list[str], at: int) -> None:
    episode = an_episode(
        title=told[0], summary="\n".join(told), ended_at=at, requests=("why?",), files=("a.py",)
    )

    (alone,) = items_in(KEEPER_SESSION.render_items([episode], ABOUT))
    two = items_in(
        KEEPER_ARCHIVE.render_items([episode, episode.but(ended_at=at + MINUTE)], ABOUT)
    )

    assert alone.episode is not None
    assert (alone.episode.summary, alone.episode.ended_at) == (episode.summary, at)
    assert (alone.episode.requests, alone.episode.files) == (("why?",), ("a.py",))
    assert [one.at for one in two] == [at, at + MINUTE]
    assert {one.episode.summary for one in two if one.episode} == {episode.summary}


@given(
    kind=st.sampled_from(("end", "checkpoint", "compact", "note")),
    edits=st.dictionaries(st.sampled_from(("title", "doing", "asked", "free")), SAID),
    meanwhile=st.sampled_from(("", "title", "requests")),
)
def test_what_a_hand_retells_of_a_session_is_what_the_file_says_then(
    kind: str, edits: dict[str, str], meanwhile: str
) -> None:
    known = SESSIONS[kind]
    text = join_pieces(KEEPER_SESSION.render_items([known], ABOUT))
    lines = {"title": known.title, "doing": "Doing: mail", "asked": "Asked: why?"}
    for what, said in edits.items():
        label = lines.get(what, "").partition(": ")[0] if what in ("doing", "asked") else ""
        new = f"{label}: now {said}" if label else f"now {said}"
        line = lines.get(what, "Asked: why?").partition(" (")[0] + "\n"
        text = text.replace(line, f"{line if what == 'free' else ''}{new}\n", 1)
    later = known.but(**({meanwhile: STORED[meanwhile]} if meanwhile else {}))
    [was], [now] = (
        items_in(KEEPER_SESSION.parse_text(one, ABOUT))
        for one in (join_pieces(KEEPER_SESSION.render_items([known], ABOUT)), text)
    )
    assert was.episode is not None
    assert now.episode is not None

    fields = find_rewording(later, was.episode, now.episode)

    [then] = items_in(KEEPER_SESSION.render_items([later.but(**fields)], ABOUT))
    assert then.episode is not None
    for name in ("requests", "files"):
        if name != meanwhile or getattr(now.episode, name) != getattr(was.episode, name):
            assert getattr(then.episode, name) == getattr(now.episode, name)
    if not meanwhile:
        assert then.episode == now.episode
    assert {line for line in text.splitlines() if "now " in line} <= {*then.raw.splitlines()}


@given(told=st.lists(SAID, min_size=1, max_size=4, unique=True))
def test_signals_are_known_again_in_their_files(told: list[str]) -> None:
    about = FileContext("demo", "release", NOW, "")
    made = [
        build_checkpoint(text, skill="release", name=f"c{n}", at=NOW + n * SECOND)
        for n, text in enumerate(told)
    ]
    errors = [
        Signal(f"x{n}", "error", "s1", "demo", NOW + n * SECOND, excerpt=f"error: {text}\nhint")
        for n, text in enumerate(told)
    ]

    checkpoints = FIREWORKS_CHECKPOINTS.render_items(made, about)
    seeds = FIREWORKS_SEEDS.render_items(errors, about)

    assert [item.signal for item in items_in(checkpoints)] == made
    assert [item.signal.excerpt for item in items_in(seeds) if item.signal] == [
        one.excerpt for one in errors
    ]
    again = [item.signal for item in items_in(seeds) if item.signal]
    assert FIREWORKS_SEEDS.render_items(again, about) == seeds


def test_only_what_was_put_right_is_a_lesson() -> None:
    text = "# Pitfall Record 2026-10-06\n\n### retry\n- five times\n\n### error-then-fix\n- it broke\n"

    retry, lesson = items_in(load_format("engine_pitfall").parse_text(text, ABOUT))

    assert retry.signal is not None
    assert (retry.signal.kind, retry.signal.excerpt) == ("retry", "five times")
    assert lesson.draft is not None
    assert lesson.draft.text == "it broke"


def test_what_a_tool_printed_does_not_begin_another_seed() -> None:
    text = (
        "--- error seed 2026-10-17T16:05:40 ---\nerror\n--- error seed 2026-10-17T16:05:40 --- x\n"
    )

    (item,) = items_in(FIREWORKS_SEEDS.parse_text(text, ABOUT))

    assert item.raw == text


def test_a_heading_of_the_log_without_words_is_prose() -> None:
    text = "## 2026-10-05 14:00\n\n## 2026-10-06 09:00\nDone.\n"

    (item,) = items_in(KEEPER_LOG.parse_text(text, ABOUT))

    assert item.key == "2026-10-06 09:00"


def test_a_session_that_does_not_tell_its_messages_has_its_title_as_summary() -> None:
    (item,) = items_in(
        ENGINE_SESSION.parse_text("# Session: 2026-10-05\n**Title:** Mail\n", ABOUT)
    )

    assert item.episode is not None
    assert item.episode.summary == "Mail"


def test_sessions_in_one_archive_are_different_episodes() -> None:
    pages = [f"# Session 2026-08-{day}_0915\n\n## Summary\nSame.\n" for day in ("03", "20")]
    about = FileContext("demo", "", NOW, "sessions/archive/2026-08.md")

    found = items_in(KEEPER_ARCHIVE.parse_text("\n---\n\n".join(pages), about))

    assert len({item.episode.id for item in found if item.episode}) == 2
