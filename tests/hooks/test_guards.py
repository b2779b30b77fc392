"""Before a sensitive file is written or a push goes wrong the model hears of it, through the real hook."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.approving import approve
from tests.commands import run_command
from tests.hooks.sessions import Session, state, store_of, teach
from tests.learning.sessions import Told
from tests.requirements import requirement

from twiceshy.config.settings import BY_KEY
from twiceshy.core.prefilter_words import VARIABLES
from twiceshy.recall import prefilter
from twiceshy.recall.guard import FOLDER

GIT = ["git", "-c", "user.name=u", "-c", "user.email=u@example.org", "-c", "commit.gpgSign=false"]
# git may take its time on a busy machine
SLOWLY = {"TWICESHY_HOOK_DEADLINE_MS": "10000", "TWICESHY_HOOK_WALL_MS": "60000"}


def git(where: Path, *words: str) -> None:
    subprocess.run([*GIT, "-C", str(where), *words], check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository, and a remote that has all of it."""
    remote, folder = tmp_path / "remote.git", tmp_path / "shop"
    for place, how in ((remote, "--bare"), (folder, "--initial-branch=main")):
        place.mkdir()
        git(place, "init", "-q", how)
    git(folder, "remote", "add", "origin", str(remote))
    add(folder, "README.md")
    git(folder, "push", "-q", "-u", "origin", "main")
    return folder


def add(folder: Path, name: str) -> None:
    (folder / name).write_text("x\n")
    git(folder, "add", "-f", name)
    git(folder, "commit", "-q", "-m", name)


@pytest.fixture
def session(home: Path, project: Path) -> Session:
    session = Session(project)
    session.env |= SLOWLY
    session.start()
    return session


def asks(session: Session, tool: str, **given: object) -> dict[str, Any]:
    return session.answer("PreToolUse", **session.call(tool, **given))


WRITING: dict[str, tuple[str, dict[str, object]]] = {
    "Write": ("Write", {"file_path": "/app/.env.local", "content": "A=1"}),
    "Edit": ("Edit", {"file_path": "/app/.env.local", "old_string": "a", "new_string": "b"}),
    "MultiEdit": ("MultiEdit", {"file_path": "/app/.env.local", "edits": []}),
    "NotebookEdit": ("NotebookEdit", {"notebook_path": "/app/.env.local", "new_source": ""}),
    "a redirection": ("Bash", {"command": "echo A=1 >> /app/.env.local"}),
    "a copy": ("Bash", {"command": "cp .env.example /app/.env.local"}),
}


@requirement("U162", "A14", "E37")
@pytest.mark.parametrize("how", WRITING)
def test_m13_the_model_is_warned_before_a_sensitive_file_is_written(
    how: str, session: Session
) -> None:
    tool, given = WRITING[how]

    said = session.told("PreToolUse", **session.call(tool, **given))

    assert said.startswith("<twiceshy-guard>About this call: this call writes `/app/.env.local`")


@requirement("U162", "E37")
@pytest.mark.parametrize("name", ["id_rsa", "secrets.yaml", "server.pem", ".npmrc"])
def test_m14_a_key_is_such_a_file_too(name: str, session: Session) -> None:
    assert f"`{name}`" in session.told("PreToolUse", **session.call("Write", file_path=name))


@requirement("U162", "U164", "A14")
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "passwords_test.py", "content": ".env"}),
        ("Write", {"file_path": "README.md", "content": "cp .env.example .env; git push -f"}),
        ("Write", {"file_path": ".env.example"}),
        ("Read", {"file_path": ".env"}),
        ("Bash", {"command": "cat .env"}),
        ("Bash", {"command": "git push"}),
        ("Bash", {"command": "git push --force-with-lease"}),
        ("Bash", {"command": "git commit -m 'git push --force'"}),
    ],
)
def test_about_all_other_calls_nothing_is_said(
    tool: str, given: dict[str, object], session: Session
) -> None:
    assert asks(session, tool, **given) == {}


@requirement("U163", "A14", "E41")
@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git add -A && git push origin main 2>&1 | tail",
        "git -C . push origin HEAD:refs/heads/new",
        "sh -c 'git push'",
        "git ship",
        "sudo -u bob git push --force",
        "env -u X timeout -s KILL 60 stdbuf -o L git push",
        "git commit -m \"$(cat <<'EOF'\nit's (one) isn't\nEOF\n)\" && git push",
    ],
)
def test_m15_the_commits_that_a_push_sends_are_searched(command: str, project: Path) -> None:
    git(project, "config", "alias.ship", "push origin main")
    add(project, ".env")
    session = Session(project)
    session.env |= SLOWLY
    session.start()

    said = asks(session, "Bash", command=command)

    assert said["permissionDecision"] == "ask"
    assert "sends commits that add `.env`" in said["permissionDecisionReason"]


@requirement("U163", "A14", "E42")
@pytest.mark.parametrize(
    "command",
    ["git push origin -f", "git push origin +main", "git -C . push --force", "git push --mirror"],
)
def test_m15_a_forced_update_is_noticed(command: str, session: Session) -> None:
    said = session.calls(command)

    assert "overwrites history" in said or "makes everything" in said


@requirement("A14")
def test_a_deletion_is_noticed(session: Session) -> None:
    assert "deletes `old` on `origin`" in session.calls("git push origin :old")


@requirement("U164", "E44")
@pytest.mark.parametrize("mode", ["ask", "deny"])
def test_the_user_can_have_such_calls_stopped(mode: str, session: Session) -> None:
    session.env["TWICESHY_GUARDS_MODE"] = mode

    first, again = (asks(session, "Write", file_path=".env") for _ in range(2))

    assert first["permissionDecision"] == again["permissionDecision"] == mode
    assert "`.env`" in first["permissionDecisionReason"]


