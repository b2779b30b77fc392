"""Into Gemini CLI and out again, by its own command: what was there stays, what we wrote goes."""

import json
import sys
import tomllib
from pathlib import Path

import pytest
from tests.store.support import bytes_under

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.core.event import SkillLoaded
from twiceshy.runtimes import install_plan, uninstall_plan
from twiceshy.runtimes.claude_code.plugin import SKILL, find_shipped_folder
from twiceshy.runtimes.gemini import install as extension
from twiceshy.runtimes.gemini.install import (
    build_request,
    find_config_folder,
    find_trouble,
    is_installed,
    sample_payload,
)
from twiceshy.runtimes.gemini.payload import parse
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place

PACKAGE = str(Path(twiceshy.__file__).parent)
# What the client does to its files: a link, a switch, and a sum that it signs.
PROGRAM = """\
#!{python}
import json, os, shutil, sys
assert sys.argv[1] == "extensions" and not sys.stdin.read()
own = os.path.join(os.environ["GEMINI_CLI_HOME"], ".gemini")
if os.environ.get("GEMINI_CLI_TRUST_WORKSPACE") != "true":
    open(os.path.join(own, "trustedFolders.json"), "w").write(os.getcwd())
extension = os.path.join(own, "extensions", "twiceshy")
def change(name, act):
    path = os.path.join(own, name)
    said = json.load(open(path)) if os.path.exists(path) else {{}}
    act(said)
    open(path, "w").write(json.dumps(said, indent=2))
if sys.argv[2] == "link":
    assert sys.argv[4] == "--consent"
    if os.path.exists(extension):
        sys.exit("already installed")
    os.makedirs(extension)
    link = {{"source": sys.argv[3], "type": "link"}}
    open(os.path.join(extension, ".gemini-extension-install.json"), "w").write(json.dumps(link))
    rules = {{"overrides": ["/home/u/*"]}}
    change("extensions/extension-enablement.json", lambda said: said.update(twiceshy=rules))
    change("extension_integrity.json", lambda said: said.update(store={{"twiceshy": "sum"}}))
    open(os.path.join(own, "installation_id"), "w").write("me")
else:
    shutil.rmtree(extension)
    change("extensions/extension-enablement.json", lambda said: said.pop("twiceshy"))
"""


@pytest.fixture
def here(tmp_path: Path) -> InstallPlace:
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "gemini"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    (tmp_path / "u" / ".gemini" / "extensions").mkdir(parents=True)
    environ = {"GEMINI_CLI_HOME": str(tmp_path / "u"), "PATH": f"{programs}:/usr/bin:/bin"}
    return build_install_place(str(tmp_path / "a home"), str(tmp_path), PACKAGE, environ, mcp=True)


def own(here: InstallPlace) -> Path:
    return Path(find_config_folder(here))


def install(here: InstallPlace) -> None:
    install_plan.plan_install(here, build_request(here)).execute_plan(here.home)


def uninstall(here: InstallPlace) -> tuple[str, ...]:
    return uninstall_plan.plan_uninstall(here, build_request(here)).execute_plan(here.home)


def test_the_client_is_told_by_its_own_command_and_once(here: InstallPlace) -> None:
    install(here)

    again = install_plan.plan_install(here, build_request(here))

    link = own(here) / "extensions" / "twiceshy" / ".gemini-extension-install.json"
    assert json.loads(link.read_text()) == {
        "source": here.runtime_folder("gemini"),
        "type": "link",
    }
    assert (again.changes, again.commands) == ((), ())
    assert find_trouble(here) == ""


def test_no_directory_is_trusted_by_an_install(here: InstallPlace) -> None:
    install(here)
    uninstall(here)

    assert not (own(here) / "trustedFolders.json").exists()


def test_a_plan_runs_nothing(here: InstallPlace) -> None:
    before = bytes_under(own(here))

    plan = install_plan.plan_install(here, build_request(here))

    [command] = plan.commands
    assert command.words[2:5] == ("gemini", "extensions", "link")
    assert bytes_under(own(here)) == before


@pytest.mark.parametrize("others", [None, '{\n\t"lint": {"overrides": []}}'])
def test_uninstalled_the_client_is_as_before(here: InstallPlace, others: str | None) -> None:
    switches = own(here) / "extensions" / "extension-enablement.json"
    if others:
        switches.write_text(others)
        (own(here) / "extension_integrity.json").write_text('{"store": {"lint": "x"}}')
    before = bytes_under(own(here))
    install(here)

    uninstall(here)

    after = bytes_under(own(here))
    assert (
        after.pop(own(here) / "installation_id") == b"me"
    )  # the client's own, and not ours to take
    assert after == before
    assert not Path(here.home).exists()


