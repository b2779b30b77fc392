"""A skill's version changes with the skill, and only then; an unchanged skill is not read again."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.places.conftest import a_skill

import twiceshy
from twiceshy.places.skill_version import MAX_BYTES, MAX_ENTRIES, MAX_FILES, hash_skill_version

SOURCES = Path(twiceshy.__file__).resolve().parents[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A skill with a script and a page of its own."""
    place = a_skill(tmp_path).parent
    (place / "scripts").mkdir()
    (place / "scripts/tag.sh").write_text("git tag\n")
    return place


@pytest.fixture
def cache(home: Path) -> Path:
    return home / "skills.json"


def settle(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a minute pass, so that the folder is not one that may just be changing."""
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 60_000_000_000)


class TestWhatCounts:
    def test_names_and_contents_are_hashed_in_the_order_of_their_paths(self, folder: Path) -> None:
        hashed = hashlib.sha256(
            b"SKILL.md\0# Release\n\0scripts-old\0\0scripts/tag.sh\0git tag\n\0"
        )
        (folder / "scripts-old").touch()

        assert hash_skill_version(str(folder)) == hashed.hexdigest()[:16]

    @pytest.mark.parametrize(
        "change",
        [
            lambda folder: (folder / "SKILL.md").write_text("# Relearn\n"),
            lambda folder: (folder / "new.md").touch(),
            lambda folder: (folder / "scripts/tag.sh").unlink(),
            lambda folder: (folder / "scripts/tag.sh").rename(folder / "scripts/tags.sh"),
            lambda folder: (folder / "scripts/KNOWLEDGE.md").write_text("the skill's own page"),
        ],
    )
    def test_a_change_of_the_skill_is_another_version(
        self, change: Callable[[Path], object], folder: Path
    ) -> None:
        before = hash_skill_version(str(folder))

        change(folder)

        assert hash_skill_version(str(folder)) != before

    @pytest.mark.parametrize(
        "name",
        [
            "KNOWLEDGE.md",
            "CHECKPOINTS.md",
            ".error_seeds",
            ".hidden/page.md",
            "node_modules/left-pad/index.js",
            "scripts/__pycache__/tag.pyc",
        ],
    )
    def test_our_views_hidden_files_and_installed_packages_do_not_count(
        self, name: str, folder: Path
    ) -> None:
        before = hash_skill_version(str(folder))

        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("something")

        assert hash_skill_version(str(folder)) == before

    def test_links_pipes_and_times_do_not_count(self, folder: Path, tmp_path: Path) -> None:
        before = hash_skill_version(str(folder))

        (tmp_path / "outside.md").write_text("outside")
        (folder / "link.md").symlink_to(tmp_path / "outside.md")
        (folder / "loop").symlink_to(folder)
        os.mkfifo(folder / "pipe")
        os.utime(folder / "SKILL.md", (1, 1))

        assert hash_skill_version(str(folder)) == before

    def test_a_skill_that_is_a_link_has_the_version_of_what_it_leads_to(
        self, folder: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "link").symlink_to(folder)

        assert hash_skill_version(str(tmp_path / "link")) == hash_skill_version(str(folder))

    @pytest.mark.parametrize("place", ["gone", "release/SKILL.md", "empty", "a\0b"])
    def test_without_a_skill_there_is_no_version(
        self, place: str, folder: Path, tmp_path: Path, cache: Path
    ) -> None:
        (tmp_path / "empty").mkdir()

        assert hash_skill_version(str(tmp_path / place), cache=str(cache)) == ""

    def test_of_a_huge_skill_the_beginning_counts_and_that_there_was_more(
        self, folder: Path
    ) -> None:
        big = folder / "a.bin"
        versions = []

        (folder / "scripts/tag.sh").unlink()
        room = MAX_BYTES - (folder / "SKILL.md").stat().st_size
        for size in (room, room + 1, room + 2):
            big.write_bytes(bytes(size))
            versions.append(hash_skill_version(str(folder)))

        fits, cut, cut_again = versions
        assert fits != cut == cut_again

    def test_of_very_many_files_the_first_count(self, folder: Path) -> None:
        for number in range(MAX_FILES):
            (folder / "scripts" / f"{number:05}.md").touch()
        before = hash_skill_version(str(folder))

        (folder / "scripts" / "99999.md").write_text("beyond")

        assert hash_skill_version(str(folder)) == before

    @given(names=st.lists(st.text(st.sampled_from("ab\xe9\udcff- "), min_size=1, max_size=3)))
    def test_the_order_in_which_files_were_made_does_not_count(
        self, names: list[str], tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        one, other = (tmp_path_factory.mktemp("skill") for _ in "12")

        for name in names:
            (one / name).write_text(f"{len(name)}")
        for name in reversed(names):
            (other / name).write_text(f"{len(name)}")

        assert hash_skill_version(str(one)) == hash_skill_version(str(other))


class TestCache:
    def test_an_unchanged_skill_is_not_read_again(
        self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        before = hash_skill_version(str(folder), cache=str(cache))
        monkeypatch.delattr(hashlib, "sha256")

        assert hash_skill_version(str(folder), cache=str(cache)) == before

    def test_what_was_kept_is_read_without_json_and_without_openssl(
        self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        before = hash_skill_version(str(folder), cache=str(cache))
        look = (
            f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n"
            "from twiceshy.places.skill_version import hash_skill_version\n"
            f"print(hash_skill_version({str(folder)!r}, cache={str(cache)!r}))\n"
            "print(sorted({'json', 'hashlib', '_hashlib', 're', 'typing'} & set(sys.modules)))"
        )

        said = subprocess.check_output([sys.executable, "-I", "-S", "-c", look], text=True)

        assert said.split("\n")[:2] == [before, "[]"]

    def test_a_change_is_seen_even_if_size_and_time_are_as_before(
        self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        path = folder / "SKILL.md"
        then = path.stat()
        before = hash_skill_version(str(folder), cache=str(cache))

        path.write_text("# Relearn\n")
        os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))

        assert path.stat().st_size == then.st_size
        assert hash_skill_version(str(folder), cache=str(cache)) != before

    def test_what_was_written_just_now_is_not_remembered_yet(
        self, folder: Path, cache: Path
    ) -> None:
        hash_skill_version(str(folder), cache=str(cache))

        assert not cache.exists()

    def test_only_its_owner_may_read_the_file(
        self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)

        hash_skill_version(str(folder), cache=str(cache))

        assert cache.stat().st_mode & 0o777 == 0o600
        assert cache.parent.stat().st_mode & 0o777 == 0o700
        assert os.listdir(cache.parent) == ["skills.json"]

    @pytest.mark.parametrize("text", ["", "{", "[]", "7", "\xff", "[" * 100_000])
    def test_a_damaged_file_is_replaced(
        self, text: str, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        cache.parent.mkdir()
        cache.write_text(text, encoding="latin-1")

        now = hash_skill_version(str(folder), cache=str(cache))

        assert [entry[1] for entry in json.loads(cache.read_text()).values()] == [now]

    def test_an_entry_that_is_no_version_is_not_believed(
        self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        now = hash_skill_version(str(folder), cache=str(cache))

        cache.write_text(cache.read_text().replace(now, "x" * 16))

        assert hash_skill_version(str(folder), cache=str(cache)) == now

    def test_the_file_stays_small(
        self, folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        cache.parent.mkdir()
        others = {f"/{number}": ["1-1", "0" * 16] for number in range(MAX_ENTRIES)}
        cache.write_text(json.dumps(others))

        hash_skill_version(str(folder), cache=str(cache))

        entries = json.loads(cache.read_text())
        assert len(entries) == MAX_ENTRIES
        assert "/0" not in entries
        assert str(folder) in entries

    def test_a_home_that_cannot_be_written_costs_no_answer(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        (tmp_path / "file").touch()

        now = hash_skill_version(str(folder), cache=str(tmp_path / "file" / "skills.json"))

        assert now == hash_skill_version(str(folder))

    def test_a_folder_with_any_name_is_told_from_others(
        self, folder: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(folder, monkeypatch)
        odd = tmp_path / 'odd"\\\udcff'
        a_skill(odd, text="# Odd\n")

        twice = [hash_skill_version(str(odd / "release"), cache=str(cache)) for _ in "12"]

        assert twice[0] == twice[1] != hash_skill_version(str(folder), cache=str(cache))

    def test_many_at_once_leave_a_file_that_can_be_read(self, tmp_path: Path, cache: Path) -> None:
        names = [f"skill-{number}" for number in range(6)]
        for name in names:
            a_skill(tmp_path / "many", name, f"# {name}\n")
        work = (
            f"import sys, time; sys.path.insert(0, {str(SOURCES)!r})\n"
            "from twiceshy.places import skill_version as v\n"
            "v._UNSETTLED = -1\n"
            "for _ in range(20):\n"
            f"    v.hash_skill_version(sys.argv[1], cache={str(cache)!r})\n"
            f"    open(sys.argv[1] + '/more', 'a').write('x')\n"
        )

        started = [
            subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", work, str(tmp_path / "many" / name)]
            )
            for name in names
        ]
        codes = [process.wait() for process in started]

        assert codes == [0] * len(names)
        entries = json.loads(cache.read_text())
        assert entries.keys() <= {str(tmp_path / "many" / name) for name in names}
        assert os.listdir(cache.parent) == ["skills.json"]
