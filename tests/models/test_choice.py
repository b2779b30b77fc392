"""Which embedder is used is the user's choice; without one nothing is loaded and nobody is asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import twiceshy
from twiceshy.config.load import load_config
from twiceshy.core.errors import EmbedderError
from twiceshy.language.vector import cosine_similarity
from twiceshy.models import build_embedder
from twiceshy.models.embedder import check_vector
from twiceshy.models.remote import RemoteEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.models.conftest import Server

    from twiceshy.config.resolved import Config

SOURCE = Path(twiceshy.__file__).parent
HOOK_PATH = ("app", "config", "core", "files", "hooks", "language", "places", "recall", "runtimes", "safety", "shell", "store")  # fmt: skip
# Imports every module that a hook could reach, and prints what came along.
PROGRAM = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*sorted(sys.modules))
"""


def modules_of_the_hook_path() -> list[str]:
    files = [
        file
        for part in HOOK_PATH
        for file in (*SOURCE.glob(f"{part}.py"), *SOURCE.glob(f"{part}/**/*.py"))
    ]
    dotted = [".".join(file.relative_to(SOURCE.parent).with_suffix("").parts) for file in files]
    # run.py is the program itself: to import it is to run it; recalling is what commands and tools call
    others = ("hooks.run", "recall.recalling")
    return [name.removesuffix(".__init__") for name in dotted if not name.endswith(others)]


def test_nothing_embeds_unless_the_user_chose_it(configured: Callable[..., Config]) -> None:
    assert build_embedder(configured(), {}) is None


def test_the_chosen_one_is_used_and_no_other_is_loaded(
    configured: Callable[..., Config],
) -> None:
    loaded = set(sys.modules)

    chosen = build_embedder(configured(backend="ollama"), {})

    fresh = {name for name in set(sys.modules) - loaded if name.startswith("twiceshy.models")}
    assert isinstance(chosen, RemoteEmbedder)
    assert "twiceshy.models.onnx" not in fresh


def test_choosing_an_address_sends_nothing_yet(
    configured: Callable[..., Config], server: Server
) -> None:
    build_embedder(configured(backend="openai", url=server.url), {})

    assert server.asked == []


@pytest.mark.parametrize("backend", ["onnx", "openai"])
def test_a_project_can_switch_it_off_but_choose_nothing(home: Path, backend: str) -> None:
    home.mkdir()
    user = Path(os.environ["HOME"])
    project = user / "app"
    (project / ".git").mkdir(parents=True)
    (home / "config.toml").write_text('[embed]\nbackend = "ollama"\n')
    (project / ".twiceshy.toml").write_text(
        f'[embed]\non = false\nbackend = "{backend}"\nmodel = "theirs"\nurl = "http://evil.example"\n'
    )

    config = load_config({"TWICESHY_HOME": str(home)}, cwd=str(project), home_dir=str(user))

    assert build_embedder(config, {}) is None
    assert config.text("embed.backend") == "ollama"
    assert (config.text("embed.model"), config.text("embed.url")) == ("", "")


def test_a_project_cannot_switch_on_what_the_user_switched_off(home: Path) -> None:
    home.mkdir()
    user = Path(os.environ["HOME"])
    (user / "app" / ".git").mkdir(parents=True)
    (home / "config.toml").write_text('[embed]\nbackend = "ollama"\non = false\n')
    (user / "app" / ".twiceshy.toml").write_text("[embed]\non = true\n")

    config = load_config({"TWICESHY_HOME": str(home)}, cwd=str(user / "app"), home_dir=str(user))

    assert build_embedder(config, {}) is None


def test_no_module_that_a_hook_reaches_brings_an_embedder_along() -> None:
    wanted = modules_of_the_hook_path()

    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *wanted],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE.parent)},
    )

    loaded = ended.stdout.split()
    assert set(wanted) <= set(loaded)
    assert not [name for name in loaded if name.startswith("twiceshy.models")]
    assert not {"numpy", "onnxruntime", "http.client", "urllib.request"} & set(loaded)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "0.1 0.2",
        [],
        [0.5],
        [0.1, None],
        [0.1, "0.2"],
        [True, False],
        [0.1, float("nan")],
        [0.1, float("inf")],
        [0.1, float("-inf")],
        [0.1, 10**400],
        [0.1] * 20_000,
    ],
)
def test_what_is_no_vector_is_refused(answer: object) -> None:
    with pytest.raises(EmbedderError):
        check_vector(answer)


def test_a_vector_of_another_length_is_refused() -> None:
    with pytest.raises(EmbedderError, match="3 numbers where it gave 2 before"):
        check_vector([0.1, 0.2, 0.3], dims=2)


def test_a_vector_keeps_its_direction_in_a_byte_a_number() -> None:
    assert check_vector([0.5, -1, 0.0])[:3] == bytes([64, 129, 0])
    assert cosine_similarity(
        check_vector([0.5, -1, 0.0]), check_vector([1.0, -2, 0])
    ) == pytest.approx(1, abs=0.02)
