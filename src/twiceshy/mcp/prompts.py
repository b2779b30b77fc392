"""MCP prompts: review recent notes, and write a handoff."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import ADVICE, NoteFilter
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.value import Value
from twiceshy.mcp.arguments import ToolArgument, check_arguments
from twiceshy.mcp.session import McpSession
from twiceshy.mcp.tool_replies import fence_notes
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.project.handoff.record import find_last_handoff
from twiceshy.project.handoff.rules import render_framed
from twiceshy.safety.names import check_name

_RECENT = 30 * DAY
_MOST = 20
_ASK = (
    "For each note ask: does it still hold (look at the code, do not guess)? Could it be shorter? Does"
    " another one cover it? Would a later session miss it?\n"
    "Say with the tool feedback which helped, are wrong or outdated, with one sentence on what you saw. Write"
    " what is missing with note or skill_note. Nothing is erased by that: tell me at the end what waits for me"
    " in `twiceshy review`."
)


class McpPrompt(Value):
    """A prompt as shown to clients, with its text builder."""

    name: str
    title: str
    about: str
    arguments: tuple[ToolArgument, ...]
    text: Callable[..., str]


def build_reflect_prompt(session: McpSession, *, skill: str | None) -> str:
    """Build the prompt to review recent notes: candidates, doubtful, newest."""
    with session.open_store() as app:
        which = NoteFilter(
            projects=visible_projects(app, app.current_project().id),
            skill=check_name(skill, what="skill") if skill else None,
            kinds=tuple(kind for kind in ADVICE if kind != "rule"),
            statuses=SHOWN,
            since=app.store.now() - _RECENT,
        )
        notes = app.store.notes(which, limit=200)
    about = f"skill {skill}" if skill else "this project"
    if not notes:
        return f"Nothing was learned about {about} in the last 30 days, so there is nothing to review. Tell me so."
    notes.sort(key=_review_order)
    heading = f"Review what was learned about {about} in the last 30 days."
    return f"{heading}\n\n{fence_notes(notes[:_MOST])}\n\n{_ASK}"


def build_handoff_prompt(session: McpSession) -> str:
    """Build the handoff prompt, with the last handoff as a start."""
    with session.open_store() as app:
        found = find_last_handoff(app)
    before = ""
    if found:
        left, episode = found
        before = f"The last handoff, to say what became of it:\n\n{render_framed(left, day=format_day(episode.ended_at))}\n\n"
    return (
        f"Write a handoff for the next session of this project.\n\n{before}"
        "Call the tool handoff with action write: status in one line; done; left, the next step first;"
        " decisions, each with its reason; files that matter now. Say what you know from this session, not"
        " what you guess. Then tell me in two sentences what you left."
    )


PROMPTS = (
    McpPrompt(
        "reflect",
        "Review what was learned",
        "Go through the lessons of the last weeks, and say which hold.",
        (ToolArgument("skill", "Only the notes of this skill.", most=200),),
        build_reflect_prompt,
    ),
    McpPrompt(
        "handoff", "Hand work over", "Leave word for the next session.", (), build_handoff_prompt
    ),
)


def render_prompt(session: McpSession, name: str, given: Mapping[str, object]) -> str:
    """Return the text of a prompt, filled in."""
    for prompt in PROMPTS:
        if prompt.name == name:
            return prompt.text(session, **check_arguments(prompt.arguments, given))
    names = ", ".join(prompt.name for prompt in PROMPTS)
    raise NotFoundError(f"there is no prompt {name[:60]!r}", hint=f"there are: {names}")


def _review_order(note: Note) -> tuple[bool, bool, int]:
    """Order notes by need of review: doubtful, candidate, then newest."""
    return not (note.harmed or note.reason), note.status == "active", -note.learned_at
