"""What every embedder can do, and how it says that it cannot."""

from __future__ import annotations

import importlib
import os

from twiceshy.core.errors import EmbedderError
from twiceshy.language.vector import quantised

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Protocol

    class Embedder(Protocol):
        """Says what texts mean, as vectors of one space."""

        @property
        def identity(self) -> str:
            """Name the space: vectors of two identities are never compared."""

        @property
        def dims(self) -> int:
            """Say how many numbers a vector has."""

        def embed(self, texts: Sequence[str]) -> list[bytes]:
            """Return the vector of each redacted text; nothing for one that means nothing."""

    class Settings(Protocol):
        """What an embedder wants to know of the configuration."""

        def flag(self, key: str) -> bool:
            """Return a setting that is on or off."""

        def number(self, key: str) -> float:
            """Return a setting that is a number."""

        def text(self, key: str) -> str:
            """Return a setting that is a text."""


_FEWEST, _MOST = 2, 16_384  # numbers in a vector of any model there is
_HUGE = 1e30  # what is larger is a mistake, and so is what is not even comparable


def library(name: str, *, hint: str) -> ModuleType:
    """Import a package that only this embedder needs."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError)
        what = "is not installed" if missing else "is installed but does not load"
        raise EmbedderError(f"the Python package {name} {what}", hint=hint) from None


def vector(numbers: object, *, dims: int = 0) -> bytes:
    """Return what a model answered as a vector, if it is one, and as long as it has to be."""
    if not isinstance(numbers, list) or not _FEWEST <= len(numbers) <= _MOST:
        raise EmbedderError("the model's answer holds no vector")
    if not all(type(each) in (int, float) and -_HUGE < each < _HUGE for each in numbers):
        raise EmbedderError("the model's answer holds something that is no number")
    if dims and len(numbers) != dims:
        raise EmbedderError(
            f"the model answered with {len(numbers)} numbers where it gave {dims} before",
            hint="has the model behind the name changed? then start again",
        )
    return quantised(numbers)


def folder(path: str, *, home_dir: str) -> str:
    """Return the folder a user names; ~ is their home."""
    whole = home_dir + path[1:] if path == "~" or path.startswith("~/") else path
    return os.path.normpath(whole)
