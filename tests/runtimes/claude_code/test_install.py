"""Into Claude Code and out again: what was there stays, what we wrote goes, byte for byte."""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.requirements import requirement

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import install_plan, receipt, uninstall_plan
from twiceshy.runtimes.claude_code.install import build_request
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place
from twiceshy.runtimes.plan import InstallPlan

PACKAGE = str(Path(twiceshy.__file__).parent)
SETTINGS = """{
    "permissions": {"allow": ["Bash(ls:*)"],   "deny": []},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
    },
    "enabledPlugins": {"lint@acme": true}
}"""
ODD_TEXTS = [
    SETTINGS,
    "{}",
    "",
    "{ }\n",
    '{"a":1}',
    '\ufeff{\r\n\t"a": 1\r\n}\r\n',
    '{"extraKnownMarketplaces": {}, "enabledPlugins": {}}\n',
    '{"enabledPlugins": {"twice": true}, "enabledPlugins": {"lint@acme": false}}',
]


def a_place(home: str | Path, config_dir: str | Path) -> InstallPlace:
    environ = {"CLAUDE_CONFIG_DIR": str(config_dir)}
    return build_install_place(str(home), os.path.dirname(home), PACKAGE, environ, mcp=True)


@pytest.fixture
def here(tmp_path: Path) -> InstallPlace:
    (tmp_path / "claude").mkdir()
    return a_place(tmp_path / "a home", tmp_path / "claude")


def settings_of(here: InstallPlace) -> Path:
    return Path(here.environ["CLAUDE_CONFIG_DIR"], "settings.json")


def plan_install(here: InstallPlace) -> InstallPlan:
    return install_plan.plan_install(here, build_request(here))


def plan_uninstall(here: InstallPlace) -> InstallPlan:
    return uninstall_plan.plan_uninstall(here, build_request(here))


def install(here: InstallPlace) -> None:
    plan_install(here).execute_plan(here.home)


def uninstall(here: InstallPlace) -> None:
    plan_uninstall(here).execute_plan(here.home)


