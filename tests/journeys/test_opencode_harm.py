"""Whatever is wrong with us, a session of OpenCode goes on as if we were not there."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.journeys.lab.neutral import neutral
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.script import calls
from tests.requirements import requirement

pytestmark = pytest.mark.journey

LESSON = "Weigh the box before you tape it shut."
BROKEN = {
    "the hook babbles and is killed": "#!/bin/sh\necho oops\necho oops >&2\nkill -9 $$\n",
    "the hook never ends": "#!/bin/sh\nexec sleep 600\n",
    "the launcher is gone": "",
}


class Session(NamedTuple):
    """How a session went for the user and for the model."""

    code: int
    out: str
    err: str
    sent: str


def session(opencode: OpenCode, project: Path) -> Session:
    """Run one session and return all that came of it, but for how the tools are introduced."""
    ran = opencode.ask(
        "pack the box",
        calls("skill", name="pack"),
        calls("bash", command="echo no tape; exit 3", description="Tape"),
        calls("read", filePath=str(project / "crate.txt")),
        calls("bash", command="echo taped", description="Tape again"),
        project=project,
        TWICESHY_HOOK_WALL_MS="300",
    )
    said = [
        [message for message in request.body["messages"] if message["role"] != "system"]
        for request in opencode.lab.requests
    ]
    return Session(ran.code, ran.out, ran.err, json.dumps(neutral(opencode.lab, said)))


@requirement("R13")
def test_a_session_is_the_same_as_without_us_whatever_is_wrong_with_the_hook(
    opencode: OpenCode,
) -> None:
    lab = opencode.lab
    shop = lab.project("shop")
    opencode.skill(shop, "pack")
    lab.twiceshy("note", LESSON, "--skill", "pack", cwd=shop)
    without_us = session(opencode, shop)
    lab.twiceshy("install", "opencode", "--yes")
    hook = lab.memory / "bin" / "hook"

    with_us = {}
    for how, script in BROKEN.items():
        hook.unlink(missing_ok=True)
        if script:
            hook.write_text(script)
            hook.chmod(0o700)
        with_us[how] = session(opencode, shop)

    assert (without_us.code, without_us.out) == (0, "All done.\n")
    assert LESSON not in without_us.sent
    assert with_us == dict.fromkeys(BROKEN, without_us)
