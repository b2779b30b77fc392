"""Reserve stdin and stdout for the protocol, and exit with the client."""

import os
import signal
from collections.abc import AsyncIterator

import anyio
from anyio import AsyncFile

_GRACE_S = 0.8  # for what is being written; what takes longer is undone by the store
_STEP_S = 0.02


class RequestCounter:
    """Counts running requests."""

    def __init__(self) -> None:
        self._count = 0

    def __enter__(self) -> None:
        self._count += 1

    def __exit__(self, *_: object) -> None:
        self._count -= 1

    def __bool__(self) -> bool:
        return self._count > 0

    async def wait_until_idle(self) -> None:
        """Wait briefly until no request is running."""
        with anyio.move_on_after(_GRACE_S):
            await anyio.sleep(_STEP_S)  # what was read last has not begun yet
            while self:
                await anyio.sleep(_STEP_S)


class StdinLines:
    """Lines of stdin; at the end, the last request is still answered."""

    def __init__(self, file: AsyncFile[str], busy: RequestCounter) -> None:
        self._file = file
        self._busy = busy

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._file:
            yield line
        await self._busy.wait_until_idle()


def take_streams() -> tuple[AsyncFile[str], AsyncFile[str]]:
    """Take over stdin and stdout: other output goes to stderr."""
    told, said = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return (
        anyio.wrap_file(open(told, encoding="utf-8", errors="replace")),
        anyio.wrap_file(open(said, "w", encoding="utf-8", newline="\n")),
    )


async def exit_on_signal(busy: RequestCounter) -> None:
    """Exit on a signal, even while reading stdin."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            await busy.wait_until_idle()
            exit_now()


def exit_now() -> None:
    """Exit without waiting for threads; store changes are atomic."""
    os._exit(0)
