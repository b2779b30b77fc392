"""Before a compaction the summariser of a real client is asked about skills, and its answer is on probation."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.journeys.lab.bench import PATIENCE
from tests.journeys.lab.script import Route, Script, Step, calls, says
from tests.requirements import requirement
from tests.store.support import raw

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.lab.claude_code import ClaudeCode
    from tests.journeys.lab.client import Client
    from tests.journeys.lab.opencode import OpenCode
    from tests.journeys.lab.pi import Pi

pytestmark = pytest.mark.journey

ASKED = "about a skill that it used (pack), end the summary with a <skill_observations> block"
FORM = "* skill | gotcha, discovery, fix or workflow | one sentence"
OBSERVED = "Always fold the lids before you weigh a box."
SUMMARY = f"""<summary>The boxes are packed.
<skill_observations>
* pack | gotcha | {OBSERVED}
</skill_observations></summary>"""
PLAIN = "<summary>Nothing was packed.</summary>"
FULL = 400_000  # tokens; every client compacts before the next request


def settled(client: Client, runtime: str) -> Path:
    """Make a project with a skill, and connect the client."""
    client.lab.twiceshy("install", runtime, "--yes")
    project = client.lab.project("shop")
    client.skill(project, "pack")
    return project


def asked(client: Client) -> int:
    """Count the requests of the last run that ask the summariser for observations."""
    sent = [str(request.body) for request in client.lab.model.requests]
    assert [ASKED in body for body in sent] == [FORM in body for body in sent]
    return sum(ASKED in body for body in sent)


def compacted(client: Client) -> bool:
    """True if the client told us of a compaction beforehand."""
    return " PreCompact " in (client.lab.memory / "run.log").read_text()


def observed(client: Client, status: str) -> int:
    """Wait until what the summariser wrote is a note in this status; return its sightings."""
    query = "SELECT sightings FROM notes WHERE text = ? AND source = 'historian' AND status = ?"
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with raw(client.lab.memory / "twiceshy.db") as db:
            if found := db.execute(query, (OBSERVED, status)).fetchone():
                return int(found[0])
        time.sleep(0.05)  # who learns is nobody's child, so that there is nothing else to wait for
    raise AssertionError(f"no observation is {status}")


@requirement("T90", "T91", "T92", "M35")
@pytest.mark.parametrize("lane", ["process", "server"])
def test_claude_code_asks_once_a_skill_was_used_and_a_second_session_makes_it_active(
    claude: ClaudeCode, lane: str
) -> None:
    claude.lab.twiceshy("config", "set", "hook.lane", lane)
    shop = settled(claude, "claude-code")
    claude.trust(shop)

    def compacts(number: int, *steps: Step) -> int:
        session = f"00000000-0000-4000-8000-00000000000{number}"
        claude.ask(OBSERVED, *steps, project=shop, options=("--session-id", session))
        summary = says(SUMMARY if steps else PLAIN)
        ran = claude.ask("/compact", summary, summary, project=shop, options=("--resume", session))
        assert (ran.code, ran.err) == (0, "")
        return asked(claude)

    use = calls("Skill", skill="pack")

    assert compacts(1) == 0
    assert compacted(claude)
    assert compacts(2, use) == 1
    assert observed(claude, "candidate") == 1
    assert compacts(3, use) == 1
    assert observed(claude, "active") == 2


@requirement("T90", "T91", "T92", "M35")
def test_opencode_asks_once_a_skill_was_used_and_a_second_session_makes_it_active(
    opencode: OpenCode,
) -> None:
    shop = settled(opencode, "opencode")

    def compacts(*steps: Step) -> int:
        full = replace(calls("bash", command="echo one", description="Look"), tokens=FULL)
        summing_up = Route(lambda asked: not asked.tools, says(SUMMARY if steps else PLAIN))
        opencode.hold(OBSERVED, Script([*steps, full], [summing_up]), project=shop)
        return asked(opencode)

    use = calls("skill", name="pack", intent="pack")

    assert compacts() == 0
    assert compacted(opencode)
    assert compacts(use) == 1
    assert observed(opencode, "candidate") == 1
    assert compacts(use) == 1
    assert observed(opencode, "active") == 2


@requirement("T90", "T91", "T92", "M35")
def test_pi_asks_once_a_skill_was_used_and_a_second_session_makes_it_active(pi: Pi) -> None:
    pi.set(compaction={"enabled": True, "keepRecentTokens": 10})
    shop = settled(pi, "pi")

    def compacts(step: Step) -> int:
        packed = Step(text="Packed.", tokens=99_000)
        summary = SUMMARY if step is use else PLAIN
        summing_up = Route(lambda asked: not asked.tools, says(summary))
        pi.hold("ship", Script([step, packed], [summing_up]), project=shop, options=(OBSERVED,))
        return asked(pi)

    look = calls("bash", command="echo one")
    use = calls("read", path=".pi/skills/pack/SKILL.md")

    assert compacts(look) == 0
    assert compacted(pi)
    assert compacts(use) >= 1  # the old one compacts twice; that is still one session
    assert observed(pi, "candidate") >= 1
    assert compacts(use) >= 1
    assert observed(pi, "active") >= 2
