"""Output that cannot be written: a pipe that nobody reads any more, or a full disk."""

import errno
import os
import sys
from typing import IO

import click

from twiceshy.wording import worded

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def report_output_error(error: OSError) -> int | None:
    """Report output that cannot be written, or a full disk; None for any other error."""
    reason = error.strerror or str(error)
    stream = _find_stream(error)
    if stream:
        silence_stream(stream)
    if stream is sys.stderr:
        return 1
    if stream:
        return print_error(worded("cannot write the output: {why}", why=reason), "", code=1)
    if error.errno in _FULL:
        said = worded("the disk is full; what was done before that stays")
        return print_error(said, worded("make room, and run it again"), code=1)
    return None


def print_error(message: str, hint: str, *, code: int) -> int:
    """Print an error and a hint to stderr, and return the exit code."""
    try:
        click.echo(f"twiceshy: {message}", err=True)
        if hint:
            click.echo(f"hint: {hint}", err=True)
    except OSError:  # nobody reads it, or it is full; the exit code still tells
        silence_stream(sys.stderr)
    return code


def silence_stream(stream: IO[str]) -> None:
    """Redirect a stream to the null device.

    Otherwise the interpreter complains at exit about what could not be written.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _find_stream(error: OSError) -> IO[str] | None:
    """Return the stream that could not be written; None if the error is about a file.

    A stream cannot be asked: after the error it has nothing left to write.
    """
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code is not click.echo.__code__:
        trace = trace.tb_next
    if trace is None:
        return None
    return sys.stderr if trace.tb_frame.f_locals.get("err") else sys.stdout
