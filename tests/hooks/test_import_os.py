"""The environment of hooks, which load ``os`` without the abstract classes, is the usual one."""

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement

import twiceshy
from twiceshy.hooks.import_os import import_os

SOURCE = str(Path(twiceshy.__file__).parents[1])
# Does the same to both environments, and prints what came of it; the first word says how os is loaded.
PROGRAM = """
import sys
how, folder, *words = sys.argv[1:]
if how == "stand-in":
    sys.path.insert(0, folder)
    from twiceshy.hooks.import_os import import_os
    import_os()
import os
found = [("_collections_abc" in sys.modules) == (how == "usual")]
env = os.environ
def attempt(act):
    try:
        found.append(act())
    except Exception as error:
        found.append(repr(error))
for word in words:
    attempt(lambda: env[word])
    attempt(lambda: (word in env, env.get(word), env.get(word, "other"), os.getenv(word)))
    attempt(lambda: env.setdefault(word, "set") and env[word])
    attempt(lambda: env.pop(word))
    attempt(lambda: env.pop(word))
    attempt(lambda: env.pop(word, "none"))
    attempt(lambda: env.update({word: "again"}, MORE="1"))
    attempt(lambda: env == dict(env))
    attempt(lambda: env == {**env, "X": "1"})
    attempt(lambda: sorted(env.items()) == sorted(zip(env.keys(), env.values())))
    attempt(lambda: (sorted(env), len(env), {**env} == dict(env.items()), env.copy() == env))
    attempt(lambda: sorted((env | {word: "left"}).items()) + sorted(({"A": "b"} | env).items()))
    attempt(lambda: env | 3)
    attempt(lambda: (isinstance("", os.PathLike), isinstance(type("P", (), {"__fspath__": str})(), os.PathLike)))
    attempt(lambda: isinstance(type("P", (), {"__fspath__": None})(), os.PathLike))
attempt(lambda: sorted([env.popitem(), env.popitem()]) and len(env))
attempt(env.clear)
attempt(lambda: (len(env), env.popitem()))
attempt(lambda: hash(env))
import collections.abc, subprocess
attempt(lambda: subprocess.run(["/bin/sh", "-c", "exit 3"]).returncode)
sys.stdout.buffer.write(repr(found).encode("utf-8", "surrogateescape"))
"""
NAMES = st.text("ABCXYZ_é", min_size=1, max_size=4)
VALUES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)


def environment_after(how: str, python: str, environ: dict[str, str], words: list[str]) -> bytes:
    """Return what a process says about its environment, ``os`` being loaded in a way."""
    done = subprocess.run(
        [python, "-I", "-S", "-c", PROGRAM, how, SOURCE, *words],
        env={**environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    return done.stdout


@requirement("H11")
@settings(max_examples=8, deadline=None)
@given(st.dictionaries(NAMES, VALUES, max_size=5), st.lists(NAMES, min_size=1, max_size=3))
def test_the_environment_of_a_hook_is_the_usual_one(
    environ: dict[str, str], words: list[str]
) -> None:
    usual = environment_after("usual", sys.executable, environ, words)

    assert environment_after("stand-in", sys.executable, environ, words) == usual
    assert usual.startswith(b"[True, ")


def test_a_loaded_os_is_left_alone() -> None:
    before = os.environ
    import_os()

    assert sys.modules["os"].environ is before
    assert type(before).__mro__[1].__module__ == "collections.abc"


def test_another_python_whose_os_asks_for_more_loads_it_as_ever() -> None:
    program = (
        f"import sys; sys.path.insert(0, {SOURCE!r}); from twiceshy.hooks import import_os as it\n"
        "del it._Environment.__contains__; it._check_methods = None\n"
        "it._Environment = None; it.import_os(); import os, posixpath\n"
        "print(type(os.environ).__mro__[1].__module__, os.path is posixpath, posixpath.os is os)"
    )
    words = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(words, check=False, capture_output=True)

    assert done.stdout == b"collections.abc True True\n", done.stderr
