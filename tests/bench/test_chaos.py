"""The chaos runs find nothing bad, print their counts, and would notice what they look for."""

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.chaos import damage, faults, fuzz, load, storm, sync
from bench.chaos.__main__ import RUNS, main
from bench.chaos.outcome import Outcome
from bench.chaos.trial_home import Ended, find_command_fault, find_hook_fault
from tests.requirements import requirement

Hook = tuple[str, ...]
Made = Callable[[str], Hook]
READS = "import sys; sys.stdin.read(); "
FILES = ("projects.json", "spool")


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """Make a hook that does something else than ours."""

    def make(program: str) -> Hook:
        path = tmp_path / "hook.py"
        path.write_text(program)
        return sys.executable, "-I", "-S", str(path)

    return make


class TestRuns:
    @requirement("H09")
    def test_a_storm_loses_nothing(self) -> None:
        outcome = storm.run(random.Random(3), 24)

        assert outcome.bad == []
        assert outcome.counts["failure"] > 3
        assert outcome.counts["note"] > 3

    @pytest.mark.long
    @requirement("H09")
    def test_kills_and_failing_operations_lose_nothing(self) -> None:
        outcome = faults.run(random.Random(3), 1)

        assert outcome.bad == []
        # the command, too: it takes in what a hook without room for the store left in the spool
        assert [outcome.counts[fault] for fault in faults.FAULTS] == [7, 7, 7]

    @pytest.mark.long
    @requirement("H09")
    def test_damaged_files_stop_no_hook_and_no_command(self) -> None:
        outcome = damage.run(random.Random(3), 1, files=FILES)

        assert outcome.bad == []
        assert [outcome.counts[harm] for harm in damage.HARMS] == [len(FILES)] * 4

    @requirement("H09")
    def test_mutated_payloads_are_answered_as_clients_expect(self) -> None:
        outcome = fuzz.run(random.Random(3), 60)

        assert outcome.bad == []
        assert outcome.counts["claude-code"] == 60

    @pytest.mark.long
    @requirement("H09", "H01", "H03", "H05")
    def test_busy_processes_cost_no_event_and_no_verdict(self) -> None:
        outcome = load.run(random.Random(3), 2, factors=(2,), slow_git=(0.35,))

        assert outcome.bad == []
        assert outcome.counts["kept at 2x"] == 4
        assert outcome.counts["pushes deny at 2x"] + outcome.counts.get("pushes ask at 2x", 0) == 1

    @pytest.mark.long
    @requirement("H09")
    def test_devices_agree_although_syncs_are_killed(self) -> None:
        outcome = sync.run(random.Random(3), 10)

        assert outcome.bad == []
        assert outcome.counts["notes"] > 0


class TestTheyCanFail:
    @pytest.mark.long
    @requirement("H09")
    def test_load_notices_a_hook_that_keeps_nothing_and_lets_pushes_through(
        self, made: Made
    ) -> None:
        outcome = load.run(random.Random(3), 2, made(READS), factors=(1,), slow_git=())

        assert sorted(set(outcome.bad)) == [
            "lost at 1x the cores",
            "silent pushes at 1x the cores",
        ]

    @requirement("H09")
    def test_a_storm_notices_a_hook_that_keeps_nothing(self, made: Made) -> None:
        outcome = storm.run(random.Random(3), 12, hook=made(READS))

        kept_nothing = outcome.counts["failure"] + outcome.counts["start"]
        assert len([line for line in outcome.bad if line.endswith("is lost")]) == kept_nothing

    @pytest.mark.long
    @requirement("H09")
    def test_faults_notice_a_hook_that_keeps_nothing(self, made: Made) -> None:
        outcome = faults.run(random.Random(3), 1, hook=made(READS))

        assert any("not in store, spool or held" in line for line in outcome.bad)
        assert any("record lost" in line for line in outcome.bad)

    @requirement("H09")
    @pytest.mark.parametrize(
        ("program", "fault"),
        [
            ("raise SystemExit(2)", "exits 2"),
            ("sys.stderr.write('oh')", "writes to stderr"),
            ("print('hello')", "prints"),
        ],
    )
    def test_fuzz_notices_a_hook_that_misbehaves(
        self, made: Made, program: str, fault: str
    ) -> None:
        outcome = fuzz.run(random.Random(3), 3, hook=made(READS + program))

        assert len([line for line in outcome.bad if f"claude-code {fault}" in line]) == 3

    @pytest.mark.long
    @requirement("H09")
    def test_damage_notices_a_hook_that_deletes_notes(self, made: Made) -> None:
        deletes = "import os; home = os.environ['TWICESHY_HOME'];" + READS
        deletes += "[os.unlink(p.path) for p in os.scandir(home) if p.name.startswith('tw')]"

        outcome = damage.run(random.Random(3), 1, hook=made(deletes), files=("hook.log",))

        assert any("notes lost" in line for line in outcome.bad)

    @pytest.mark.long
    @requirement("H09")
    def test_sync_notices_devices_that_do_not_meet(self, made: Made) -> None:
        outcome = sync.run(random.Random(3), 6, command=made(""))

        assert any("differs" in line for line in outcome.bad)
        assert any("is missing" in line for line in outcome.bad)


@requirement("H09")
@pytest.mark.parametrize(
    "printed",
    [
        b'{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"x"}}{}',
        b'{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":7}}',
        b'{"hookSpecificOutput":{"hookEventName":"Stop"}}',
        b'{"decision":"allow","reason":"x"}',
        b"[]",
        b"{}",
    ],
)
def test_only_one_object_of_the_clients_form_is_an_answer(printed: bytes) -> None:
    assert find_hook_fault(Ended(0, printed, b"")).startswith("prints")


@requirement("H09")
def test_a_hang_and_a_bug_are_bad_and_an_error_with_a_hint_is_not() -> None:
    assert find_hook_fault(Ended(None, b"", b"")).startswith("hangs")
    assert find_command_fault(Ended(None, b"", b"")).startswith("hangs")
    assert find_command_fault(Ended(3, b"", b"this is a bug")).startswith("exits 3")
    assert find_command_fault(Ended(1, b"", b"twiceshy: no\nhint: yes")) == ""


@requirement("H09")
@pytest.mark.parametrize(("bad", "code"), [([], 0), (["a note is lost"], 1)])
def test_the_exit_code_tells_whether_any_is_bad(
    capsys: pytest.CaptureFixture[str], bad: list[str], code: int
) -> None:
    done: list[int] = []

    def run(dice: random.Random, rounds: int) -> Outcome:
        done.append(rounds)
        return Outcome("storm", {"notes": rounds}, list(bad))

    assert main(["storm", "--rounds", "7"], load=lambda _: run) == code
    assert main([], load=lambda _: run) == code
    printed = capsys.readouterr().out
    assert done == [7, *(each.rounds for each in RUNS.values())]
    assert f"{len(bad)} bad   7 notes" in printed
    assert all(line in printed for line in bad)
