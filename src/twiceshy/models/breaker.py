"""Leave an endpoint alone that keeps failing: three failures within a minute, five minutes of rest.

Then one call may try; it ends the rest or begins another. Every process reads and writes the same
small file, so that short ones keep to it as well; where it cannot be written, each keeps its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time

from twiceshy.core.jsontext import parse, write
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAILURES = 3
WITHIN = 60.0
REST = 300.0
TRIAL = 60.0  # seconds after which a trial that never came back is no reason to wait any more
_MOST = 4_096  # bytes; what we write is far shorter


class Circuit(Value):
    """How an endpoint has fared; all times in seconds since 1970, 0 for never."""

    failures: tuple[float, ...] = ()
    opened: float = 0.0
    tried: float = 0.0

    def wait(self, now: float) -> float:
        """Return the seconds until a call may be made; 0 now."""
        if not self.opened:
            return 0.0
        return max(0.0, self.opened + REST - now, self.tried + TRIAL - now)

    def trial(self, now: float) -> Circuit:
        """Return what holds once a call is made: after a rest, it is the only one."""
        return self.but(tried=now) if self.opened else self

    def failed(self, now: float) -> Circuit:
        """Return what holds after a failure."""
        recent = (*(each for each in self.failures if now - each < WITHIN), now)
        if self.opened or len(recent) >= FAILURES:
            return Circuit(opened=now)
        return Circuit(recent)

    def succeeded(self) -> Circuit:
        """Return what holds after a success: it ends a rest, and excuses no failure before it."""
        return Circuit() if self.opened else self

    def settled(self, now: float) -> Circuit:
        """Forget it all if it lies in the future: the clock was set back since."""
        times = (*self.failures, self.opened, self.tried)
        return Circuit() if max(times) > now else self


class Breaker:
    """The circuit of one endpoint, in a file that only its owner can read."""

    def __init__(
        self, path: str, endpoint: str, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._path = path
        self._endpoint = endpoint
        self._clock = clock
        self._circuit = Circuit()

    def wait(self) -> float:
        """Return the seconds to wait; 0 is leave to make one call now."""
        now = self._clock()
        with self._shared() as handle:
            circuit = self._current(handle, now)
            seconds = circuit.wait(now)
            self._keep(handle, circuit if seconds else circuit.trial(now))
        return seconds

    def succeeded(self) -> None:
        """End the rest, if there was one."""
        with self._shared() as handle:
            self._keep(handle, self._current(handle, self._clock()).succeeded())

    def failed(self) -> None:
        """Count a failure; the third, or that of a trial, begins a rest."""
        now = self._clock()
        with self._shared() as handle:
            self._keep(handle, self._current(handle, now).failed(now))

    @contextlib.contextmanager
    def _shared(self) -> Iterator[int]:
        """Open and lock the file; -1 where that cannot be done."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            handle = os.open(self._path, flags, 0o600)
        except OSError:
            yield -1
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield handle
        finally:
            os.close(handle)

    def _current(self, handle: int, now: float) -> Circuit:
        if handle >= 0:
            self._circuit = _read(handle, self._endpoint)
        self._circuit = self._circuit.settled(now)
        return self._circuit

    def _keep(self, handle: int, circuit: Circuit) -> None:
        if circuit == self._circuit:
            return
        self._circuit = circuit
        if handle >= 0:
            times = [list(circuit.failures), circuit.opened, circuit.tried]
            with contextlib.suppress(OSError):  # a full disk; this process knows it all the same
                os.ftruncate(handle, 0)
                os.pwrite(handle, write({"endpoint": self._endpoint, "times": times}).encode(), 0)


def _read(handle: int, endpoint: str) -> Circuit:
    try:
        found = parse(os.pread(handle, _MOST, 0).decode())
    except (OSError, ValueError, RecursionError):
        return Circuit()
    match found:
        case {"endpoint": str(name), "times": [list(failures), float(opened), float(tried)]} if (
            name == endpoint and all(isinstance(each, float) for each in failures)
        ):
            return Circuit(tuple(failures[:FAILURES]), opened, tried)
        case _:
            return Circuit()
