"""Into a client by its own commands and out again, alone or beside others, whatever fails on the way."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.runtimes.a_client import Stall

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes import plan as plans
from twiceshy.runtimes import receipt
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place, plan_install
from twiceshy.runtimes.plan import InstallPlan
from twiceshy.runtimes.uninstall_plan import plan_uninstall

PACKAGE = str(Path(twiceshy.__file__).parent)


def a_machine(root: Path) -> InstallPlace:
    environ = {"PATH": f"{root / 'bin'}:{os.environ['PATH']}"}
    return build_install_place(str(root / "home"), str(root), PACKAGE, environ, mcp=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine's disk, without the home that every test has."""
    folder = tmp_path / "machine"
    folder.mkdir()
    return folder


@pytest.fixture
def here(root: Path) -> InstallPlace:
    return a_machine(root)


@pytest.fixture
def stall(root: Path) -> Stall:
    client = Stall(root)
    client.set_up()
    return client


def install(here: InstallPlace, client: Stall) -> InstallPlan:
    plan = plan_install(here, client.wanted(here))
    plan.execute_plan(here.home)
    return plan


def uninstall(here: InstallPlace, client: Stall) -> tuple[str, ...]:
    return plan_uninstall(here, client.wanted(here)).execute_plan(here.home)


def everything(folder: Path) -> dict[str, bytes | None]:
    """Return every file with its content, and every folder."""
    found = [path for path in folder.rglob("*") if path.name != "called in"]
    return {str(path): path.read_bytes() if path.is_file() else None for path in found}


def test_the_clients_command_runs_when_all_is_written(here: InstallPlace, stall: Stall) -> None:
    plan = plan_install(here, stall.wanted(here))
    untouched = stall.conf.read_text()

    plan.execute_plan(here.home)

    assert [command.to_line for command in plan.commands] == [f"stall add {here.home}/stall"]
    assert untouched == "theirs 1\n"
    assert stall.conf.read_text() == f"theirs 1\nplugin {here.home}/stall the plugin\n"
    assert stall.copy.read_bytes() == stall.text
    done = receipt.load_receipt(here.home, "stall")
    assert done is not None
    assert done.commands == (f"stall add {here.home}/stall",)


