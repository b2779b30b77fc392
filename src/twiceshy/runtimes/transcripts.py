"""Which runtime wrote a transcript: each has a module that finds and reads its own."""

from __future__ import annotations

from importlib import import_module

from twiceshy.runtimes import RUNTIMES, folder_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.opening import Opening

    class TranscriptPass(Protocol):
        """One pass over a transcript; ``unusable`` lines could not be read."""

        path: str
        unusable: int

        @property
        def position(self) -> str:
            """Return how far the pass is."""

        @property
        def fresh(self) -> bool:
            """True if the last step lies behind the position that an earlier pass came to."""

        def __iter__(self) -> Iterator[Step]:
            """Yield the steps."""

    class Reader(Protocol):
        """A runtime's transcripts; ``SETTING`` names the setting that tells where they are kept."""

        SETTING: str

        def wrote(self, path: str) -> bool:
            """Tell from its path whether a transcript is this runtime's."""

        def read(
            self,
            path: str,
            *,
            after: str = "",
            whole: bool = False,
            known: set[str] | None = None,
            session: str = "",
        ) -> TranscriptPass:
            """Return a pass over a transcript that yields its steps, or those behind ``after``."""

        def everywhere(self, folder: str) -> list[str]:
            """Return all transcripts, the oldest session first."""

        def transcript_of(self, session: str, folder: str) -> str:
            """Return the transcript of a session; nothing if there is none."""

        def parts_of(self, path: str) -> list[str]:
            """Return a session's transcript and those of the agents that it started."""

        def session_of(self, path: str) -> str:
            """Return the session that a transcript is named after."""

        def opening_of(self, path: str) -> Opening:
            """Read where and when a session began."""

        def size_of(self, path: str) -> int:
            """Return how long a transcript is by now, as its positions count; -1 if it is gone."""


def readers() -> list[Reader]:
    """Return one reader for every runtime."""
    return [reader(runtime) for runtime in RUNTIMES]


def reader(runtime: str) -> Reader:
    """Return what reads a runtime's transcripts."""
    module: Reader = import_module(f"twiceshy.runtimes.{folder_of(runtime)}.transcript")
    return module


def reader_of(path: str) -> Reader:
    """Return what reads a transcript; the first of the runtimes, if its path tells nothing."""
    return reader(runtime_of(path))


def runtime_of(path: str) -> str:
    """Return the runtime that wrote a transcript; the first one, if its path tells nothing."""
    first, *others = RUNTIMES
    return next((each for each in others if reader(each).wrote(path)), first)
