"""The Claude command line is asked on stdin, one model after the other, and nothing of it is left running."""

import os
import time
from pathlib import Path

import pytest
from tests.models.claude_program import FakeClaude, gone
from tests.requirements import requirement

from twiceshy.models.claude_cli import FALLBACKS, HARMLESS, ClaudeCli
from twiceshy.models.completer import PREVIEW

PROMPT = "What does the session teach?\n" + "spans " * 4_000
ANSWER = '[{"op":"add"}]'


@pytest.fixture
def fake(tmp_path: Path) -> FakeClaude:
    folder = tmp_path / "bin"
    folder.mkdir()
    return FakeClaude(folder)


def a_client(fake: FakeClaude, *, seconds: float = 20, model: str = "claude-own") -> ClaudeCli:
    return ClaudeCli(model, fake.environ() | {"KEPT": "yes"}, seconds=seconds)


def test_the_prompt_travels_on_stdin_and_no_word_of_it_is_an_argument(fake: FakeClaude) -> None:
    fake.answers(any=ANSWER)

    answer = a_client(fake).complete(PROMPT)

    [asked] = fake.asked
    assert (answer.text, answer.error, answer.backend, answer.model) == (
        *(ANSWER, "", "claude-cli", "claude-own"),
    )
    assert asked["stdin"] == PROMPT
    assert asked["argv"] == ["-p", "--model", "claude-own", *HARMLESS]
    assert answer.tokens_in > len(PROMPT) // 8
    assert answer.tokens_out > 0


def test_it_runs_in_an_empty_folder_with_our_hooks_switched_off(fake: FakeClaude) -> None:
    fake.answers(any=ANSWER)

    a_client(fake).complete(PROMPT)

    [asked] = fake.asked
    assert asked["env"]["TWICESHY_INSIDE"] == "1"
    assert asked["env"]["KEPT"] == "yes"
    assert asked["files"] == []
    assert asked["cwd"] != os.getcwd()
    assert not Path(asked["cwd"]).exists()


def test_models_are_tried_in_turn_until_one_answers(fake: FakeClaude) -> None:
    fake.answers(
        claude_own="!sys.stderr.write('no such model'); sys.exit(1)",
        claude_haiku_4_5="",
        any=ANSWER,
    )

    answer = a_client(fake).complete(PROMPT)

    assert (answer.text, answer.model) == (ANSWER, "claude-haiku-4-5-20251001")
    assert [(one.model, one.error) for one in answer.failed] == [
        ("claude-own", "exit 1: no such model"),
        ("claude-haiku-4-5", "empty: it answered nothing"),
    ]


def test_the_configured_model_is_not_asked_twice(fake: FakeClaude) -> None:
    fake.answers(any="")

    answer = a_client(fake, model="claude-haiku-4-5").complete(PROMPT)

    assert [asked["argv"][2] for asked in fake.asked] == list(FALLBACKS)
    assert answer.error == "empty: it answered nothing"
    assert len(answer.failed) == 2


def test_no_more_models_are_asked_than_calls_are_left(fake: FakeClaude) -> None:
    fake.answers(any="")

    a_client(fake).complete(PROMPT, most=2)

    assert len(fake.asked) == 2


def test_one_that_takes_too_long_is_ended_with_all_it_started(fake: FakeClaude) -> None:
    child = fake.folder / "child"
    fake.answers(
        any=f"!started = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"open({str(child)!r}, 'w').write(str(started.pid)); time.sleep(600)"
    )

    answer = a_client(fake, seconds=2).complete(PROMPT, most=1)

    assert answer.error == "timeout: no answer within 2 s"
    assert answer.text == ""
    assert gone(fake.asked[0]["pid"])
    assert _ends(int(child.read_text()))


def test_what_it_leaves_running_is_ended_as_well(fake: FakeClaude) -> None:
    child = fake.folder / "child"
    fake.answers(
        any="!started = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
        " stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        f"open({str(child)!r}, 'w').write(str(started.pid)); print('fine')"
    )

    answer = a_client(fake).complete(PROMPT)

    assert answer.text == "fine"
    assert _ends(int(child.read_text()))


def test_an_answer_without_end_is_cut_off(fake: FakeClaude) -> None:
    fake.answers(any="!exec('while True: sys.stdout.write(\"x\" * 65536)')")

    answer = a_client(fake, seconds=600).complete(PROMPT, most=1)

    assert answer.error == "too long: it answered without end"
    assert answer.text == ""
    assert len(answer.preview) == PREVIEW


def test_one_that_does_not_listen_is_not_waited_for(fake: FakeClaude) -> None:
    fake.answers(any=ANSWER, listens=False)

    answer = a_client(fake).complete("x" * 3_000_000)

    assert answer.text == ANSWER


def test_without_the_program_there_is_an_error_and_no_answer(tmp_path: Path) -> None:
    answer = ClaudeCli("claude-own", {"PATH": str(tmp_path)}).complete(PROMPT)

    assert answer.error == "there is no program called claude"
    assert answer.text == ""


def test_a_program_that_cannot_be_run_is_an_error(fake: FakeClaude) -> None:
    fake.answers(any=ANSWER)
    (fake.folder / "claude").write_bytes(b"\x7fELF but not really")

    answer = a_client(fake).complete(PROMPT, most=1)

    assert answer.error.startswith("claude cannot be run")


@requirement("U079")
def test_when_a_model_fails_or_is_slow_the_next_one_answers(fake: FakeClaude) -> None:
    fake.answers(
        claude_own="!time.sleep(600)", claude_haiku_4_5="!sys.exit(3)", any="from the third"
    )

    answer = a_client(fake, seconds=2).complete(PROMPT)

    assert answer.text == "from the third"
    assert [one.error for one in answer.failed] == ["timeout: no answer within 2 s", "exit 3"]


def _ends(pid: int) -> bool:
    """Wait until the kernel has ended a process that was killed."""
    until = time.monotonic() + 20
    while not gone(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return gone(pid)
