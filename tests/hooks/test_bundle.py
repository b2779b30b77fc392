"""The bundle of hooks' modules: used where it is right, ignored where it is not, and never noticed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hooks.attack import PATIENCE, UNHURRIED
from tests.hooks.conftest import a_skill
from tests.hooks.test_modules import CALL, FAILURE, PROMPT, SKILL, START
from tests.requirements import requirement
from tests.safety import redact_corpus as corpus
from tests.store.support import learn, opened

import twiceshy
from twiceshy.core import patterns, prepared_patterns
from twiceshy.core.scope import Scope
from twiceshy.hooks import bundle_compiler, bundle_writer, pattern_table
from twiceshy.hooks.bundle import NAME
from twiceshy.runtimes.job_files import remove_job_files
from twiceshy.safety.redact.gate import redact_text

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = Path(twiceshy.__file__).parent
EVENTS: dict[str, Mapping[str, object]] = {
    "start": START,
    "skill": SKILL,
    "call": CALL,
    "failure": FAILURE,
    "prompt": PROMPT,
}
COMMON = {"session_id": "s1", "transcript_path": "/t.jsonl"}
NOTE = "Tag last."
MANY_MODULES = 40
MANY = 200  # patterns: a row of the tables of secrets each, and those of functions


class Installed:
    """A copy of the package, with a memory home and a project of its own."""

    def __init__(self, place: Path) -> None:
        self.package = place / "lib" / "twiceshy"
        self.home = place / "home"
        self.project = place / "shop"
        shutil.copytree(SOURCE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        (self.home / "bin").mkdir(parents=True, mode=0o700)
        (self.home / "bin" / "hook").touch()  # where install puts the launcher
        a_skill(self.project / ".claude/skills/release")
        with opened(self.home) as store:
            learn(store, NOTE, scope=Scope("*", "release"))

    @property
    def bundle(self) -> Path:
        return self.home / NAME

    @classmethod
    def of(cls, other: Installed, home: Path) -> Installed:
        """The same package and project with another home."""
        found = cls.__new__(cls)
        found.package, found.project, found.home = other.package, other.project, home
        return found

    def start_hook(self, *words: str, said: Mapping[str, object] | None = None) -> bytes:
        """Start the hook file of the copy, and return what it prints."""
        raw = json.dumps({**COMMON, "cwd": str(self.project), **said}).encode() if said else b""
        place = {"TWICESHY_HOME": str(self.home), "PWD": str(self.project)}
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(self.package / "hooks/run.py"), *words],
            input=raw,
            capture_output=True,
            check=True,
            cwd=self.project,
            env={**os.environ, **UNHURRIED, **place},
            timeout=PATIENCE,
        )
        assert done.stderr == b""
        return done.stdout

    def load_skill(self, session: str) -> bytes:
        """Let a session load the skill; it is told the note."""
        return self.start_hook("claude-code", said={**SKILL, "session_id": session})


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A copy whose background job ran once."""
    found = Installed(tmp_path_factory.mktemp("installed"))
    found.start_hook("learn", "s0")
    return found


def change_source(file: Path, old: str, new: str, *, keep_stamp: bool) -> None:
    """Change a source by as many letters, and keep its time or let it be new."""
    stat, text = file.stat(), file.read_text()
    assert old in text
    assert len(old) == len(new)
    file.write_text(text.replace(old, new))
    later = 0 if keep_stamp else 5_000_000_000
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + later))


@requirement("H11")
def test_hooks_use_what_the_background_job_compiled_until_a_source_changes(tmp_path: Path) -> None:
    place = Installed(tmp_path)
    brief = place.package / "recall" / "brief.py"
    place.start_hook("learn", "s0")
    assert place.bundle.stat().st_mode & 0o777 == 0o600

    change_source(brief, "Notes from earlier", "NOTES FROM EARLIER", keep_stamp=True)
    assert b"Notes from earlier" in place.load_skill("s1")  # what was compiled
    change_source(brief, "NOTES FROM EARLIER", "nOTES fROM eARLIER", keep_stamp=False)
    assert b"nOTES fROM eARLIER" in place.load_skill("s2")  # the source
    place.start_hook("learn", "s2")
    change_source(brief, "nOTES fROM eARLIER", "NOTES FROM EARLIER", keep_stamp=True)
    assert b"nOTES fROM eARLIER" in place.load_skill("s3")  # compiled anew


@requirement("H11")
@pytest.mark.parametrize("event", EVENTS)
def test_replies_are_the_same_bytes_with_and_without_a_bundle(
    event: str, installed: Installed, tmp_path: Path
) -> None:
    homes = [tmp_path / "with", tmp_path / "without"]
    for home in homes:
        shutil.copytree(installed.home, home)
    os.remove(homes[1] / NAME)

    replies = {
        Installed.of(installed, home).start_hook("claude-code", said=EVENTS[event])
        for home in homes
    }

    assert len(replies) == 1


