"""The copy after a session: written by the process that learns, once a week, without a word."""

import os
from pathlib import Path

from tests.hooks.sessions import Session, learning, state
from tests.requirements import requirement


@requirement("T312")
def test_the_process_after_a_session_writes_a_copy_once_a_week(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    state(home, project)
    made = []

    for number, days in enumerate((0, 3, 5)):
        session = Session(project, f"session-{number}")
        session.works(("ls", None))
        session.wait(minutes=days * 24 * 60)
        session.start()
        with learning(session) as learner:
            session.told("SessionEnd", reason="other")
            assert learner.ended()
        made.append(len(os.listdir(home / "copies")))

    assert made == [1, 1, 1]
    session = Session(project, "session-9")
    session.works(("ls", None))
    session.wait(minutes=8 * 24 * 60)
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()
    assert len(os.listdir(home / "copies")) == 2