def test_a_guard_that_asks_makes_no_rule_milder(home: Path, project: Path) -> None:
    rule = teach(home, project, "Never deploy.", kind="rule", subtype="hard", source="user")
    with store_of(home) as store:
        approve(store, rule, "deny")
    session = Session(project)
    session.env |= SLOWLY | {"TWICESHY_GUARDS_MODE": "ask"}
    session.start()

    said = asks(session, "Bash", command="make deploy > .env")

    assert said["permissionDecision"] == "deny"
    assert "Never deploy." in said["permissionDecisionReason"]
    assert "`.env`" in said["permissionDecisionReason"]


@requirement("U164")
def test_the_user_can_switch_the_guards_off(session: Session) -> None:
    session.env["TWICESHY_GUARDS_MODE"] = "off"

    assert asks(session, "Write", file_path=".env") == {}
    assert asks(session, "Bash", command="git push -f") == {}


def test_a_session_is_warned_once_of_one_thing_and_another_session_again(
    home: Path, project: Path, session: Session
) -> None:
    def writes(whose: Session, name: str) -> str:
        return whose.told("PreToolUse", **whose.call("Write", file_path=name))

    assert writes(session, ".env")
    assert not writes(session, ".env")
    assert writes(session, ".env.local")
    assert writes(Session(project, "session-2"), ".env")
    session.start("compact")
    assert writes(session, ".env")


def test_a_warning_is_no_note_and_counts_as_none(home: Path, session: Session) -> None:
    session.told("PreToolUse", **session.call("Write", file_path=".env"))

    with store_of(home) as store:
        assert store.list_exposures(session=session.name) == []
    [told] = (home / FOLDER).iterdir()
    assert ".env" not in told.read_text()
    assert told.stat().st_mode & 0o077 == 0


def test_a_note_about_the_same_call_is_told_beside_the_warning(home: Path, project: Path) -> None:
    state(home, project)
    session = Session(project)
    session.env |= SLOWLY
    session.start()

    said = session.calls("make deploy && git push --force")

    assert [line.partition(" ")[0].partition(">")[0] for line in said.splitlines()] == [
        "<twiceshy-note",
        "<twiceshy-guard",
    ]


def test_without_git_a_push_is_still_read(session: Session, tmp_path: Path) -> None:
    session.env["PATH"] = str(tmp_path)

    said = asks(session, "Bash", command="git push -f")

    assert said["permissionDecision"] == "ask"
    assert "overwrites history" in said["permissionDecisionReason"]
    assert "git could not be started" in said["permissionDecisionReason"]


def test_a_place_where_nothing_can_be_written_down_repeats_the_warning(
    home: Path, session: Session
) -> None:
    (home / FOLDER).write_text("in the way")

    assert session.told("PreToolUse", **session.call("Write", file_path=".env"))
    assert session.told("PreToolUse", **session.call("Write", file_path=".env"))
    assert not (home / "hook.log").exists()


@requirement("Y86")
@pytest.mark.parametrize("end", ["start of another session", "distill"])
@pytest.mark.parametrize(
    "variable",
    [
        "TWICESHY_GUARDS_MODE=off",
        "TWICESHY_GUARDS_PROTECTED=*.nothing",
        "TWICESHY_GUARDS_ALLOWED=*",
        "TWICESHY_STORE={other}",
        "TWICESHY_STORE_PATH={other}",
        "TWICESHY_STOPS_MODE=off",
    ],
)
def test_a_variable_of_one_process_switches_guards_and_rules_off_for_no_other_process(
    variable: str, end: str, home: Path, project: Path
) -> None:
    rule = teach(home, project, "Never deploy.", kind="rule", subtype="hard", source="user")
    with store_of(home) as store:
        approve(store, rule, "deny")
    session = Session(project)
    session.env |= SLOWLY
    session.start()
    name, _, value = variable.format(other=home / "other.db").partition("=")
    told = Told("words").said("hello").called("Edit", file_path="a.py").answered("Done.")
    for record in told.records:
        record["cwd"] = str(project)
    path = told.file(home.parent / "transcripts")

    if end == "distill":
        env = {name: value, "CLAUDECODE": "1"}
        done = run_command("distill", "--transcript", str(path), cwd=project, env=env)
        assert done.code == 0, done.err
    else:
        other = Session(project, "session-2")
        other.env |= SLOWLY | {name: value}
        other.start()
        asks(other, "Bash", command="make test")

    tool, given = WRITING["Write"]
    assert ".env.local" in str(asks(session, tool, **given))
    said = asks(session, "Bash", command="make deploy")
    assert said["permissionDecision"] == "deny"


def test_every_setting_that_changes_what_hooks_watch_keeps_its_prefilter_apart() -> None:
    source = Path(prefilter.__file__).read_text()
    keys = [*re.findall(r'config\.(?:text|flag|items)\("([a-z._]+)"\)', source), "store.path"]
    names = [name for key in keys for name in BY_KEY[key].variables]

    assert len(set(keys)) >= 6
    assert [name for name in names if not name.encode().startswith(VARIABLES)] == []


def test_a_protected_name_is_known_in_any_case(home: Path, project: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text('[guards]\nprotected = ["Deploy.Key"]\n')
    session = Session(project)
    session.env |= SLOWLY
    session.start()

    told = asks(session, "Write", file_path="/app/deploy.key", content="A=1")

    assert "deploy.key" in str(told)
