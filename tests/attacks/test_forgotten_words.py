"""After ``forget`` no byte below the home, in a view or in a fresh clone of the remote holds the words."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.attacks.byte_search import find_places, find_tables
from tests.attacks.plants import EARLIER, OTHER, PLANTS, SAID, WORD, Victim, lay_down
from tests.attacks.tally import Tally
from tests.requirements import requirement
from tests.sizes import sized
from tests.sync.support import bare, introduce

from twiceshy.files import replace
from twiceshy.interop.views import files
from twiceshy.sync.ssh_key import make_device_key

FAMILY = "words that were forgotten"
WORDS = (WORD, "northern archive", SAID[:40], EARLIER[-30:])


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is in the middle of writing a view here."""
    monkeypatch.setattr(files, "_SETTLED_S", 0)
    monkeypatch.setattr(replace, "_GRACE_S", 0)


def list_places(home: Path) -> set[str]:
    return find_places(home, WORDS) | find_tables(home / "twiceshy.db", WORDS)


@requirement("Y45", "Y46")
@pytest.mark.parametrize("name", PLANTS)
def test_words_are_gone_from_each_place_in_which_they_stood(
    name: str, home: Path, tmp_path: Path, tally: Tally
) -> None:
    victim = lay_down(home, tmp_path / "shop", name)
    before = list_places(home)
    assert before >= {"twiceshy.db", "notes", "payloads"}, "the searcher finds them there"

    told = json.loads(victim.run("forget", victim.note, "--yes", "--json"))

    after = list_places(home)
    for place in sorted(before | after):
        tally.count_attack(FAMILY, f"{name}: {place}", succeeded=place in after)
    assert tally.succeeded == []
    assert (told["left"], told["kept"]) == ([], [])
    assert told["places"]
    kept = OTHER in victim.run("list", "--json", "--kind", "lesson")
    tally.count_benign(FAMILY, name, held=not kept)
    assert tally.held == []


