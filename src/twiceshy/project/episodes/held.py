"""What the gate holds: texts of sessions that agents are not told, wholly or in parts, until a person decides."""

from __future__ import annotations

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.core.store import HealthFinding
from twiceshy.core.value import Value
from twiceshy.notes.write import change_note
from twiceshy.safety.gate import find_reason, judge_episode, judge_note, list_withheld
from twiceshy.safety.gate_rules import ELSEWHERE, REJECTED, vouch_for

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_KINDS = ("note", "checkpoint", "compact", "end", "archive", "handoff", "diary", "reflect")


_CHANGED = "held by the gate"


class HeldText(Value):
    """An episode that the gate holds: the reason, and the parts that are withheld, or all of it."""

    episode: Episode
    reason: str
    parts: tuple[str, ...]
    is_whole: bool


def list_held_texts(store: Store, projects: Sequence[str] | None = None) -> list[HeldText]:
    """Return what waits for a person, newest first."""
    found = store.list_episodes(projects, kinds=_KINDS, limit=None, held=True)
    return [_describe_text(episode) for episode in found]


def examine_held(app: App) -> HealthFinding:
    """Count what agents are not told: texts held by the gate, and quarantined notes."""
    texts = app.store.summarise_store().held
    notes = app.store.count_notes(NoteFilter(statuses=("quarantined",)))
    said = (
        f"kept from agents: {texts} text{'s' * (texts != 1)}, wholly or in part;"
        f" {notes} quarantined note{'s' * (notes != 1)}"
    )
    if texts or notes:
        return HealthFinding("gate", "warning", said, "twiceshy review")
    return HealthFinding("gate", "ok", said)


def accept_text(app: App, episode: Episode) -> None:
    """Let agents be told a text as it stands."""
    app.store.save_records(vouch_for(episode))


def reject_text(app: App, episode: Episode) -> None:
    """Keep a text from agents for good; the person is not asked again."""
    app.store.save_records(vouch_for(episode).but(reason=REJECTED, origin=REJECTED))


def quarantine_held_notes(app: App) -> list[Note]:
    """Quarantine shown notes that the gate holds, so that they wait in ``review`` as others do."""
    found = []
    for note in app.store.notes(NoteFilter(statuses=SHOWN, held=True), limit=None):
        reason = judge_note(note, ELSEWHERE).reason or _CHANGED
        fields = {"status": "quarantined", "reason": reason}
        found.append(change_note(app, "quarantine", note, **fields))
    return found


def _describe_text(episode: Episode) -> HeldText:
    verdict = judge_episode(episode)
    parts = tuple(list_withheld(episode, verdict))
    found = (find_reason(part, ELSEWHERE) for part in parts)
    reason = verdict.reason or next(filter(None, found), "")
    whole = "\n".join(filter(None, (episode.title, episode.summary, *episode.requests)))
    return HeldText(episode, reason, parts or (whole,), is_whole=bool(verdict.reason))
