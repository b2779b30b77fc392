"""A skill that asks for notes, in either way of writing it, is told on every rung of recall, within its budget."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hooks.conftest import Client, Memory, a_skill
from tests.requirements import requirement
from tests.store.support import Clock, app_of, opened

from twiceshy import app
from twiceshy.core.moment import DAY
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import estimate_tokens
from twiceshy.notes.edit import pin_note
from twiceshy.notes.write import NoteLimits

APART = NoteLimits(near=1.0)
# what the skill is asked for, and the rung that answers
RUNGS = {
    "full": "the kernel killed the process",
    "fts5-fallback": "先拉 取标",
    "flat": "zyzzyva quux",
    "no-intent": "",
}
LESSONS = (
    "Linux terminates a task that runs out of memory.",
    "先拉取标签，再打新标签。",
    "Write the announcement in the imperative.",
)
PINNED = "Ask before you publish."


def inline(**said: object) -> str:
    """Write what a skill asks for on one line."""
    pairs = ", ".join(f"{key}: {value}" for key, value in said.items())
    return f"skill-memory: {{ enabled: true, {pairs} }}\n"


def block(**said: object) -> str:
    """Write it as an indented block."""
    lines = "".join(f"  {key}: {value}  # so be it\n" for key, value in said.items())
    return f"skill-memory:\n  enabled: true\n{lines}"


FORMS = {"inline": inline, "block": block}


@pytest.fixture(autouse=True)
def opting_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only skills that ask for it have notes, on a day that does not pass."""
    monkeypatch.setenv("TWICESHY_SKILLS_POLICY", "opt-in")
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:00:00Z")


def texts(brief: str) -> list[str]:
    """Return the texts of the notes in a brief."""
    lines = [line for line in brief.splitlines() if line.startswith("- [")]
    return [line.partition("] ")[2].rpartition(" (")[0] for line in lines]


@requirement("A15", "M24")
@pytest.mark.parametrize("mode", RUNGS)
@pytest.mark.parametrize("form", FORMS)
def test_who_opts_in_is_told_on_every_rung(
    client: Client, memory: Memory, form: str, mode: str
) -> None:
    for text in LESSONS:
        memory.learn(text, why=text)
    before = client.load("release", RUNGS[mode])
    a_skill(client.project / ".claude/skills/release", settings=FORMS[form](max_tokens=300))

    brief = client.load("release", RUNGS[mode])

    assert before == ""
    assert f'mode="{mode}" count="3" pinned="0"' in brief
    assert sorted(texts(brief)) == sorted(LESSONS)
    assert all(brief.count(text) == 1 for text in LESSONS)  # the reason says no more than the text


@requirement("A15", "M27")
@pytest.mark.parametrize("mode", RUNGS)
@pytest.mark.parametrize("form", FORMS)
def test_a_pinned_note_is_reached_on_every_rung_behind_a_hundred_newer_ones(
    client: Client, memory: Memory, form: str, mode: str
) -> None:
    old = memory.learn(PINNED, learned_at=app.read_clock() - 900 * DAY)
    pin_note(app_of(memory.store), old)
    for text in LESSONS:
        memory.learn(text)
    with memory.store.change():
        for number in range(120):  # of all projects, so that none is one too many
            scope = Scope(EVERYWHERE if number % 2 else memory.project, "release")
            memory.learn(f"{LESSONS[number % 3]} Case {number}.", scope=scope, bounds=APART)
    a_skill(client.project / ".claude/skills/release", settings=FORMS[form](max_tokens=200))

    brief = client.load("release", RUNGS[mode])

    assert f'mode="{mode}"' in brief
    assert texts(brief)[0] == PINNED
    assert len(texts(brief)) > 1
    assert estimate_tokens(brief) <= 200


@requirement("A15", "M17")
@settings(max_examples=40)
@given(
    st.tuples(st.integers(0, 700), st.integers(0, 700)),
    st.tuples(st.sampled_from(sorted(FORMS)), st.sampled_from(sorted(RUNGS))),
    st.lists(st.tuples(st.integers(1, 60), st.booleans()), max_size=12),
)
def test_no_brief_exceeds_what_the_skill_asks_for_frame_included(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    allowed: tuple[int, int],
    how: tuple[str, str],
    notes: list[tuple[int, bool]],
) -> None:
    (tokens, pinned_tokens), (form, mode) = allowed, how
    folder = tmp_path_factory.mktemp("any")
    monkeypatch.setenv("TWICESHY_HOME", str(folder / "home"))
    asked = FORMS[form](max_tokens=tokens, max_pinned_tokens=pinned_tokens)
    a_skill(folder / "shop/.claude/skills/release", settings=asked)
    with opened(folder / "home", clock=Clock(app.read_clock() - 10_000)) as store:
        for number, (words, pinned) in enumerate(notes):
            text = f"{number} {LESSONS[number % 3]} " + "more " * words
            Memory(store, EVERYWHERE).learn(text, pinned=pinned, why="x" * words, bounds=APART)

    brief = Client(folder / "shop").load("release", RUNGS[mode])

    assert not brief or estimate_tokens(brief) <= tokens
    kept = [line for line in brief.splitlines() if ", pinned] " in line]
    assert sum(map(estimate_tokens, kept)) <= pinned_tokens


@requirement("U136", "M19")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("weights", "first"),
    [
        ({}, "Restart the server when the daemon dies."),  # fits, and is new
        ({"ranking_relevance": 1, "ranking_recency": 0, "ranking_hit": 0}, LESSONS[0]),
        ({"ranking_relevance": 0, "ranking_recency": 1, "ranking_hit": 0}, LESSONS[2]),
        ({"ranking_relevance": 0, "ranking_recency": 0, "ranking_hit": 1}, "Mind the pods"),
        ({"ranking_relevance": 6, "ranking_recency": 2.5}, "Restart the server"),
        ({"ranking_hit": 0.9}, "Mind the pods"),
    ],
)
def test_a_skill_tunes_what_comes_first(
    client: Client, memory: Memory, form: str, weights: dict[str, float], first: str
) -> None:
    now = app.read_clock()
    memory.learn(LESSONS[0], learned_at=now - 200 * DAY)
    memory.learn("Restart the server when the daemon dies.", learned_at=now - DAY)
    memory.learn(
        "Mind the pods of Linux servers, which need more memory.",
        learned_at=now - 200 * DAY,
        sightings=40,
    )
    memory.learn(LESSONS[2], learned_at=now)  # which has nothing to do with the intent
    a_skill(
        client.project / ".claude/skills/release",
        settings=FORMS[form](max_tokens=500, **weights),
    )

    brief = client.load("release", RUNGS["full"])

    assert 'mode="full"' in brief
    assert texts(brief)[0].startswith(first)
