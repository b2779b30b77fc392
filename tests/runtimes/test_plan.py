"""A plan does what it shows or nothing: links stay links, modes stay, and nobody's edit is lost."""

import os
from pathlib import Path

import pytest

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.plan import FileChange, InstallPlan, folders_to_make, read_bytes


def change(path: Path, after: bytes | None, *, mode: int | None = None) -> FileChange:
    return FileChange(str(path), read_bytes(str(path)), after, mode)


def test_a_change_looks_like_a_diff(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("one\ntwo\n")

    diff = change(path, b"one\nthree").to_diff()

    assert diff == (
        f"--- {path}\n+++ {path}\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
        "\\ No newline at end of file\n"
    )


def test_a_file_that_comes_or_goes_is_compared_with_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a"

    made = FileChange(str(path), None, b"x\n")
    gone = FileChange(str(path), b"x\n", None)

    assert (made.action_word, made.to_diff().splitlines()[0]) == ("create", "--- /dev/null")
    assert (gone.action_word, gone.to_diff().splitlines()[1]) == ("delete", "+++ /dev/null")


def test_what_is_no_text_is_only_measured(tmp_path: Path) -> None:
    diff = FileChange("icon.png", None, b"\x89PNG\0\0").to_diff()

    assert diff == "Binary file icon.png differs: create, 6 bytes\n"


def test_a_new_file_and_its_folders_are_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"

    InstallPlan((change(path, b"x"),)).execute_plan(str(tmp_path / "home"))

    assert path.read_bytes() == b"x"
    assert path.stat().st_mode & 0o777 == 0o600
    assert {p.stat().st_mode & 0o777 for p in (path.parent, path.parent.parent)} == {0o700}


def test_a_link_stays_a_link_and_the_file_behind_it_keeps_its_mode(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "settings.json"
    link.symlink_to(os.path.join("dotfiles", "settings.json"))

    InstallPlan((change(link, b"new"),)).execute_plan(str(tmp_path / "home"))

    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in real.parent.iterdir()] == ["settings.json"]


def test_a_link_to_a_file_that_is_not_there_yet_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "settings.json"
    link.symlink_to(tmp_path / "dotfiles" / "settings.json")
    plan = change(link, b"new")

    assert folders_to_make([plan]) == [str(tmp_path / "dotfiles")]
    InstallPlan((plan,)).execute_plan(str(tmp_path / "home"))

    assert link.is_symlink()
    assert link.read_text() == "new"


def test_an_edit_between_plan_and_write_stops_everything(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.write_text("as planned")
    plan = InstallPlan((change(first, b"1"), change(second, b"2")))
    second.write_text("edited meanwhile")

    with pytest.raises(ConfigError, match="second was changed in the meantime"):
        plan.execute_plan(str(tmp_path / "home"))

    assert not first.exists()
    assert second.read_text() == "edited meanwhile"


def test_a_file_that_appeared_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a"
    plan = InstallPlan((change(path, b"ours"),))
    path.write_text("theirs")

    with pytest.raises(ConfigError, match="changed in the meantime"):
        plan.execute_plan(str(tmp_path / "home"))

    assert path.read_text() == "theirs"


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    second.write_text("from a package of mine")
    second.chmod(0o444)

    with pytest.raises(ConfigError, match="second is read-only; nothing was written") as caught:
        InstallPlan((change(first, b"1"), change(second, b"2"))).execute_plan(
            str(tmp_path / "home")
        )

    assert "--plan" in caught.value.hint
    assert not first.exists()


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: not a plain file"):
        read_bytes(str(tmp_path))


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    plan = InstallPlan((FileChange(str(tmp_path / "a" / "b"), None, b"x"),))

    with pytest.raises(ConfigError, match="cannot be"):
        plan.execute_plan(str(tmp_path / "home"))


def test_records_are_written_before_the_files_and_deleted_after_them(tmp_path: Path) -> None:
    receipt, blocked = tmp_path / "receipt", tmp_path / "dir" / "file"
    plan = InstallPlan((change(blocked, b"x"),), (change(receipt, b"r"),))
    (tmp_path / "dir").write_text("in the way")

    with pytest.raises(ConfigError):
        plan.execute_plan(str(tmp_path / "home"))
    written = receipt.exists()
    with pytest.raises(ConfigError):
        InstallPlan((change(blocked, b"x"),), (change(receipt, None),)).execute_plan(
            str(tmp_path / "home")
        )

    assert written
    assert receipt.exists()


def test_only_empty_folders_are_taken_away(tmp_path: Path) -> None:
    full, empty = tmp_path / "full", tmp_path / "empty" / "inner"
    full.mkdir()
    empty.mkdir(parents=True)
    (full / "yours").write_text("")
    folders = tuple(map(str, (full, empty.parent, empty)))

    InstallPlan(folders=folders).execute_plan(str(tmp_path / "home"))

    assert full.exists()
    assert not empty.parent.exists()


def test_a_mode_can_be_all_that_changes(tmp_path: Path) -> None:
    path = tmp_path / "hook"
    path.write_text("x")
    path.chmod(0o600)
    plan = change(path, b"x", mode=0o700)

    assert plan.to_diff() == f"{path}: mode 600 becomes 700\n"
    InstallPlan((plan,)).execute_plan(str(tmp_path / "home"))

    assert path.stat().st_mode & 0o777 == 0o700
