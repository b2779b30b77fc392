"""Whoever may push to the repository, or whose bundle is imported, changes nothing until a person agrees."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from tests.attacks.remote_world import RemoteWorld, to_lines
from tests.attacks.tally import Tally
from tests.requirements import requirement

from twiceshy.sync.rules import device_path, journal_path
from twiceshy.sync.statement import signature_path, statement_path

REMOTE = "pushes to the remote of somebody else"
BUNDLE = "bundles of somebody else"
# what asks even if an introduced device says it; a new rule waits for an approval of its own
ASKING = {"forget", "tombstone", "retire rule", "edit rule", "alias record", "alias entry"}
WAITING = {"new rule"}

Files = Mapping[str, bytes | None]
Disguise = Callable[[RemoteWorld], Files]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteWorld]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("world")
        patch.setenv("HOME", str(folder))
        world = RemoteWorld(folder)
        world.begin()
        world.keep()
        yield world


@pytest.fixture
def world(built: RemoteWorld) -> RemoteWorld:
    built.restore()
    return built


def lines(world: RemoteWorld, device: str) -> bytes:
    return to_lines(list(world.acts(device).values()))


def unsigned(world: RemoteWorld) -> Files:
    return {journal_path("mallory", 1): lines(world, "mallory")}


def own_key(world: RemoteWorld) -> Files:
    return world.sign("mallory", "mallory", {journal_path("mallory", 1): lines(world, "mallory")})


def victims_name(world: RemoteWorld) -> Files:
    said = lines(world, world.ids["victim"])
    return world.sign("mallory", "mallory", {journal_path("mallory", 1): said})


def counters_file(world: RemoteWorld) -> Files:
    said = lines(world, "mallory")
    return world.sign("mallory", "mallory", {device_path("mallory"): said})


def appended(world: RemoteWorld, name: str) -> dict[str, bytes]:
    device = world.ids[name]
    path = journal_path(device, 1)
    return {path: world.read(path) + lines(world, device)}


def appended_to_known(world: RemoteWorld) -> Files:
    return appended(world, "laptop")


def appended_to_own(world: RemoteWorld) -> Files:
    return appended(world, "victim")


def appended_without_signature(world: RemoteWorld) -> Files:
    device = world.ids["laptop"]
    gone = dict.fromkeys((statement_path(device), signature_path(device)))
    return {**appended(world, "laptop"), **gone}


def known_device_other_key(world: RemoteWorld) -> Files:
    return world.sign("mallory", world.ids["laptop"], appended(world, "laptop"))


def own_device_other_key(world: RemoteWorld) -> Files:
    return world.sign("mallory", world.ids["victim"], appended(world, "victim"))


def borrowed_signature(world: RemoteWorld) -> Files:
    files = dict(own_key(world))
    files[signature_path("mallory")] = world.read(signature_path(world.ids["laptop"]))
    return files


def borrowed_statement(world: RemoteWorld) -> Files:
    device = world.ids["laptop"]
    files: dict[str, bytes | None] = dict(unsigned(world))
    files[statement_path("mallory")] = world.read(statement_path(device))
    files[signature_path("mallory")] = world.read(signature_path(device))
    return files


def further_part(world: RemoteWorld) -> Files:
    device = world.ids["laptop"]
    return {journal_path(device, 2): lines(world, device)}


def swapped(world: RemoteWorld) -> Files:
    one, other = (journal_path(world.ids[name], 1) for name in ("victim", "laptop"))
    said = lines(world, world.ids["laptop"])
    return {one: world.read(other) + said, other: world.read(one) + said}


def another_repository(world: RemoteWorld) -> Files:
    files = dict(own_key(world))
    files["format"] = b"twiceshy-sync 1\npurges 99\nrepository " + b"e" * 32 + b"\n"
    return files


def odd_name(world: RemoteWorld) -> Files:
    return {"journal/x.jsonl": lines(world, "x"), "devices/..x.jsonl": lines(world, "x")}


DISGUISES: dict[str, Disguise] = {
    "an unsigned file": unsigned,
    "a file signed with a key of his own": own_key,
    "the victim's device id in a signed file": victims_name,
    "all in a file of counters": counters_file,
    "appended to the file of a known device": appended_to_known,
    "appended to the victim's own file": appended_to_own,
    "appended, and the signature deleted": appended_without_signature,
    "the known device, signed with another key": known_device_other_key,
    "the victim's device, signed with another key": own_device_other_key,
    "the signature of a known device": borrowed_signature,
    "statement and signature of a known device": borrowed_statement,
    "a further part of the known device's journal": further_part,
    "the files of two devices swapped": swapped,
    "another id of the repository": another_repository,
    "names of files that no device writes": odd_name,
}


@requirement("Y30", "Y32")
@pytest.mark.parametrize("name", DISGUISES)
def test_what_somebody_else_pushes_changes_nothing(
    world: RemoteWorld, name: str, tally: Tally
) -> None:
    before = world.successes()
    world.push(DISGUISES[name](world))

    world.run("victim", "sync")
    world.run("laptop", "sync")
    done = world.successes()

    assert before == set()
    for act in world.acts("x"):
        tally.count_attack(REMOTE, f"{act}: {name}", succeeded=act in done)
    assert tally.succeeded == []


@requirement("Y34")
@pytest.mark.parametrize("disguise", [known_device_other_key, swapped, borrowed_signature])
def test_a_stranger_in_the_place_of_a_known_device_is_no_new_device(
    world: RemoteWorld, disguise: Disguise
) -> None:
    world.push(disguise(world))

    told = world.run("victim", "sync").err
    devices = world.run("victim", "sync", "--devices").out

    assert "find out who can push" in told
    assert "sync --trust" not in told
    assert "not introduced here" not in told + devices


@requirement("Y34")
@pytest.mark.parametrize("disguise", [appended_to_own, own_device_other_key, swapped])
def test_whoever_changes_the_victims_own_files_is_told_of(
    world: RemoteWorld, disguise: Disguise
) -> None:
    world.push(disguise(world))

    first = world.run("victim", "sync").err
    second = world.run("victim", "sync").err

    assert "left out the files of this device in the remote" in first
    assert "left out the files of this device" not in second


@requirement("Y31", "Y33")
def test_what_an_introduced_device_says_arrives_and_some_of_it_asks(
    world: RemoteWorld, tally: Tally
) -> None:
    device = world.ids["laptop"]
    path, counted = journal_path(device, 1), device_path(device)
    counter = to_lines([[world.counter(device)]])
    files = {path: world.read(path) + lines(world, device), counted: world.read(counted) + counter}
    world.push(world.sign("laptop", device, files))

    told = json.loads(world.run("victim", "sync", "--json").out)
    first = world.successes()
    world.run("victim", "review", "--accept-all", "changes", "--yes")
    second = world.successes()

    acts = set(world.acts("x"))
    for act in acts - WAITING:
        tally.expect_control(act, arrived=act in (second if act in ASKING else first))
    for act in ASKING:
        tally.count_attack("changes of introduced devices that ask", act, succeeded=act in first)
    assert {one["what"] for one in told["asking"]} == {"erase", "rule", "join"}
    assert (tally.lost, tally.succeeded) == ([], [])
    assert "new rule" not in second


@requirement("Y33")
def test_changes_that_are_left_out_stay_out(world: RemoteWorld) -> None:
    device = world.ids["laptop"]
    path = journal_path(device, 1)
    said = to_lines([world.acts(device)[each] for each in sorted(ASKING)])
    world.push(world.sign("laptop", device, {path: world.read(path) + said}))
    world.run("victim", "sync")

    world.run("victim", "review", "--reject-all", "changes")
    world.run("victim", "note", "Something new.")
    world.run("victim", "sync")
    world.run("victim", "sync")

    assert world.successes() == set()
    assert json.loads(world.run("victim", "review", "--json").out)["changes"] == []


@requirement("Y34")
def test_an_older_file_with_a_valid_signature_is_told_and_not_taken(
    world: RemoteWorld, tally: Tally
) -> None:
    device = world.ids["laptop"]
    paths = [journal_path(device, 1), device_path(device)]
    paths += [statement_path(device), signature_path(device)]
    old = {path: world.read(path) for path in paths}
    world.run("laptop", "note", "The laptop learned more.", "--everywhere")
    world.run("laptop", "sync")
    world.run("victim", "sync")

    world.push(old)
    told = json.loads(world.run("victim", "sync", "--json").out)

    why = {one["why"] for one in told["strangers"]}
    tally.count_attack(REMOTE, "replay of an older signed file", succeeded="older" not in str(why))
    assert tally.succeeded == []
    assert world.find("The laptop learned more.")["status"] == "active"
    world.run("laptop", "note", "And more.", "--everywhere")
    world.run("laptop", "sync")
    healed = json.loads(world.run("victim", "sync", "--json").out)
    assert healed["strangers"] == []
    assert world.find("And more.")


@requirement("Y31")
def test_a_device_that_is_revoked_is_believed_no_longer(world: RemoteWorld, tally: Tally) -> None:
    shown = json.loads(world.run("laptop", "sync", "--devices", "--json").out)["fingerprint"]
    world.run("victim", "sync", "--revoke", shown)
    world.run("laptop", "note", "After it was stolen.", "--everywhere")
    world.run("laptop", "sync")

    world.run("victim", "sync")
    arrived = bool(world.find("After it was stolen."))
    tally.count_attack(REMOTE, "a revoked device", succeeded=arrived)
    world.run("victim", "sync", "--trust", shown)

    assert tally.succeeded == []
    assert world.find("After it was stolen.")
    assert world.find("The laptop knows this.")


@requirement("Y35")
@pytest.mark.parametrize("device", ["mallory", "victim"])
def test_a_bundle_changes_nothing_and_its_notes_wait(
    world: RemoteWorld, tmp_path: Path, device: str, tally: Tally
) -> None:
    acts = world.acts(world.ids.get(device, device))
    bundle = tmp_path / "b.jsonl"
    first = b'{"twiceshy-bundle":1}\n'
    counters = [acts.pop("counters"), acts.pop("tombstone")]
    bundle.write_bytes(first + to_lines([*acts.values(), *counters]))

    told = world.run("victim", "import", str(bundle))
    done = world.successes()

    for act in world.acts("x"):
        tally.count_attack(BUNDLE, f"{act} of {device}", succeeded=act in done)
    assert tally.succeeded == []
    assert "3 notes wait" in told.err
    world.run("victim", "undo")
    assert world.successes() == set()
    assert world.find("The laptop knows this.")["status"] == "active"


@requirement("Y36")
@pytest.mark.parametrize("act", ["alias record", "alias entry", "counters"])
def test_an_undo_after_an_import_takes_back_that_import_alone(
    world: RemoteWorld, tmp_path: Path, act: str, tally: Tally
) -> None:
    bundle = tmp_path / "b.jsonl"
    said = to_lines([world.acts("c" * 32)[act]])
    bundle.write_bytes(b'{"twiceshy-bundle":1}\n' + said)
    world.run("victim", "note", "The newest note of the user.")

    world.run("victim", "import", str(bundle), "--trust")
    arrived = act in world.successes()
    world.run("victim", "undo")

    kept = world.find("The newest note of the user.").get("status") == "active"
    left = act in world.successes()
    tally.expect_control(act, arrived=arrived)
    tally.count_attack(BUNDLE, f"undo of {act} costs a note", succeeded=not kept or left)
    assert (tally.succeeded, tally.lost) == ([], [])


@requirement("Y36")
def test_what_came_by_an_earlier_import_is_not_counted_again(
    world: RemoteWorld, tmp_path: Path
) -> None:
    counts = []
    for part in ("counters", "alias record", "counters"):
        bundle = tmp_path / "b.jsonl"
        said = to_lines([world.acts("c" * 32)[part]])
        bundle.write_bytes(b'{"twiceshy-bundle":1}\n' + said)
        told = world.run("victim", "import", str(bundle), "--trust")
        counts += [
            line.split()[-1] for line in told.out.splitlines() if "projects and counters" in line
        ] or ["0"]

    assert counts == ["2", "1", "0"]


@requirement("Y30")
def test_without_ssh_keygen_it_says_so_and_sends_unsigned(
    world: RemoteWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "git").symlink_to(str(shutil.which("git")))
    world.run("laptop", "note", "Said without a signature.", "--everywhere")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(programs))
        patch.setattr("twiceshy.sync.ssh_key._KEYGEN", "ssh-keygen-missing")
        key = world.homes["laptop"] / "devices" / "key"
        key.rename(tmp_path / "key")
        told = world.run("laptop", "sync").err
        doctor = world.run("laptop", "doctor").out
        (tmp_path / "key").rename(key)

    waits = json.loads(world.run("victim", "sync", "--json").out)["strangers"]
    unheard = world.find("Said without a signature.")
    world.run("laptop", "sync")
    world.run("victim", "sync")

    assert "ssh-keygen is not installed" in told
    assert "ssh-keygen is not installed" in doctor
    assert [one["why"] for one in waits] == ["unsigned"]
    assert not unheard
    assert world.find("Said without a signature.")
