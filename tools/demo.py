"""``make demo``: one session learns a lesson the hard way, and the next one is told; in a throw-away home.

No client and no model runs here: payloads as Claude Code and Codex send them go through the hook that
``twiceshy install`` put there. ``make journeys`` does the same with the real clients.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PAYLOADS = Path(__file__).resolve().parents[1] / "tests" / "payloads"
STYLED = sys.stdout.isatty()
SECRET = "ghp_" + "s3Cr" * 10
SKILL = """---
name: release
description: Cuts a release. Use when asked to release or publish.
---

1. Tag the version. 2. Create the release on the server.
"""


def main() -> None:
    """Play the whole story."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "u")
        os.makedirs(os.path.join(home, ".claude"))
        os.environ |= {"HOME": home, "TWICESHY_HOOK_DEADLINE_MS": "10000"}
        os.environ.pop("TWICESHY_HOME", None)
        shop, site = a_project(home, "shop"), a_project(home, "site")
        os.chdir(shop)
        play(home, shop, site)


def play(home: str, shop: str, site: str) -> None:
    """Install, learn, and be told."""
    tell("Put the hooks into Claude Code (its settings are the only file of yours that changes).")
    twiceshy("install", "claude-code", "--yes", keep=("+", "installed"))

    tell("Monday, session 1. Nothing is known yet, so every hook is silent.")
    os.environ["TWICESHY_NOW"] = "2026-11-02T09:30:00Z"
    monday = Session("monday", shop)
    monday.fire("session_start_startup")
    monday.fire("user_prompt_submit", prompt="please publish the release v1")
    monday.fire("post_tool_use_skill", skill("release", "publish v1"))

    tell("The agent runs into an error. The hook keeps it, without the secret that it shows.")
    monday.stumble(v=1, shows=f" ({SECRET})")
    tell("It finds out what works. Nobody writes anything down; the transcript tells.")
    monday.end()

    tell(
        "Tuesday, session 2. The start tells the lesson before anything else (prevention). An agent"
        " that errs all the same finds the fix beside the error (a repair)."
    )
    os.environ["TWICESHY_NOW"] = "2026-11-03T09:30:00Z"
    tuesday = Session("tuesday", shop)
    tuesday.fire("session_start_startup")
    tuesday.stumble(v=2)
    tuesday.end()

    tell("Wednesday, session 3. A mistake that comes back is on probation no longer.")
    os.environ["TWICESHY_NOW"] = "2026-11-04T09:30:00Z"
    wednesday = Session("wednesday", shop)
    wednesday.fire("session_start_startup")
    wednesday.stumble(v=3)
    wednesday.end()

    tell(
        "Thursday, session 4. A call that always failed and leaves something behind is not run (a stop)."
    )
    os.environ["TWICESHY_NOW"] = "2026-11-05T09:30:00Z"
    thursday = Session("thursday", shop)
    thursday.fire("session_start_startup")
    again: dict[str, object] = {"tool_input": {"command": "git tag v4 && gh release create v4"}}
    thursday.fire("pre_tool_use_bash", again)
    tell("It is stopped once: an agent that means it calls again, and the call runs.")
    thursday.fire("pre_tool_use_bash", again)
    tell("Another project is told nothing of it, and the right call runs at once.")
    Session("elsewhere", site).fire("pre_tool_use_bash", again)
    right: dict[str, object] = {"tool_input": {"command": "gh release create v4 --verify-tag"}}
    Session("friday", shop).fire("pre_tool_use_bash", right)
    look_back(home, shop, thursday)


def look_back(home: str, shop: str, session: Session) -> None:
    """Write a note, hand over, and ask what came of it all."""
    tell("You and your agent can write notes, too. Who loads the skill reads in its tool result:")
    lesson = "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten."
    twiceshy("note", lesson, "--skill", "release", "--why", "cutting a release", "--as-agent")
    session.fire("post_tool_use_skill", skill("release", "v4"))

    hand_over(shop)

    tell("Where does the lesson come from, and what became of it?")
    notes = json.loads(twiceshy("list", "--json", quiet=True))
    own = [note for note in notes if note["source"] == "detector" and note["project"] != "*"]
    learned = own[0]["handle"]
    twiceshy("why", learned)

    tell("What would it have saved on the history of this project?")
    twiceshy("replay")
    tell(
        "Does it help your agents? That takes a few more sessions, some of them without the lesson."
    )
    twiceshy("effect")

    tell("Is everything sound? (It runs a hook to see.)")
    twiceshy("doctor", keep=("launcher", "claude-code", "database"))
    tell(f"Files in the memory home that hold the secret: {holding(home, SECRET)}.")


def hand_over(shop: str) -> None:
    """Leave word for whoever comes next."""
    tell("The work is not done. The agent hands it over, and whoever comes next is told once:")
    twiceshy("memory-set", "architecture", "One process, one SQLite file.")
    twiceshy("handoff", "release", "--status", "v2 is tagged", "--left", "announce it")
    os.environ["TWICESHY_NOW"] = "2026-11-06T09:30:00Z"
    Session("saturday", shop).fire("session_start_startup")


