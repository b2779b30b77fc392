"""``twiceshy effect``: what notes do, for people and for programs."""

import re
from pathlib import Path
from typing import Any

import pytest
from bench.effect import WORLDS, live_month
from tests.cli.conftest import Command
from tests.effect.outcomes import an_outcome
from tests.requirements import requirement
from tests.store.support import Clock, learn, opened, raw

from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE, Scope


def a_history(
    home: Path, note: Note, told: tuple[int, int], untold: tuple[int, int], **fields: Any
) -> None:
    """Five sessions without a lot, then so many of so many that went wrong on either side."""
    outcomes = [an_outcome(number, "followed", "helped", note=note.id) for number in range(1, 6)]
    for (failed, count), held in ((told, False), (untold, True)):
        for number in range(count):
            came = ("violated", "failed") if number < failed else ("followed",)
            lost = 2 if number < failed else 0
            at = len(outcomes) + 1
            outcomes.append(
                an_outcome(at, *came, note=note.id, withheld=held, calls_lost=lost, lot=100)
            )
    with opened(home) as store:
        store.save_records(*(each.but(**fields) for each in outcomes))


@pytest.fixture
def notes(home: Path) -> dict[str, Note]:
    """Two notes of the release skill and one of the project, with their histories."""
    with opened(home, clock=Clock()) as store:
        found = {
            "good": learn(store, "Fetch the tags first.", source="detector"),
            "new": learn(store, "Sign what you tag.", source="detector"),
            "plain": learn(store, "Use `bun`.", source="detector", scope=Scope("demo", "")),
            "idle": learn(store, "Nobody was told.", source="detector"),
        }
    a_history(home, found["good"], (2, 31), (4, 6))
    a_history(home, found["new"], (1, 4), (1, 2))
    a_history(home, found["plain"], (9, 20), (5, 10))
    return found


@requirement("L12")
def test_the_first_line_is_a_sentence_anyone_understands(
    twiceshy: Command, notes: dict[str, Note]
) -> None:
    lines = twiceshy("effect").out.splitlines()

    assert lines[0] == (
        "With notes, 12 of 55 cases went wrong; without them, 10 of 18."
        " They prevent that in about 28 of 100 cases (1 to 56)."
    )
    assert lines[1].startswith("2,100 tokens were spent, about ")
    assert lines[1].endswith(" calls saved.")


def test_a_table_tells_skills_and_notes_apart_and_fits_the_screen(
    twiceshy: Command, notes: dict[str, Note]
) -> None:
    lines = twiceshy("effect").out.splitlines()

    table = {line[:28].strip(): line[28:].split() for line in lines[3:] if line}
    assert table["skill"] == table["note"]
    good = table[f"{notes['good'].handle} Fetch the tags first."]
    assert " ".join(good) == "36 6 2 of 31 4 of 6 60 (21…84) 1,080 50"
    assert table[f"{notes['plain'].handle} Use `bun`."][:2] == ["25", "10"]
    assert table[f"{notes['new'].handle} Sign what you tag."][2:4] == ["too", "early"]
    assert table["release"][:2] == ["45", "8"]
    assert not any(notes["idle"].handle in name for name in table)
    assert max(map(len, lines[3:])) <= 100


@requirement("T162")
def test_ten_notes_are_shown_the_best_and_the_worst_and_how_to_see_the_rest(
    twiceshy: Command, home: Path
) -> None:
    with opened(home, clock=Clock()) as store:
        taught = [learn(store, f"Run stage-{n} of part-{n} first.") for n in range(14)]
    for number, note in enumerate(taught):  # the first one helps most
        a_history(home, note, (number, 14), (7, 14))

    lines = twiceshy("effect").out.splitlines()
    every = twiceshy("effect", "--all").out.splitlines()

    head = next(number for number, line in enumerate(lines) if line.startswith("note "))
    shown = [line.split()[0] for line in lines[head + 1 :]]
    best, worst = taught[:5], taught[-5:]
    assert shown == [*(n.handle for n in best), "4", *(n.handle for n in worst)]
    assert "4 more between these; all of them: twiceshy effect --all" in lines
    assert lines[0] == every[0]
    assert {line.split()[0] for line in every[-14:]} == {note.handle for note in taught}
    assert len(twiceshy("effect", "--json").json["notes"]) == 14


def test_one_note_can_be_asked_for(twiceshy: Command, notes: dict[str, Note]) -> None:
    lines = twiceshy("effect", "--note", notes["good"].handle).out.splitlines()

    assert lines == [
        "With the note, 2 of 31 sessions went wrong; without it, 4 of 6."
        " It prevents that in about 60 of 100 sessions (21 to 84).",
        "1,080 tokens were spent, about 50 for each mistake that was avoided, about 43 calls saved.",
        "Net: about +255,809 tokens (a turn saved counts 6,000, a token told 4);"
        " withholding to measure it cost about 43,355.",
    ]


