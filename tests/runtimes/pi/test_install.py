"""Into Pi and out again, by its own command: what was there stays, what we wrote goes, byte for byte."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from tests.runtimes.pi.extension_host import PACKAGE, SHIPPED

from twiceshy.core.errors import ConfigError
from twiceshy.core.event import SkillLoaded
from twiceshy.mcp.arguments import build_schema
from twiceshy.mcp.tools import TOOLS
from twiceshy.runtimes import install_plan, uninstall_plan
from twiceshy.runtimes.command_table import build_command_pages
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place
from twiceshy.runtimes.pi import install as pi
from twiceshy.runtimes.pi.install import build_request, find_trouble, is_installed, sample_payload
from twiceshy.runtimes.pi.payload import parse

# As a person left it: tabs, an odd order, no line break at the end.
SETTINGS = '{\n\t"theme":"dark",\n\t"defaultModel": "lab-model"\n}'
OTHER = "npm:@example/tools@1.0.0"

# What Pi does to its settings: the path from there, and the whole file written anew.
PROGRAM = """\
#!{python}
import json, os, sys
verb, folder = sys.argv[1:]
path = os.path.join(os.environ["PI_CODING_AGENT_DIR"], "settings.json")
settings = json.load(open(path)) if os.path.exists(path) else {{}}
source = os.path.relpath(folder, os.path.dirname(path))
listed = [each for each in settings.get("packages", []) if each != source]
settings["packages"] = listed + [source] * (verb == "install")
open(path, "w").write(json.dumps(settings, indent=2))
"""


@pytest.fixture
def here(tmp_path: Path) -> InstallPlace:
    own, programs = tmp_path / "agent", tmp_path / "bin"
    own.mkdir()
    programs.mkdir()
    program = programs / "pi"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    environ = {"PI_CODING_AGENT_DIR": str(own), "PATH": str(programs)}
    return build_install_place(
        str(tmp_path / "a home"), str(tmp_path), str(PACKAGE), environ, mcp=False
    )


def settings_of(here: InstallPlace) -> Path:
    return Path(here.environ["PI_CODING_AGENT_DIR"], "settings.json")


def install(here: InstallPlace) -> None:
    install_plan.plan_install(here, build_request(here)).execute_plan(here.home)


def uninstall(here: InstallPlace) -> tuple[str, ...]:
    return uninstall_plan.plan_uninstall(here, build_request(here)).execute_plan(here.home)


def everything(folder: str | Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


def test_pi_is_told_by_its_own_command_and_once(here: InstallPlace, tmp_path: Path) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    before = everything(tmp_path)

    again = install_plan.plan_install(here, build_request(here))
    again.execute_plan(here.home)

    assert json.loads(settings_of(here).read_text())["packages"] == ["../a home/pi"]
    assert again.is_empty
    assert everything(tmp_path) == before
    assert find_trouble(here) == ""


@pytest.mark.parametrize("text", [SETTINGS, "{}", '{"packages": []}\n', None])
def test_uninstalling_leaves_the_settings_byte_for_byte(
    here: InstallPlace, tmp_path: Path, text: str | None
) -> None:
    if text is not None:
        settings_of(here).write_text(text)
    before = everything(tmp_path)
    install(here)

    refused = uninstall(here)

    assert refused == ()
    assert everything(tmp_path) == before
    assert not Path(here.home).exists()


def test_what_pi_wrote_into_its_settings_since_then_stays(here: InstallPlace) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    since = {"theme": "light", "packages": [OTHER, "../a home/pi"], "lastChangelogVersion": "1"}
    settings_of(here).write_text(json.dumps(since, indent=4) + "\n")

    uninstall(here)

    assert settings_of(here).read_text() == (
        json.dumps(since | {"packages": [OTHER]}, indent=4) + "\n"
    )


def test_where_pi_is_gone_our_entry_goes_all_the_same(here: InstallPlace) -> None:
    settings_of(here).write_text('{"packages": ["x"]}')
    install(here)
    settings_of(here).write_text('{"a": 1, "packages": [{"source": "../a home/pi"}]}')

    plan = uninstall_plan.plan_uninstall(
        here.but(environ={**here.environ, "PATH": ""}), build_request(here)
    )
    plan.execute_plan(here.home)

    assert json.loads(settings_of(here).read_text()) == {"a": 1}
    assert any("pi is not on the PATH" in remark for remark in plan.remarks)


@pytest.mark.parametrize("entry", ["~/a home/pi", "{home}/pi", "../agent/../a home/pi/"])
def test_our_entry_is_known_however_its_path_is_written(
    here: InstallPlace, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    monkeypatch.setenv("HOME", here.home_dir)
    listed = [OTHER, 5, {"no": "source"}, entry.format(home=here.home)]
    settings_of(here).write_text(json.dumps({"packages": listed}))

    asked = build_request(here)

    assert asked.commands == ()
    assert asked.undo == (("pi", "remove", here.runtime_folder("pi")),)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, "not in its settings"),
        ({"packages": "../a home/pi"}, "not in its settings"),
        ({"packages": [OTHER, "../elsewhere/pi"]}, "not in its settings"),
        ({"packages": [{"source": "../a home/pi", "extensions": []}]}, "switched off"),
        (
            {"packages": [{"source": "../a home/pi", "extensions": ["-twiceshy.ts"]}]},
            "switched off",
        ),
        (
            {"packages": [{"source": "../a home/pi", "extensions": ["!**/twiceshy.ts"]}]},
            "switched",
        ),
        ({"packages": [{"source": "../a home/pi", "skills": []}]}, ""),
        ({"packages": [{"source": "../a home/pi", "extensions": ["*.ts", 5]}]}, ""),
    ],
)
def test_doctor_is_told_what_keeps_the_extension_from_running(
    here: InstallPlace, settings: dict[str, object], why: str
) -> None:
    settings_of(here).write_text(json.dumps(settings))

    said = find_trouble(here)

    assert why in said
    assert bool(said) == bool(why)


@pytest.mark.parametrize("text", ["{", "[]", "// mine\n{}"])
def test_settings_that_cannot_be_read_stop_everything_before_it_begins(
    here: InstallPlace, tmp_path: Path, text: str
) -> None:
    settings_of(here).write_text(text)
    before = everything(tmp_path)

    with pytest.raises(ConfigError, match=r"settings\.json"):
        install(here)

    assert everything(tmp_path) == before


def test_pi_is_found_by_its_folder_and_its_program(here: InstallPlace) -> None:
    nowhere = {**here.environ, "PATH": ""}
    fresh = {**here.environ, "PI_CODING_AGENT_DIR": here.home}

    assert is_installed(here)
    assert not is_installed(here.but(environ=nowhere))
    assert not is_installed(here.but(environ=fresh))  # many programs may be called pi


def test_what_runs_our_tools_is_there_without_the_sdk(here: InstallPlace) -> None:
    install(here)

    assert stat.S_IMODE(os.stat(here.server_path).st_mode) == 0o700
    assert "-m twiceshy mcp" in Path(here.server_path).read_text()


def test_the_package_is_what_is_shipped_and_what_all_runtimes_share(here: InstallPlace) -> None:
    install(here)

    rendered = everything(here.runtime_folder("pi"))
    for page in build_command_pages(runs=False):
        prompt = os.path.join(here.runtime_folder("pi"), "prompts", f"twiceshy:{page.name}.md")
        assert rendered.pop(prompt) == page.to_markdown().encode()
    skill = Path(here.runtime_folder("pi"), "skills", "twiceshy", "SKILL.md")
    manifest = json.loads(Path(here.runtime_folder("pi"), "package.json").read_text())
    claude = PACKAGE / "plugins/claude-code/plugins/twiceshy/skills/twiceshy/SKILL.md"
    shipped = {os.path.basename(name): content for name, content in everything(SHIPPED).items()}
    assert rendered.pop(str(skill)) == claude.read_bytes()
    assert {os.path.basename(name): content for name, content in rendered.items()} == shipped
    for path in (path for paths in manifest["pi"].values() for path in paths):
        assert Path(here.runtime_folder("pi"), path).exists()


def test_the_tools_of_the_extension_are_those_of_our_server() -> None:
    offered = [(t.name, t.title, t.description, build_schema(t.arguments)) for t in TOOLS]

    text = (SHIPPED / pi.TOOLS).read_text()

    assert text == pi.render_tools(offered)  # if not: make plugins
    names = [tool["name"] for tool in json.loads(text)]
    assert names == ["skill_recall", "skill_note", "recall", "note", "search"]


def test_a_sample_is_a_skill_that_was_loaded(tmp_path: Path) -> None:
    payload = sample_payload(str(tmp_path), "pack")

    _, event = parse(json.dumps(payload).encode(), environ={}, now=5)

    assert isinstance(event, SkillLoaded)
    assert Path(event.path).read_text().startswith("---\nname: pack\n")
