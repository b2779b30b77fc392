"""Captured calls: the source to learn from where a session has no transcript.

Hooks append failed calls, and the few calls behind each, to a file per session (see
``recall.capture``). The file is read as steps, so the same learner runs. Calls keep the ids of the
client, so a call is not counted again when its transcript appears later; for clients that name
their calls only in the transcript, equal calls of a session are taken for the same.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress

from twiceshy.core.jsontext import get_integer, write_json
from twiceshy.core.store_learning import find_progress
from twiceshy.core.transcript import CallStep, ResultStep
from twiceshy.core.value import Value
from twiceshy.recall.capture import CALLS, CALLS_SUFFIX
from twiceshy.runtimes.fields import read_last_lines
from twiceshy.runtimes.jsonl import JsonLinesPass
from twiceshy.runtimes.records import get_mapping, get_text, parse_line
from twiceshy.runtimes.transcript_files import (
    is_session_id,
    list_plain_files,
    read_first_records,
    transcript_size,
)
from twiceshy.shell.summary import summarise_redacted

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.core.transcript import Step
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.runtimes.records import Record

_MOST_SIGNALS = 2_000  # of a session, to find the skill of each failure
_LAST = 16_384  # bytes within which the last line begins


class CapturedOpening(Value):
    """The client and the directory of a session, as its first captured call tells them."""

    runtime: str = ""
    cwd: str = ""


class CapturedRecords:
    """Captured calls as steps; ``skills`` are the skills of failures by call id."""

    telling: tuple[bytes, ...] = (b'"call"',)
    hint = "captured calls are kept for a few days: see retention.state_days"

    def __init__(self, session: str, skills: Mapping[str, str]) -> None:
        self._session, self._skills = session, skills
        self.state = ""

    def steps(self, record: Record, made: str) -> Iterator[Step]:
        """Yield a call and its result; an edit about to be made counts as made."""
        call, failure = get_text(record, "call") or made, get_text(record, "failure")
        shared = {
            "id": call,
            "session": self._session,
            "cwd": get_text(record, "place") or get_text(record, "cwd"),
            "at": get_integer(record.get("at")),
            "agent": get_text(record, "agent"),
            "skill": self._skills.get(call, ""),
        }
        given = write_json(dict(get_mapping(record, "arguments")))
        yield CallStep.of({**shared, "tool": get_text(record, "tool"), "arguments": given})
        yield ResultStep.of({**shared, "text": failure, "failed": bool(failure)})


def is_captured(app: App, path: str) -> bool:
    """True if a path holds captured calls, and no transcript of a client."""
    return os.path.dirname(path) == _calls_folder(app)


def locate_captured_calls(app: App, session: str) -> str:
    """Return the path of a session's captured calls; empty if there are none."""
    path = os.path.join(_calls_folder(app), session + CALLS_SUFFIX)
    return path if is_session_id(session) and transcript_size(path) > 0 else ""


def list_captured_sessions(app: App) -> list[str]:
    """Return the sessions with captured calls."""
    names = list_plain_files(_calls_folder(app), CALLS_SUFFIX)
    sessions = (name.removesuffix(CALLS_SUFFIX) for name in names)
    return [session for session in sessions if locate_captured_calls(app, session)]


def find_last_time(path: str) -> int:
    """Return the time of the last captured call; 0 if unknown."""
    lines = read_last_lines(path, _LAST)
    return get_integer((parse_line(lines[-1]) or {}).get("at")) if lines else 0


def read_captured_opening(path: str) -> CapturedOpening:
    """Read client and directory of a session from its first captured call."""
    record = next(read_first_records(path), {})
    return CapturedOpening(get_text(record, "runtime"), get_text(record, "cwd"))


def read_captured_calls(app: App, path: str, session: str, *, after: str = "") -> JsonLinesPass:
    """Return a pass over captured calls that yields steps."""
    signals = app.store.list_signals(sessions=(session,), limit=_MOST_SIGNALS)
    skills = {one.call: one.skill for one in signals if one.call and one.skill}
    records = CapturedRecords(session, skills)
    return JsonLinesPass(path, records, after=after, whole=False, known=None)


def register_learned_calls(app: App, origin: SessionOrigin, steps: Iterable[Step]) -> None:
    """Register the calls of a transcript that were learned from captured calls before."""
    path = locate_captured_calls(app, origin.session)
    if not path or find_progress(app.store, path) is None:
        return
    captured = read_captured_calls(app, path, origin.session)
    learned = Counter(_describe_call(app, step) for step in captured if isinstance(step, CallStep))
    known: list[str] = []
    for step in steps:
        if isinstance(step, CallStep) and learned[said := _describe_call(app, step)] > 0:
            learned[said] -= 1
            known.append(step.id)
    app.store.register_calls(known, origin.session, project=origin.project)


def drop_captured_calls(app: App, session: str) -> None:
    """Delete the captured calls of a session whose transcript was learned from."""
    if path := locate_captured_calls(app, session):
        with suppress(FileNotFoundError):
            os.unlink(path)


def _describe_call(app: App, step: CallStep) -> tuple[str, str, str]:
    return step.agent, step.tool, summarise_redacted(step.tool, step.arguments, app.redact)


def _calls_folder(app: App) -> str:
    return os.path.join(app.config.home, CALLS)
