"""What the user said in sessions: learned by ``distill``, told at starts, reviewed and counted."""

import os
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.hooks.attack import fire, payload
from tests.learning.sessions import ROOT, Told
from tests.models.claude_program import FakeClaude
from tests.requirements import requirement

from twiceshy.cli.options import open_app
from twiceshy.core.text import estimate_tokens
from twiceshy.notes.write import change_note

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the"
    " new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


def teach(twiceshy: Command, tmp_path: Path, *sessions: Told) -> None:
    """Let sessions in the folder of the test be learned from, in order."""
    for told in sessions:
        file = told.file(tmp_path / "transcripts")
        file.write_text(file.read_text().replace(ROOT, str(Path.cwd())))
        twiceshy("distill", "--transcript", str(file))


def talk(session: str, *said: str, day: int = 0) -> Told:
    """A session in which the agent acts, and the user says something each time."""
    told = Told(session, day=day).said("Please fix the login page.").ran("ls src")
    for text in said:
        told.said(text).ran("make build")
    return told


def preferences(twiceshy: Command) -> dict[str, str]:
    """Return status by sentence."""
    notes = twiceshy("list", "--all", "--kind", "preference", "--status", "any", "--json").json
    return {note["text"]: note["status"] for note in notes}


def start(**env: str) -> str:
    """Start a session in the folder of the test, as a client does: a process of its own."""
    return fire(payload("SessionStart", cwd=Path.cwd(), session_id="next"), env=env).text


@requirement("T61")
@pytest.mark.parametrize(
    "sentence",
    [
        "we explicitly don't want hardcoded visual tests.",
        "no, we removed the session commands on purpose",
        "Never push to main directly!",
        "一律用 ruff 格式化代码",
        "不要再用 npm 装依赖了",
        "以后提交前先跑 lint",
    ],
)
def test_one_standing_order_is_told_at_the_next_start(
    twiceshy: Command, tmp_path: Path, sentence: str
) -> None:
    teach(twiceshy, tmp_path, talk("s1", f"Looks good.\n{sentence}"))

    assert preferences(twiceshy) == {sentence: "active"}
    assert sentence in start()


@requirement("T61")
def test_standing_orders_take_no_more_than_their_budget_of_a_start_the_newest_first(
    twiceshy: Command, tmp_path: Path
) -> None:
    orders = [f"we never use {name} in the tests of the shop" for name in "abcdefgh"]
    twiceshy("note", "Answer in one paragraph.", "--kind", "preference")
    teach(twiceshy, tmp_path, *(talk(f"s{day}", text, day=day) for day, text in enumerate(orders)))

    told = [line for line in start().splitlines() if " preference] " in line]

    assert set(preferences(twiceshy).values()) == {"active"}
    assert "Answer in one paragraph." in str(told)
    heard = [line for line in told if "we never use" in line]
    assert 0 < sum(map(estimate_tokens, heard)) <= 60
    assert orders[-1] in str(heard)
    assert orders[0] not in str(heard)

    assert "we never use" not in start(TWICESHY_BRIEF_HEARD_TOKENS="0")


@requirement("T62", "T65")
def test_a_wish_waits_until_it_is_said_in_a_second_session(
    twiceshy: Command, tmp_path: Path
) -> None:
    teach(twiceshy, tmp_path, talk("s1", "no, use pnpm, not npm", "No! Use pnpm instead of npm."))
    once, shown = preferences(twiceshy), start()
    teach(twiceshy, tmp_path, talk("s2", "Wrong. Please use pnpm instead of npm.", day=1))

    assert once == {"no, use pnpm, not npm": "candidate"}
    assert "pnpm" not in shown
    assert preferences(twiceshy) == {"no, use pnpm, not npm": "active"}
    assert "no, use pnpm, not npm" in start()


@requirement("T63")
@pytest.mark.parametrize(
    "said",
    [
        "no, do we always want the button in the header?",
        "no, don't check this in",
        "wrong, it always returns 0 when the file is empty",
        "no, never do that again",
        "don't change anything yet, just look at the header",
        "That is wrong:\n```\nyou must never call close() twice\n```",
        "still failing:\nERROR: you must not use npm here: exit status 1",
        "no, we never mock the database because",
        "不要改这个文件",
        "You are a code reviewer. Never modify any files. Always answer in JSON.",
        "你是一名代码审查员。一律用 JSON 回答。",
    ],
)
def test_what_is_of_the_moment_never_becomes_a_preference(
    twiceshy: Command, tmp_path: Path, said: str
) -> None:
    teach(twiceshy, tmp_path, talk("s1", said), talk("s2", said, day=1))

    assert preferences(twiceshy) == {}


@requirement("T64")
def test_a_preference_is_the_whole_sentence_out_of_a_long_message(
    twiceshy: Command, tmp_path: Path
) -> None:
    sentence = (
        "We never mock the database in integration tests, because an outage came from a mock."
    )
    around = "The header looks good to me and I like the colours of it. " * 9

    teach(twiceshy, tmp_path, talk("s1", f"{around}\n{sentence} {around}"))

    assert preferences(twiceshy) == {sentence: "active"}


@requirement("T67")
def test_the_reason_of_a_refusal_is_heard(twiceshy: Command, tmp_path: Path) -> None:
    reason = "we don't want if-else chains for choosing an agent"
    told = Told("s1").said("Please add the agent.")
    told.called("Bash", f"{REFUSED}{reason}", failed=True, command="sed -i s/a/b/ agent.go")

    teach(twiceshy, tmp_path, told)

    assert preferences(twiceshy) == {reason: "active"}
    assert reason in start()


