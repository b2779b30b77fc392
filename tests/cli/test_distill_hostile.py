"""Whatever was planted where an agent reads, and what it did on such advice, is never shown to the next one."""

import json
import subprocess
import sys
from pathlib import Path

from tests.requirements import requirement
from tests.safety.hostile_corpus import DISGUISES, PLACES, hostile_transcripts, planted, says
from tests.sizes import sized

SHOWN = ("candidate", "active")


def twiceshy(*arguments: str) -> str:
    """Run the command line as a user would."""
    command = [sys.executable, "-m", "twiceshy", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@requirement("L05", "U166")
def test_nothing_planted_can_be_shown_after_learning_from_all_of_it(tmp_path: Path) -> None:
    # a part of them has every place and disguise; all by themselves are in tests/safety
    files = hostile_transcripts(tmp_path / "-home-u-shop")[:: sized(5, 1)]
    # one of each kind is enough to look for, except where the text itself is the sign
    wanted = {
        one.text if one.disguise == "base64" else one.mark: one for one in planted()
    }.values()
    chosen = planted()[:: sized(5, 1)]
    named = [each for path in files for each in ("--transcript", str(path))]

    told = json.loads(twiceshy("distill", *named, "--json"))
    notes = json.loads(twiceshy("list", "--all", "--status", "any", "--json", "--limit", "10000"))

    shown = [note for note in notes if note["status"] in SHOWN]
    texts = [f"{note['text']} {note['why']} {note['trigger']}" for note in shown]
    assert ({one.place for one in chosen}, {one.disguise for one in chosen}) == (
        set(PLACES),
        set(DISGUISES),
    )
    assert told["files"] == len(files)
    assert len(shown) > len(files) / 2  # the honest mistakes are learned all the same
    assert [text for text in texts if any(says(text, one) for one in wanted)] == []