@requirement("Y45")
@settings(max_examples=sized(20, 400), suppress_health_check=list(HealthCheck))
@example(["revision", "agent_note", "backup", "checkpoint", "command", "reflection"])
@example(["reflection", "revision"])
@given(st.lists(st.sampled_from(sorted(PLANTS)), unique=True, min_size=2, max_size=9))
def test_whatever_was_planted_together_is_gone(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    place = tmp_path_factory.mktemp("victim")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWICESHY_HOME", str(place / "home"))
        victim = lay_down(place / "home", place / "shop", *names)
        assert list_places(place / "home")

        victim.run("forget", victim.note, "--yes")

        assert list_places(place / "home") == set()
        assert OTHER in victim.run("list", "--json")


@requirement("Y47")
@pytest.mark.parametrize("name", PLANTS)
def test_an_exact_string_goes_from_every_place(
    name: str, home: Path, tmp_path: Path, tally: Tally
) -> None:
    victim = lay_down(home, tmp_path / "shop", name)
    before = find_places(home, [WORD]) | find_tables(home / "twiceshy.db", [WORD])
    assert before

    victim.run("forget", "--text", WORD, "--yes")

    after = find_places(home, [WORD]) | find_tables(home / "twiceshy.db", [WORD])
    for place in sorted(before | after):
        tally.count_attack("a secret that leaked", f"{name}: {place}", succeeded=place in after)
    assert tally.succeeded == []
    notes = victim.run("list", "--json")
    assert "Never send the quarterly [forgotten] ledger" in notes, "the rest of the note stays"


def publish(victim: Victim, remote: str) -> None:
    victim.run("backup", "--remote", remote)


def clone_anew(remote: str, folder: Path) -> Path:
    subprocess.run(
        ["git", "clone", "--quiet", "--mirror", f"file://{remote}", str(folder)], check=True
    )
    return folder


@requirement("Y48")
def test_the_remote_holds_nothing_in_a_fresh_clone_after_a_purge(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    remote = bare(tmp_path / "remote.git")
    names = ("failure", "summary", "handoff", "diary", "task", "page", "decision", "checkpoint")
    victim = lay_down(home, tmp_path / "shop", *names)
    publish(victim, remote)
    before = find_places(clone_anew(remote, tmp_path / "before"), WORDS)
    assert len(before) >= 3, "a pack, and objects in it"

    told = victim.run("forget", victim.note, "--yes", "--json")
    assert list_places(home) == set(), "the clone below the home is gone, too"
    victim.run("backup", "--purge", "--yes")

    after = find_places(clone_anew(remote, tmp_path / "after"), WORDS) | list_places(home)
    for place in sorted(before | after):
        tally.count_attack(FAMILY, f"remote: {place}", succeeded=place in after)
    assert tally.succeeded == []
    assert "twiceshy backup --purge" in told
    assert "green apples" in subprocess.run(
        ["git", f"--git-dir={tmp_path / 'after'}", "log", "-p", "--text", "main"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


@requirement("Y48")
def test_the_tip_of_the_remote_is_clean_without_a_purge(home: Path, tmp_path: Path) -> None:
    remote = bare(tmp_path / "remote.git")
    victim = lay_down(home, tmp_path / "shop", "failure", "summary", "handoff", "diary", "task")
    publish(victim, remote)

    victim.run("forget", victim.note, "--yes")
    victim.run("sync")

    shown = tmp_path / "shown"
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", f"file://{remote}", str(shown)], check=True
    )
    tip = {place for place in find_places(shown, WORDS) if not place.startswith(".git")}
    assert tip == set()


@requirement("Y48")
def test_another_device_erases_what_it_derived_when_its_user_agrees(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = bare(tmp_path / "remote.git")
    victim = lay_down(home, tmp_path / "shop", "failure", "task")
    publish(victim, remote)
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "there"))
    other = Victim(tmp_path / "there", victim.project)
    other.run("sync", "--remote", remote)
    other.run("sync", "--trust", make_device_key(str(home)).fingerprint)
    introduce(home, other.home)
    for name in ("diary", "failure", "summary", "logs", "handoff"):
        PLANTS[name](other)
    assert list_places(other.home) >= {"signals", "episodes", "hook.log"}

    monkeypatch.setenv("TWICESHY_HOME", str(home))
    victim.run("forget", victim.note, "--yes", "--purge")
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "there"))
    other.run("sync")
    other.run("review", "--accept-all", "changes")
    other.run("backup", "--purge")  # what it sent before it was asked is in older commits

    assert list_places(other.home) == set()
    assert find_places(clone_anew(remote, tmp_path / "after"), WORDS) == set()
    assert OTHER in other.run("list", "--all", "--json")


@requirement("Y48")
def test_a_device_that_has_not_heard_of_it_does_not_bring_it_back(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = bare(tmp_path / "remote.git")
    victim = lay_down(home, tmp_path / "shop", "task")
    publish(victim, remote)
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "there"))
    other = Victim(tmp_path / "there", victim.project)
    other.run("sync", "--remote", remote)
    other.run("sync", "--trust", make_device_key(str(home)).fingerprint)
    introduce(home, other.home)
    monkeypatch.setenv("TWICESHY_HOME", str(home))
    victim.run("forget", victim.note, "--yes")
    monkeypatch.setenv("TWICESHY_HOME", str(other.home))
    for name in ("diary", "failure", "summary", "handoff"):
        PLANTS[name](other)
    other.run("backup")  # pushes without having heard

    monkeypatch.setenv("TWICESHY_HOME", str(home))
    victim.run("sync")
    assert find_tables(home / "twiceshy.db", WORDS) == set()
    victim.run("backup", "--purge", "--yes")

    assert list_places(home) == set()
    assert find_places(clone_anew(remote, tmp_path / "after"), WORDS) == set()
    assert "green apples" in victim.run("list", "--json", "--all")
