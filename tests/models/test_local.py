"""Embedders on this machine: what is missing is said with the command that brings it, and nothing is fetched."""

from __future__ import annotations

import importlib.util
import json
import sys
from typing import TYPE_CHECKING

import pytest

from twiceshy.core.errors import ConfigError, EmbedderError
from twiceshy.files.installed_package import command_for_extra
from twiceshy.language.vector import cosine_similarity
from twiceshy.models import build_embedder
from twiceshy.models.onnx import MINILM, VOCABULARY, WEIGHTS, CarriedFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from twiceshy.config.resolved import Config
    from twiceshy.models.embedder import Embedder

EXTRA = ("onnxruntime", WEIGHTS.package, VOCABULARY.package)
needs_the_extra = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, EXTRA)),
    reason="runs the real model, which the extra `embed` brings",
)


@pytest.fixture
def local(configured: Callable[..., Config], tmp_path: Path) -> Callable[..., Embedder]:
    """The embedder that the settings ask for."""

    def build(backend: str, model: str = "") -> Embedder:
        wishes = {"model": model} if model else {}
        found = build_embedder(configured(backend=backend, **wishes), {"HOME": str(tmp_path)})
        assert found is not None
        return found

    return build


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose packages come before all others."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def put(packages: Path, monkeypatch: pytest.MonkeyPatch, **sources: str) -> None:
    for name, source in sources.items():
        (packages / f"{name}.py").write_text(source)
        monkeypatch.delitem(sys.modules, name, raising=False)


def carry(packages: Path, file: CarriedFile, content: bytes) -> None:
    """Make a package that carries a file, and that nobody must import."""
    (packages / file.package).mkdir()
    (packages / file.package / "__init__.py").write_text("raise SystemExit('imported')")
    (packages / file.package / file.file).write_bytes(content)


@pytest.mark.parametrize(
    ("source", "trouble"),
    [("raise ModuleNotFoundError", "is not installed"), ("raise ImportError", "does not load")],
)
def test_a_package_that_does_not_load_is_told_from_one_that_is_missing(
    local: Callable[..., Embedder],
    packages: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    trouble: str,
) -> None:
    put(packages, monkeypatch, numpy=source)
    tmp_path = packages.parent
    (tmp_path / "model.onnx").write_text("x")
    (tmp_path / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]")

    with pytest.raises(EmbedderError, match=f"numpy (is installed but )?{trouble}") as caught:
        local("onnx", str(tmp_path))

    assert caught.value.hint == command_for_extra("embed")


@pytest.mark.parametrize("backend", ["fastembed", "model2vec"])
def test_a_backend_that_there_is_no_longer_is_refused_with_those_that_there_are(
    backend: str, configured: Callable[..., Config]
) -> None:
    with pytest.raises(ConfigError, match="must be one of none, onnx, openai, ollama"):
        configured(backend=backend)


def test_without_the_extra_the_model_says_how_to_get_it(
    local: Callable[..., Embedder], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in EXTRA:
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(EmbedderError, match="the model is not installed") as caught:
        local("onnx")

    assert caught.value.hint == command_for_extra("embed")


def test_another_file_than_the_one_we_know_is_not_run(
    local: Callable[..., Embedder], packages: Path
) -> None:
    carry(packages, VOCABULARY, b"[UNK]\n[CLS]\n[SEP]\n")
    carry(packages, WEIGHTS, b"anything")

    with pytest.raises(EmbedderError, match=r"another vocab\.txt than it should"):
        local("onnx")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({}, "no model in"),
        ({"vocab.txt": "[UNK]\n[CLS]\n[SEP]"}, "no model in"),
        ({"model.onnx": "x"}, "no word pieces in"),
        ({"model.onnx": "x", "tokenizer.json": "{"}, "no word pieces in"),
        ({"model.onnx": "x", "tokenizer.json": '{"model":{"type":"BPE"}}'}, "no word pieces in"),
        ({"model.onnx": "x", "vocab.txt": "hello\nworld"}, "not one of word pieces"),
    ],
)
def test_a_folder_that_holds_no_model_says_what_it_needs(
    local: Callable[..., Embedder], tmp_path: Path, files: dict[str, str], complaint: str
) -> None:
    (tmp_path / "mine").mkdir()
    for name, text in files.items():
        (tmp_path / "mine" / name).write_text(text)

    with pytest.raises(EmbedderError, match=complaint) as caught:
        local("onnx", "~/mine")

    assert "vocab.txt or tokenizer.json" in caught.value.hint


@needs_the_extra
def test_a_damaged_model_in_a_folder_is_an_error(
    local: Callable[..., Embedder], tmp_path: Path
) -> None:
    (tmp_path / "model.onnx").write_text("no model")
    (tmp_path / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]")

    with pytest.raises(EmbedderError, match="cannot be loaded"):
        local("onnx", str(tmp_path))


@needs_the_extra
def test_minilm_finds_what_is_meant_alike(local: Callable[..., Embedder]) -> None:
    chosen = local("onnx")

    lesson, same, other = chosen.embed(
        ["pin the lock file before a release", "freeze dependencies first", "the cat sat there"]
    )

    assert (chosen.identity, chosen.dims) == (f"onnx {MINILM} 384", 384)
    assert cosine_similarity(lesson, same) > cosine_similarity(lesson, other) + 0.1


@needs_the_extra
def test_a_texts_vector_does_not_depend_on_its_company(local: Callable[..., Embedder]) -> None:
    chosen = local("onnx")
    texts = ["tag", "lock the file " * 60, "", "存储", "a" * 50_000]

    together = chosen.embed(texts)

    assert together == [chosen.embed([text])[0] for text in texts]


@needs_the_extra
def test_what_lies_beyond_the_cut_changes_nothing(local: Callable[..., Embedder]) -> None:
    chosen = local("onnx")

    short, long = chosen.embed(["lock " * 300, "lock " * 300 + "cat"])

    assert short == long


@needs_the_extra
@pytest.mark.parametrize("first", [False, True])
def test_the_same_model_in_a_folder_is_a_space_of_its_own(
    local: Callable[..., Embedder], tmp_path: Path, first: bool
) -> None:
    folder = tmp_path / "mine"
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps({"pooling_mode_cls_token": first})
    )
    (folder / "model.onnx").write_bytes(installed(WEIGHTS))
    pieces = installed(VOCABULARY).decode().split("\n")
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    model = {"type": "WordPiece", "vocab": vocabulary}
    (folder / "tokenizer.json").write_text(json.dumps({"model": model}))

    mine, carried = local("onnx", "~/mine"), local("onnx")

    assert mine.identity == "onnx mine 22928619B 384"
    assert (mine.embed(["tag the release"]) == carried.embed(["tag the release"])) is not first


def installed(file: CarriedFile) -> bytes:
    found = importlib.util.find_spec(file.package)
    assert found is not None
    assert found.submodule_search_locations
    with open(f"{found.submodule_search_locations[0]}/{file.file}", "rb") as opened:
        return opened.read()
