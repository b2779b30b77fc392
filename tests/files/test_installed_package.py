"""How to add an extra to this installation, and that nobody is told to install a bare name."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.requirements import requirement

from twiceshy.files.installed_package import command_for_extra, find_package_source

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ("README.md", "install.sh", "docs", "skills", "src", "CONTRIBUTING.md", "SECURITY.md")
# an installer, its options, and then our name with nothing before or behind that says where from
BARE = re.compile(
    r"(?:uv tool install|uvx|pipx (?:install|run)|pip3? install|uv (?:pip install|add))"
    r"(?:[ \t]+-[\w-]+)*[ \t]+[\"'`]?twiceshy(?![\w./-]|\[\w+\] @)"
)


def texts() -> list[Path]:
    found = [path for name in TEXTS for path in sorted((ROOT / name).rglob("*"))]
    found += [ROOT / name for name in TEXTS if (ROOT / name).is_file()]
    return [path for path in found if path.suffix in (".md", ".py", ".sh", ".toml", ".ts", ".js")]


@requirement("N04")
def test_no_text_says_to_install_the_package_by_its_bare_name() -> None:
    said = {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in texts()
        for found in BARE.finditer(path.read_text("utf-8"))
    }

    assert said == set()
    assert len(texts()) > 500


@pytest.mark.parametrize(
    "line",
    ["uv tool install twiceshy", "pip install 'twiceshy[mcp]'", "pipx install --force twiceshy"],
)
def test_such_a_line_would_be_found(line: str) -> None:
    assert BARE.search(line)


@pytest.mark.parametrize("line", ["uv tool install ./twiceshy", "pip install twiceshy-1.whl"])
def test_a_line_that_says_where_from_would_not(line: str) -> None:
    assert not BARE.search(line)


@pytest.mark.parametrize(
    ("mark", "begins"),
    [
        ("pipx_metadata.json", ["pipx", "inject", "twiceshy"]),
        ("uv-receipt.toml", ["uv", "pip", "install", "--python", "/py"]),
        ("pyvenv.cfg", ["/py", "-m", "pip", "install"]),
    ],
)
@requirement("N04")
def test_an_extra_is_added_by_whatever_made_the_environment(
    tmp_path: Path, mark: str, begins: list[str]
) -> None:
    prefix = tmp_path / "twiceshy"
    prefix.mkdir()
    (prefix / mark).write_text("")

    words = shlex.split(command_for_extra("mcp", prefix=str(prefix), python="/py"))

    assert words[: len(begins)] == begins
    assert words[len(begins) :] == ["mcp<2,>=1.23.3"]


def test_an_unknown_extra_is_named() -> None:
    assert command_for_extra("nosuch") == "install the extra 'nosuch' where twiceshy is installed"


def test_the_command_for_an_extra_is_one_that_runs() -> None:
    words = shlex.split(command_for_extra("mcp"))
    done = subprocess.run(
        [*words, "--dry-run", "--no-index", "--quiet"], capture_output=True, text=True, check=False
    )

    assert words[0] == sys.executable
    assert done.returncode == 0, done.stderr  # it is there already


def test_a_checkout_is_known_as_the_source() -> None:
    assert find_package_source() == str(ROOT)
