"""Capture the record of an event: a failure, a summary or a prompt, held on disk at once.

The record is written, redacted, before anything that can be slow: opening the store, asking git,
searching notes. The file is deleted once the store has the record.

Failed calls, and the few calls behind each, are also appended to a file per session: where a
client keeps no transcript, the session is learned from this file.
"""

from __future__ import annotations

import os

from twiceshy.core.event import CallFailed, CallPending, CallSucceeded, Compacted, PromptGiven
from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.note import new_id
from twiceshy.core.session import PromptCount

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twiceshy.core.event import Event

    Call = CallFailed | CallSucceeded | CallPending
    from twiceshy.core.store import Observed

HELD = "held"  # the folder of records that no store has yet, beside the store
HELD_CWD = "cwd"  # the field that tells their project
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
CALLS = "calls"  # the folder of captured calls in the memory home
CALLS_SUFFIX = ".jsonl"
CALLS_FULL = 1 << 20  # bytes of a session's captured calls, at most
FOLLOWED = 8  # calls recorded behind a failure: its fix is looked for among as many
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_WINDOW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_FAILURE = 4_000
_LONGEST_COMMAND, _LONGEST_VALUE, _MOST_ARGUMENTS = 2_000, 200, 24
_LONGEST_SUMMARY = 8_000
_END = 16_000  # longer than any key that is written over several lines


def capture_record(
    event: Event, *, runtime: str, home: str, redact: Callable[[str], str]
) -> Signal | Episode | PromptCount | None:
    """Return the record of an event, redacted, before its project and skill are known.

    A call is appended to the captured calls of its session in the memory home as well.
    """
    match event:
        case CallFailed() | CallSucceeded():
            failure = _read_failure(event, redact)
            append_call(home, event, failure, runtime=runtime, redact=redact)
            return _build_failure_signal(event, failure, redact) if failure else None
        case Compacted():
            return _capture_summary(event, redact)
        case PromptGiven():
            # the same words twice in a moment are two prompts
            place = (event.session, runtime, "", "", event.transcript)
            return PromptCount(new_id(event.at, os.urandom(5)), *place, at=event.at)
        case _:
            return None


def hold_record(store: str, record: Observed, cwd: str) -> str:
    """Write a redacted record beside the store; return the path, empty if not writable."""
    from twiceshy.core.jsontext import write_json
    from twiceshy.store.evidence import build_spool_line
    from twiceshy.store.store_file import make_folder

    line = write_json(build_spool_line(record) | {HELD_CWD: cwd}).encode("utf-8", "replace")
    path = os.path.join(os.path.dirname(store), HELD, os.urandom(8).hex())
    for _ in range(2):
        try:
            handle = os.open(path, _NEW, 0o600)
        except FileNotFoundError:
            make_folder(os.path.dirname(store))
            make_folder(os.path.dirname(path))
            continue
        try:
            while line:
                line = line[os.write(handle, line) :]
        finally:
            os.close(handle)
        return path
    return ""


