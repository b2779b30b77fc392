"""The error notebook for commands: write an analysis, list rules, set states."""

from __future__ import annotations

from twiceshy.app import by_agent
from twiceshy.core.errors import NotFoundError
from twiceshy.core.scope import Scope
from twiceshy.core.value import Value
from twiceshy.notes.naming import the_notes
from twiceshy.notes.review import reject
from twiceshy.notes.user_changes import approve_rules, keep_approvals, list_unapproved
from twiceshy.project.notebook.keep import (
    CURRENT,
    count_missed,
    hard_rule,
    keep,
    needs_hard,
    notebook,
    propose_hard,
    set_state,
)
from twiceshy.project.notebook.page import category_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note, Source
    from twiceshy.project.notebook.keep import Analysis
    from twiceshy.project.notebook.propose import Proposal

YES, NO, LATER = "y", "n", "l"  # answers about a proposed rule


class WrittenAnalysis(Value):
    """Counted rules, new rules, and proposed hard rules."""

    counted: tuple[Note, ...] = ()
    kept: tuple[tuple[Proposal, Note], ...] = ()
    hard: tuple[Note, ...] = ()


class NotebookRule(Value):
    """A notebook rule, whether shown to agents, and its hard rule."""

    note: Note
    approved: bool
    hard: Note | None

    @property
    def category(self) -> str:
        """Return the category heading."""
        return category_name(self.note)

    @property
    def needs_hard(self) -> bool:
        """True if missed often enough for a hard rule, without one."""
        return needs_hard(self.note) and self.hard is None


def write_analysis(app: App, found: Analysis, answers: Mapping[Proposal, str]) -> WrittenAnalysis:
    """Count, keep and propose rules as one change; undo keeps the counts."""
    scope = Scope(app.here().id)
    others: Source = "agent" if by_agent() else "detector"
    with app.store.change():
        counted = count_missed(app, found, project=scope.project)
        hard = [propose_hard(app, note) for note in counted]
        kept = []
        for proposal in found.proposals:
            answer = answers.get(proposal, LATER)
            source = "user" if answer == YES else others
            note = keep(app, proposal, found.changes, scope=scope, source=source)
            if note and answer == NO:
                reject(app, note)
            elif note:
                approve_rules(app, [note] if answer == YES else [])
                kept.append((proposal, note))
    return WrittenAnalysis(tuple(counted), tuple(kept), tuple(note for note in hard if note))


def list_rules(
    app: App, category: str | None, projects: tuple[str, ...], *, cleared: bool
) -> list[NotebookRule]:
    """Return notebook rules, or of a category; ``cleared`` includes cleared rules."""
    found = notebook(app.store, projects=projects)
    known = dict.fromkeys(category_name(note) for note in found)
    if category is not None and category not in known:
        raise NotFoundError(
            f"the notebook has no category {category!r}",
            hint=f"known: {', '.join(known) or 'none yet'}",
        )
    wanted = [
        note
        for note in found
        if category in (None, category_name(note)) and (cleared or note.state == CURRENT)
    ]
    unapproved = {note.id for note in list_unapproved(app, wanted)}
    return [
        NotebookRule(note, note.id not in unapproved, hard_rule(app.store, note))
        for note in wanted
    ]


def set_rule_states(app: App, wanted: Mapping[str, Iterable[str]]) -> list[Note]:
    """Set the state of rules as one change; approvals stay."""
    named = [(note, state) for state, names in wanted.items() for note in the_notes(app, names)]
    with keep_approvals(app, changing=("state",)):
        return [set_state(app, note, state) for note, state in named]
