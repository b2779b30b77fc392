"""Ask Claude through its command line: prompt on stdin, empty folder, no tools.

Arguments are visible to every user of a machine, so no session text is among them. The model
has read tool output; it gets no tools, no MCP servers and no hooks, and its session is not
kept, or would be learned from in turn.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import shutil
import signal
import subprocess
import tempfile
import time

from twiceshy.core.text import estimate_tokens, fold_to_line
from twiceshy.core.value import Value
from twiceshy.files import list_program_folders
from twiceshy.models.completer import PREVIEW, Completion

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

BACKEND = "claude-cli"
FALLBACKS = ("claude-haiku-4-5", "claude-haiku-4-5-20251001", "claude-haiku-3-5")
SECONDS = 30.0
# Seen to work with 2.1.325. An older client that refuses one of them is a failure like any other:
# to ask without them would give the model tools.
HARMLESS = (
    *("--tools", ""),
    "--strict-mcp-config",
    *("--settings", '{"disableAllHooks":true}'),
    "--no-session-persistence",
)
_MOST = 1 << 20  # bytes of an answer
_AT_ONCE = 1 << 16
_LONGEST_ERROR = 200


class ProgramRun(Value):
    """Result of a program run; ``late``: stopped by timeout, ``long``: too much output."""

    code: int
    out: str
    err: str
    late: bool = False
    long: bool = False


class ClaudeCli:
    """The program ``claude``, with models to try in turn."""

    def __init__(
        self, model: str, environ: Mapping[str, str], *, seconds: float = SECONDS
    ) -> None:
        self._models = tuple(dict.fromkeys(filter(None, (model, *FALLBACKS))))
        self._environ = {**environ, "TWICESHY_INSIDE": "1"}
        self._seconds = seconds

    def complete(self, prompt: str, *, most: int = 4) -> Completion:
        """Return the first non-empty answer, or the last failure."""
        folders = list_program_folders(self._environ.get("PATH", os.defpath))
        program = shutil.which("claude", path=folders)
        if program is None:
            return Completion("", BACKEND, self._models[0], "there is no program called claude")
        failed: list[Completion] = []
        for model in self._models[: max(1, most)]:
            answer = self._ask_model(program, model, prompt)
            if not answer.error:
                return answer.but(failed=tuple(failed))
            failed.append(answer)
        return failed[-1].but(failed=tuple(failed[:-1]))

    def _ask_model(self, program: str, model: str, prompt: str) -> Completion:
        began = time.monotonic()
        command = [program, "-p", "--model", model, *HARMLESS]
        try:
            ran = run_program(command, prompt, environ=self._environ, seconds=self._seconds)
        except OSError as error:
            return Completion("", BACKEND, model, f"claude cannot be run: {error.strerror}")
        text = ran.out.strip()
        fault = _describe_fault(ran, self._seconds)
        return Completion(
            text="" if fault else text,
            backend=BACKEND,
            model=model,
            error=fault,
            preview=(text or ran.err.strip())[:PREVIEW],
            tokens_in=estimate_tokens(prompt),
            tokens_out=estimate_tokens(text) if text else 0,
            milliseconds=int((time.monotonic() - began) * 1_000),
        )


def run_program(
    command: list[str], prompt: str, *, environ: Mapping[str, str], seconds: float
) -> ProgramRun:
    """Run a program in an empty folder with the prompt on stdin; leaves no files."""
    until = time.monotonic() + seconds
    with (
        tempfile.TemporaryDirectory(prefix="twiceshy-", ignore_cleanup_errors=True) as folder,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environ),
            start_new_session=True,
        ) as started,
    ):
        try:
            out, err = _exchange_streams(started, prompt.encode("utf-8", "replace"), until=until)
            long = len(out) > _MOST
            late = not long and not _wait_for_end(started, until=until)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(started.pid, signal.SIGKILL)  # with its children
    return ProgramRun(started.returncode, _decode_text(out), _decode_text(err), late, long)


def _exchange_streams(
    started: subprocess.Popen[bytes], rest: bytes, *, until: float
) -> tuple[bytes, bytes]:
    """Write the prompt and read the answer, until done or timed out."""
    assert started.stdin and started.stdout and started.stderr  # noqa: S101, PT018 - for mypy: all are pipes
    heard = {started.stdout.fileno(): bytearray(), started.stderr.fileno(): bytearray()}
    out, err = heard.values()
    with selectors.DefaultSelector() as open_ends:
        open_ends.register(started.stdin, selectors.EVENT_WRITE)
        for file in (started.stdout, started.stderr):
            open_ends.register(file, selectors.EVENT_READ)
        while len(open_ends.get_map()) and len(out) <= _MOST:
            ready = open_ends.select(max(0.0, until - time.monotonic()))
            if not ready:
                break
            for key, _ in ready:
                if key.fileobj is started.stdin:
                    rest = _write_some(key.fd, rest)
                    done = not rest
                else:
                    done = _read_some(key.fd, heard[key.fd])
                if done:
                    open_ends.unregister(key.fileobj)
            if not rest and not started.stdin.closed:
                started.stdin.close()
    return bytes(out), bytes(err)


def _write_some(fd: int, rest: bytes) -> bytes:
    """Write as much as fits, and return the rest; empty once the reader is gone."""
    try:
        return rest[os.write(fd, rest[: select.PIPE_BUF]) :]
    except OSError:
        return b""


def _read_some(fd: int, into: bytearray) -> bool:
    """Read available output; True at the end."""
    piece = os.read(fd, _AT_ONCE)
    if len(into) <= _MOST:
        into += piece
    return not piece


def _wait_for_end(started: subprocess.Popen[bytes], *, until: float) -> bool:
    try:
        started.wait(max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _describe_fault(ran: ProgramRun, seconds: float) -> str:
    if ran.late:
        return f"timeout: no answer within {seconds:g} s"
    if ran.long:
        return "too long: it answered without end"
    if ran.code:
        said = fold_to_line(ran.err or ran.out, limit=_LONGEST_ERROR)
        return f"exit {ran.code}: {said}" if said else f"exit {ran.code}"
    return "" if ran.out.strip() else "empty: it answered nothing"


def _decode_text(said: bytes) -> str:
    return said[:_MOST].decode("utf-8", "replace")
