"""Learn from a session as far as it went: what is found becomes signals, notes, and counts, once each.

Everything of a stretch is written as one change together with how far it was read, so that whoever
stops us at any time loses nothing and nothing counts twice.
"""

from __future__ import annotations

from zlib import crc32

from twiceshy.core.transcript import Called, Result, Summarised, UserSaid
from twiceshy.core.transcript_progress import Reading
from twiceshy.core.value import Value
from twiceshy.learning.detect.watch import (
    Acted,
    Corrected,
    Looped,
    Reached,
    Summed,
    Taught,
    Thrashed,
    Watch,
)
from twiceshy.learning.notes import Notebook, Where

__all__ = ["Learned", "Where", "learn"]

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Protocol

    from twiceshy.core.store import Store
    from twiceshy.core.transcript import Step
    from twiceshy.learning.detect.watch import Finding
    from twiceshy.learning.notes import Ways

    class Pass(Protocol):
        """A pass over a transcript, from where the last one ended."""

        path: str

        @property
        def position(self) -> str:
            """Return how far the pass is."""

        def __iter__(self) -> Iterator[Step]:
            """Yield the steps."""


_STRETCH = 400  # steps that are written as one change


class Learned(Value):
    """What a pass over a transcript brought."""

    steps: int = 0
    calls: int = 0
    errors: int = 0
    corrections: int = 0
    new: int = 0
    again: int = 0

    def __add__(self, other: Learned) -> Learned:
        ours, theirs = self.fields().values(), other.fields().values()
        return Learned(*(int(str(a)) + int(str(b)) for a, b in zip(ours, theirs, strict=True)))


def learn(
    store: Store,
    where: Where,
    steps_behind: Callable[[str], Pass],
    path: str,
    *,
    ways: Ways,
    close: bool,
    progress: Callable[[str], object] = lambda _: None,
) -> Learned:
    """Read what came to a transcript since the last time, and learn from it.

    ``close`` also learns what still waited for a later step; more may come all the same.
    """
    known = store.reading(path)
    watch = Watch(known.state if known else "", root=where.root)
    reading = steps_behind(known.position if known else "")
    notebook = Notebook(store, where, ways, lately=watch.lately)
    learned, begun = Learned(), Reading(path, where.session, "", "", 0)
    for stretch, position in _stretches(reading):
        if stretch or known is None or position != known.position:
            learned += _take(store, watch, notebook, stretch, begun.but(position=position))
        progress(position)
    if close and not watch.closed:
        position = reading.position or (known.position if known else "")
        learned += _take(store, watch, notebook, (), begun.but(position=position), close=True)
    return learned


def _stretches(reading: Pass) -> Iterator[tuple[list[Step], str]]:
    """Yield steps with the position behind them; no record is cut in two."""
    stretch: list[Step] = []
    begun = ""  # where the record began that the last step is from
    for step in reading:
        here = reading.position
        if len(stretch) >= _STRETCH and here != begun:
            yield stretch, here
            stretch = []
        stretch.append(step)
        begun = here
    yield stretch, reading.position


def _take(
    store: Store,
    watch: Watch,
    notebook: Notebook,
    steps: Sequence[Step],
    reading: Reading,
    *,
    close: bool = False,
) -> Learned:
    learned = Learned(steps=len(steps))
    with store.change():
        ids = [known_by for step in steps if (known_by := _known_by(step))]
        copied = store.copied(ids, reading.session, project=notebook.where.project)
        for step in steps:
            if isinstance(step, Called | Result) and step.id in copied:
                continue
            findings = list(watch.feed(step))
            if _known_by(step) not in copied:  # what was said before is understood, not learned
                for finding in findings:
                    learned += _note_down(notebook, finding)
        if close:
            for finding in watch.close():
                learned += _note_down(notebook, finding)
        store.keep(reading.but(state=watch.state(), at=store.now()))
    return learned


def _known_by(step: Step) -> str:
    """Return what a step and its copies in forks have in common, if anything is learned from it.

    A call keeps its id there; what was said gets another one, and keeps its time.
    """
    match step:
        case Called():
            return step.id
        case UserSaid(text=text) | Summarised(summary=text):
            return f"{type(step).__name__}:{step.at or step.id}:{crc32(text.encode()):08x}"
        case _:
            return ""


def _note_down(notebook: Notebook, finding: Finding) -> Learned:
    match finding:
        case Acted(act):
            notebook.count(act)
            return Learned(calls=1, errors=int(act.mistake is not None))
        case Taught():
            new, again = notebook.teach(finding)
            return Learned(new=int(new), again=int(again))
        case Corrected():
            new, again = notebook.correct(finding)
            return Learned(corrections=1, new=int(new), again=int(again))
        case Looped() | Thrashed() | Reached():
            notebook.observe(finding)
        case Summed(summary=summary):
            notebook.sum_up(summary)
    return Learned()
