"""An episode says in a line how long a stretch was and what was done, and the line can be read back."""

from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.core.evidence import Episode
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_compact_episode,
    build_session_episode,
)
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.episodes.work_segment import WorkSegment

ABOUT = EpisodeContext("s1", "git:" + "a" * 40, "shop", "fixing, testing (login)", "/t/s1.jsonl")
STRETCH = WorkSegment(
    messages=12,
    title="Fix the login form",
    requests=tuple(f"request number {number}" for number in range(10)),
    tools=("Bash", "Edit"),
    files=("src/login.py",),
    started_at=1_000,
    ended_at=2_000,
)


@requirement("U096")
def test_an_episode_states_title_number_of_messages_tools_and_files() -> None:
    episode = build_session_episode(STRETCH, ABOUT)

    assert episode.title == "Fix the login form"
    assert parse_episode_facts(episode).messages == 12
    assert episode.tools == ("Bash", "Edit")
    assert episode.files == ("src/login.py",)


def test_a_sessions_summary_tells_how_it_ended() -> None:
    episode = build_session_episode(STRETCH.but(ending='committed "Keep the token"'), ABOUT)

    assert episode.summary == (
        "12 messages on shop; fixing, testing (login):\n"
        'Fix the login form\nEnded: committed "Keep the token"'
    )
    assert parse_episode_facts(episode).ended == 'committed "Keep the token"'


def test_a_session_without_an_ending_tells_none() -> None:
    one = WorkSegment(messages=1, title="Fix it all", requests=("Fix it all",))

    episode = build_session_episode(one, ABOUT.but(doing=""))

    assert episode.summary == "1 message on shop:\nFix it all"
    assert parse_episode_facts(episode).ended == ""


def test_what_a_person_wrote_is_how_a_session_ended() -> None:
    episode = build_session_episode(STRETCH, ABOUT)
    head = episode.summary.partition("\n")[0]

    assert parse_episode_facts(episode.but(summary=f"{head}\nAll moved.")).ended == "All moved."


def test_a_session_keeps_eight_requests_and_a_checkpoint_ten() -> None:
    assert build_session_episode(STRETCH, ABOUT).requests == STRETCH.requests[-8:]
    assert build_checkpoint_episode(STRETCH, ABOUT).requests == STRETCH.requests


@requirement("U097")
def test_a_checkpoint_says_in_one_line_what_was_being_done() -> None:
    episode = build_checkpoint_episode(STRETCH, ABOUT)

    assert parse_episode_facts(episode).doing == "fixing, testing (login)"
    assert episode.summary.splitlines()[0] == "12 messages on shop; fixing, testing (login):"


def test_the_same_session_has_one_id_and_each_save_point_its_own() -> None:
    longer = STRETCH.but(messages=20)

    assert build_session_episode(STRETCH, ABOUT).id == build_session_episode(longer, ABOUT).id
    assert (
        build_session_episode(STRETCH, ABOUT).id
        != build_session_episode(STRETCH, ABOUT.but(session="s2")).id
    )
    assert (
        build_checkpoint_episode(STRETCH, ABOUT).id != build_checkpoint_episode(longer, ABOUT).id
    )


def test_a_compaction_says_what_triggered_it_and_keeps_its_summary_as_it_is() -> None:
    by_itself = build_compact_episode(
        STRETCH, ABOUT, step="z1", automatic=True, summary="We fixed it."
    )
    asked_for = build_compact_episode(
        STRETCH, ABOUT, step="z2", automatic=False, summary="Done (1, 2)"
    )

    assert by_itself.summary == "We fixed it."
    assert by_itself.title == "Fix the login form (auto, after 12 messages)"
    assert (parse_episode_facts(by_itself).trigger, parse_episode_facts(by_itself).messages) == (
        "auto",
        12,
    )
    assert (parse_episode_facts(asked_for).trigger, parse_episode_facts(asked_for).title) == (
        "manual",
        STRETCH.title,
    )


def test_an_episode_that_somebody_else_wrote_is_read_as_it_stands() -> None:
    left = Episode("e1", "handoff", "s1", "demo", 0, 0, title="T", summary="Status: on hold:\n- x")
    bare = Episode("e2", "compact", "s1", "demo", 0, 0, summary="What we did (all of it)")

    assert parse_episode_facts(left).text == left.summary
    assert parse_episode_facts(left).messages == 0
    assert parse_episode_facts(left.but(summary="3 files on disk")).messages == 0
    assert parse_episode_facts(bare).trigger == ""
    assert parse_episode_facts(bare.but(title="Odd (case)")).title == "Odd (case)"


TEXTS = st.text(max_size=300).map(lambda text: " ".join(text.split()))


@given(
    title=TEXTS.map(lambda text: text[:60]),
    ending=TEXTS,
    messages=st.integers(1, 10_000),
)
def test_a_summary_always_gives_back_its_facts_and_its_ending(
    title: str, ending: str, messages: int
) -> None:
    stretch = WorkSegment(messages=messages, title=title, ending=ending)

    for write in (build_session_episode, build_checkpoint_episode):
        facts = parse_episode_facts(write(stretch, ABOUT))
        assert (facts.messages, facts.tag, facts.doing) == (messages, ABOUT.tag, ABOUT.doing)
        assert facts.ended == ending