def test_installing_twice_runs_nothing_the_second_time(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    install(here, stall)
    before = everything(root)

    plan = install(here, stall)

    assert plan.is_empty
    assert everything(root) == before


@pytest.mark.parametrize("conf", [None, "", "theirs 1", "theirs 1\n"])
def test_a_configuration_that_nobody_else_touched_comes_back_byte_for_byte(
    root: Path, here: InstallPlace, conf: str | None
) -> None:
    stall = Stall(root)
    stall.set_up(conf)
    before = everything(root)

    install(here, stall)
    refused = uninstall(here, stall)

    assert refused == ()
    assert everything(root) == before


def test_what_others_wrote_meanwhile_stays_and_the_client_takes_us_out(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    install(here, stall)
    with stall.conf.open("a") as file:
        file.write("theirs 2\n")

    plan = plan_uninstall(here, stall.wanted(here))
    plan.execute_plan(here.home)

    assert stall.conf.read_text() == "theirs 1\ntheirs 2\n"
    assert plan.remarks == (f"{stall.conf} was changed since it was installed; only our lines go",)
    assert not (root / "home").exists()


def test_a_copy_is_renewed_and_the_original_still_comes_back(
    here: InstallPlace, stall: Stall
) -> None:
    install(here, stall)
    stall.text = b"the plugin of the next release\n"

    install(here, stall)
    renewed = stall.copy.read_bytes()
    uninstall(here, stall)

    assert renewed == stall.text
    assert stall.conf.read_text() == "theirs 1\n"
    assert not stall.copy.parent.exists()


def test_a_renewed_copy_does_not_cost_others_their_lines(here: InstallPlace, stall: Stall) -> None:
    install(here, stall)
    with stall.conf.open("a") as file:
        file.write("theirs 2\n")
    stall.text = b"the plugin of the next release\n"

    install(here, stall)
    uninstall(here, stall)

    assert stall.conf.read_text() == "theirs 1\ntheirs 2\n"


def test_a_configuration_that_changed_while_somebody_read_the_plan_stops_it(
    here: InstallPlace, stall: Stall
) -> None:
    plan = plan_install(here, stall.wanted(here))
    stall.conf.write_text("theirs 2\n")

    with pytest.raises(ConfigError, match="changed in the meantime"):
        plan.execute_plan(here.home)

    assert stall.conf.read_text() == "theirs 2\n"
    assert not Path(here.launcher_path).exists()


def test_a_client_that_cannot_be_called_is_named_before_anything_is_written(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    stall.program.unlink()
    before = everything(root)

    with pytest.raises(ConfigError, match="the program 'stall' is not on the PATH") as caught:
        plan_install(here, stall.wanted(here))

    assert "stall --version" in caught.value.hint
    assert everything(root) == before


def test_a_command_that_fails_is_quoted_and_installing_again_repairs_it(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    before = everything(root)
    (stall.own / "broken").touch()

    with pytest.raises(ConfigError, match=r"`stall add .*` failed: stall: no room left") as caught:
        install(here, stall)
    left = Path(here.launcher_path).exists()
    (stall.own / "broken").unlink()
    install(here, stall)
    repaired = stall.copy.exists()
    uninstall(here, stall)

    assert "`twiceshy uninstall` takes it back" in caught.value.hint
    assert (left, repaired) == (True, True)
    assert everything(root) == before


def test_uninstalling_takes_back_what_was_done_before_a_command_failed(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    (stall.own / "broken").touch()
    before = everything(root)
    with pytest.raises(ConfigError):
        install(here, stall)

    uninstall(here, stall)

    assert everything(root) == before


def test_a_client_that_refuses_to_let_us_go_is_quoted_and_the_rest_goes(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    before = everything(root)
    install(here, stall)
    (stall.own / "broken").touch()

    refused = uninstall(here, stall)

    (stall.own / "broken").unlink()
    assert refused == ("stall drop: stall: who?",)
    assert everything(root) == before


def test_a_client_that_is_gone_does_not_keep_us(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    install(here, stall)
    stall.program.unlink()
    plan = plan_uninstall(here, stall.wanted(here))

    refused = plan.execute_plan(here.home)

    assert refused == ()
    assert plan.remarks == ("stall is not on the PATH; when it is: stall drop",)
    assert stall.conf.read_text() == "theirs 1\n"
    assert not (root / "home").exists()


def test_a_command_that_never_ends_is_given_up(
    here: InstallPlace, stall: Stall, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall.program.write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(plans, "_PATIENCE_S", 1)

    with pytest.raises(ConfigError, match="it did not end within 1 seconds"):
        install(here, stall)


def test_a_command_is_not_given_what_the_user_types(
    here: InstallPlace, stall: Stall, tmp_path: Path
) -> None:
    typed = tmp_path / "typed"
    typed.write_text("y\n")
    own = os.dup(0)

    with typed.open() as file:
        os.dup2(file.fileno(), 0)
        try:
            install(here, stall)  # the client fails if it is given anything
        finally:
            os.dup2(own, 0)
            os.close(own)

    assert stall.copy.exists()


def test_a_command_is_called_where_no_project_can_tell_it_what_to_do(
    here: InstallPlace, stall: Stall
) -> None:
    install(here, stall)

    assert (stall.own / "called in").read_text() == f"{here.home}\n"


def test_a_program_that_cannot_be_started_is_named(here: InstallPlace, stall: Stall) -> None:
    stall.program.write_text("#!/nowhere/at/all\n")

    with pytest.raises(ConfigError, match="failed: No such file or directory"):
        install(here, stall)


def test_a_command_that_says_nothing_is_told_by_its_exit_code(
    here: InstallPlace, stall: Stall
) -> None:
    stall.program.write_text("#!/bin/sh\nexit 6\n")

    with pytest.raises(ConfigError, match="failed: exit code 6"):
        install(here, stall)


def test_a_lost_receipt_does_not_keep_us_in(here: InstallPlace, stall: Stall, root: Path) -> None:
    install(here, stall)
    shutil.rmtree(Path(here.home, "receipts"))

    uninstall(here, stall)

    assert stall.conf.read_text() == "theirs 1\n"
    assert not stall.copy.exists()
    assert not Path(here.home, "bin").exists()


def test_a_lost_receipt_does_not_bring_us_back(here: InstallPlace, stall: Stall) -> None:
    install(here, stall)
    shutil.rmtree(Path(here.home, "receipts"))
    stall.text = b"the plugin of the next release\n"

    install(here, stall)
    uninstall(here, stall)

    assert stall.conf.read_text() == "theirs 1\n"


def test_what_two_runtimes_need_stays_until_both_are_gone(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    booth = Stall(root, "booth")
    booth.set_up()
    before = everything(root)
    install(here, stall)
    install(here, booth)

    uninstall(here, stall)
    between = (
        Path(here.launcher_path).exists(),
        Path(here.server_path).exists(),
        stall.copy.exists(),
    )
    uninstall(here, booth)

    assert between == (True, True, False)
    assert everything(root) == before


def test_a_launcher_that_the_other_runtimes_install_renewed_goes_as_well(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    booth = Stall(root, "booth")
    booth.set_up()
    before = everything(root)
    install(here, stall)
    install(here.but(target=here.target.but(python="/new/venv/bin/python")), booth)

    uninstall(here, booth)
    uninstall(here, stall)

    assert everything(root) == before


def test_a_file_that_the_other_runtimes_install_renewed_goes_as_well(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    booth = Stall(root, "booth")
    booth.set_up()
    before = everything(root)
    install(here, stall)
    stall.common = booth.common = b"the next release\n"
    install(here, booth)

    uninstall(here, booth)
    uninstall(here, stall)

    assert everything(root) == before


def test_a_second_runtime_does_not_unsettle_the_first(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    booth = Stall(root, "booth")
    booth.set_up()
    install(here, stall)
    install(here, booth)

    assert plan_install(here, stall.wanted(here)).is_empty
    assert plan_install(here, booth.wanted(here)).is_empty


def test_a_launcher_that_somebody_edited_stays(here: InstallPlace, stall: Stall) -> None:
    install(here, stall)
    launcher = Path(here.launcher_path)
    launcher.write_text(launcher.read_text() + "# mine\n")

    plan = plan_uninstall(here, stall.wanted(here))
    plan.execute_plan(here.home)

    assert launcher.exists()
    assert plan.remarks == (f"{launcher} was changed since it was installed; it stays",)


def test_several_at_once_are_planned_as_if_each_followed_the_other(
    here: InstallPlace, stall: Stall, root: Path
) -> None:
    booth = Stall(root, "booth")
    booth.set_up()
    before = everything(root)

    plans = [plan_install(here, client.wanted(here)) for client in (stall, booth)]
    for plan in plans:
        plan.execute_plan(here.home)
    gone = [
        plan_uninstall(here, stall.wanted(here)),
        plan_uninstall(here, booth.wanted(here), gone=frozenset({"stall"})),
    ]
    for plan in gone:
        plan.execute_plan(here.home)

    assert here.launcher_path not in {change.path for change in gone[0].changes}
    assert here.launcher_path in {change.path for change in gone[1].changes}
    assert everything(root) == before


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["install", "uninstall", "renew", "edit", "break", "mend", "move"]),
        st.sampled_from([0, 1]),
    ),
    max_size=9,
)


@settings(max_examples=40)  # each starts a dozen programs
@given(ACTIONS)
@example([("install", 0), ("install", 1), ("move", 0), ("install", 0), ("uninstall", 1)])
@example([("install", 0), ("break", 0), ("renew", 0), ("install", 0), ("mend", 0)])
def test_whatever_happens_in_between_nothing_of_ours_is_left(
    actions: list[tuple[str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = a_machine(Path(folder))
        clients = [Stall(Path(folder)), Stall(Path(folder), "booth")]
        theirs = ["theirs 1\n", "theirs 1\n"]
        for client in clients:
            client.set_up()

        for number, (action, which) in enumerate(actions):
            if action == "move":
                here = here.but(target=here.target.but(python=f"/venv{number}/bin/python"))
            elif action == "edit":
                theirs[which] += f"theirs {number}\n"
            act(here, clients[which], action, number)
        for client in clients:
            (client.own / "broken").unlink(missing_ok=True)
            uninstall(here, client)

        assert [client.conf.read_text() for client in clients] == theirs
        assert not Path(here.home).exists()
        assert not any(client.copy.parent.exists() for client in clients)


def act(here: InstallPlace, client: Stall, action: str, number: int) -> None:
    """Do what may happen to a client between an install and an uninstall."""
    match action:
        case "install":
            with suppress(ConfigError):  # raised where it is broken
                install(here, client)
        case "uninstall":
            uninstall(here, client)
        case "renew":
            client.text = f"release {number}\n".encode()
        case "edit":
            with client.conf.open("a") as file:
                file.write(f"theirs {number}\n")
        case "break":
            (client.own / "broken").touch()
        case _:
            (client.own / "broken").unlink(missing_ok=True)