def everything(folder: str | Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


def test_other_peoples_settings_keep_their_place_and_their_wording(here: InstallPlace) -> None:
    settings_of(here).write_text(SETTINGS)

    install(here)

    text = settings_of(here).read_text()
    said = json.loads(text)
    assert SETTINGS.splitlines()[:4] == text.splitlines()[:4]
    assert list(said)[:3] == ["permissions", "hooks", "enabledPlugins"]
    assert said["enabledPlugins"] == {"lint@acme": True, "twiceshy@twiceshy": True}
    assert said["extraKnownMarketplaces"]["twiceshy"]["source"] == {
        "source": "directory",
        "path": here.runtime_folder("claude-code"),
    }
    done = receipt.load_receipt(here.home, "claude-code")
    assert done is not None
    assert [Path(file.backup).read_text() for file in done.shared_files] == [SETTINGS]


def test_planning_writes_nothing(here: InstallPlace, tmp_path: Path) -> None:
    settings_of(here).write_text(SETTINGS)
    before = everything(tmp_path)

    plan = plan_install(here)

    assert {change.path for change in plan.changes} >= {
        str(settings_of(here)),
        f"{here.home}/bin/hook",
    }
    assert all(change.to_diff() for change in plan.changes)
    assert everything(tmp_path) == before


def test_installing_twice_is_installing_once(here: InstallPlace, tmp_path: Path) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    before = everything(tmp_path)

    plan = plan_install(here)
    plan.execute_plan(here.home)

    assert plan.is_empty
    assert everything(tmp_path) == before


@requirement("A20")
@pytest.mark.parametrize("text", ODD_TEXTS)
def test_uninstalling_restores_what_nobody_touched_byte_for_byte(
    here: InstallPlace, tmp_path: Path, text: str
) -> None:
    settings_of(here).write_bytes(text.encode())
    before = everything(tmp_path)

    install(here)
    changed = everything(tmp_path)
    uninstall(here)

    assert len(changed) > len(before)
    assert everything(tmp_path) == before
    assert not Path(here.home).exists()


def test_uninstalling_leaves_the_notes_alone(here: InstallPlace) -> None:
    Path(here.home).mkdir()
    notes = Path(here.home, "twiceshy.db")
    notes.write_bytes(b"notes")
    install(here)

    uninstall(here)

    assert everything(here.home) == {str(notes): b"notes"}
    assert list(Path(here.home).iterdir()) == [notes]


def test_what_was_not_there_is_gone_again(tmp_path: Path) -> None:
    here = a_place(tmp_path / "home", tmp_path / "claude")

    install(here)
    made = settings_of(here).exists()
    uninstall(here)

    assert made
    assert list(tmp_path.iterdir()) == [tmp_path / "user"]


def test_what_others_added_meanwhile_stays(here: InstallPlace) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    text = settings_of(here).read_text()
    settings_of(here).write_text(text.replace('"lint@acme": true', '"lint@acme": false'))

    plan = plan_uninstall(here)
    plan.execute_plan(here.home)

    assert settings_of(here).read_text() == SETTINGS.replace("true}\n", "false}\n")
    assert plan.remarks == (
        f"{settings_of(here)} was changed since it was installed; only our lines go",
    )


def test_a_file_we_made_goes_when_only_our_lines_were_left_in_it(here: InstallPlace) -> None:
    install(here)
    said = json.loads(settings_of(here).read_text())
    settings_of(here).write_text(json.dumps(said))  # as the client writes it

    uninstall(here)

    assert not settings_of(here).exists()


def test_a_file_we_made_stays_when_others_wrote_to_it(here: InstallPlace) -> None:
    install(here)
    said = json.loads(settings_of(here).read_text())
    settings_of(here).write_text(json.dumps(said | {"model": "opus"}))

    uninstall(here)

    assert json.loads(settings_of(here).read_text()) == {"model": "opus"}


def test_an_empty_object_that_was_there_before_stays(here: InstallPlace) -> None:
    settings_of(here).write_text('{"enabledPlugins": {}}')
    install(here)
    said = json.loads(settings_of(here).read_text())
    settings_of(here).write_text(json.dumps(said | {"model": "opus"}))

    uninstall(here)

    assert json.loads(settings_of(here).read_text()) == {"enabledPlugins": {}, "model": "opus"}


def test_a_file_of_ours_that_somebody_edited_is_kept(here: InstallPlace) -> None:
    install(here)
    readme = Path(here.runtime_folder("claude-code"), "plugins/twiceshy/README.md")
    readme.write_text("my own words")

    plan = plan_uninstall(here)
    plan.execute_plan(here.home)

    assert plan.remarks == (f"{readme} was changed since it was installed; it stays",)
    assert everything(here.home) == {str(readme): b"my own words"}


def test_a_moved_environment_costs_the_launchers_and_nothing_else(
    here: InstallPlace, tmp_path: Path
) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    moved = here.but(target=here.target.but(python="/new/venv/bin/python"))

    plan = plan_install(moved)
    plan.execute_plan(moved.home)
    plan_uninstall(moved).execute_plan(moved.home)

    assert [change.path for change in plan.changes] == [here.launcher_path, here.server_path]
    assert settings_of(here).read_text() == SETTINGS


def test_an_environment_that_may_vanish_is_remarked_upon(here: InstallPlace) -> None:
    cached = here.target.but(python="/home/u/.cache/uv/archive-v0/x1/bin/python")

    assert plan_install(here).remarks == ()
    assert "may vanish" in plan_install(here.but(target=cached)).remarks[0]


def test_the_tools_come_and_go_with_what_they_need(here: InstallPlace) -> None:
    without = here.but(mcp=False)
    listed = Path(here.runtime_folder("claude-code"), "plugins/twiceshy/.mcp.json")

    remarks = plan_install(without).remarks
    install(without)
    before = (listed.exists(), Path(here.server_path).exists())
    install(here)
    said = json.loads(listed.read_text())
    install(without)

    assert "install 'mcp<2" in remarks[0]
    assert before == (False, False)
    assert said == {"mcpServers": {"twiceshy": {"command": here.server_path}}}
    assert (listed.exists(), Path(here.server_path).exists()) == (False, False)


def test_a_new_release_replaces_the_old_one_in_place(here: InstallPlace, tmp_path: Path) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    old = receipt.load_receipt(here.home, "claude-code")
    assert old is not None
    stale = Path(here.runtime_folder("claude-code"), "plugins/twiceshy/commands/old.md")
    stale.write_text("an old command")
    entry = receipt.TouchedFile(str(stale), after=receipt.hash_content(b"an old command"))
    path = Path(receipt.receipt_path(here.home, "claude-code"))
    path.write_bytes(receipt.receipt_to_json(old.but(files=(*old.files, entry))))

    install(here)
    gone = not stale.exists()
    uninstall(here)

    assert gone
    assert settings_of(here).read_text() == SETTINGS


def test_the_original_comes_back_even_if_an_older_release_wrote_other_lines(
    here: InstallPlace,
) -> None:
    settings_of(here).write_text("{ }\n")
    install(here)
    older = '{"enabledPlugins": {"twiceshy@twiceshy": true}}\n'
    settings_of(here).write_text(older)
    done = receipt.load_receipt(here.home, "claude-code")
    assert done is not None
    wrote = receipt.hash_content(older.encode())
    files = tuple(file.but(after=wrote) if file.shared else file for file in done.files)
    path = Path(receipt.receipt_path(here.home, "claude-code"))
    path.write_bytes(receipt.receipt_to_json(done.but(version="0.0.1", files=files)))

    install(here)
    changed = settings_of(here).read_text()
    uninstall(here)

    assert changed != older
    assert settings_of(here).read_text() == "{ }\n"


def test_a_launcher_that_lost_its_mode_gets_it_back(here: InstallPlace) -> None:
    install(here)
    launcher = Path(here.home, "bin", "hook")
    launcher.chmod(0o600)

    plan = plan_install(here)
    plan.execute_plan(here.home)

    assert [change.path for change in plan.changes] == [str(launcher)]
    assert launcher.stat().st_mode & 0o777 == 0o700


def test_a_plugin_that_was_switched_off_is_switched_on_by_installing(here: InstallPlace) -> None:
    install(here)
    text = settings_of(here).read_text()
    settings_of(here).write_text(text.replace('twiceshy": true', 'twiceshy": false'))

    install(here)

    assert settings_of(here).read_text() == text


def test_our_lines_from_another_home_do_not_come_back(here: InstallPlace, tmp_path: Path) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here.but(home=str(tmp_path / "old home")))

    install(here)
    uninstall(here)

    assert json.loads(settings_of(here).read_text()) == json.loads(SETTINGS)


