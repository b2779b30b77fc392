"""HTTP embedders: OpenAI-compatible servers and Ollama.

Texts are redacted by the caller. A key goes to its own host, over TLS or on this machine;
the identity of the space names the host and holds nothing of the key.
"""

from __future__ import annotations

from twiceshy.core.errors import EmbedderError
from twiceshy.core.jsontext import parse_json
from twiceshy.core.value import Value
from twiceshy.models.embedder import check_vector
from twiceshy.models.post import check_endpoint, parse_endpoint, post_json

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from twiceshy.config.resolved import Config
    from twiceshy.models.post import Endpoint

_BATCH = 64  # texts of one call
_LETTERS = 96_000  # characters of one call
_LONGEST = 6_000  # characters of one text: within the 8,191 tokens of the smallest large model
_PROBE = "how long is a vector?"
KEY, OPENAI_KEY = "TWICESHY_EMBED_KEY", "OPENAI_API_KEY"


class EmbeddingDialect(Value):
    """Request and response format of a server type."""

    url: str
    root: str
    path: str
    model: str
    options: Mapping[str, object]
    vectors: Callable[[object], list[object]]


def _read_openai_vectors(answer: object) -> list[object]:
    match answer:
        case {"data": list(rows)}:
            read = (row for row in rows if type(row) is dict and type(row.get("index")) is int)
            found = {row["index"]: row.get("embedding") for row in read}
            return [found.get(number) for number in range(len(rows))]
        case _:
            return []


def _read_ollama_vectors(answer: object) -> list[object]:
    match answer:
        case {"embeddings": list(rows)}:
            return rows
        case _:
            return []


OPENAI = "https://api.openai.com/v1"
DIALECTS = {
    "openai": EmbeddingDialect(
        OPENAI,
        "/v1",
        "/embeddings",
        "text-embedding-3-small",
        {"encoding_format": "float"},
        _read_openai_vectors,
    ),
    "ollama": EmbeddingDialect(
        "http://127.0.0.1:11434",
        "",
        "/api/embed",
        "all-minilm",
        {"truncate": True},
        _read_ollama_vectors,
    ),
}


class RemoteEmbedder:
    """A model behind an address; the vector length is known after the first answer."""

    def __init__(
        self, backend: str, model: str, place: Endpoint, *, key: str, timeout: float
    ) -> None:
        self._backend, self._model, self._place = backend, model, place
        self._key, self._timeout = key, timeout
        self._dims = 0

    @property
    def dims(self) -> int:
        """Return the vector length; asks the server if unknown."""
        if not self._dims:
            self.embed([_PROBE])
        return self._dims

    @property
    def identity(self) -> str:
        """Return the space name: backend, model, length and host."""
        return f"{self._backend} {self._model} {self.dims} {self._place.display_name}"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vectors of every text, or raise an error."""
        return [each for batch in _split_batches(texts) for each in self._check_vectors(batch)]

    def _check_vectors(self, texts: list[str]) -> list[bytes]:
        dialect = DIALECTS[self._backend]
        body = {"model": self._model, "input": texts, **dialect.options}
        answer = post_json(self._place, body, key=self._key, timeout=self._timeout)
        try:
            found = dialect.vectors(parse_json(answer.decode()))
        except (ValueError, RecursionError):
            found = []  # cut off, or a page for people
        if len(found) != len(texts):
            raise EmbedderError(
                f"the embedder at {self._place.display_name} gave {len(found)} vectors for {len(texts)}",
                hint="does it speak the language of embed.backend?",
            )
        dims = self._dims or (len(found[0]) if isinstance(found[0], list) else 0)
        vectors = [check_vector(each, dims=dims) for each in found]
        self._dims = dims
        return vectors


def build_embedder(backend: str, config: Config, environ: Mapping[str, str]) -> RemoteEmbedder:
    """Return the embedder of ``embed.url``; sends nothing yet."""
    dialect = DIALECTS[backend]
    url = config.text("embed.url") or dialect.url
    place = parse_endpoint(url, root=dialect.root, path=dialect.path)
    key, variable = environ.get(KEY, "").strip(), KEY
    if not key and backend == "openai" and url == OPENAI:  # their key is for them only
        key, variable = environ.get(OPENAI_KEY, "").strip(), OPENAI_KEY
    check_endpoint(key, place, setting="embed.url", variable=variable)
    return RemoteEmbedder(
        backend,
        config.text("embed.model") or dialect.model,
        place,
        key=key,
        timeout=config.number("embed.timeout"),
    )


def _split_batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    letters = 0
    for text in texts:
        cut = text[:_LONGEST].strip() or " "  # servers refuse an empty text
        if batch and (len(batch) == _BATCH or letters + len(cut) > _LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(cut)
        letters += len(cut)
    if batch:
        yield batch
