"""The error notebook for commands: write an analysis, list rules, set states."""

from __future__ import annotations

from twiceshy.app import is_started_by_agent
from twiceshy.core.errors import NotFoundError
from twiceshy.core.scope import Scope
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import find_named_notes
from twiceshy.notes.review import reject_note
from twiceshy.notes.user_changes import approve_rules, keep_approvals, list_unapproved
from twiceshy.project.notebook.corrections import (
    CURRENT,
    count_misses,
    find_hard_rule,
    list_notebook_rules,
    needs_hard_rule,
    propose_hard_rule,
    save_rule,
    set_rule_state,
)
from twiceshy.project.notebook.page import category_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note, Source
    from twiceshy.project.notebook.corrections import EditAnalysis
    from twiceshy.project.notebook.propose import ProposedRule

YES, NO, LATER = "y", "n", "l"  # answers about a proposed rule


class WrittenAnalysis(Value):
    """Counted rules, new rules, and proposed hard rules."""

    counted: tuple[Note, ...] = ()
    kept: tuple[tuple[ProposedRule, Note], ...] = ()
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
        return needs_hard_rule(self.note) and self.hard is None


def write_analysis(
    app: App, found: EditAnalysis, answers: Mapping[ProposedRule, str]
) -> WrittenAnalysis:
    """Count, keep and propose rules as one change; undo keeps the counts."""
    scope = Scope(app.current_project().id)
    others: Source = "agent" if is_started_by_agent() else "detector"
    with app.store.change():
        counted = count_misses(app, found, project=scope.project)
        hard = [propose_hard_rule(app, note) for note in counted]
        kept = []
        for proposal in found.proposals:
            answer = answers.get(proposal, LATER)
            source = "user" if answer == YES else others
            note = save_rule(app, proposal, found.changes, scope=scope, source=source)
            if note and answer == NO:
                reject_note(app, note)
            elif note:
                approve_rules(app, [note] if answer == YES else [])
                kept.append((proposal, note))
    return WrittenAnalysis(tuple(counted), tuple(kept), tuple(note for note in hard if note))


def list_rules(
    app: App, category: str | None, projects: tuple[str, ...], *, cleared: bool
) -> list[NotebookRule]:
    """Return notebook rules, or of a category; ``cleared`` includes cleared rules."""
    found = list_notebook_rules(app.store, projects=projects)
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
        NotebookRule(note, note.id not in unapproved, find_hard_rule(app.store, note))
        for note in wanted
    ]


def set_rule_states(app: App, wanted: Mapping[str, Iterable[str]]) -> list[Note]:
    """Set the state of rules as one change; approvals stay."""
    named = [
        (note, state) for state, names in wanted.items() for note in find_named_notes(app, names)
    ]
    with keep_approvals(app, changing=("state",)):
        return [set_rule_state(app, note, state) for note, state in named]