class Session:
    """One conversation of a client."""

    def __init__(self, name: str, project: str, *, runtime: str = "claude-code") -> None:
        self._runtime = runtime
        slug = "".join(char if char.isalnum() else "-" for char in project)
        folder = os.path.expanduser(f"~/.claude/projects/{slug}")
        os.makedirs(folder, exist_ok=True)
        self._transcript = os.path.join(folder, f"{name}.jsonl")
        self._common = {
            "session_id": name,
            "cwd": project,
            "transcript_path": self._transcript,
        }
        self._calls = 0

    def stumble(self, *, v: int, shows: str = "") -> None:
        """Make the mistake of this story, and put it right."""
        wrong = f"git tag v{v} && gh release create v{v}"
        error = f"Exit code 1\nrelease requires an argument: tag not found{shows}"
        self.call(wrong, error, failed=True)
        self.fire("post_tool_use_failure_bash", {"tool_input": {"command": wrong}}, error=error)
        self.call(f"gh release create v{v} --verify-tag", f"https://example.org/releases/v{v}")

    def end(self) -> None:
        """End the session, and learn from it as the background job does."""
        self.fire("stop")
        self.fire("session_end")
        twiceshy("distill", "--session", str(self._common["session_id"]), "--wait")

    def call(self, command: str, printed: str, *, failed: bool = False) -> None:
        """Write a call and its result into the transcript, as the client does."""
        self._calls += 1
        call = f"toolu_{self._common['session_id']}_{self._calls}"
        used = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
        came = {"type": "tool_result", "tool_use_id": call, "content": printed, "is_error": failed}
        for role, block in (("assistant", used), ("user", came)):
            record = {
                "type": role,
                "uuid": f"{call}-{role}",
                "sessionId": self._common["session_id"],
                "cwd": self._common["cwd"],
                "timestamp": os.environ["TWICESHY_NOW"],
                "message": {"role": role, "content": [block]},
            }
            with open(self._transcript, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")

    def fire(self, payload: str, changes: dict[str, object] | None = None, **more: object) -> None:
        """Send a recorded payload to the installed hook, and show what it puts before the model."""
        file = PAYLOADS / self._runtime.replace("-", "_") / f"{payload}.json"
        recorded = json.loads(file.read_text(encoding="utf-8"))
        self._calls += 1
        given = recorded | self._common | (changes or {}) | more
        if "tool_use_id" in given:
            given["tool_use_id"] = f"toolu_{self._common['session_id']}_{self._calls}"
        done = subprocess.run(
            [os.path.expanduser("~/.twiceshy/bin/hook"), self._runtime],
            input=json.dumps(given),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        event = f"{given['hook_event_name']} {given.get('tool_name', '')}".strip()
        print(dim(f"  {event} …") + ("" if done.stdout else dim(" silence")), flush=True)
        if done.stdout:
            said = json.loads(done.stdout)["hookSpecificOutput"]
            print(indented(said.get("permissionDecisionReason") or said["additionalContext"]))


def skill(name: str, words: str) -> dict[str, object]:
    """Return what loading a skill looks like in a payload."""
    return {
        "tool_input": {"skill": name, "args": words},
        "tool_response": {"success": True, "commandName": name},
    }


def a_project(home: str, name: str) -> str:
    """Make a repository with a skill in it."""
    project = os.path.join(home, name)
    os.makedirs(os.path.join(project, ".claude/skills/release"))
    Path(project, ".claude/skills/release/SKILL.md").write_text(SKILL, encoding="utf-8")
    Path(project, "README.md").write_text(f"# {name}\n", encoding="utf-8")
    git = ["git", "-C", project, "-c", "user.name=u", "-c", "user.email=u@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", f"begin {name}"]):
        subprocess.run([*git, *words], check=True)
    return project


def twiceshy(*words: str, quiet: bool = False, keep: tuple[str, ...] = ()) -> str:
    """Run one command as a user would, showing it and what it prints, or the lines to keep."""
    shown = " ".join(f'"{word}"' if " " in word else word for word in words)
    if not quiet:
        print("  " + bold(f"$ twiceshy {shown}"), flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if not quiet else None,
        text=True,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if not keep or kept(line, keep)]
    if not quiet:
        print(indented("\n".join(lines)), flush=True)
    return done.stdout


def kept(line: str, words: tuple[str, ...]) -> bool:
    """Tell whether a line is worth showing; headings of a diff are not."""
    return not line.startswith("+++") and any(word in line for word in words)


def holding(home: str, text: str) -> int:
    """Count the files below a folder that hold a text."""
    files = [path for path in Path(home, ".twiceshy").rglob("*") if path.is_file()]
    return sum(text.encode() in path.read_bytes() for path in files)


def tell(text: str) -> None:
    """Say what happens next."""
    print(f"\n{bold('▸')} {text}", flush=True)


def indented(text: str) -> str:
    """Set a text off from what we say about it."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def bold(text: str) -> str:
    """Make a text stand out on a terminal."""
    return f"\033[1m{text}\033[0m" if STYLED else text


def dim(text: str) -> str:
    """Make a text step back on a terminal."""
    return f"\033[2m{text}\033[0m" if STYLED else text


if __name__ == "__main__":
    main()
