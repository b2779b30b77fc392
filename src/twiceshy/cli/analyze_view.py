"""Format an analysis of edits as lines and as JSON."""

from collections.abc import Iterator, Sequence

from twiceshy.app import is_started_by_agent
from twiceshy.cli.output import flatten_text, note_json, notes_json
from twiceshy.core.note import Note
from twiceshy.core.trust import ORIGINS
from twiceshy.project.notebook.corrections import EditAnalysis, RuleMisses, WrittenAnalysis
from twiceshy.project.notebook.propose import ProposedRule
from twiceshy.wording import worded

_WIDTH = 100
_FEW = 3


def format_analysis(found: EditAnalysis, done: WrittenAnalysis) -> Iterator[str]:
    """Format missed rules and new proposals as lines."""
    yield worded(
        "{corrections} corrections, {known} known, {new} new",
        corrections=len(found.changes),
        known=found.known,
        new=len(found.proposals),
    )
    now = {note.id: note for note in done.counted}
    for missed in found.missed:
        yield _format_missed_rule(missed, now.get(missed.note.id))
    for missed in found.waiting:
        yield worded("waits for you: {rule}", rule=_format_rule(missed.note))
    for missed in found.cleared:
        yield worded("cleared, but missed again: {rule}", rule=_format_rule(missed.note))
    for note in found.contradicted:
        yield worded(
            "your edit does the opposite of {rule}; if it holds no longer: twiceshy correct --clear {id}",
            rule=_format_rule(note),
            id=note.handle,
        )
    names = {proposal: note.handle for proposal, note in done.kept}
    for proposal in found.proposals:
        yield format_proposal(proposal, f"{names.get(proposal, '')} {proposal.text}".strip())
    for note in done.hard:
        yield worded("missed too often, proposed as a hard rule: {rule}", rule=_format_rule(note))


def format_waiting(rules: Sequence[Note]) -> Iterator[str]:
    """Format the rules that wait for the user; an agent is not told unapproved words of others."""
    if not rules:
        return
    yield worded("{count} rules wait for you: twiceshy review", count=len(rules))
    for note in rules[:_FEW]:
        is_told = note.trust >= ORIGINS["command"] or not is_started_by_agent()
        yield f"  {_format_rule(note) if is_told else note.handle}"
    if len(rules) > _FEW:
        yield "  " + worded("and {count} more", count=len(rules) - _FEW)


def format_proposal(proposal: ProposedRule, rule: str) -> str:
    """Format a proposed rule with its files and count."""
    return worded(
        "new, {category}: {rule} (places: {times}; {files})",
        category=proposal.category,
        rule=_flatten_line(rule),
        times=proposal.times,
        files=", ".join(map(_flatten_line, proposal.files[:_FEW])),
    )


def analysis_json(found: EditAnalysis, done: WrittenAnalysis) -> dict[str, object]:
    """Return an analysis in the --json layout."""
    now = {note.id: note for note in done.counted}
    names = dict(done.kept)
    return {
        "corrections": len(found.changes),
        "known": found.known,
        "new": len(found.proposals),
        "missed": [
            {
                "counted": len(each.uncounted),
                "files": list(dict.fromkeys(hit.change.file for hit in each.hits)),
                "note": note_json(now.get(each.note.id, each.note)),
            }
            for each in found.missed
        ],
        "proposed": [
            {
                **one.fields(),
                "text": one.text,
                "example": one.example,
                "note": note_json(names[one]) if one in names else None,
            }
            for one in found.proposals
        ],
        "hard": notes_json(done.hard),
        "waiting": notes_json(each.note for each in found.waiting),
        "cleared": notes_json(each.note for each in found.cleared),
        "contradicted": notes_json(found.contradicted),
    }


def _format_missed_rule(missed: RuleMisses, now: Note | None) -> str:
    files = ", ".join(dict.fromkeys(_flatten_line(hit.change.file) for hit in missed.hits[:_FEW]))
    return worded(
        "missed: {rule} ({fresh} more, {total} in all; {files})",
        rule=_format_rule(missed.note),
        fresh=len(missed.uncounted),
        total=now.missed if now else missed.note.missed + len(missed.uncounted),
        files=files,
    )


def _format_rule(note: Note) -> str:
    return f"{note.handle} {_flatten_line(note.text)}"


def _flatten_line(text: str) -> str:
    return flatten_text(text, limit=_WIDTH)
