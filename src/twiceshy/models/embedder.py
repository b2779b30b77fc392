"""Interface of embedders."""

from __future__ import annotations

import importlib
import os

from twiceshy.core.errors import EmbedderError
from twiceshy.language.vector import quantise_vector

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Protocol

    class Embedder(Protocol):
        """Embeds texts as vectors of one space."""

        @property
        def identity(self) -> str:
            """Return the name of the vector space; only vectors of one space are compared."""

        @property
        def dims(self) -> int:
            """Return the length of a vector."""

        def embed(self, texts: Sequence[str]) -> list[bytes]:
            """Return the vector of each redacted text; empty for meaningless text."""


_FEWEST, _MOST = 2, 16_384  # numbers in a vector of any model there is
_HUGE = 1e30  # what is larger is a mistake, and so is what is not even comparable


def import_library(name: str, *, hint: str) -> ModuleType:
    """Import a package needed only by this embedder."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError)
        what = "is not installed" if missing else "is installed but does not load"
        raise EmbedderError(f"the Python package {name} {what}", hint=hint) from None


def check_vector(numbers: object, *, dims: int = 0) -> bytes:
    """Return a model's answer as a vector, if valid and of the right length."""
    if not isinstance(numbers, list) or not _FEWEST <= len(numbers) <= _MOST:
        raise EmbedderError("the model's answer holds no vector")
    if not all(type(each) in (int, float) and -_HUGE < each < _HUGE for each in numbers):
        raise EmbedderError("the model's answer holds something that is no number")
    if dims and len(numbers) != dims:
        raise EmbedderError(
            f"the model answered with {len(numbers)} numbers where it gave {dims} before",
            hint="has the model behind the name changed? then start again",
        )
    return quantise_vector(numbers)


def expand_folder(path: str, *, home_dir: str) -> str:
    """Return the folder named by the user; ~ is the home."""
    whole = home_dir + path[1:] if path == "~" or path.startswith("~/") else path
    return os.path.normpath(whole)
