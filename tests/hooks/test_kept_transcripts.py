"""With `transcripts.keep`, the end of a session leaves a redacted copy of its transcript."""

import json
from pathlib import Path

import pytest
from tests.hooks.sessions import Session, learning, twiceshy
from tests.requirements import requirement
from tests.store.support import modes_under

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
WORDS = "the harbour of quiet otters"


def end(project: Path, *, keep: str) -> None:
    session = Session(project)
    session.env = {"TWICESHY_TRANSCRIPTS_KEEP": keep}
    session.works((f"make deploy --token {SECRET}", "no rule"), (f"echo {WORDS}", None))
    session.start()
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()


@requirement("T59")
def test_a_session_that_ends_leaves_a_redacted_copy_that_episodes_names_and_forget_reaches(
    home: Path, project: Path
) -> None:
    end(project, keep="1")

    [episode] = json.loads(twiceshy(project, "episodes", "--json"))
    copy = Path(episode["refined"])
    assert copy.parent == home / "transcripts"
    modes = modes_under(home)
    assert (modes["transcripts"], modes[f"transcripts/{copy.name}"]) == ("0700", "0600")
    said = [json.loads(line) for line in copy.read_text().splitlines()]
    assert [line.get("said") or line["tool"] for line in said] == ["user", "Bash", "Bash"]
    assert SECRET[:8] not in copy.read_text()
    assert WORDS in copy.read_text()

    twiceshy(project, "forget", "--text", WORDS, "--yes")

    assert WORDS not in copy.read_text()
    assert "make deploy" in copy.read_text()

    twiceshy(project, "forget", episode["id"], "--yes")

    assert not copy.exists()


@requirement("T59")
@pytest.mark.parametrize("keep", ["0", ""])
def test_no_transcript_is_copied_unless_it_is_asked_for(
    home: Path, project: Path, keep: str
) -> None:
    end(project, keep=keep)

    [episode] = json.loads(twiceshy(project, "episodes", "--json"))
    assert episode["refined"] == ""
    assert not (home / "transcripts").exists()
