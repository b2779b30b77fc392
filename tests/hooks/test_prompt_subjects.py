"""A prompt that is about what a person's note says gets that note; a few words in common are chance."""

from pathlib import Path

import pytest
from tests.hooks.sessions import Session, twiceshy
from tests.requirements import requirement

SEATS = "Seat maps are cached per venue for an hour, so a moved row shows up late."
QUEUE = "邮件队列每小时最多发送五百封，超过会被退回。"
AROUND = "Take your time and read what is there. Keep the style of the modules. " * 12


@pytest.fixture
def session(home: Path, tmp_path: Path) -> Session:
    folder = tmp_path / "shop"
    folder.mkdir()
    for text in (SEATS, QUEUE, "Refunds are paid once a week, by hand."):
        twiceshy(folder, "note", text)
    return Session(folder)


@requirement("T82")
@pytest.mark.parametrize("place", ["{}", "{} " + AROUND, AROUND + "{} " + AROUND, AROUND + "{}"])
@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("The venue moved a row, but the cached seat map is still the old one.", SEATS),
        ("让邮件队列每小时发送一千封。", QUEUE),
    ],
)
def test_a_prompt_about_a_note_gets_it_wherever_the_point_stands(
    session: Session, prompt: str, told: str, place: str
) -> None:
    assert told in session.prompt(place.format(prompt))


@requirement("T82")
@pytest.mark.parametrize(
    "prompt",
    [
        "Show the venue on the invoice, please, and add a row for the tax.",
        "Write a map of the modules, and say which of them are late.",
        "请把首页的标题改成五百强企业",
        "Seat map?",
        AROUND,
    ],
)
def test_a_prompt_about_something_else_gets_nothing(session: Session, prompt: str) -> None:
    assert session.prompt(prompt) == ""
