"""Find the reader of a transcript by runtime or path."""

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
        """A pass over a transcript; ``unusable`` lines were unreadable."""

        path: str
        unusable: int

        @property
        def position(self) -> str:
            """Return the position of the pass."""

        @property
        def fresh(self) -> bool:
            """True if the last step is new since the earlier pass."""

        def __iter__(self) -> Iterator[Step]:
            """Yield the steps."""

    class Reader(Protocol):
        """Transcripts of a runtime; ``SETTING`` names the setting with their location."""

        SETTING: str

        def wrote(self, path: str) -> bool:
            """True if a path belongs to this runtime."""

        def read(
            self,
            path: str,
            *,
            after: str = "",
            whole: bool = False,
            known: set[str] | None = None,
            session: str = "",
        ) -> TranscriptPass:
            """Return a pass over a transcript that yields steps."""

        def everywhere(self, folder: str) -> list[str]:
            """Return every transcript, oldest session first."""

        def transcript_of(self, session: str, folder: str) -> str:
            """Return the transcript of a session; empty if none."""

        def parts_of(self, path: str) -> list[str]:
            """Return a session's transcript and those of its agents."""

        def session_of(self, path: str) -> str:
            """Return the session of a transcript name."""

        def opening_of(self, path: str) -> Opening:
            """Read start directory and time of a session."""

        def size_of(self, path: str) -> int:
            """Return the current length of a transcript in position units; -1 if gone."""


def readers() -> list[Reader]:
    """Return a reader for every runtime."""
    return [reader(runtime) for runtime in RUNTIMES]


def reader(runtime: str) -> Reader:
    """Return the reader of a runtime."""
    module: Reader = import_module(f"twiceshy.runtimes.{folder_of(runtime)}.transcript")
    return module


def reader_of(path: str) -> Reader:
    """Return the reader of a transcript path; the first runtime's if unclear."""
    return reader(runtime_of(path))


def runtime_of(path: str) -> str:
    """Return the runtime of a transcript path; the first runtime if unclear."""
    first, *others = RUNTIMES
    return next((each for each in others if reader(each).wrote(path)), first)
