"""The error notebook: count missed rules, save new rules, propose hard rules, set states."""

from __future__ import annotations

from twiceshy.app import App, is_started_by_agent
from twiceshy.core.admit import Refused
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.evidence import Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.grouping import group_by
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import Scope
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.notes.find_by_name import find_named_notes
from twiceshy.notes.review import reject_note
from twiceshy.notes.take_note import take_note
from twiceshy.notes.user_changes import approve_rules, keep_approvals, list_unapproved
from twiceshy.notes.write import change_note, reread_note
from twiceshy.project.notebook.match_edits import find_missed_rules, is_asked_by_rule, parse_rule
from twiceshy.project.notebook.page import category_name
from twiceshy.project.notebook.propose import ProposedRule, propose_rules

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.core.note import Note, Source
    from twiceshy.core.store import Store
    from twiceshy.project.notebook.diffs import TextChange
    from twiceshy.project.notebook.match_edits import MissedRule

CORRECTION, HARD = "correction", "hard"
CURRENT, CLEARED = "current", "cleared"
MIN_HARD_MISSES = 3  # misses; who was told so often needs more than telling
_MAX_EXCERPT = 200
_SESSION = "your edit"  # where it was observed; no session of a runtime is called so
YES, NO, LATER = "y", "n", "l"  # answers about a proposed rule


class RuleMisses(Value):
    """Rule applied by an edit: every hit, and the hits not counted before."""

    note: Note
    hits: tuple[MissedRule, ...]
    uncounted: tuple[MissedRule, ...]


class EditAnalysis(Value):
    """Comparison of an edit with the rules; nothing is stored yet.

    ``known`` counts the changes that a rule asks for already. ``waiting`` lists rules the user has not
    decided about, ``cleared`` rules that no longer count, and ``contradicted`` rules whose opposite the
    edit does.
    """

    changes: tuple[TextChange, ...]
    known: int
    missed: tuple[RuleMisses, ...]
    waiting: tuple[RuleMisses, ...]
    cleared: tuple[RuleMisses, ...]
    contradicted: tuple[Note, ...]
    proposals: tuple[ProposedRule, ...]


def analyse_changes(
    store: Store, changes: Sequence[TextChange], *, projects: tuple[str, ...]
) -> EditAnalysis:
    """Compare changes with the rules of some projects, and propose rules for the rest."""
    which = NoteFilter(projects=projects, kinds=("rule",), statuses=())
    rules = [parse_rule(note) for note in store.notes(which, limit=None)]
    missed = find_missed_rules(changes, rules)
    told = [
        _build_misses(store, hits)
        for hits in group_by(missed, lambda hit: hit.note.id).values()
        if hits[0].note.status in SHOWN
    ]
    binding = [rule for rule in rules if _is_counted(rule.note)]
    undone = [each.but(removed=each.added, added=each.removed) for each in changes]
    asked = {hit.note.id for hit in missed}
    back = (hit.note for hit in find_missed_rules(undone, binding))
    against = dict.fromkeys(note for note in back if note.id not in asked)
    return EditAnalysis(
        changes=tuple(changes),
        known=len({hit.at for each in told for hit in each.hits}),
        missed=tuple(each for each in told if _is_counted(each.note)),
        waiting=tuple(each for each in told if each.note.status == "candidate"),
        cleared=tuple(
            each for each in told if each.note.status == "active" and not _is_counted(each.note)
        ),
        contradicted=tuple(against),
        proposals=tuple(
            one
            for one in propose_rules(changes, rules)
            if not any(is_asked_by_rule(rule, one.right, one.wrong) for rule in binding)
        ),
    )


def count_misses(app: App, analysis: EditAnalysis, *, project: str) -> list[Note]:
    """Count each miss once, however often its edit is analysed; return current rules.

    A waiting or cleared rule was not shown to an agent: its misses are recorded, but not counted.
    """
    with app.store.change():
        for missed in (*analysis.missed, *analysis.waiting, *analysis.cleared):
            known = {signal for signal, *_ in app.store.list_evidence(missed.note.id)}
            for hit in (hit for hit in missed.hits if hit.key not in known):
                _record_miss(app, hit, project)
                if _is_counted(missed.note):
                    app.store.increment_counter("missed", [missed.note.id])
        return [reread_note(app.store, missed.note) for missed in analysis.missed]


