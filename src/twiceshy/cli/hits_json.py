"""Hits of a search, and answers of a recall, as they appear in --json."""

from twiceshy.cli.output import fields_json, note_json
from twiceshy.cli.snippets import HitDisplay
from twiceshy.core.errors import SwitchedOffError, TwiceshyError
from twiceshy.core.text import strip_unsafe
from twiceshy.language.rank import RankedNote
from twiceshy.language.snippet import Snippet, cut_snippet
from twiceshy.project.episodes.find import FoundEpisode
from twiceshy.recall.nearest import RecallAnswer
from twiceshy.recall.search import note_snippets


def hit_json(hit: RankedNote, look: HitDisplay) -> dict[str, object]:
    """Return a found note in the --json layout."""
    found = note_snippets(hit.note, look.query, width=look.width)
    shown = [snippet_json(field, each) for field, each in found]
    parts: dict[str, object] = {
        name: round(value, 6)
        for name, value in (
            ("relevance", hit.relevance),
            ("recency", hit.recency),
            ("sightings", hit.sightings),
            ("words", hit.fit.words),
            ("covered", hit.fit.covered),
            ("meaning", hit.fit.meaning),
        )
    }
    if look.shares is not None:
        shares = look.shares.get(hit.note.id, {})
        parts["terms"] = {term: round(share, 6) for term, share in shares.items()}
    score = {"score": round(hit.score, 6), "parts": parts, "snippets": shown}
    return {**score, **note_json(hit.note)}


def episode_json(one: FoundEpisode, look: HitDisplay) -> dict[str, object]:
    """Return a found episode in the --json layout."""
    found = cut_snippet(strip_unsafe(one.text), look.query, limit=look.width)
    return {
        "parts": {"words": round(one.fit.words, 6), "covered": round(one.fit.covered, 6)},
        "snippets": [snippet_json("text", found)],
        **fields_json(one.episode),
        "kind": "episode",
        "subtype": one.episode.kind,
        "text": one.text,
    }


def snippet_json(field: str, found: Snippet) -> dict[str, object]:
    """Return a snippet in the --json layout; a mark is a start and an end."""
    return {"field": field, "text": found.text, "marks": [list(span) for span in found.marks]}


def error_json(error: TwiceshyError) -> dict[str, object]:
    """Return an error in the --json layout of an answer."""
    reason = "disabled" if isinstance(error, SwitchedOffError) else "unknown"
    hints = [error.hint] if error.hint else []
    said = {"reason": reason, "message": str(error), "hints": hints}
    return {"mode": None, "fit": None, **said, "text": "", "notes": []}


def answer_json(answer: RecallAnswer) -> dict[str, object]:
    """Return an answer in the --json layout, with the score of each note."""
    ranked = {one.note.id: one for one in answer.ranked}
    notes = [
        note_json(note)
        | {"score": round(ranked[note.id].score, 6), "fit": answer.grade_note(ranked[note.id])}
        for note in answer.brief.notes
    ]
    said = answer.said
    return {
        "mode": answer.brief.mode,
        "fit": answer.fit or None,
        "reason": said.reason if said else None,
        "message": said.message if said else None,
        "hints": list(said.hints) if said else [],
        "text": answer.brief.text,
        "notes": notes,
    }
