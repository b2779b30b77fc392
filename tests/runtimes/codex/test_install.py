"""Into Codex and out again, by its own commands: what was there stays, what we wrote goes, byte for byte."""

import json
import shutil
import sys
from pathlib import Path

import pytest

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.core.event import SkillLoaded
from twiceshy.runtimes import install_plan, uninstall_plan
from twiceshy.runtimes.codex import plugin
from twiceshy.runtimes.codex.install import (
    build_request,
    find_trouble,
    is_installed,
    sample_payload,
)
from twiceshy.runtimes.codex.payload import parse
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place

PACKAGE = str(Path(twiceshy.__file__).parent)
CONFIG = '# mine\nmodel = "gpt-5.5"\n\n[tui]\ntheme = "dark" # at night'
# What Codex does to its configuration and to its copies of plugins, as far as it concerns us.
PROGRAM = """\
#!{python}
import json, os, shutil, sys
own = os.environ["CODEX_HOME"]
config, cache = os.path.join(own, "config.toml"), os.path.join(own, "plugins", "cache")
text = open(config).read() if os.path.exists(config) else ""

def write(text):
    open(config, "w").write(text)

def put(header, body):
    if header not in text:
        write(text + ("" if text.endswith("\\n") or not text else "\\n") + "\\n" + header + "\\n" + body)

def drop(header):
    before, found, after = text.partition("\\n" + header + "\\n")
    write(before + ("\\n" + "[".join(["", *after.split("[")[1:]]) if "[" in after else ""))

def source(market):
    return text.partition("[marketplaces." + market + "]")[2].split('source = "')[1].split('"')[0]

match sys.argv[2:]:
    case ["marketplace", "add", folder]:
        put("[marketplaces.twiceshy]", 'source_type = "local"\\nsource = "' + folder + '"\\n')
    case ["marketplace", "remove", name]:
        drop("[marketplaces." + name + "]")
    case ["add", plugin]:
        name, market = plugin.split("@")
        folder = os.path.join(source(market), "plugins", name)
        version = json.load(open(os.path.join(folder, ".claude-plugin", "plugin.json")))["version"]
        shutil.rmtree(os.path.join(cache, market, name), ignore_errors=True)
        shutil.copytree(folder, os.path.join(cache, market, name, version))
        put('[plugins."' + plugin + '"]', "enabled = true\\n")
    case ["remove", plugin]:
        name, market = plugin.split("@")
        shutil.rmtree(os.path.join(cache, market, name))
        drop('[plugins."' + plugin + '"]')
"""


@pytest.fixture
def here(tmp_path: Path) -> InstallPlace:
    own, programs = tmp_path / "codex", tmp_path / "bin"
    own.mkdir()
    programs.mkdir()
    program = programs / "codex"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    environ = {"CODEX_HOME": str(own), "PATH": str(programs)}
    return build_install_place(str(tmp_path / "a home"), str(tmp_path), PACKAGE, environ, mcp=True)


def config_of(here: InstallPlace) -> Path:
    return Path(here.environ["CODEX_HOME"], "config.toml")


def copy_of(here: InstallPlace, name: str) -> Path:
    (copy,) = Path(here.environ["CODEX_HOME"], "plugins", "cache", "twiceshy", name).iterdir()
    return copy


def install(here: InstallPlace) -> list[str]:
    plan = install_plan.plan_install(here, build_request(here))
    plan.execute_plan(here.home)
    return [command.to_line for command in plan.commands]


def uninstall(here: InstallPlace) -> None:
    assert uninstall_plan.plan_uninstall(here, build_request(here)).execute_plan(here.home) == ()


def trust(here: InstallPlace) -> None:
    """Do what the client does when its user trusts all hooks."""
    states = [
        f'[hooks.state."{key}"]\ntrusted_hash = "sha256:1"\n' for key in plugin.list_trust_keys()
    ]
    config = config_of(here)
    config.write_text(config.read_text() + "\n[hooks.state]\n\n" + "\n".join(states))


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("config", [CONFIG, CONFIG + "\n", "", None])
def test_what_was_there_is_there_again(
    here: InstallPlace, tmp_path: Path, config: str | None
) -> None:
    if config is not None:
        config_of(here).write_text(config)
    before = everything(tmp_path)

    install(here)
    there = config_of(here).read_text()
    uninstall(here)

    assert 'plugins."twiceshy-hooks@twiceshy"' in there
    assert everything(tmp_path) == before


def test_the_client_is_told_once(here: InstallPlace) -> None:
    assert [line.split()[1:4] for line in install(here)] == [
        ["plugin", "marketplace", "add"],
        ["plugin", "add", "twiceshy@twiceshy"],
        ["plugin", "add", "twiceshy-hooks@twiceshy"],
    ]

    assert install_plan.plan_install(here, build_request(here)).is_empty


def test_what_changed_is_copied_again_and_the_hooks_that_did_not_are_left_alone(
    here: InstallPlace,
) -> None:
    install(here)
    (copy_of(here, "twiceshy") / "skills" / "twiceshy" / "SKILL.md").write_text("old\n")

    again = install(here)

    assert again == ["codex plugin add twiceshy@twiceshy"]
    assert find_trouble(here).startswith("9 of 9 hooks")


