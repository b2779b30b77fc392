"""A runtime as its recordings show it: what it sends at each moment, put into a home of our own.

Every folder below ``tests/payloads`` has a ``moments.json`` that names the payload for each moment a
runtime has; what it names ``transcripts`` lies where the payloads say it does.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import twiceshy
from twiceshy.recall.answer import answer_event
from twiceshy.runtimes import package_name_of

PAYLOADS = Path(__file__).resolve().parents[1] / "payloads"
RUN = Path(twiceshy.__file__).parent / "hooks" / "run.py"
# Where recordings say that a user is, and the project that the user is in.
USER, PROJECTS = "/home/u", ("/home/u/shop", "/home/u/proj")
# Every runtime finds the same skill in a folder of its own.
SKILLS = (".claude", ".agents", ".gemini", ".opencode", ".pi")


@dataclass(frozen=True)
class Told:
    """What a hook printed: for which event, and the text for the model."""

    event: str
    text: str


class Runtime:
    """One session of a runtime in a project, told by its recordings."""

    def __init__(self, name: str, user: Path, project: Path) -> None:
        self.name = name
        self.folder = PAYLOADS / package_name_of(name)
        self.moments: dict[str, str] = json.loads((self.folder / "moments.json").read_text())
        self._user, self._project = user, project
        self._settle()

    def has(self, moment: str) -> bool:
        """Tell whether a runtime says anything at a moment."""
        return moment in self.moments

    def payload(self, moment: str, **changed: object) -> dict[str, Any]:
        """Return what the runtime sends at a moment, some fields changed."""
        text = self._here((self.folder / self.moments[moment]).read_text(encoding="utf-8"))
        found: dict[str, Any] = json.loads(text)
        found |= {"session_id": f"session-of-{self.name}"} | changed
        return found

    def tell(self, moment: str, **changed: object) -> Told | None:
        """Let the runtime come to a moment, and return what its hook prints."""
        said: list[str] = []
        raw = json.dumps(self.payload(moment, **changed)).encode()
        answer_event(self.name, raw, said.append, lambda: None)
        return told(said[0]) if said else None

    def start(self, payload: dict[str, Any] | bytes) -> subprocess.CompletedProcess[bytes]:
        """Run the hook as the runtime does, in a process of its own."""
        given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return subprocess.run(
            [sys.executable, "-I", "-S", str(RUN), self.name],
            input=given,
            capture_output=True,
            cwd=self._project,
            env=os.environ
            | {"TWICESHY_HOOK_DEADLINE_MS": "8000", "TWICESHY_HOOK_WALL_MS": "60000"},
            check=False,
        )

    def _settle(self) -> None:
        """Put the skill and the transcripts where the recordings say that they are."""
        for folder in SKILLS:
            path = self._project / folder / "skills" / "pack" / "SKILL.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("---\nname: pack\ndescription: d\n---\n\n# pack\n", encoding="utf-8")
        named = {self.payload(moment).get("transcript_path", "") for moment in self.moments}
        for path in filter(None, named):
            name = os.path.basename(path)
            for source in (self.folder / "transcripts").rglob(name):
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, path)

    def _here(self, text: str) -> str:
        for project in PROJECTS:
            text = text.replace(project, str(self._project))
        return text.replace(USER, str(self._user))


def told(printed: str) -> Told:
    """Read what a hook printed."""
    said = json.loads(printed)["hookSpecificOutput"]
    return Told(said["hookEventName"], said["additionalContext"])
