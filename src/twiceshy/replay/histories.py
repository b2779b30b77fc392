"""Find recorded sessions and read them in order of time, without repeated history.

Files without a transcript are skipped and listed.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from twiceshy.config.resolved import Config
from twiceshy.core.errors import NotFoundError, TwiceshyError
from twiceshy.core.moment import parse_stamp
from twiceshy.core.transcript import CallStep, ResultStep, Step
from twiceshy.core.value import Value
from twiceshy.learning.detect.watch import TranscriptWatch
from twiceshy.places import project as projects
from twiceshy.places.identity import Identity
from twiceshy.replay.failures import FinishedCall
from twiceshy.runtimes import RUNTIMES
from twiceshy.runtimes.transcript_files import modified_at
from twiceshy.runtimes.transcripts import load_reader, reader_for_path
from twiceshy.safety.names import check_session_id
from twiceshy.shell.tool_call import ToolCall

_SUFFIX = ".jsonl"
_AGENT = "agent-"
# Calls that these tools refuse by themselves fire no hook at all; others run their hooks first.
_REFUSES_UNHEARD = frozenset("Edit Write MultiEdit NotebookEdit Skill".split())


class RecordedHistory(Value):
    """A transcript of a session: path, start directory and time."""

    path: str
    session: str
    cwd: str
    at: int


class History(Value):
    """Sessions of a project, oldest first."""

    project: str
    name: str
    sessions: tuple[RecordedHistory, ...]


class PassedOver(Value):
    """A skipped file, with the reason."""

    path: str
    why: str


class FoundHistories(Value):
    """Projects with their sessions, and skipped files."""

    histories: tuple[History, ...]
    passed_over: tuple[PassedOver, ...]

    @property
    def session_count(self) -> int:
        """Count the sessions of every project."""
        return sum(len(history.sessions) for history in self.histories)


def choose(
    config: Config, given: Sequence[str], folder: str, *, limit: int | None, project: str | None
) -> FoundHistories:
    """Find the sessions in files and folders; a runtime stands for all of its transcripts.

    What is found out about projects is remembered in ``folder``.
    """

    def identify(cwd: str) -> Identity:
        return projects.identify_project(cwd, cache=os.path.join(folder, "projects.json"))

    places: list[str] = []
    for place in given or RUNTIMES:
        if place in RUNTIMES:
            by = load_reader(place)
            places += by.list_transcripts(config.text(by.SETTING))
        else:
            places.append(place)
    found = find_histories(places, identify)
    if project is not None:
        found = keep_project(found, identify(os.path.abspath(project)).id)
    return keep_newest(found, limit) if limit else found


def find_histories(places: Iterable[str], identify: Callable[[str], Identity]) -> FoundHistories:
    """Return sessions in files and folders, by project."""
    recorded: dict[str, RecordedHistory] = {}
    passed: list[PassedOver] = []
    for path in _list_transcripts(places):
        if path in recorded:
            continue
        found = _read_header(path)
        if isinstance(found, RecordedHistory):
            recorded[path] = found
        else:
            passed.append(found)
    return FoundHistories(tuple(_group_by_project(recorded.values(), identify)), tuple(passed))


def keep_newest(found: FoundHistories, most: int) -> FoundHistories:
    """Keep only the newest sessions."""
    everything = [each for history in found.histories for each in history.sessions]
    kept = set(sorted(everything, key=lambda each: (each.at, each.path))[-most:])
    thinned = (
        each.but(sessions=tuple(one for one in each.sessions if one in kept))
        for each in found.histories
    )
    return found.but(histories=tuple(each for each in thinned if each.sessions))


def keep_project(found: FoundHistories, project: str) -> FoundHistories:
    """Keep only the sessions of a project."""
    histories = tuple(each for each in found.histories if each.project == project)
    return found.but(histories=histories)


def _group_by_project(
    recorded: Iterable[RecordedHistory], identify: Callable[[str], Identity]
) -> Iterator[History]:
    homes: dict[str, Identity] = {}
    groups: dict[str, list[RecordedHistory]] = {}
    for each in recorded:
        if each.cwd not in homes:
            homes[each.cwd] = identify(each.cwd)
        groups.setdefault(homes[each.cwd].id, []).append(each)
    names = {here.id: here.name for here in homes.values()}
    for project, sessions in sorted(groups.items()):
        ordered = sorted(sessions, key=lambda each: (each.at, modified_at(each.path), each.path))
        yield History(project, names[project], tuple(ordered))


def _list_transcripts(places: Iterable[str]) -> Iterator[str]:
    """Yield transcript paths; a named path must exist."""
    for place in places:
        path = os.path.abspath(place)
        if reader_for_path(path).transcript_size(path) >= 0 and not os.path.isdir(path):
            yield path
        elif os.path.isdir(path):
            yield from _transcripts_in_folder(path)
        else:
            raise NotFoundError(
                f"there is no transcript or folder {place}",
                hint="name a .jsonl file, a folder, or a runtime",
            )


def _transcripts_in_folder(folder: str) -> Iterator[str]:
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "subagents")
        for name in sorted(names):
            if name.endswith(_SUFFIX) and not name.startswith(_AGENT):
                yield os.path.join(above, name)


def _read_header(path: str) -> RecordedHistory | PassedOver:
    by = reader_for_path(path)
    try:
        session = check_session_id(by.session_of_path(path))
    except TwiceshyError:
        return PassedOver(path, "is not named after a session")
    if by.transcript_size(path) < 0:
        return PassedOver(path, "cannot be read")
    opening = by.read_opening(path)
    if not opening.cwd:
        return PassedOver(path, "does not say where its session was")
    return RecordedHistory(path, session, opening.cwd, _start_time(opening.at))


def _start_time(text: str) -> int:
    try:
        return parse_stamp(text)
    except ValueError:
        return 0


class Recording(Value):
    """Steps of a session's own agent; ``resumed`` if continued from another session."""

    source: RecordedHistory
    steps: tuple[Step, ...]
    resumed: bool
    broken: int  # lines that could not be read


