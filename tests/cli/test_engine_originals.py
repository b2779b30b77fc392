"""Files of memory-engine come in, and an export gives back the originals."""

import difflib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Command
from tests.older_systems import engine_files as engine

from twiceshy.places.identity import claude_slug



def claude() -> Path:
    return Path(os.environ["HOME"]) / ".claude"


def test_every_file_comes_back_as_it_was(twiceshy: Command, project: Path, tmp_path: Path) -> None:
    files = engine.home(claude_slug(str(project)))
    engine.write_files(claude(), files)

    said = twiceshy("import", "memory-engine")
    print(said.out, said.err)
    twiceshy("export", "--as", "engine", str(tmp_path / "out"))

    given = engine.read_files(tmp_path / "out")
    for name in files.keys() | given.keys():
        if files.get(name) != given.get(name):
            print("\n".join(difflib.unified_diff(files.get(name,"").splitlines(), given.get(name,"").splitlines(), name, name, lineterm="")))
    assert given == files