def test_no_upgrade_changes_a_byte_of_what_the_user_trusted() -> None:
    files = plugin.render_marketplace(PACKAGE, "/h/bin/hook", server="/h/bin/mcp")
    hooks = plugin.plugin_files("twiceshy-hooks", files)

    assert sorted(hooks) == [".claude-plugin/plugin.json", "hooks/hooks.json"]
    assert twiceshy.__version__.encode() not in b"".join(hooks.values())
    assert b"/h/bin/hook codex" in hooks["hooks/hooks.json"]
    assert "hooks/hooks.json" not in plugin.plugin_files("twiceshy", files)
    commands = {
        hook["command"]
        for groups in json.loads(hooks["hooks/hooks.json"])["hooks"].values()
        for group in groups
        for hook in group["hooks"]
    }
    assert commands == {"/h/bin/hook codex"}


def test_events_may_go_to_the_server_if_the_user_wants_that(here: InstallPlace) -> None:
    name = "plugins/twiceshy-hooks/hooks/hooks.json"
    told = build_request(here.but(answers=True)).files[f"{here.runtime_folder('codex')}/{name}"][0]

    kinds = {
        event: groups[0]["hooks"][0]["type"] for event, groups in json.loads(told)["hooks"].items()
    }

    assert {event for event, kind in kinds.items() if kind == "command"} == {
        "SessionStart",
        "SessionEnd",
    }


def test_a_memory_home_that_moved_is_named_anew(here: InstallPlace, tmp_path: Path) -> None:
    install(here)
    moved = here.but(home=str(tmp_path / "elsewhere"))

    lines = install(moved)

    assert [line.split()[1:4] for line in lines][:2] == [
        ["plugin", "marketplace", "remove"],
        ["plugin", "marketplace", "add"],
    ]
    assert str(tmp_path / "elsewhere") in config_of(here).read_text()


def test_doctor_is_told_what_keeps_the_hooks_from_running(here: InstallPlace) -> None:
    config_of(here).write_text(CONFIG + "\n")
    nothing = find_trouble(here)
    install(here)
    untrusted = find_trouble(here)
    trust(here)
    all_is_well = find_trouble(here)
    whole = config_of(here).read_text()
    config_of(here).write_text(whole.replace("enabled = true", "enabled = false", 1))
    switched_off = find_trouble(here)
    config_of(here).write_text(whole + "\n[features]\nhooks = false\n")
    no_hooks = find_trouble(here)
    config_of(here).write_text(whole)
    shutil.rmtree(copy_of(here, "twiceshy-hooks"))

    assert nothing.startswith("the plugins are not in its configuration")
    assert untrusted.startswith("9 of 9 hooks are not trusted, so it skips them: start codex")
    assert all_is_well == ""
    assert switched_off.startswith("a plugin is switched off")
    assert no_hooks.startswith("its feature 'hooks' is switched off")
    assert find_trouble(here) == "its copy of a plugin is outdated; run: twiceshy install"


def test_trust_is_the_users_and_is_forgotten_with_us(here: InstallPlace) -> None:
    config_of(here).write_text(CONFIG + "\n")
    install(here)
    untouched = "trusted_hash" not in config_of(here).read_text()
    asked = build_request(here).remarks
    trust(here)
    remarks = build_request(here).remarks

    uninstall(here)

    assert untouched
    assert "Trust all and continue" in asked[0]
    assert remarks == ()
    assert config_of(here).read_text() == CONFIG + "\n"


def test_notify_is_offered_and_never_taken(here: InstallPlace) -> None:
    offered = build_request(here).remarks
    config_of(here).write_text('notify = ["bell"]\n')
    theirs = build_request(here).remarks
    config_of(here).write_text(f'notify = ["{here.launcher_path}", "codex"]\n' + CONFIG + "\n")
    ours = build_request(here).remarks
    install(here)
    learns = find_trouble(here)

    uninstall(here)

    assert f'notify = ["{here.launcher_path}", "codex"]' in offered[1]
    assert theirs[1].startswith("your own `notify` in config.toml stays")
    assert len(ours) == 1
    assert learns.endswith("until then it only learns, by notify")
    assert "notify" in config_of(here).read_text()  # as it was before we came


def test_a_configuration_that_cannot_be_read_is_named(here: InstallPlace) -> None:
    config_of(here).write_text("model = ")

    with pytest.raises(ConfigError, match=r"config\.toml: it is not valid TOML"):
        build_request(here)


def test_without_its_program_it_is_not_here(here: InstallPlace, tmp_path: Path) -> None:
    assert is_installed(here)
    assert not is_installed(here.but(environ={"PATH": str(tmp_path)}))


def test_the_sample_is_a_skill_that_was_loaded(tmp_path: Path) -> None:
    raw = json.dumps(sample_payload(str(tmp_path), "pack")).encode()

    event = parse(raw, environ={}, now=1)[1]

    assert isinstance(event, SkillLoaded)
    assert Path(event.path).read_text().startswith("---\nname: pack\n")
