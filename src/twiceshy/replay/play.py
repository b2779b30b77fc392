"""Play the sessions of each project in order, learning after each, and score every policy."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from twiceshy.core.jsontext import parse_json
from twiceshy.core.text import estimate_tokens
from twiceshy.core.transcript import (
    CallStep,
    ResultStep,
    SkillStep,
    Step,
    SummaryStep,
    UserMessage,
)
from twiceshy.core.value import Value
from twiceshy.replay.failures import Failure, FinishedCall, PastFailures, find_failures
from twiceshy.replay.histories import (
    FoundHistories,
    History,
    PassedOver,
    RecordedSession,
    Recording,
    finished_calls,
    has_end_hook,
    has_hooks,
)
from twiceshy.replay.hook_home import ReplayHome, has_installed_hook
from twiceshy.replay.mistakes import RepeatedMistake, list_repeated_mistakes
from twiceshy.replay.policies import MistakeLine, MistakeList, PendingCall, Policy
from twiceshy.replay.score import AT_START, PlayedSession, ReplayScore, ShownItem, score_session
from twiceshy.replay.words import WordRarity, identifying_words, recognisable_words

OURS = "twiceshy"
_FRAMES = ("- ", "<twiceshy-note")
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


class Replayed(Value):
    """Scores by policy, total and by project, repeated mistakes, and skipped files."""

    scores: Mapping[str, ReplayScore]
    projects: Mapping[str, Mapping[str, ReplayScore]]  # by the project's id
    mistakes: tuple[RepeatedMistake, ...]  # the dearest first
    passed_over: tuple[PassedOver, ...]
    broken_lines: int
    faults: tuple[str, ...]

    @property
    def own_score(self) -> ReplayScore:
        """Return the score of twiceshy."""
        return self.scores[OURS]


def replay_projects(
    found: FoundHistories,
    folder: str,
    *,
    baselines: Sequence[type[Policy]] = (),
    settings: Mapping[str, str] = NO_SETTINGS,
    progress: Callable[[], object] = lambda: None,
) -> Replayed:
    """Replay every session; each project has its own memory home below ``folder``."""
    rarity = WordRarity()
    played: list[PlayedSession] = []
    faults: list[str] = []
    passed, broken = [*found.passed_over], 0
    for number, history in enumerate(found.histories):
        player = SessionPlayer(
            history, os.path.join(folder, str(number)), baselines, rarity, settings
        )
        for each in player:
            if each:
                played.append(each)
            progress()
        passed += player.passed_over
        faults += player.faults
        broken += player.broken
    names = (OURS, *(policy.name for policy in baselines))
    projects = {
        history.project: dict.fromkeys(names, ReplayScore()) for history in found.histories
    }
    for each in played:
        scores = projects[each.project]
        for name in names:
            scores[name] += score_session(each, name, rarity)
    total = {
        name: sum((scores[name] for scores in projects.values()), ReplayScore()) for name in names
    }
    mistakes = tuple(list_repeated_mistakes(played, OURS, rarity))
    return Replayed(total, projects, mistakes, tuple(passed), broken, tuple(faults))


class SessionPlayer:
    """Plays a project; keeps only measurements of each session."""

    def __init__(
        self,
        history: History,
        folder: str,
        baselines: Sequence[type[Policy]],
        rarity: WordRarity,
        settings: Mapping[str, str],
    ) -> None:
        self.faults: list[str] = []
        self.broken = 0
        self._history = history
        self._folder = folder
        self._baselines = baselines
        self._rarity = rarity
        self._settings = settings
        self._tape = RecordedSession(history)

    @property
    def passed_over(self) -> Sequence[PassedOver]:
        """Return unreadable transcripts."""
        return self._tape.passed_over

    def __iter__(self) -> Iterator[PlayedSession | None]:
        """Yield every played session; None for a session without calls."""
        past, mistakes, number = PastFailures(), MistakeList(), 0
        with ReplayHome(self._folder, self._settings) as home:
            for recording in self._tape:
                self.broken += recording.broken
                home.enter_directory(recording.source.cwd)
                calls = finished_calls(recording, home.root)
                failures = find_failures(calls)
                again = past.find_recurrences(failures)
                played = _PlayedSession(recording, home, calls, failures)
                played.play_session(
                    [policy(mistakes, number, again) for policy in self._baselines]
                )
                home.learn_session(recording.source.path, recording.source.session)
                past.add_session(failures)
                mistakes.learn_failures(failures, number)
                if not calls:
                    yield None
                    continue
                number += 1
                used = (identifying_words(made.act.tool, made.act.arguments) for made in calls)
                self._rarity.count_session(
                    frozenset().union(*used, *(each.error for each in failures))
                )
                shown = {name: tuple(some) for name, some in played.shown.items()}
                project = self._history.project
                yield PlayedSession(project, len(calls), tuple(failures), tuple(again), shown)
            self.faults = home.faults


class _PlayedSession:
    """A session being played."""

    def __init__(
        self,
        recording: Recording,
        home: ReplayHome,
        calls: Sequence[FinishedCall],
        failures: Sequence[Failure],
    ) -> None:
        self.shown: dict[str, list[ShownItem]] = defaultdict(list)
        self._recording = recording
        self._home = home
        self._worked = {made.place: made.act.mistake is None for made in calls}
        self._failures = {each.place: each for each in failures}
        self._places = {
            step.id: at for at, step in enumerate(recording.steps) if isinstance(step, CallStep)
        }
        self._calls = {step.id: step for step in recording.steps if isinstance(step, CallStep)}
        self._results = {step.id: step for step in recording.steps if isinstance(step, ResultStep)}
        self._ends = {
            step.id: at for at, step in enumerate(recording.steps) if isinstance(step, ResultStep)
        }
        self._now = recording.source.at

    def play_session(self, policies: Sequence[Policy]) -> None:
        """Fire every client event, in order."""
        source = "resume" if self._recording.resumed else "startup"
        self._fire_event("SessionStart", AT_START, "", {"source": source})
        if not self._recording.resumed:
            for policy in policies:
                self._record_shown(policy, AT_START, policy.at_start())
        for place, step in enumerate(self._recording.steps):
            self._now = step.at or self._now
            self._take_step(place, step, policies)

    def _take_step(self, place: int, step: Step, policies: Sequence[Policy]) -> None:
        match step:
            case CallStep():
                self._fire_pending(place, step, policies)
            case ResultStep() if step.id in self._calls:
                self._fire_result(place, self._calls[step.id], step, policies)
            case UserMessage(text=text):
                self._fire_event("UserPromptSubmit", place, step.cwd, {"prompt": text})
                for policy in policies:
                    self._record_shown(policy, place, policy.at_prompt(text))
            case SkillStep(name=name, arguments=arguments, how="slash"):
                asked = {"command_name": name, "command_args": arguments}
                self._fire_event("UserPromptExpansion", place, step.cwd, asked)
            case SummaryStep(summary=summary):
                self._fire_event("PostCompact", place, step.cwd, {"compact_summary": summary})
                self._fire_event("SessionStart", place, step.cwd, {"source": "compact"})
            case _:
                pass

    def _fire_pending(self, place: int, call: CallStep, policies: Sequence[Policy]) -> None:
        told = has_hooks(call, self._results.get(call.id)) and has_installed_hook(
            "PreToolUse", call.tool
        )
        given = _parse_arguments(call.arguments)
        if not told:
            return
        # the model reads what is said now together with the result
        read_at = self._ends.get(call.id, len(self._recording.steps))
        self._fire_event(
            "PreToolUse",
            read_at,
            call.cwd,
            _call_fields(call, given),
            call=place,
            pending=True,
        )
        pending = PendingCall(call.tool, identifying_words(call.tool, given))
        for policy in policies:
            lines = policy.before_call(pending)
            self._record_shown(policy, read_at, lines, call=place, pending=True)

    def _fire_result(
        self, place: int, call: CallStep, result: ResultStep, policies: Sequence[Policy]
    ) -> None:
        event = "PostToolUseFailure" if result.failed else "PostToolUse"
        if not (has_end_hook(call, result) and has_installed_hook(event, call.tool)):
            return
        given = _parse_arguments(call.arguments)
        fields = _call_fields(call, given)
        if result.failed:
            fields |= {"error": result.text, "is_interrupt": result.refusal == "interrupted"}
        else:
            fields["tool_response"] = _tool_response(call.tool, given, result.text)
        made = self._places[call.id]
        self._fire_event(event, place, result.cwd, fields, call=made)
        if failure := self._failures.get(made):
            for policy in policies:
                self._record_shown(policy, place, policy.at_failure(failure), call=made)

    def _fire_event(
        self,
        name: str,
        read_at: int,
        cwd: str,
        fields: Mapping[str, object],
        *,
        call: int = AT_START,
        pending: bool = False,
    ) -> None:
        source = self._recording.source
        common = {
            "session_id": source.session,
            "transcript_path": source.path,
            "cwd": cwd or source.cwd,
        }
        reply = self._home.fire_event(name, self._now, source.cwd, {**common, **fields})
        if reply.text:
            items = tuple(recognisable_words(line) for line in list_notes_in_text(reply.text))
            worked, tokens = self._worked.get(call, False), estimate_tokens(reply.text)
            self.shown[OURS].append(
                ShownItem(read_at, items, tokens, call, pending, reply.ruling, worked)
            )

    def _record_shown(
        self,
        policy: Policy,
        read_at: int,
        lines: Sequence[MistakeLine],
        *,
        call: int = AT_START,
        pending: bool = False,
    ) -> None:
        new = [line for line in lines if line.key not in policy.seen]
        policy.seen.update(line.key for line in new)
        if new:
            tokens = sum(line.tokens for line in new)
            items = tuple(line.words for line in new)
            worked = self._worked.get(call, False)
            self.shown[policy.name].append(
                ShownItem(read_at, items, tokens, call, pending, worked=worked)
            )


def list_notes_in_text(text: str) -> list[str]:
    """Return the notes in a text for the agent, without frames."""
    return [line for line in text.split("\n") if line.startswith(_FRAMES)]


def _call_fields(call: CallStep, given: Mapping[str, object]) -> dict[str, object]:
    return {"tool_name": call.tool, "tool_input": given, "tool_use_id": call.id}


def _tool_response(tool: str, given: Mapping[str, object], text: str) -> dict[str, object]:
    """Return a tool response in the shape of a hook payload."""
    if tool == "Skill":
        return {"success": True, "commandName": given.get("skill") or given.get("command") or ""}
    if tool == "Bash":
        return {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
    return {"type": "text", "file": {"filePath": given.get("file_path") or "", "content": text}}


def _parse_arguments(text: str) -> dict[str, object]:
    try:
        found = parse_json(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
