"""The base package is click, tomlkit and Python; all else is an extra, and no hook loads any of it."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import click
import pytest
import tomlkit
from tests.contracts.runtimes import Runtime
from tests.hooks.attack import UNHURRIED
from tests.requirements import requirement

import twiceshy
from twiceshy.runtimes import RUNTIMES, launcher

SOURCE = Path(twiceshy.__file__).resolve().parent
CLICK, TOMLKIT = (Path(str(each.__file__)).resolve().parent for each in (click, tomlkit))
PROJECT = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
PYTHON = sys.stdlib_module_names
# How programs and libraries begin, whatever they are called: of Linux, Windows, macOS and its fat ones.
COMPILED = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
# Only what serves MCP may import its SDK, which brings the streams that it runs on.
EXTRA_IMPORTS = {"mcp": {"anyio", "mcp"}}
# Runs a hook, or what it starts, beside everything that a developer has, and tells what it loaded.
HOOK = """
import sys
before = set(sys.modules)
sys.path += {folders!r}
from twiceshy.hooks import entry
def ended():
    import posix
    posix.write(2, " ".join(sorted(set(sys.modules) - before)).encode())
    posix._exit(0)
if sys.argv[1] == "learn":
    entry.exit_fast = ended
    entry.main(sys.argv[1:])
else:
    entry.answer_event(sys.argv[1:], ended)
ended()
"""
BASE = """
import sys
sys.path.append({folder!r})
from twiceshy.__main__ import main
sys.exit(main())
"""


def name_of(needed: str) -> str:
    """Return the name of a package that is needed, without its versions."""
    return "".join(char if char.isalnum() or char in "-_" else " " for char in needed).split()[0]


def loaded(*words: str, given: bytes = b"", cwd: Path | None = None) -> set[str]:
    """Return the packages of others that a hook loaded."""
    folders = [str(SOURCE.parent), *(path for path in sys.path if path.endswith("-packages"))]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", HOOK.format(folders=folders), *words],
        input=given,
        capture_output=True,
        check=True,
        cwd=cwd,
        env=os.environ | UNHURRIED,
    )
    names = done.stderr.decode().split()
    assert "twiceshy.hooks.entry" in names
    return {name.partition(".")[0] for name in names} - PYTHON - {"twiceshy"}


@requirement("U013")
def test_the_base_needs_click_and_tomlkit_and_these_nothing() -> None:
    needed = [name_of(one) for one in PROJECT["project"]["dependencies"]]
    by_those = [
        one for name in needed for one in metadata.requires(name) or [] if "Windows" not in one
    ]

    assert needed == ["click", "tomlkit"]
    assert by_those == []


@requirement("U013", "E74")
@pytest.mark.parametrize("package", [SOURCE, CLICK, TOMLKIT], ids=["twiceshy", "click", "tomlkit"])
def test_nothing_in_the_base_is_compiled(package: Path) -> None:
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]

    assert [path for path in files if path.read_bytes()[:4].startswith(COMPILED)] == []
    assert len(files) > 10


@requirement("U013")
def test_whatever_else_is_imported_belongs_to_an_extra() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    foreign = {
        (path.relative_to(SOURCE).parts[0], name)
        for path in SOURCE.rglob("*.py")
        for name in imported(path) - PYTHON - {"click", "tomlkit", "twiceshy"}
    }

    assert foreign == {(part, name) for part, names in EXTRA_IMPORTS.items() for name in names}
    assert {part: [name_of(one) for one in extras[part]] for part in EXTRA_IMPORTS} == {
        "mcp": ["mcp"]
    }


def test_one_module_edits_toml_and_no_other_knows_with_what() -> None:
    users = {
        path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if "tomlkit" in imported(path)
    }

    assert users == {Path("files/toml_edit.py")}


@cache  # two tests ask of the whole package
def imported(path: Path) -> set[str]:
    """Return the packages that a module imports, at any time."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import(names=names):
                found |= {each.name.partition(".")[0] for each in names}
            case ast.ImportFrom(module=str(module)):
                found.add(module.partition(".")[0])
            case _:
                pass
    return found


@requirement("U013", "E74")
@pytest.mark.parametrize("name", RUNTIMES)
def test_no_hook_loads_anything_but_python_and_what_is_ours(name: str, tmp_path: Path) -> None:
    project = tmp_path / "u/shop"
    project.mkdir(parents=True)
    runtime = Runtime(name, tmp_path / "u", project)

    foreign = {
        moment: loaded(name, given=json.dumps(runtime.payload(moment)).encode(), cwd=project)
        for moment in runtime.moments
    }

    assert len(foreign) >= 8
    assert {name for names in foreign.values() for name in names} == set(), foreign
    assert loaded("learn", f"session-of-{name}", "over") == set()


@requirement("U013")
def test_a_hook_is_started_where_it_could_not_load_anything_else() -> None:
    script = launcher.render_launcher("/home/u/.twiceshy", launcher.find_own_target(str(SOURCE)))

    started = [
        line.split() for line in script.splitlines() if line.strip().startswith('"$python"')
    ]
    assert started == [['"$python"', "-I", "-S", '"$hook"', '"$@"', "&&", "exit", "0"]]


@requirement("U013")
def test_people_can_do_their_work_with_the_base_alone(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "click").symlink_to(CLICK)
    (bare / "tomlkit").symlink_to(TOMLKIT)
    (bare / "twiceshy").symlink_to(SOURCE)

    def run(*words: str, fails: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", BASE.format(folder=str(bare)), *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == fails, done.stderr
        return done.stderr if fails else done.stdout

    run("note", "Lock before tagging.", "--skill", "release")
    run("config", "set", "language", "en")
    run("handoff", "release", "--status", "tagged", "--left", "announce it")
    told = [
        run("recall", "cut a release", "--skill", "release"),
        run("search", "tagging"),
        run("list"),
        run("export", "-"),
    ]

    assert ["Lock before tagging." in text for text in told] == [True] * len(told)
    assert "the extra 'mcp'" in run("mcp", fails=1)
