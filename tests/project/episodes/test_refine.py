"""A refined transcript tells what was said and done, without what tools printed and without secrets."""

from twiceshy.core.moment import parse_stamp
from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    ResultStep,
    SkillStep,
    SummaryStep,
    UserMessage,
)
from twiceshy.project.episodes.refine import refine_transcript
from twiceshy.safety.redact import redact

AT = parse_stamp("2026-11-02T09:30:00Z")
WHEN = "2026-11-02T09:30:00.000Z"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
STEP = ("s1", "/shop", AT)


def test_what_was_said_and_done_is_told_in_order() -> None:
    steps = [
        UserMessage("u1", *STEP, text="Deploy it"),
        SkillStep("k1", *STEP, name="deploy"),
        CallStep("c1", *STEP, tool="Bash", arguments='{"command": "make deploy"}'),
        AgentMessage("a1", *STEP, text="I run it."),
        ResultStep("c1", *STEP, text="no rule" * 10_000, failed=True),
        CallStep("c2", *STEP, tool="Edit", arguments='{"file_path": "Makefile", "old": "x"}'),
        ResultStep("c2", *STEP, text="done"),
        CallStep("c3", *STEP, tool="Bash", arguments='{"command": "make ship"}'),
        ResultStep("c3", *STEP, refusal="rejected"),
        SummaryStep("m1", *STEP, summary="We tried."),
        ResultStep("c9", *STEP, text="of a call that is not there"),
        CallStep("c4", *STEP, agent="a7", tool="Bash", arguments="{}"),
    ]

    told = list(refine_transcript(steps, redact=redact))

    assert [(each.get("said") or each.get("tool"), each.get("ok")) for each in told] == [
        *(("user", None), ("assistant", None), ("Bash", False), ("Edit", True)),
        *(("Bash", False), ("summary", None), ("Bash", None)),
    ]
    assert told[2] == {"at": WHEN, "tool": "Bash", "target": "make deploy", "ok": False}
    assert told[3]["target"] == "Makefile"
    assert told[-1]["agent"] == "a7"
    assert "no rule" not in repr(told)


def test_secrets_are_taken_out_before_anything_is_cut() -> None:
    long = "x" * 1_990 + f" {SECRET}"
    steps = [
        UserMessage("u1", *STEP, text=long),
        AgentMessage("a1", *STEP, text="<private>mine</private> yours\x1b[31m"),
        CallStep("c1", *STEP, tool="Bash", arguments=f'{{"command": "login --token {SECRET}"}}'),
    ]

    told = repr(list(refine_transcript(steps, redact=redact)))

    assert SECRET[:6] not in told
    assert "mine" not in told
    assert "\\x1b" not in told


def test_a_time_that_is_not_known_stays_empty() -> None:
    assert list(refine_transcript([UserMessage("u", "s", "/", 0, text="hi")], redact=redact)) == [
        {"at": "", "said": "user", "text": "hi"}
    ]
