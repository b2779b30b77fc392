"""Ask a client's summariser for lessons about the skills that a session used.

The answer is read from the transcript, as a candidate: see ``learning.distil.observations``.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.recall.event_context import EventContext

_MOST_SKILLS = 5  # the last ones
# No line of it is an observation itself, so a summary that repeats it teaches nothing.
_REQUEST = """\
If this session taught something lasting about a skill that it used ({skills}), end the summary with a \
<skill_observations> block, opened and closed by that tag, one line for each lesson:
* skill | gotcha, discovery, fix or workflow | one sentence in the present tense that holds in every project. \
Only what this session itself showed; if that is nothing, leave the block out."""


def ask_summariser(context: EventContext) -> str:
    """Return the request for lessons; empty if no skill was used, or the user wants none."""
    if context.event.agent or not context.app.config.flag("learn.promote"):
        return ""
    uses = context.store.list_skill_uses(context.event.session, "")
    skills = [use.skill for use in uses if use.how == "active"][:_MOST_SKILLS]
    if not skills:
        return ""
    text = _REQUEST.format(skills=", ".join(skills))
    key = f"ask/{context.event.session}/{context.session.compactions}"
    context.record_shown(key, "", channel="summariser", text=text)
    return text
