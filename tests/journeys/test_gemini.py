"""A real Gemini CLI remembers: what its model is told, and where; what is learned from it; how it is left."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.approving import approve
from tests.journeys.lab.bench import PATIENCE
from tests.journeys.lab.script import Step, calls
from tests.requirements import requirement
from tests.store.support import Clock, bytes_under, learn, opened, raw

import twiceshy
from twiceshy.app import read_clock
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.places.project import identify_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.journeys.lab.bench import Lab
    from tests.journeys.lab.claude_code import ClaudeCode
    from tests.journeys.lab.gemini import Gemini

    from twiceshy.safety.signing import Act

pytestmark = pytest.mark.journey

PACKAGE = Path(twiceshy.__file__).parent
LESSON, FACT = "Weigh the box before you tape it shut.", "Boxes are red in this shop."
RULE = "A person looks at that."
# Files that the client keeps for itself, whoever asks it for anything.
OF_THE_CLIENT = {"gemini-credentials.json", "installation_id", "projects.json"}


@pytest.fixture
def told(gemini: Gemini) -> Gemini:
    """Gemini CLI after ``twiceshy install``."""
    gemini.lab.twiceshy("install", "gemini", "--yes")
    return gemini


@pytest.fixture
def shop(told: Gemini) -> Path:
    project = told.lab.project("shop")
    told.skill(project, "pack")
    told.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    told.lab.twiceshy("note", FACT, cwd=project)
    return project


def shell(command: str) -> Step:
    return calls("run_shell_command", command=command)


def parts(gemini: Gemini, number: int) -> list[dict[str, Any]]:
    """Return what came to the model last with a request."""
    found = gemini.lab.requests[number].body["contents"][-1]["parts"]
    assert isinstance(found, list)
    return found


def output(gemini: Gemini, number: int) -> str:
    """Return what the model was given as the result of the call before a request."""
    [part] = parts(gemini, number)
    response = part["functionResponse"]["response"]
    return str(response.get("output") or response["error"])


def escaped(text: str) -> str:
    """Write a text as the client lets hooks say it: no tag of theirs is one to the model."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


def errors(lab: Lab) -> list[tuple[str, str, str]]:
    """Return the errors that were kept: of which tool, aimed at what, and what it said."""
    with raw(lab.memory / "twiceshy.db") as db:
        found = db.execute("SELECT tool, target, excerpt FROM signals WHERE kind = 'error'")
        return sorted(found.fetchall())