@requirement("L12")
def test_it_is_honest_while_little_is_known(twiceshy: Command, notes: dict[str, Note]) -> None:
    few = twiceshy("effect", "--note", notes["new"].handle).out
    none = twiceshy("effect", "--note", notes["idle"].handle).out

    assert few.splitlines()[0] == (
        "Not enough data yet: in 2 sessions that it mattered for, the note was withheld;"
        " at least 5 are needed."
    )
    assert none == "Nothing to measure yet: no session was shown a note.\n"


def test_an_empty_store_has_nothing_to_measure(twiceshy: Command) -> None:
    assert twiceshy("effect").out == "Nothing to measure yet: no session was shown a note.\n"


def test_a_skill_can_be_asked_for_and_must_be_known(
    twiceshy: Command, notes: dict[str, Note]
) -> None:
    found = twiceshy("effect", "--skill", "release", "--json").json

    assert set(found["notes"]) == {notes["good"].id, notes["new"].id}
    assert "nothing is kept" in twiceshy("effect", "--skill", "other", fails=1).err


@requirement("L12")
def test_programs_get_every_figure(twiceshy: Command, notes: dict[str, Note]) -> None:
    found = twiceshy("effect", "--json").json

    good: dict[str, Any] = found["notes"][notes["good"].id]
    assert good["told"] == {"sessions": 31, "failed": 2, "lost": 4}
    assert good["untold"] == {"sessions": 6, "failed": 4, "lost": 8}
    assert (good["shown"], good["withheld"], good["tokens"]) == (36, 6, 1_080)
    assert good["low"] < good["prevented"] < good["high"]
    assert good["tokens_per_avoided"] == pytest.approx(1_080 / good["avoided"])
    assert good["sentence"].startswith("With the note")
    assert found["notes"][notes["new"].id]["prevented"] is None
    assert set(found["skills"]) == {"release"}
    assert found["overall"]["shown"] == 70


def test_only_the_last_days_can_be_asked_for(
    twiceshy: Command, notes: dict[str, Note], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-08T12:00:00Z")  # the sixth session was that day

    found = twiceshy("effect", "--days", "2", "--note", notes["good"].handle, "--json").json
    today = twiceshy("effect", "--days", "1", "--note", notes["good"].handle, "--json").json

    assert (found["days"], found["overall"]["shown"], found["overall"]["withheld"]) == (2, 32, 6)
    assert found["overall"]["told"]["sessions"] == 31  # the fifth session still has no lot to draw
    assert today["overall"]["shown"] == 31


@requirement("T160", "T161")
def test_figures_stay_when_outcomes_are_summed_and_come_to_another_device_once(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(home, clock=Clock()) as store:
        note = learn(store, "Fetch the tags first.", scope=Scope(EVERYWHERE, "release"))
    a_history(home, note, (2, 31), (4, 6), project="")
    twiceshy("export", "before.jsonl")
    before = twiceshy("effect", "--json").json
    for day in ("06", "07", "08"):  # all of it is older than 90 days; days of use attest the time
        monkeypatch.setenv("TWICESHY_NOW", f"2027-04-{day}T12:00:00Z")
        twiceshy("note", "Tag last.", "-g")

    told = twiceshy("compress").out

    assert "outcomes 42" in told
    with raw(home / "twiceshy.db") as db:
        assert db.execute("SELECT count(*) FROM outcomes").fetchone() == (0,)
        assert 0 < db.execute("SELECT count(*) FROM outcome_sums").fetchone()[0] < 20
    assert twiceshy("effect", "--json").json == before
    twiceshy("export", "after.jsonl")
    monkeypatch.setenv("TWICESHY_HOME", str(home.with_name("elsewhere")))
    for bundle in ("before.jsonl", "after.jsonl", "before.jsonl", "after.jsonl"):
        assert "refused" not in twiceshy("import", bundle, "--trust").out
        assert twiceshy("effect", "--json").json == before


@pytest.mark.parametrize(
    "words", [("--note", "n1", "--skill", "release"), ("--days", "0"), ("--days", "many")]
)
def test_what_makes_no_sense_is_refused(twiceshy: Command, words: tuple[str, ...]) -> None:
    assert twiceshy("effect", *words, fails=2).out == ""


@requirement("T42")
@pytest.mark.parametrize(
    ("world", "says"),
    [
        ("helps much", r"They prevent that in about \d+ of 100 cases \(\d+ to \d+\)\."),
        ("harms", r"They do harm: about \d+ of 100 cases more \(\d+ to \d+\)\."),
        (
            "no effect, fades by itself",
            r"No difference can be told yet: .* of 100 cases\.|They do not help: .*",
        ),
    ],
)
def test_after_a_month_of_heavy_use_there_is_an_answer_over_all_lessons(
    twiceshy: Command, home: Path, world: str, says: str
) -> None:
    [lived] = [each for each in WORLDS if each.name == world]
    month = live_month(lived, 1, share=0.1)
    names = sorted({each.note for each in month})
    with opened(home, clock=Clock()) as store, store.change():
        own = {name: learn(store, f"Lesson {name}", source="detector").id for name in names}
        store.save_records(*(each.but(note=own[each.note]) for each in month))

    first = twiceshy("effect").out.splitlines()[0]

    assert re.search(says + "$", first), first
