"""The end of a session looks at what is new, and not at what months of sessions have left."""

from pathlib import Path

import pytest
from tests.effect.outcomes import an_outcome
from tests.hooks.sessions import MORNING, Session, learning, project_of, store_of, teach
from tests.requirements import requirement
from tests.store.support import raw

from twiceshy.core.evidence import Exposure
from twiceshy.core.moment import DAY, parse_stamp


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@requirement("B05")
def test_the_end_of_a_session_reads_no_outcome_of_a_note_that_it_was_not_shown(
    home: Path, project: Path
) -> None:
    shown, other = teach(home, project), teach(home, project, "Tag before you push.", trigger="")
    (home / "config.toml").write_text("[copies]\nevery_days = 0\n")  # a copy reads everything
    at = parse_stamp(MORNING)
    session = Session(project)
    session.works(("ls", None))
    session.start()
    with store_of(home) as store, store.change():
        store.capture(
            Exposure(
                f"{session.name}//0/start/{shown.id}", shown.id, session.name, "start", at, 30
            )
        )
        for note in (shown, other):
            place = {"note": note.id, "project": project_of(project), "channel": "start"}
            store.save_records(an_outcome(1, "followed", at=at - DAY, **place))
    with raw(home / "twiceshy.db") as db:  # whoever reads this one fails
        db.execute("UPDATE outcomes SET session = CAST(x'ff' AS TEXT) WHERE note = ?", (other.id,))
        db.commit()

    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()

    with store_of(home) as store:
        judged = {each.session for each in store.list_outcomes(note=shown.id)}
    assert session.name in judged
    assert not (home / "hook.log").exists()
