"""Capture the record of an event: a failure, a summary or a prompt, held on disk at once.

The record is written, redacted, before anything that can be slow: opening the store, asking git,
searching notes. The file is deleted once the store has the record.
"""

from __future__ import annotations

import os

from twiceshy.core.event import CallFailed, CallSucceeded, Compacted, PromptGiven
from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.note import new_id
from twiceshy.core.session import PromptCount

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.core.event import Event
    from twiceshy.core.store import Observed

HELD = "held"  # the folder of records that no store has yet, beside the store
HELD_CWD = "cwd"  # the field that tells their project
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_SUMMARY = 8_000
_END = 16_000  # longer than any key that is written over several lines


def capture_record(
    event: Event, *, runtime: str, redact: Callable[[str], str]
) -> Signal | Episode | PromptCount | None:
    """Return the record of an event, redacted, before its project and skill are known."""
    match event:
        case CallFailed() | CallSucceeded():
            return _capture_failure(event, redact)
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


def _capture_failure(
    event: CallFailed | CallSucceeded, redact: Callable[[str], str]
) -> Signal | None:
    """Return the failure signal of a call; None for success or useless errors.

    Equal calls give equal signals, in any copy of the session. A secret over several lines is
    recognised only whole, so an error is redacted before cutting.
    """
    from twiceshy.shell.summary import NOISY_TOOLS, cut_excerpt

    if event.tool in NOISY_TOOLS:
        return None
    if isinstance(event, CallFailed):
        text = "" if event.interrupted else cut_excerpt(redact(_keep_both_ends(event.error)))
    else:
        from twiceshy.shell.failure import find_hidden_failure

        shell = event.tool == "Bash"
        text = find_hidden_failure(event.target, _keep_both_ends(event.output)) if shell else ""
        text = redact(text)
    if not text.strip():
        return None
    return Signal(
        key=f"call:{event.call}" if event.call else f"{event.session}:{event.at}",
        kind="error",
        session=event.session,
        project="",
        at=event.at,
        tool=event.tool,
        target=redact(event.target),
        excerpt=text,
        call=event.call,
    )


def _keep_both_ends(text: str) -> str:
    """Return both ends of an overlong text, with a margin around the kept part."""
    if len(text) <= 2 * _END:
        return text
    return f"{text[:_END].rpartition(' ')[0]}\n\n…\n\n{text[-_END:].partition(' ')[2]}"


def _capture_summary(event: Compacted, redact: Callable[[str], str]) -> Episode | None:
    """Return the episode of a compaction, without the model's thoughts.

    Equal summaries give equal episodes.
    """
    summary = _text_between(event.summary, "summary") or _strip_thoughts(event.summary, "analysis")
    if not summary:
        return None
    from twiceshy.project.episodes.facts import episode_id

    summary = redact(_keep_both_ends(summary))[:_LONGEST_SUMMARY]
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
