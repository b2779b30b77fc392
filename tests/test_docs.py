"""The documentation cannot rot: what is generated is current, what is linked exists."""

import json
import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from tests.requirements import requirement

import twiceshy.cli
from twiceshy.cli.verbs import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

BLOCK = """\
<!-- [[[cog
import cog, os, shutil
cog.outl(f"{shutil.get_terminal_size().columns} columns, home {os.path.expanduser('~')}")
]]] -->
<!-- [[[end]]] -->
"""


def docs(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.docs", *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_generated_pages_are_current() -> None:
    checked = docs("--check")

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_stale_page_is_refused_with_a_hint_and_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(BLOCK, encoding="utf-8")

    checked = docs("--check", page)

    assert checked.returncode == 1
    assert "run: make docs" in checked.stderr
    assert page.read_text(encoding="utf-8") == BLOCK


def test_a_page_whose_code_fails_is_not_called_stale(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(BLOCK.replace("import cog", "import nowhere"), encoding="utf-8")

    checked = docs("--check", page)

    assert checked.returncode == 1
    assert "nowhere" in checked.stderr
    assert "make docs" not in checked.stderr


def test_a_page_reads_the_same_whoever_makes_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(BLOCK, encoding="utf-8")

    made = docs(page, COLUMNS="200", HOME=str(tmp_path))
    checked = docs("--check", page, COLUMNS="40", HOME=str(tmp_path / "other"))

    assert made.returncode == checked.returncode == 0
    assert "88 columns, home ~\n" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_every_link_to_a_file_of_ours_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))

    dead = [to for to in targets if ":" not in to and not (page.parent / to).exists()]

    assert dead == []


@requirement("U197")
def test_the_overview_lists_every_command_with_a_line_on_what_it_does() -> None:
    walked = pkgutil.walk_packages(twiceshy.cli.__path__, "twiceshy.cli.")
    modules = [import_module(name) for name in ("twiceshy.mcp.command", *(m.name for m in walked))]
    written = {
        value.name
        for module in modules
        for value in vars(module).values()
        if isinstance(value, click.Command) and not isinstance(value, click.Group)
    }

    listed = subprocess.run(
        [sys.executable, "-m", "twiceshy", "help", "--json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout

    rows = {row["verb"]: row["about"] for row in json.loads(listed)}
    assert set(rows) == written | {"page", "session"}
    assert list(rows) == list(COMMANDS)
    assert all(re.fullmatch(r"\S.*\.", about) for about in rows.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented_with_an_example(command: str) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")

    help_text = page.partition(f"### twiceshy {command}\n")[2].partition("\n### ")[0]

    assert f"Usage: twiceshy {command}" in help_text
    assert f"Example: twiceshy {command}" in help_text