@requirement("H11")
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_a_damaged_bundle_changes_no_reply(installed: Installed, data: st.DataObject) -> None:
    whole = installed.bundle.read_bytes()
    spoiled = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 40))):
        at = data.draw(st.integers(0, len(whole) - 1) | st.integers(0, 4_000))
        spoiled[at] ^= data.draw(st.integers(1, 255))
    end = data.draw(st.integers(0, len(whole)) | st.just(len(whole)))
    session = f"damage-{uuid4().hex}"
    installed.bundle.write_bytes(spoiled[:end])
    try:
        assert NOTE.encode() in installed.load_skill(session)
    finally:
        installed.bundle.write_bytes(whole)


def test_a_job_writes_a_damaged_bundle_anew(installed: Installed) -> None:
    whole = installed.bundle.read_bytes()
    spoiled = bytearray(whole)
    spoiled[len(whole) // 2] ^= 1
    installed.bundle.write_bytes(spoiled)

    installed.start_hook("learn", "s9")

    assert installed.bundle.read_bytes() == whole


@pytest.mark.parametrize("spoil", ["writable", "link", "folder", "pipe"])
def test_a_file_that_others_may_write_or_that_is_none_is_not_used(
    spoil: str, installed: Installed, tmp_path: Path
) -> None:
    bundle = installed.bundle
    kept = tmp_path / "kept"
    shutil.copy(bundle, kept)
    try:
        if spoil == "writable":
            bundle.chmod(0o666)
        else:
            bundle.unlink()
            _put_instead(bundle, spoil, kept)

        assert NOTE.encode() in installed.load_skill(spoil)
    finally:
        shutil.rmtree(bundle) if bundle.is_dir() else bundle.unlink()
        shutil.copy(kept, bundle)
        bundle.chmod(0o600)


def _put_instead(bundle: Path, spoil: str, kept: Path) -> None:
    if spoil == "link":
        bundle.symlink_to(kept)
    elif spoil == "folder":
        bundle.mkdir()
    else:
        os.mkfifo(bundle)


def test_uninstalling_the_last_client_removes_what_hooks_and_jobs_left_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("TWICESHY_HOME", str(home))
    command = [sys.executable, "-m", "twiceshy"]

    def twiceshy_does(*words: str) -> None:
        subprocess.run([*command, *words], check=True, capture_output=True, timeout=PATIENCE)

    twiceshy_does("install", "claude-code", "--yes")
    subprocess.run(
        [sys.executable, "-I", "-S", str(SOURCE / "hooks/run.py"), "learn", "s0"], check=True
    )
    (queue,) = (home / "requests").iterdir()
    (queue / "s1.turn").touch()
    (queue / "s2.over.failed").touch()
    assert (home / NAME).exists()
    assert (home / "patterns.cache").exists()
    assert (queue / "lock").exists()

    twiceshy_does("uninstall", "--yes")

    left = {path.name for path in home.iterdir()}
    assert not left & {NAME, "patterns.cache", "requests"}
    assert "twiceshy.db" in left


def test_uninstalling_leaves_files_of_others_in_the_folder_of_requests(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    queue = home / "requests" / "0a0b"
    queue.mkdir(parents=True)
    (queue / "s1.turn").touch()
    (queue / "mine.txt").write_text("mine")
    remove_job_files(str(home))

    assert [path.name for path in queue.iterdir()] == ["mine.txt"]


def test_another_copy_of_the_package_does_not_use_the_bundle(
    installed: Installed, tmp_path: Path
) -> None:
    other = Installed(tmp_path)
    other.home = installed.home
    brief = other.package / "recall" / "brief.py"
    change_source(brief, "Notes from earlier", "NOTES FROM EARLIER", keep_stamp=True)

    assert b"NOTES FROM EARLIER" in other.load_skill("copied")
    assert b"Notes from earlier" in installed.load_skill("original")


# Runs the hook as it is installed, and prints our modules that the bundle did not load, and others.
PROGRAM = """
import sys
sys.path.append({folder!r})
from twiceshy.hooks import bundle
bundle.use_bundle()
read, known = [], bundle.loads
def loads(raw):
    found = known(raw)
    pieces = [one[-1] for one in found if type(one) is tuple and one] if type(found) is tuple else [found]
    read.extend(one.co_filename for one in pieces if hasattr(one, "co_filename"))
    return found
bundle.loads = loads
from twiceshy.hooks import entry
def loaded():
    import posix
    ours = [name for name, one in sys.modules.items() if type(one.__loader__) is bundle.ModuleBundle]
    rest = [name for name in sys.modules if name not in ours]
    rest += ["again:" + file for file in read if read.count(file) > 1] + ["read:%d" % len(read)]
    posix.write(2, " ".join(rest).encode())
    posix._exit(0)
entry.answer_event(["claude-code"], loaded)
loaded()
"""
# Imports all modules of the bundle in an order of chance, and prints those that ran more than once.
SHUFFLED = """
import random, sys
sys.path.append({folder!r})
from twiceshy.hooks import bundle
bundle.use_bundle()
(used,) = [one for one in sys.meta_path if type(one) is bundle.ModuleBundle]
names = sorted(set(used._places) - {{"twiceshy.hooks.run"}})  # it is a program
ran = []
def run(code, namespace):
    ran.append(namespace["__name__"])
    exec(code, namespace)
bundle.exec = run
random.Random({seed}).shuffle(names)
for name in names:
    before = sys.modules.get(name)
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        assert error.name == "tomlkit", error  # of those who write settings; no hook has it
        continue
    assert before in (None, sys.modules[name]), name
    parent, _, own = name.rpartition(".")
    assert not parent or getattr(sys.modules[parent], own) is sys.modules[name], name
print(sorted(one for one in set(ran) if ran.count(one) > 1), len(ran) > 300)
"""
BEFORE = {"twiceshy", "twiceshy.hooks", "twiceshy.hooks.bundle"}
SECRET = {**FAILURE, "error": f"Exit code 1\nno access with ghp_{'a1B2c3D4e5' * 4}"}


@requirement("H11")
@pytest.mark.parametrize("event", [*EVENTS, "secret"])
def test_the_bundle_loads_every_module_of_ours_and_spares_the_compiler_of_patterns(
    event: str, installed: Installed, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(installed.home, home)
    raw = {**COMMON, "cwd": str(installed.project), **EVENTS.get(event, SECRET)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM.format(folder=str(installed.package.parent))],
        input=json.dumps(raw, separators=(",", ":")).encode(),
        capture_output=True,
        check=True,
        env={**os.environ, **UNHURRIED, "TWICESHY_HOME": str(home), "PWD": str(installed.project)},
    )
    rest = set(done.stderr.decode().split())

    assert {name for name in rest if name.startswith("twiceshy")} == BEFORE
    assert not {"re", "enum", "functools"} & rest
    # Python loads a package, which is small, before the module that asks for a group
    again = [name for name in rest if name.startswith("again:")]
    assert [name for name in again if not name.endswith("__init__.py")] == []
    (count,) = [int(name[5:]) for name in rest if name.startswith("read:")]
    assert count > MANY_MODULES


@requirement("H11")
@pytest.mark.parametrize("seed", range(6))
def test_every_module_runs_once_in_whatever_order_modules_are_imported(
    seed: int, installed: Installed
) -> None:
    program = SHUFFLED.format(folder=str(installed.package.parent), seed=seed)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        check=False,
        env={**os.environ, "TWICESHY_HOME": str(installed.home)},
        timeout=PATIENCE,
    )

    assert done.stdout == b"[] True\n", done.stderr.decode()


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, int], object]:
    """The prepared patterns, used as in a hook; none was compiled before."""
    sources = dict(bundle_writer.list_sources())
    trees = {name: bundle_compiler.parse_file(source) for name, source in sources.items()}
    table: dict[str, object] = {}
    exec(pattern_table.write_pattern_module(trees), table)
    found = table["PREPARED"]
    assert isinstance(found, dict)
    monkeypatch.setattr(prepared_patterns, "PREPARED", found)
    monkeypatch.setattr(patterns, "_compiled", {})
    return found


@requirement("H11")
def test_a_secret_of_any_format_is_redacted_by_prepared_patterns_alone(
    prepared: dict[tuple[str, int], object],
) -> None:
    samples = [*corpus.surrounded(3), *corpus.formats(3), *corpus.armoured(3)]
    texts = [sample.text for sample in samples]

    redacted = [redact_text(text, []) for text in texts]

    assert sum(after != before for after, before in zip(redacted, texts, strict=True)) > MANY
    assert set(patterns._compiled) - prepared.keys() == set()


def test_prepared_patterns_are_what_re_compiles(
    prepared: dict[tuple[str, int], object],
) -> None:
    assert len(prepared) > MANY
    assert {key for key in prepared if patterns.compile_pattern(*key) != re.compile(*key)} == set()
    assert {flags for _, flags in prepared} == {0, re.IGNORECASE}