def save_rule(
    app: App,
    proposal: ProposedRule,
    changes: Sequence[TextChange],
    *,
    scope: Scope,
    source: Source,
) -> Note | None:
    """Save a proposed rule; only a user's rule is active at once. None if refused.

    The changes it was learned from never count as missed: the rule did not exist then.
    """
    draft = Draft(
        kind="rule",
        subtype=CORRECTION,
        text=proposal.text,
        why=proposal.example,
        tag=proposal.category,
        scope=scope,
        source=source,
    )
    with app.store.change():
        note = _write_rule(app, draft)
        for hit in find_missed_rules(changes, [parse_rule(note)] if note else []):
            _record_miss(app, hit, scope.project)
        return note


def propose_hard_rule(app: App, note: Note) -> Note | None:
    """Propose a hard rule for a rule missed too often; only once."""
    with app.store.change():
        if not needs_hard_rule(note) or find_hard_rule(app.store, note):
            return None
        draft = Draft(
            kind="rule",
            subtype=HARD,
            text=f"Without exception: {note.text}",
            why=note.why,
            tag=note.id,
            scope=note.scope,
            source="detector",
            trust=note.trust,
        )
        return _write_rule(app, draft)


def needs_hard_rule(note: Note) -> bool:
    """True if a rule was missed too often for showing alone to help."""
    return note.subtype == CORRECTION and _is_counted(note) and note.missed >= MIN_HARD_MISSES


def find_hard_rule(store: Store, note: Note) -> Note | None:
    """Return the hard rule proposed for a rule, whatever its status."""
    which = NoteFilter(projects=(note.scope.project,), kinds=("rule",), statuses=(), tag=note.id)
    return next(iter(store.notes(which, limit=1)), None)


def list_waiting_rules(store: Store, *, projects: tuple[str, ...]) -> list[Note]:
    """Return the rules that were learned, proposed or imported and wait for a decision."""
    which = NoteFilter(projects=projects, kinds=("rule",), statuses=("candidate", "quarantined"))
    return store.notes(which, limit=None)


def list_notebook_rules(store: Store, *, projects: tuple[str, ...]) -> list[Note]:
    """Return the notebook's rules, the newest first, cleared rules last."""
    active = NoteFilter(projects=projects, statuses=("active",))
    found = store.notes(active.but(kinds=("rule",), subtype=CORRECTION), limit=None)
    return sorted(found, key=lambda note: (note.state == CLEARED, -note.written_at, note.id))


def set_rule_state(app: App, note: Note, state: str) -> Note:
    """Clear a notebook rule, or make it count again."""
    if (note.kind, note.subtype) != ("rule", CORRECTION):
        raise NoteError(
            f"{note.handle} is no rule of the notebook", hint="see: twiceshy correct --all"
        )
    return change_note(app, "edit", note, state=state)


def _is_counted(note: Note) -> bool:
    return note.status == "active" and note.state == CURRENT


def _build_misses(store: Store, hits: Sequence[MissedRule]) -> RuleMisses:
    note = hits[0].note
    known = {signal for signal, *_ in store.list_evidence(note.id)}
    return RuleMisses(note, tuple(hits), tuple(hit for hit in hits if hit.key not in known))


def _record_miss(app: App, hit: MissedRule, project: str) -> None:
    at, edit = app.store.now(), hit.change
    sides = (fold_to_line(text, limit=_MAX_EXCERPT) for text in (edit.removed, edit.added))
    signal = Signal(
        key=hit.key,
        kind="correction",
        session=_SESSION,
        project=project,
        at=at,
        target=edit.file,
        mistake=f"edit|{hit.note.id}",
        excerpt=" → ".join(sides),
    )
    app.store.record_evidence(hit.note.id, hit.key, _SESSION, at=at)
    app.store.capture(signal)


def _write_rule(app: App, draft: Draft) -> Note | None:
    try:
        outcome = take_note(app, draft, keep_apart=True)
    except NoteError:  # too long, or not fit to be read
        return None
    return None if isinstance(outcome, Refused) else outcome.note


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
    missed_at: int = 0  # when last; 0 if never

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
        NotebookRule(
            note,
            note.id not in unapproved,
            find_hard_rule(app.store, note),
            max((at for *_, at in app.store.list_evidence(note.id)), default=0),
        )
        for note in wanted
    ]


def set_rule_states(app: App, wanted: Mapping[str, Iterable[str]]) -> list[Note]:
    """Set the state of rules as one change; approvals stay."""
    named = [
        (note, state) for state, names in wanted.items() for note in find_named_notes(app, names)
    ]
    with keep_approvals(app, changing=("state",)):
        return [set_rule_state(app, note, state) for note, state in named]
