"""What the user refuses without a word teaches no lesson; with a reason, twice, it does."""

from pathlib import Path

import pytest
from tests.hooks.sessions import Session, twiceshy
from tests.requirements import requirement

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a"
    " file edit, the new_string was NOT written to the file). "
)
STOP = f"{REJECTED}STOP what you are doing and wait for the user to tell you how to proceed."
REASON = f"{REJECTED}To tell you how to proceed, the user said:\nThe pipeline publishes."


@requirement("T02")
@pytest.mark.parametrize(("refusal", "told"), [(STOP, False), (REASON, True)])
def test_a_call_that_was_refused_twice_is_told_only_with_the_reason(
    home: Path, tmp_path: Path, refusal: str, told: bool
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(3):
        session = Session(folder, f"session-{number}")
        session.works(("ls", None), ("npm publish --tag next", refusal))
        twiceshy(folder, "distill", "--transcript", str(session.transcript))

    said = Session(folder, "next").start()

    assert ("The user refuses `npm publish --tag next` here" in said) is told
