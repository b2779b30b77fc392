"""Compiled patterns are kept between background jobs, and mean the same as those that are compiled anew."""

from __future__ import annotations

import marshal
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hooks.sessions import Session, learning
from tests.requirements import requirement
from tests.safety import redact_corpus

import twiceshy
from twiceshy.hooks import pattern_cache
from twiceshy.hooks.pattern_cache import NAME, PatternCache

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = os.path.dirname(os.path.dirname(twiceshy.__file__))
# Redacts lines of stdin with the cache of a home, and says on stderr whether there were new patterns.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from twiceshy.hooks.pattern_cache import PatternCache
cache = PatternCache(sys.argv[2])
cache.use()
from twiceshy.safety.redact import redact
sys.stdout.write("\\0".join(redact(text) for text in sys.stdin.read().split("\\0")))
sys.stderr.write("new" if cache.save() else "known")
"""


def redacted(home: Path, texts: list[str]) -> tuple[list[str], str]:
    """Redact texts in a process of its own; return them, and whether patterns were new."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, SOURCE, str(home)],
        input="\0".join(texts),
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    return done.stdout.split("\0"), done.stderr


@pytest.fixture
def texts() -> list[str]:
    return [sample.text for sample in (*redact_corpus.formats(), *redact_corpus.surrounded())]


def end_session(project: Path) -> None:
    session = Session(project)
    session.works(
        ("git stauts", "Exit code 1\ngit: 'stauts' is not a git command."), ("git status", None)
    )
    session.start()
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()


@requirement("B04")
def test_redaction_with_kept_patterns_is_the_same_as_without(home: Path, texts: list[str]) -> None:
    home.mkdir()

    first, was_new = redacted(home, texts)
    again, was_known = redacted(home, texts)

    assert (was_new, was_known) == ("new", "known")
    assert first == again
    assert sum(one != other for one, other in zip(texts, again, strict=True)) > 100


@requirement("B04")
def test_every_pattern_that_a_job_keeps_is_what_re_makes_of_it(home: Path, project: Path) -> None:
    end_session(project)

    kept = PatternCache(str(home))._known
    fresh = PatternCache(str(home / "none"))
    compared = {key: fresh._record(*key)[0] for key in kept}

    assert len(kept) > 100
    assert {key: marshal.loads(code) for key, code in kept.items()} == compared
    assert (home / NAME).stat().st_mode & 0o777 == 0o600


@requirement("B04")
@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_damaged_file_is_not_used(
    place: int, bit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    cache = PatternCache(str(home))
    cache.use()
    re.compile("a certain[ly] (?P<new>pattern)|" + home.name)
    assert cache.save()
    content = bytearray((home / NAME).read_bytes())
    content[place % len(content)] ^= 1 << bit
    (home / NAME).write_bytes(content)

    assert PatternCache(str(home))._known == {}


@pytest.mark.parametrize("content", [b"", b"x", b"\0" * 100, None])
def test_another_file_in_its_place_is_replaced(
    content: bytes | None, home: Path, project: Path
) -> None:
    home.mkdir()
    if content is None:
        (home / NAME).symlink_to("nowhere")
    else:
        (home / NAME).write_bytes(content)

    end_session(project)

    assert len(PatternCache(str(home))._known) > 100
    assert not (home / "hook.log").exists()


def test_a_file_that_others_may_write_is_not_used(home: Path, project: Path) -> None:
    end_session(project)
    before = len(PatternCache(str(home))._known)
    (home / NAME).chmod(0o666)

    assert before > 100
    assert PatternCache(str(home))._known == {}


def test_the_cache_of_another_interpreter_is_not_used(home: Path, project: Path) -> None:
    end_session(project)
    with pytest.MonkeyPatch.context() as upgraded:
        upgraded.setattr(pattern_cache, "_MADE_BY", ("another",))

        assert PatternCache(str(home))._known == {}
