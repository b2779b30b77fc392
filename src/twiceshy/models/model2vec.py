"""What model2vec embeds with a model in a folder, or one that was fetched before; we fetch none."""

from __future__ import annotations

import os

from twiceshy.core.errors import EmbedderError
from twiceshy.models.port import folder, library, vector

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MODEL = "minishlab/potion-base-8M"
_INSTALL = "pip install model2vec"


class Model2Vec:
    """A table of words with a vector each."""

    def __init__(self, name: str, model: Any) -> None:
        self._model = model
        self.dims = int(model.dim)
        self.identity = f"model2vec {name} {self.dims}"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text."""
        found = self._model.encode(list(texts)) if texts else []
        return [vector(each.tolist(), dims=self.dims) for each in found]


def embedder(model: str, *, home_dir: str) -> Model2Vec:
    """Load the model, if model2vec is there and has it on disk."""
    name = model or MODEL
    package = library("model2vec", hint=_INSTALL)
    own = folder(name, home_dir=home_dir)
    try:
        path = own if os.path.isdir(own) else _fetched(name)
        loaded = package.StaticModel.from_pretrained(path)
    except EmbedderError:
        raise
    except Exception:  # noqa: BLE001 - it raises what its several sources raise
        raise EmbedderError(
            f"model2vec does not have the model {name} on this machine",
            hint="fetch it once, or set embed.model to the folder that holds it",
        ) from None
    return Model2Vec(os.path.basename(own) if os.path.isdir(own) else name, loaded)


def _fetched(name: str) -> str:
    hub = library("huggingface_hub", hint=_INSTALL)
    return str(hub.snapshot_download(name, local_files_only=True))