def release_record(path: str) -> None:
    """Delete the file of a record that the store has."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # a background job was faster: the record is stored once by its key


def append_call(
    home: str, event: Call, failure: str, *, runtime: str, redact: Callable[[str], str]
) -> None:
    """Append a failed call, or a call soon after one, to the captured calls of its session."""
    if isinstance(event, CallFailed) and not failure:
        return  # stopped by the user, or without a word about the reason
    folder = os.path.join(home, CALLS)
    agent = f".{event.agent}" if event.agent else ""
    window = os.path.join(folder, f"{event.session}{agent}")
    try:
        if _open_window(folder, window) if failure else _count_down(window):
            line = _build_line(event, failure, runtime=runtime, redact=redact)
            _append_line(os.path.join(folder, event.session + CALLS_SUFFIX), line)
    except OSError:
        return  # no room or no permission: the store will say so in a moment


def _build_line(event: Call, failure: str, *, runtime: str, redact: Callable[[str], str]) -> str:
    from twiceshy.core.jsontext import write_json

    call = event.call or f"{event.session}:{event.at}"
    return write_json(
        {
            # an edit is told of before it is made, and again if it fails
            "call": f"{event.call}/pending" if isinstance(event, CallPending) else call,
            "at": event.at,
            "runtime": runtime,
            "agent": event.agent,
            "cwd": redact(event.cwd),
            "place": redact(event.place),
            "tool": redact(event.tool),
            "arguments": _shorten_arguments(event.arguments, redact),
            "failure": failure,
        }
    )


def _open_window(folder: str, window: str) -> bool:
    """Let the next calls of an agent be recorded, as many as the file of the window has bytes."""
    for _ in range(2):
        try:
            handle = os.open(window, _WINDOW, 0o600)
        except FileNotFoundError:
            from twiceshy.store.store_file import make_folder

            make_folder(os.path.dirname(folder))
            make_folder(folder)
            continue
        os.write(handle, b"." * FOLLOWED)
        os.close(handle)
        return True
    return False


def _count_down(window: str) -> bool:
    """Count a call of an agent; True while calls are recorded."""
    try:
        left = os.stat(window, follow_symlinks=False).st_size
        if left:
            os.truncate(window, left - 1)
    except FileNotFoundError:
        return False
    return left > 0


def _append_line(path: str, line: str) -> None:
    """Append a line, unless the file is full or told of the same call a moment ago."""
    written, handle = f"{line}\n".encode("utf-8", "replace"), os.open(path, _APPEND, 0o600)
    try:
        size = os.fstat(handle).st_size
        call = written[: written.find(b',"at":')]
        again = call + b',"at":' in os.pread(handle, 2 * _END, max(0, size - 2 * _END))
        if size < CALLS_FULL and not again:  # doctor names the sessions that reach it
            os.write(handle, written)
    finally:
        os.close(handle)


def _shorten_arguments(
    arguments: Mapping[str, object], redact: Callable[[str], str]
) -> dict[str, object]:
    """Return the short arguments of a call, redacted; contents of files are dropped."""
    kept: dict[str, object] = {}
    for name, value in list(arguments.items())[:_MOST_ARGUMENTS]:
        most = _LONGEST_COMMAND if name in ("command", "cmd") else _LONGEST_VALUE
        words = isinstance(value, list) and all(isinstance(each, str) for each in value)
        said = " ".join(value) if words and isinstance(value, list) else value
        if isinstance(said, str) and len(name) <= _LONGEST_VALUE and len(said) <= 2 * _END:
            safe = redact(said)
            if most == _LONGEST_COMMAND or len(safe) <= most:
                kept[redact(name)] = safe[:most]
        elif isinstance(said, bool) or (isinstance(said, int) and abs(said) < 1 << 53):
            kept[redact(name)] = said
    return kept


def _read_failure(event: CallFailed | CallSucceeded, redact: Callable[[str], str]) -> str:
    """Return the redacted error of a call; empty for success or useless errors.

    A secret over several lines is recognised only whole, so an error is redacted before cutting.
    """
    from twiceshy.shell.summary import NOISY_TOOLS, cut_excerpt

    if event.tool in NOISY_TOOLS:
        return ""
    from twiceshy.safety.redact import redact_ends

    if isinstance(event, CallFailed):
        error = "" if event.interrupted else redact_ends(event.error, redact)
    elif event.tool == "Bash":
        error = _find_redacted_failure(event, redact)
    else:
        error = ""
    return cut_excerpt(error, _LONGEST_FAILURE)


def _find_redacted_failure(event: CallSucceeded, redact: Callable[[str], str]) -> str:
    """Return the lines of a hidden failure: most calls have none, and are not redacted for it."""
    from twiceshy.safety.redact import redact_ends
    from twiceshy.shell.failure import find_hidden_failure

    known = event.is_status_known
    if not find_hidden_failure(event.target, event.output, is_status_known=known):
        return ""
    output = redact_ends(event.output, redact)
    return redact(find_hidden_failure(event.target, output, is_status_known=known))


def _build_failure_signal(
    event: CallFailed | CallSucceeded, failure: str, redact: Callable[[str], str]
) -> Signal:
    """Build the signal of a failed call; equal calls give equal signals, in any copy."""
    from twiceshy.shell.summary import cut_excerpt, summarise_redacted

    return Signal(
        key=f"call:{event.call}" if event.call else f"{event.session}:{event.at}",
        kind="error",
        session=event.session,
        project="",
        at=event.at,
        tool=event.tool,
        target=summarise_redacted(event.tool, event.arguments, redact),
        excerpt=cut_excerpt(failure),
        call=event.call,
    )


def _capture_summary(event: Compacted, redact: Callable[[str], str]) -> Episode | None:
    """Return the episode of a compaction, without the model's thoughts.

    Equal summaries give equal episodes.
    """
    summary = _text_between(event.summary, "summary") or _strip_thoughts(event.summary, "analysis")
    if not summary:
        return None
    from twiceshy.project.episodes.facts import episode_id
    from twiceshy.safety.redact import redact_ends

    summary = redact_ends(summary, redact)[:_LONGEST_SUMMARY]
    return Episode(
        id=episode_id(event.session, f"summary:{summary}"),
        kind="compact",
        session=event.session,
        project="",
        started_at=event.at,
        ended_at=event.at,
        summary=summary,
        transcript=event.transcript,
    )


def _text_between(text: str, tag: str) -> str:
    inside = text.partition(f"<{tag}>")[2]
    return inside.rpartition(f"</{tag}>")[0].strip() or inside.strip()


def _strip_thoughts(text: str, tag: str) -> str:
    before, opened, rest = text.partition(f"<{tag}>")
    return (before + rest.partition(f"</{tag}>")[2]).strip() if opened else text.strip()
