"""Say what is held back of what a person looks for: how many notes and pages, not their words."""

from twiceshy.app import App, is_started_by_agent
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.notes.vouch import answer_as
from twiceshy.recall.recall_notes import search_notes
from twiceshy.wording import worded

_MOST = 50


def say_held_back(app: App, text: str, which: NoteFilter) -> list[str]:
    """Say how many notes with the words of a text wait for the person who asks; to an agent, nothing."""
    if is_started_by_agent():
        return []
    with answer_as(app, agent=False):
        found = [
            *search_notes(app.store, text, which.but(statuses=("quarantined",)), limit=_MOST),
            *search_notes(app.store, text, which.but(statuses=SHOWN, held=True), limit=_MOST),
        ]
    kinds = [one.note.kind for one in found if one.fit.words > 0]
    if len(kinds) > 1:
        return [worded("{count} notes or pages are held back: twiceshy review", count=len(kinds))]
    if kinds == ["page"]:
        return [worded("1 page is held back: twiceshy review")]
    return [worded("1 note is held back: twiceshy review")] if kinds else []