def test_two_folders_of_the_client_are_both_cleaned(here: InstallPlace, tmp_path: Path) -> None:
    other = a_place(here.home, tmp_path / "work profile")
    install(here)
    install(other)

    uninstall(here)

    assert not settings_of(here).exists()
    assert not settings_of(other).exists()


def test_a_lost_receipt_does_not_keep_us_in(here: InstallPlace) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    Path(receipt.receipt_path(here.home, "claude-code")).unlink()

    uninstall(here)

    assert json.loads(settings_of(here).read_text()) == json.loads(SETTINGS)
    assert not Path(here.home, "bin").exists()


def test_a_lost_receipt_costs_nobody_their_settings(here: InstallPlace) -> None:
    settings_of(here).write_text(SETTINGS)
    install(here)
    shutil.rmtree(Path(here.home, "receipts"))

    install(here)
    uninstall(here)

    assert settings_of(here).read_text() == SETTINGS


ACTIONS = st.lists(
    st.sampled_from(
        ["install", "uninstall", "edit", "plugin", "off", "lose receipt", "lose home"]
    ),
    max_size=8,
)


@given(ACTIONS, st.sampled_from([None, "{}", SETTINGS]))
@example(["install", "lose receipt", "install"], SETTINGS)
def test_whatever_happens_in_between_nobody_elses_line_is_ever_lost(
    actions: list[str], original: str | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = a_place(os.path.join(folder, "home"), os.path.join(folder, "claude"))
        path = settings_of(here)
        path.parent.mkdir()
        if original is not None:
            path.write_text(original)
        theirs = json.loads(original or "{}")

        for number, action in enumerate(actions):
            act(here, action, number, theirs)
        uninstall(here)

        left = json.loads(path.read_text()) if path.exists() else {}
        assert without_empty(left) == without_empty(theirs)
        assert plan_uninstall(here).is_empty


def act(here: InstallPlace, action: str, number: int, theirs: dict[str, Any]) -> None:
    """Do what may happen between an install and an uninstall; keep book of what is not ours."""
    path = settings_of(here)
    said = json.loads(path.read_text()) if path.exists() else {}
    match action:
        case "install":
            install(here)
        case "uninstall":
            uninstall(here)
        case "edit":
            theirs[f"key{number}"] = number
            path.write_text(json.dumps(said | {f"key{number}": number}))
        case "plugin":
            theirs.setdefault("enabledPlugins", {})[f"p{number}"] = True
            said.setdefault("enabledPlugins", {})[f"p{number}"] = True
            path.write_text(json.dumps(said, indent=4))
        case "off" if "twiceshy@twiceshy" in said.get("enabledPlugins", {}):
            said["enabledPlugins"]["twiceshy@twiceshy"] = False
            path.write_text(json.dumps(said, indent=2))
        case "lose receipt":
            shutil.rmtree(Path(here.home, "receipts"), ignore_errors=True)
        case "lose home":
            shutil.rmtree(here.home, ignore_errors=True)
        case _:
            pass  # nothing of ours is there to switch off


def without_empty(said: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if value != {}}


def test_what_the_client_wrote_down_about_us_goes_too(here: InstallPlace) -> None:
    install(here)
    plugins = settings_of(here).parent / "plugins"
    (plugins / "data" / "twiceshy-twiceshy").mkdir(parents=True)
    known = plugins / "known_marketplaces.json"
    known.write_text('{\n  "acme": {},\n  "twiceshy": {"installLocation": "x"}\n}')
    installed = plugins / "installed_plugins.json"
    installed.write_text('{"version": 2, "plugins": {"twiceshy@twiceshy": [], "lint@acme": []}}')

    uninstall(here)

    assert known.read_text() == '{\n  "acme": {}\n}'
    assert json.loads(installed.read_text())["plugins"] == {"lint@acme": []}
    assert not (plugins / "data" / "twiceshy-twiceshy").exists()


def test_what_the_client_needs_in_its_own_files_stays_there(here: InstallPlace) -> None:
    install(here)
    installed = settings_of(here).parent / "plugins" / "installed_plugins.json"
    installed.parent.mkdir()
    installed.write_text('{"version": 2, "plugins": {"twiceshy@twiceshy": []}}')

    uninstall(here)

    assert installed.read_text() == '{"version": 2, "plugins": {}}'


@pytest.mark.parametrize("text", ["{", "// mine\n{}", "[]", '{"enabledPlugins": []}'])
def test_settings_that_cannot_be_edited_stop_everything(here: InstallPlace, text: str) -> None:
    settings_of(here).write_text(text)

    with pytest.raises(ConfigError, match=r"settings\.json") as caught:
        plan_install(here)

    assert "nothing was written" in caught.value.hint
    assert settings_of(here).read_text() == text
    assert not Path(here.home).exists()


def test_settings_that_are_no_text_stop_everything(here: InstallPlace) -> None:
    settings_of(here).write_bytes(b'{"a": "\xff"}')

    with pytest.raises(ConfigError, match="not UTF-8"):
        plan_install(here)


def test_a_damaged_receipt_is_named(here: InstallPlace) -> None:
    install(here)
    Path(receipt.receipt_path(here.home, "claude-code")).write_text("{")

    with pytest.raises(ConfigError, match=r"the receipt .* is damaged"):
        plan_uninstall(here)


def test_a_home_that_no_settings_file_can_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written into a settings file"):
        a_place(f"{tmp_path}/\udcff", tmp_path)


def test_receipt_and_backup_are_readable_by_their_owner_only(here: InstallPlace) -> None:
    settings_of(here).write_text(SETTINGS)
    settings_of(here).chmod(0o644)

    install(here)

    modes = {
        path.stat().st_mode & 0o077 for path in [*Path(here.home).rglob("*"), Path(here.home)]
    }
    assert modes == {0}
    assert settings_of(here).stat().st_mode & 0o777 == 0o644