class RecordedSession:
    """Sessions of a project, read lazily.

    A fork begins with a copy of its parent's history; without the copy its first own step is
    later, and the session waits for its turn.
    """

    def __init__(self, history: History) -> None:
        self.passed_over: list[PassedOver] = []
        self._waiting = [(each.at, at, each) for at, each in enumerate(history.sessions)]
        self._known: set[int] = set()

    def __iter__(self) -> Iterator[Recording]:
        heapq.heapify(self._waiting)
        while self._waiting:
            at, order, source = heapq.heappop(self._waiting)
            recording = self._read_session(source)
            if recording is None:
                continue
            began = recording.steps[0].at if recording.steps else at
            if self._waiting and recording.resumed and at < began and began > self._waiting[0][0]:
                heapq.heappush(self._waiting, (began, order, source))
                continue
            self._known.update(hash(step.key) for step in recording.steps)
            yield recording

    def _read_session(self, source: RecordedHistory) -> Recording | None:
        reading = reader_for_path(source.path).read_transcript(source.path)
        try:
            steps = [step for step in reading if not step.agent]
        except (TwiceshyError, OSError) as error:
            self.passed_over.append(PassedOver(source.path, str(error)))
            return None
        own = tuple(step for step in steps if hash(step.key) not in self._known)
        return Recording(source, own, len(own) < len(steps), reading.unusable)


def has_hooks(call: CallStep, result: ResultStep | None) -> bool:
    """True if the client runs hooks for a call; refused calls have none."""
    if result is None or result.refusal != "invalid":
        return True
    return call.tool not in _REFUSES_UNHEARD and "InputValidationError" not in result.text


def has_end_hook(call: CallStep, result: ResultStep) -> bool:
    """True if the client runs hooks at the end of a call: the call must have run."""
    return has_hooks(call, result) and result.refusal in ("", "invalid", "interrupted")


def finished_calls(recording: Recording, root: str) -> list[FinishedCall]:
    """Return finished calls, in order."""
    places = {step.id: at for at, step in enumerate(recording.steps) if isinstance(step, CallStep)}
    calls = {step.id: step for step in recording.steps if isinstance(step, CallStep)}
    results = {step.id: step for step in recording.steps if isinstance(step, ResultStep)}
    watch, made = TranscriptWatch(root=root), []
    for step in recording.steps:
        for finding in watch.feed_step(step):
            if isinstance(finding, ToolCall):
                over = has_end_hook(calls[finding.id], results[finding.id])
                made.append(FinishedCall(places[finding.id], finding, over))
    return sorted(made, key=lambda each: each.place)
