"""What fastembed embeds with a model that it has fetched before; we make it fetch none."""

from __future__ import annotations

from twiceshy.core.errors import EmbedderError
from twiceshy.models.port import library, vector

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MODEL = "BAAI/bge-small-en-v1.5"
_THREADS = 2  # embedding is never urgent, and the agent beside us wants the machine


class FastEmbed:
    """A model of fastembed's list."""

    def __init__(self, name: str, model: Any) -> None:
        self._model = model
        self.dims = sum(len(each) for each in model.embed([name]))
        self.identity = f"fastembed {name} {self.dims}"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text; one by one, so that none depends on its neighbours."""
        found = self._model.embed(list(texts), batch_size=1)
        return [vector(each.tolist(), dims=self.dims) for each in found]


def embedder(model: str) -> FastEmbed:
    """Load the model, if fastembed is there and has it on disk."""
    name = model or MODEL
    package = library("fastembed", hint="pip install fastembed")
    try:
        loaded = package.TextEmbedding(model_name=name, threads=_THREADS, local_files_only=True)
    except Exception:  # noqa: BLE001 - it raises what its several sources raise
        raise EmbedderError(
            f"fastembed does not have the model {name} on this machine",
            hint=f"let it fetch the model once: python -c 'import fastembed; "
            f'fastembed.TextEmbedding("{name}")\'; FASTEMBED_CACHE_PATH says where it is kept',
        ) from None
    return FastEmbed(name, loaded)
