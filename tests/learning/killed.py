"""Learn from a transcript in a process of its own, and end without a word at a given step."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.learning.sessions import origin
from tests.store.support import a_store, app_of

from twiceshy.core.transcript import Step
from twiceshy.learning.session import SessionLearner
from twiceshy.runtimes.claude_code import transcript


class Deadly:
    """A pass over a transcript that kills its reader at a step."""

    unusable = 0

    def __init__(self, path: str, after: str, last: int) -> None:
        self.path = path
        self._reading = transcript.read_transcript(path, after=after)
        self._last = last

    @property
    def position(self) -> str:
        return self._reading.position

    @property
    def is_fresh(self) -> bool:
        return self._reading.is_fresh

    def __iter__(self) -> Iterator[Step]:
        for number, step in enumerate(self._reading):
            if number == self._last:
                os.kill(os.getpid(), signal.SIGKILL)
            yield step


def main(home: str, path: str, last: str) -> None:
    with closing(a_store(Path(home))) as store:
        learner = SessionLearner(app_of(store), origin(Path(path).stem), path)
        learner.learn_steps(Deadly(path, learner.position, int(last)), close=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