def test_what_others_did_since_stays(here: InstallPlace) -> None:
    install(here)
    switches = own(here) / "extensions" / "extension-enablement.json"
    said = json.loads(switches.read_text()) | {"lint": {"overrides": []}}
    switches.write_text(json.dumps(said))

    uninstall(here)

    assert json.loads(switches.read_text()) == {"lint": {"overrides": []}}


def test_a_link_to_another_home_is_made_anew(here: InstallPlace) -> None:
    install(here)
    moved = here.but(home=here.home + " moved")

    commands = build_request(moved).commands

    assert [words[4] for words in commands] == ["uninstall", "link"]
    assert "not linked" in find_trouble(moved)
    install(moved)
    assert find_trouble(moved) == ""


def test_without_its_program_the_client_is_not_there(here: InstallPlace) -> None:
    bare = here.but(environ={"PATH": ""})

    assert is_installed(here)
    assert not is_installed(bare)
    with pytest.raises(ConfigError, match="'gemini' is not on the PATH"):
        install_plan.plan_install(bare, build_request(bare))


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        (
            "extensions/extension-enablement.json",
            {"twiceshy": {"overrides": ["!/home/u/*"]}},
            "switched off",
        ),
        ("settings.json", {"hooksConfig": {"enabled": False}}, "no hooks at all"),
        ("settings.json", {"hooksConfig": {"disabled": ["twiceshy"]}}, "switched off"),
    ],
)
def test_what_keeps_hooks_from_running_is_named(
    here: InstallPlace, name: str, content: object, why: str
) -> None:
    install(here)

    (own(here) / name).write_text(json.dumps(content))

    assert why in find_trouble(here)
    assert str(own(here) / name) in find_trouble(here)


def test_settings_with_comments_are_no_trouble(here: InstallPlace) -> None:
    install(here)

    (own(here) / "settings.json").write_text("{ // mine\n}")

    assert find_trouble(here) == ""


def test_before_an_install_the_client_is_not_told(here: InstallPlace) -> None:
    assert "not linked" in find_trouble(here)


def test_every_hook_line_is_the_same_and_quoted_for_a_shell(here: InstallPlace) -> None:
    files = extension.render_extension(PACKAGE, here.launcher_path)
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]

    lines = {hook["command"] for [group] in hooks.values() for hook in group["hooks"]}

    assert lines == {f"'{here.launcher_path}' gemini 2>/dev/null || :"}
    assert set(hooks) == {row.event for row in extension.HOOKS}
    assert "PreCompress" not in hooks
    assert all(group["hooks"][0]["timeout"] >= 1_000 for [group] in hooks.values())


def test_the_server_is_named_where_it_can_run(here: InstallPlace) -> None:
    without = here.but(mcp=False)

    manifests = [
        json.loads(
            build_request(each).files[
                str(Path(here.runtime_folder("gemini"), extension.MANIFEST))
            ][0]
        )
        for each in (here, without)
    ]

    assert manifests[0]["mcpServers"] == {"twiceshy": {"command": here.server_path}}
    assert "mcpServers" not in manifests[1]
    assert "contextFileName" not in manifests[0]
    assert any("mcp<2" in remark for remark in build_request(without).remarks)


def test_skill_and_commands_have_one_source() -> None:
    files = extension.render_extension(PACKAGE, "/h/bin/hook")
    shipped = Path(find_shipped_folder(PACKAGE))

    note = tomllib.loads(files["commands/twiceshy/note.toml"].decode())

    assert files["skills/twiceshy/SKILL.md"] == (shipped / SKILL).read_bytes()
    assert note["description"] == "Keep a lesson for later sessions"
    source = (shipped / "plugins/twiceshy/commands/note.md").read_text()
    body = source.partition("\n---\n")[2].strip()
    assert note["prompt"].strip() == body.replace("$ARGUMENTS", "{{args}}")
    assert "{{args}}" in note["prompt"]
    assert "commands/twiceshy/recall.toml" in files


def test_the_sample_is_what_the_client_sends_when_a_skill_is_loaded(tmp_path: Path) -> None:
    raw = json.dumps(sample_payload(str(tmp_path), "pack")).encode()

    name, event = parse(raw, environ={}, now=1)

    assert name == "AfterTool"
    assert isinstance(event, SkillLoaded)
    assert (event.skill, event.cwd) == ("pack", str(tmp_path))