def learned(lab: Lab, text: str) -> str:
    """Wait until somebody has learned something, and return that."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with raw(lab.memory / "twiceshy.db") as db:
            notes = [found for (found,) in db.execute("SELECT text FROM notes")]
        if found := next((note for note in notes if text in note), ""):
            return found
        time.sleep(0.05)  # who learns is nobody's child, so that there is nothing else to wait for
    raise AssertionError(f"nobody learned {text}")


def logged(lab: Lab) -> str:
    log = lab.memory / "hook.log"
    return log.read_text() if log.exists() else ""


@requirement("R08")
def test_the_model_is_told_at_the_start_with_a_skill_and_after_a_mistake(
    told: Gemini, shop: Path
) -> None:
    ran = told.ask(
        "pack the box",
        calls("activate_skill", name="pack"),
        shell("echo packing >&2; echo no tape >&2; exit 3"),
        shell("echo fine; echo 'Exit Code: 3'"),
        calls("replace", file_path="a.txt", old_string="a", new_string="b", instruction="x"),
        calls("mcp_twiceshy_skill_recall", skill="pack", intent="tape a box"),
        project=shop,
    )

    assert (ran.code, ran.out) == (0, "All done.\n")
    *_, prompt = parts(told, 0)  # the client's own introduction comes first
    started, _, rest = prompt["text"].partition("</hook_context>")
    assert started.startswith(f"<hook_context>{escaped('<project-memory')}")
    assert FACT in started
    assert rest == "\n\npack the box"
    body, _, brief = output(told, 1).partition("\n\n<hook_context>")
    assert body.endswith("</activated_skill>")
    assert brief.startswith(escaped('<skill-memory skill="pack"'))
    assert brief.endswith(escaped("</skill-memory>") + "</hook_context>")
    assert LESSON in brief
    assert LESSON in output(told, 5)  # asked for by the model, over MCP
    assert [(tool, target) for tool, target, _ in errors(told.lab)] == [
        ("Bash", "echo packing >&2; echo no tape >&2; exit 3"),
        ("Edit", str(shop / "a.txt")),
    ]  # hook and chat tell of both, and each is one error; what only looks like one is none
    assert errors(told.lab)[0][2] == "Exit code 3\npacking\nno tape"
    assert told.lab.broken_prefix() == ""
    assert logged(told.lab) == ""


@requirement("R12")
def test_what_was_learned_in_one_client_the_other_is_told(
    claude: ClaudeCode, told: Gemini, shop: Path
) -> None:
    lab = told.lab
    lab.twiceshy("install", "claude-code", "--yes")
    claude.trust(shop)

    def bash(command: str) -> Step:
        return calls("Bash", command=command, description="Look")

    claude.ask("look around", bash("git stauts"), bash("git status"), project=shop)
    learned(lab, "use `status`, not `stauts`: ")
    ran = told.ask(
        "look again",
        *(shell(each) for each in ("git stauts", "git stauts", "git brnach", "git branch")),
        project=shop,
    )
    told_once = [output(told, number) for number in (1, 2)]
    learned(lab, "use `branch`, not `brnach`: ")
    claude.ask("and again", bash("git brnach"), project=shop)

    assert ran.code == 0
    told_text = "As seen before: `git`: use `status`, not `stauts`&lt;/twiceshy-note&gt;"
    assert told_text in told_once[0].partition("Exit Code: 1")[2]
    assert "twiceshy-note" not in told_once[1]  # nor is it said twice
    assert lab.find("As seen before: `git`: use `branch`, not `brnach`</twiceshy-note>")
    assert logged(lab) == ""


def test_a_rule_that_the_user_approved_keeps_a_call_from_being_made(
    told: Gemini, shop: Path
) -> None:
    here = Scope(identify_project(str(shop), cache=None).id, NO_SKILL)
    acts: tuple[Act, ...] = ("deny", "ask")
    with opened(told.lab.memory, clock=Clock(read_clock())) as store:
        for act in acts:
            rule = learn(store, f"{RULE} ({act})", kind="rule", scope=here, trigger=f"Bash {act}")
            approve(store, rule, act)

    ran = told.ask(
        "look", shell("touch deny"), shell("touch ask"), shell("touch other"), project=shop
    )

    assert ran.code == 0
    assert sorted(path.name for path in shop.iterdir() if path.is_file()) == ["other"]
    assert output(told, 1).startswith("Tool execution blocked: ")
    assert f"{RULE} (deny)" in output(told, 1)
    assert f"{RULE} (ask)" in output(told, 2)
    assert "ask them" in output(told, 2)


def test_what_a_session_did_is_learned_although_nobody_waits_when_it_ends(
    told: Gemini, shop: Path
) -> None:
    file = told.lab.memory / "gemini" / "hooks" / "hooks.json"
    hooks = json.loads(file.read_text())["hooks"]
    told.write(file, {"hooks": {"SessionEnd": hooks["SessionEnd"]}})

    told.ask("look around", shell("git stauts"), shell("git status"), project=shop)

    assert learned(told.lab, "use `status`, not `stauts`: ").startswith("`git`: ")


def the_hook_never_ends(launcher: Path, spoiled: Callable[[str], str]) -> None:
    launcher.write_text(spoiled("while True:\n    pass\n"))


def the_hook_is_killed(launcher: Path, spoiled: Callable[[str], str]) -> None:
    launcher.write_text(spoiled("import os\nos.kill(os.getpid(), 9)\n"))


def the_launcher_is_gone(launcher: Path, spoiled: Callable[[str], str]) -> None:
    del spoiled
    launcher.unlink()


def the_memory_home_is_gone(launcher: Path, spoiled: Callable[[str], str]) -> None:
    del spoiled
    shutil.rmtree(launcher.parents[1])


SPOILED = (
    the_hook_never_ends,
    the_hook_is_killed,
    the_launcher_is_gone,
    the_memory_home_is_gone,
)


@requirement("R13")
def test_whatever_is_wrong_with_us_a_session_is_as_without_us(told: Gemini, shop: Path) -> None:
    launcher = told.lab.memory / "bin" / "hook"
    sound = launcher.read_text()
    copy = told.lab.root / "package" / "twiceshy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def spoiled(source: str) -> str:
        (copy / "recall" / "respond.py").write_text(source)
        return sound.replace(f"{PACKAGE}/", f"{copy}/")

    for spoil in SPOILED:
        spoil(launcher, spoiled)
        ran = told.ask(
            "pack the box",
            calls("activate_skill", name="pack"),
            project=shop,
            TWICESHY_HOOK_WALL_MS="300",
        )

        assert (ran.code, ran.out) == (0, "All done.\n"), spoil
        assert told.lab.find("<hook_context>&lt;") == [], spoil
        assert output(told, 1).endswith("</activated_skill>"), spoil


@requirement("R13")
def test_uninstalled_the_client_is_configured_as_before(gemini: Gemini) -> None:
    own = gemini.settings.parent
    auth = '"auth": {"selectedType": "gemini-api-key"}'
    gemini.settings.write_text(f'{{\n\t"security": {{{auth}}},\n\n\t"ui": {{ "theme": "Ä" }}\n}}')
    before = bytes_under(own)
    # a directory that the user has not said they trust
    gemini.lab.twiceshy("install", "gemini", "--yes", cwd=gemini.lab.project("strange"))
    listed = gemini.command("extensions", "list")
    again = gemini.lab.twiceshy("install", "gemini", "--yes")
    checked = gemini.lab.twiceshy("doctor")

    gemini.lab.twiceshy("uninstall", "gemini", "--yes")

    assert "twiceshy (" in listed.out + listed.err
    assert "everything is in place" in again.out + again.err
    assert "Gemini CLI: connected" in checked.out
    left = {path: text for path, text in bytes_under(own).items() if _ours_to_mind(path, own)}
    assert left == before
    assert gemini.command("extensions", "list").code == 0


def _ours_to_mind(path: Path, own: Path) -> bool:
    first = path.relative_to(own).parts[0]
    return first not in OF_THE_CLIENT | {"tmp", "history"}