@requirement("T65")
def test_waiting_preferences_are_one_line_each_the_dearest_first(
    twiceshy: Command, tmp_path: Path
) -> None:
    old, often, new = "no, use tabs, not spaces", "no, use pnpm, not npm", "no, use zod, not joi"
    teach(
        twiceshy,
        tmp_path,
        talk("s1", old),
        talk("s2", often, often, day=1),
        talk("s3", new, day=2),
    )

    lines = [line for line in twiceshy("review").out.splitlines() if "you said" in line]

    assert [line.partition("you said: ")[2].partition(" (")[0] for line in lines] == [
        often,
        new,
        old,
    ]
    assert start().count("pnpm") == 0


def test_a_rejected_preference_does_not_come_back(twiceshy: Command, tmp_path: Path) -> None:
    teach(twiceshy, tmp_path, talk("s1", "no, use pnpm, not npm"))
    [note] = twiceshy("list", "--all", "--kind", "preference", "--json").json
    twiceshy("review", "--reject", note["id"])

    teach(twiceshy, tmp_path, talk("s2", "use pnpm instead of npm, as always", day=1))

    assert list(preferences(twiceshy).values()) == ["retired"]


@requirement("T60")
def test_reflect_and_diary_count_sentences_and_no_classes(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    different = [f"no, the {thing} belongs into the footer" for thing in ("logo", "menu", "link")]
    teach(
        twiceshy,
        tmp_path,
        *(talk(f"s{day}", text, day=day) for day, text in enumerate(different)),
        talk("s7", "no, use pnpm, not npm", day=3),
        talk("s8", "nope, please use pnpm instead of npm", day=4),
    )
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-07T12:00:00Z")

    shown = twiceshy("reflect").out
    page = shown + twiceshy("reflect", "--show").out
    diary = twiceshy("diary", "2026-11-06").out

    assert (
        "you said 2 times on 2 days: nope, please use pnpm instead of npm: twiceshy show n"
        in shown
    )
    assert "- corrections said once: 3\n" in shown
    assert "- Different corrections: 4\n- Corrections said again: 1\n" in page
    assert "- you said 2 times on 2 days: nope, please use pnpm instead of npm" in diary
    assert "footer" not in page + diary
    assert "made on" not in page


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeClaude:
    """A model that puts a convention in the place of the first note that it is shown."""
    delta = '{"op": "supersede", "id": known[0], "kind": "convention", "text": %r, "why": %r}'
    answer = delta % ("Use pnpm, not npm.", "npm writes another lock file and breaks the build")
    fake = FakeClaude(tmp_path)
    find = r"""import re; known = re.findall(r'"id":"(\w+)"', told.decode())"""
    fake.answers(any=f"!{find}; print(json.dumps([{answer}] if known else []))")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return fake


@requirement("T68")
def test_a_model_puts_a_convention_with_its_reason_in_the_place_of_a_waiting_sentence(
    twiceshy: Command, tmp_path: Path, model: FakeClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "no, use pnpm, not npm"
    why = "no, npm writes another lock file and breaks the build"
    teach(twiceshy, tmp_path, talk("s1", sentence, why).whiled(6))
    without = twiceshy("list", "--all", "--json").json
    twiceshy("undo")
    twiceshy("forget", without[0]["id"], "--yes")
    monkeypatch.setenv("TWICESHY_DISTILLER_BACKEND", "claude-cli")

    teach(twiceshy, tmp_path, talk("s2", "no, use pnpm instead of npm", why, day=1).whiled(6))

    assert [(note["kind"], note["text"]) for note in without] == [("preference", sentence)]
    [note] = twiceshy("list", "--all", "--json").json
    assert (note["kind"], note["subtype"], note["text"]) == (
        "pattern",
        "convention",
        "Use pnpm, not npm.",
    )
    assert note["why"] == "npm writes another lock file and breaks the build"
    assert sentence not in str(model.asked)


def test_an_order_for_every_case_waits_although_the_prompt_corrects_nothing(
    twiceshy: Command, tmp_path: Path
) -> None:
    teach(
        twiceshy,
        tmp_path,
        talk(
            "s1",
            "Add the export. Adapters should know nothing of the queue.",
            "Ask Bob about the draft.",
        ),
    )

    assert preferences(twiceshy) == {"Adapters should know nothing of the queue.": "candidate"}
    assert "Adapters" not in start()
    assert "you said: Adapters should know nothing" in twiceshy("review", "--all").out


def test_a_duty_in_the_words_of_the_user_is_told_and_not_quarantined(
    twiceshy: Command, tmp_path: Path
) -> None:
    orders = [
        "You must always test an upgrade on a copy first.",
        "Never push with git push --force.",
    ]
    teach(twiceshy, tmp_path, talk("s1", *orders, "Always push with git push --force to staging."))

    assert preferences(twiceshy) == {
        **dict.fromkeys(orders, "active"),
        "Always push with git push --force to staging.": "quarantined",
    }


def test_a_resting_preference_that_is_said_again_is_told_at_starts_again(
    twiceshy: Command, tmp_path: Path
) -> None:
    order = "Never round invoice totals before the tax is added."
    teach(twiceshy, tmp_path, talk("s1", order))
    [note] = twiceshy("list", "--all", "--kind", "preference", "--json").json
    with open_app() as app:
        found = app.store.note(note["id"])
        assert found is not None
        change_note(app, "rest", found, state="resting")
    resting = start()

    teach(twiceshy, tmp_path, talk("s2", order, day=1))

    assert order not in resting
    assert order in start()
