"""What hooks write does not grow with the number of turns, nor with all that is known."""

from pathlib import Path

import pytest
from tests.hooks.sessions import Session, store_of
from tests.hooks.test_episodes import asks, kept, rests
from tests.requirements import requirement
from tests.store.support import bytes_under, learn

from twiceshy.core.errors import TwiceshyError
from twiceshy.recall import hook_log as log


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@requirement("U051")
def test_k12_ten_turns_leave_no_copy_of_the_transcript_and_do_not_add_up(
    home: Path, shop: Path
) -> None:
    session = Session(shop)
    session.start()
    bulk = "the login form loses its token " * 40
    asks(session, *(f"{bulk} {number}" for number in range(10)))
    rests(session, "Stop", stop_hook_active=False)
    files, content = set(bytes_under(home)), transcript_of(session)

    for _ in range(9):
        rests(session, "Stop", stop_hook_active=False)

    assert set(bytes_under(home)) <= files
    assert all(content[:400] not in stored for stored in bytes_under(home).values())
    assert transcript_of(session) == content
    [episode] = kept(home, shop, "end")
    assert episode.transcript == str(session.transcript)
    with store_of(home) as store:
        assert len(store.history(episode.id)) == 1


def test_k16_a_tool_call_rewrites_nothing_however_much_is_known(home: Path, shop: Path) -> None:
    with store_of(home) as store, store.change():
        for number in range(300):
            learn(store, f"Lesson number {number}: do step-{number} before stage-{number}.")
    session = Session(shop)
    session.start()
    session.calls("ls")
    before = bytes_under(home)

    for _ in range(5):
        session.calls("ls")
        session.prints("ls", "README.md")

    assert bytes_under(home) == before


@requirement("U111", "E75")
def test_m19_the_log_of_hooks_keeps_its_newest_lines_and_never_grows_beyond_its_bound(
    home: Path,
) -> None:
    home.mkdir()
    path = home / "hook.log"

    for number in range(2_000):
        log.report_error("codex", b"", TwiceshyError(f"{number:05} {'x' * 290}"))
        assert path.stat().st_size <= 256 << 10

    assert "TwiceshyError: 01999 " in path.read_text().splitlines()[-1]
    assert [one.name for one in home.iterdir()] == ["hook.log"]


def transcript_of(session: Session) -> bytes:
    return session.transcript.read_bytes()
