"""Play the sessions of a project in order, learning after each."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from twiceshy.core.jsontext import parse
from twiceshy.core.text import token_estimate
from twiceshy.core.transcript import Called, Result, SkillUsed, Summarised, UserSaid
from twiceshy.replay.failures import Past, failures_of
from twiceshy.replay.recording import Tape, calls_of, ended, heard
from twiceshy.replay.score import AT_START, Played, Shown
from twiceshy.replay.shelf import Shelf
from twiceshy.replay.stage import Stage, listens
from twiceshy.replay.words import words_in, words_of_call

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.core.transcript import Step
    from twiceshy.replay.failures import Made, Recurrence
    from twiceshy.replay.histories import History, PassedOver
    from twiceshy.replay.policies import Policy
    from twiceshy.replay.recording import Recording
    from twiceshy.replay.shelf import Line
    from twiceshy.replay.words import Rarity

OURS = "twiceshy"
_FRAMES = ("- ", "<twiceshy-note")


class Player:
    """Plays a project; keeps only measurements of each session."""

    def __init__(
        self,
        history: History,
        folder: str,
        baselines: Sequence[type[Policy]],
        rarity: Rarity,
        settings: Mapping[str, str],
    ) -> None:
        self.faults: list[str] = []
        self.broken = 0
        self._history = history
        self._folder = folder
        self._baselines = baselines
        self._rarity = rarity
        self._settings = settings
        self._tape = Tape(history)

    @property
    def passed_over(self) -> Sequence[PassedOver]:
        """Return unreadable transcripts."""
        return self._tape.passed_over

    def __iter__(self) -> Iterator[Played | None]:
        """Yield every played session; None for a session without calls."""
        past, shelf, number = Past(), Shelf(), 0
        with Stage(self._folder, self._settings) as stage:
            for recording in self._tape:
                self.broken += recording.broken
                stage.enter(recording.source.cwd)
                calls = calls_of(recording, stage.root)
                failures = failures_of(calls)
                again = past.recurrences(failures)
                scene = _Scene(recording, stage, calls, again)
                scene.play([policy(shelf, number) for policy in self._baselines])
                stage.learn(recording.source.path, recording.source.session)
                past.add(failures)
                shelf.learn(failures, number)
                if not calls:
                    yield None
                    continue
                number += 1
                used = (words_of_call(made.act.tool, made.act.arguments) for made in calls)
                self._rarity.count(frozenset().union(*used, *(each.error for each in failures)))
                shown = {name: tuple(some) for name, some in scene.shown.items()}
                project = self._history.project
                yield Played(project, len(calls), tuple(failures), tuple(again), shown)
            self.faults = stage.faults


class _Scene:
    """A session being played."""

    def __init__(
        self,
        recording: Recording,
        stage: Stage,
        calls: Sequence[Made],
        again: Sequence[Recurrence],
    ) -> None:
        self.shown: dict[str, list[Shown]] = defaultdict(list)
        self._recording = recording
        self._stage = stage
        self._worked = {made.place: made.act.mistake is None for made in calls}
        self._again = {each.failure.place: each for each in again}
        self._places = {
            step.id: at for at, step in enumerate(recording.steps) if isinstance(step, Called)
        }
        self._calls = {step.id: step for step in recording.steps if isinstance(step, Called)}
        self._results = {step.id: step for step in recording.steps if isinstance(step, Result)}
        self._now = recording.source.at

    def play(self, policies: Sequence[Policy]) -> None:
        """Fire every client event, in order."""
        source = "resume" if self._recording.resumed else "startup"
        self._fire("SessionStart", AT_START, "", {"source": source})
        if not self._recording.resumed:
            for policy in policies:
                self._show(policy, AT_START, policy.at_start())
        for place, step in enumerate(self._recording.steps):
            self._now = step.at or self._now
            self._take(place, step, policies)

    def _take(self, place: int, step: Step, policies: Sequence[Policy]) -> None:
        match step:
            case Called():
                self._pending(place, step, policies)
            case Result() if step.id in self._calls:
                self._ended(place, self._calls[step.id], step)
            case UserSaid(text=text):
                self._fire("UserPromptSubmit", place, step.cwd, {"prompt": text})
                for policy in policies:
                    self._show(policy, place, policy.at_prompt(text))
            case SkillUsed(name=name, arguments=arguments, how="slash"):
                asked = {"command_name": name, "command_args": arguments}
                self._fire("UserPromptExpansion", place, step.cwd, asked)
            case Summarised(summary=summary):
                self._fire("PostCompact", place, step.cwd, {"compact_summary": summary})
                self._fire("SessionStart", place, step.cwd, {"source": "compact"})
            case _:
                pass

    def _pending(self, place: int, call: Called, policies: Sequence[Policy]) -> None:
        again = self._again.get(place)
        told = heard(call, self._results.get(call.id)) and listens("PreToolUse", call.tool)
        given = _mapping(call.arguments)
        if told:
            fields = {"tool_name": call.tool, "tool_input": given, "tool_use_id": call.id}
            self._fire("PreToolUse", place, call.cwd, fields, call=place)
        words = words_of_call(call.tool, given) if policies else frozenset()
        for policy in policies:
            if told or policy.clairvoyant:
                self._show(policy, place, policy.before_call(call.tool, words, again), call=place)

    def _ended(self, place: int, call: Called, result: Result) -> None:
        event = "PostToolUseFailure" if result.failed else "PostToolUse"
        if not (ended(call, result) and listens(event, call.tool)):
            return
        given = _mapping(call.arguments)
        fields = {"tool_name": call.tool, "tool_input": given, "tool_use_id": call.id}
        stopped = result.refusal == "interrupted"
        came: Mapping[str, object] = (
            {"error": result.text, "is_interrupt": stopped}
            if result.failed
            else {"tool_response": _response(call.tool, given, result.text)}
        )
        self._fire(event, place, result.cwd, {**fields, **came}, call=self._places[call.id])

    def _fire(
        self,
        name: str,
        place: int,
        cwd: str,
        fields: Mapping[str, object],
        *,
        call: int = AT_START,
    ) -> None:
        source = self._recording.source
        common = {
            "session_id": source.session,
            "transcript_path": source.path,
            "cwd": cwd or source.cwd,
        }
        text = self._stage.fire(name, self._now, source.cwd, {**common, **fields})
        if text:
            items = tuple(words_in(line) for line in items_of(text))
            worked = self._worked.get(call, False)
            self.shown[OURS].append(Shown(place, items, token_estimate(text), call, worked))

    def _show(
        self, policy: Policy, place: int, lines: Sequence[Line], *, call: int = AT_START
    ) -> None:
        new = [line for line in lines if line.key not in policy.seen]
        policy.seen.update(line.key for line in new)
        if new:
            tokens = sum(line.tokens for line in new)
            items = tuple(line.words for line in new)
            worked = self._worked.get(call, False)
            self.shown[policy.name].append(Shown(place, items, tokens, call, worked))


def items_of(text: str) -> list[str]:
    """Return the notes in a text for the agent, without frames."""
    return [line for line in text.split("\n") if line.startswith(_FRAMES)]


def _response(tool: str, given: Mapping[str, object], text: str) -> dict[str, object]:
    """Return a tool response in the shape of a hook payload."""
    if tool == "Skill":
        return {"success": True, "commandName": given.get("skill") or given.get("command") or ""}
    if tool == "Bash":
        return {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
    return {"type": "text", "file": {"filePath": given.get("file_path") or "", "content": text}}


def _mapping(text: str) -> dict[str, object]:
    try:
        found = parse(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
