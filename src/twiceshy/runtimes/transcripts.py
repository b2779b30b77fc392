"""Find the reader of a transcript by runtime or path."""

from __future__ import annotations

from importlib import import_module

from twiceshy.runtimes import RUNTIMES, package_name_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.transcript_files import TranscriptOpening

    class ReaderPass(Protocol):
        """A pass over a transcript; ``unusable`` lines were unreadable."""

        path: str
        unusable: int

        @property
        def position(self) -> str:
            """Return the position of the pass."""

        @property
        def is_fresh(self) -> bool:
            """True if the last step is new since the earlier pass."""

        def __iter__(self) -> Iterator[Step]:
            """Yield the steps."""

    class TranscriptReader(Protocol):
        """Transcripts of a runtime; ``SETTING`` names the setting with their location."""

        SETTING: str

        def owns_transcript(self, path: str) -> bool:
            """True if a path belongs to this runtime."""

        def read_transcript(
            self, path: str, *, after: str = "", whole: bool = False, known: set[str] | None = None
        ) -> ReaderPass:
            """Return a pass over a transcript that yields steps.

            ``after`` is the position of an earlier pass: only later content is read, everything
            if ``whole``, or if the file shrank or was replaced. ``known`` are the keys of steps
            read before, in this file or another; the pass adds to the set.
            """

        def list_transcripts(self, folder: str) -> list[str]:
            """Return every transcript, oldest session first."""

        def find_transcript(self, session: str, folder: str) -> str:
            """Return the transcript of a session; empty if none."""

        def list_session_parts(self, path: str) -> list[str]:
            """Return a session's transcript and those of its agents."""

        def session_of_path(self, path: str) -> str:
            """Return the session of a transcript name."""

        def read_opening(self, path: str) -> TranscriptOpening:
            """Read start directory and time of a session."""

        def read_context_use(self, path: str) -> tuple[int, int]:
            """Return used and available tokens of a session's context; zeros if unknown."""

        def transcript_size(self, path: str) -> int:
            """Return the current length of a transcript in position units; -1 if gone."""


def load_readers() -> list[TranscriptReader]:
    """Return a reader for every runtime."""
    return [load_reader(runtime) for runtime in RUNTIMES]


def load_reader(runtime: str) -> TranscriptReader:
    """Return the reader of a runtime."""
    module: TranscriptReader = import_module(
        f"twiceshy.runtimes.{package_name_of(runtime)}.transcript"
    )
    return module


def reader_for_path(path: str) -> TranscriptReader:
    """Return the reader of a transcript path; the first runtime's if unclear."""
    return load_reader(runtime_for_path(path))


def runtime_for_path(path: str) -> str:
    """Return the runtime of a transcript path; the first runtime if unclear."""
    first, *others = RUNTIMES
    return next((each for each in others if load_reader(each).owns_transcript(path)), first)
