"""Maintain the error notebook: count missed rules, save new rules, propose hard rules."""

from __future__ import annotations

from twiceshy.core.admit import Refused
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Signal
from twiceshy.core.filter import Filter
from twiceshy.core.note import SHOWN
from twiceshy.core.text import one_line
from twiceshy.core.value import Value
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import as_it_is, change
from twiceshy.project.notebook.missed import hits, known_rule, puts_right
from twiceshy.project.notebook.propose import proposals

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note, Source
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import Store
    from twiceshy.project.notebook.diffs import Change
    from twiceshy.project.notebook.missed import Hit
    from twiceshy.project.notebook.propose import Proposal

CORRECTION, HARD = "correction", "hard"
CURRENT, CLEARED = "current", "cleared"
NEEDS_HARD = 3  # misses; who was told so often needs more than telling
_MOST = 10_000
_EXCERPT = 200
_SESSION = "your edit"  # where it was observed; no session of a runtime is called so


class Missed(Value):
    """Rule applied by an edit: every hit, and the hits not counted before."""

    note: Note
    hits: tuple[Hit, ...]
    fresh: tuple[Hit, ...]


class Analysis(Value):
    """Comparison of an edit with the rules; nothing is stored yet.

    ``known`` counts the changes that a rule asks for already. ``waiting`` lists rules the user has not
    decided about, ``cleared`` rules that no longer count, and ``contradicted`` rules whose opposite the
    edit does.
    """

    changes: tuple[Change, ...]
    known: int
    missed: tuple[Missed, ...]
    waiting: tuple[Missed, ...]
    cleared: tuple[Missed, ...]
    contradicted: tuple[Note, ...]
    proposals: tuple[Proposal, ...]


def analysed(store: Store, changes: Sequence[Change], *, projects: tuple[str, ...]) -> Analysis:
    """Compare changes with the rules of some projects, and propose rules for the rest."""
    which = Filter(projects=projects, kinds=("rule",), statuses=())
    rules = [known_rule(note) for note in store.notes(which, limit=_MOST)]
    found: dict[str, list[Hit]] = {}
    for hit in hits(changes, rules):
        found.setdefault(hit.note.id, []).append(hit)
    told = [
        _missed(store, rule.note, found[rule.note.id])
        for rule in rules
        if rule.note.id in found and rule.note.status in SHOWN
    ]
    binding = [rule for rule in rules if _counts(rule.note)]
    back = hits([each.but(removed=each.added, added=each.removed) for each in changes], binding)
    against = dict.fromkeys(hit.note for hit in back if hit.note.id not in found)
    return Analysis(
        changes=tuple(changes),
        known=len({hit.at for each in told for hit in each.hits}),
        missed=tuple(each for each in told if _counts(each.note)),
        waiting=tuple(each for each in told if each.note.status == "candidate"),
        cleared=tuple(
            each for each in told if each.note.status == "active" and not _counts(each.note)
        ),
        contradicted=tuple(against),
        proposals=tuple(
            one
            for one in proposals(changes, rules)
            if not any(puts_right(rule, one.right, one.wrong) for rule in binding)
        ),
    )


def count_missed(app: App, analysis: Analysis, *, project: str) -> list[Note]:
    """Count each miss once, however often its edit is analysed; return current rules.

    A waiting or cleared rule was not shown to an agent: its misses are recorded, but not counted.
    """
    with app.store.change():
        for missed in (*analysis.missed, *analysis.waiting, *analysis.cleared):
            known = {signal for signal, *_ in app.store.evidence(missed.note.id)}
            for hit in missed.hits:
                if hit.key in known:
                    continue
                _attest(app, hit, project)
                if _counts(missed.note):
                    app.store.tally("missed", [missed.note.id])
        return [as_it_is(app.store, missed.note) for missed in analysis.missed]


def keep(
    app: App, proposal: Proposal, changes: Sequence[Change], *, scope: Scope, source: Source
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
        note = _written(app, draft)
        for hit in hits(changes, [known_rule(note)] if note else []):
            _attest(app, hit, scope.project)
        return note


def propose_hard(app: App, note: Note) -> Note | None:
    """Propose a hard rule for a rule missed too often; only once."""
    with app.store.change():
        if not needs_hard(note) or hard_rule(app.store, note):
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
        return _written(app, draft)


def needs_hard(note: Note) -> bool:
    """True if a rule was missed too often for showing alone to help."""
    return note.subtype == CORRECTION and _counts(note) and note.missed >= NEEDS_HARD


def hard_rule(store: Store, note: Note) -> Note | None:
    """Return the hard rule proposed for a rule, whatever its status."""
    which = Filter(projects=(note.scope.project,), kinds=("rule",), statuses=(), tag=note.id)
    return next(iter(store.notes(which, limit=1)), None)


def notebook(store: Store, *, projects: tuple[str, ...]) -> list[Note]:
    """Return the notebook's rules, cleared rules included, most missed first."""
    which = Filter(projects=projects, kinds=("rule",), subtype=CORRECTION, statuses=("active",))
    found = store.notes(which, limit=_MOST)
    return sorted(found, key=lambda note: (note.state, -note.missed, note.id))


def set_state(app: App, note: Note, state: str) -> Note:
    """Clear a notebook rule, or make it count again."""
    if (note.kind, note.subtype) != ("rule", CORRECTION):
        raise NoteError(
            f"{note.handle} is no rule of the notebook", hint="see: twiceshy correct --all"
        )
    return change(app, "edit", note, state=state)


def _counts(note: Note) -> bool:
    return note.status == "active" and note.state == CURRENT


def _missed(store: Store, note: Note, found: Sequence[Hit]) -> Missed:
    known = {signal for signal, *_ in store.evidence(note.id)}
    return Missed(note, tuple(found), tuple(hit for hit in found if hit.key not in known))


def _attest(app: App, hit: Hit, project: str) -> None:
    at = app.store.now()
    app.store.attest(hit.note.id, hit.key, _SESSION, at=at)
    app.store.capture(_signal(hit, project, at=at))


def _signal(hit: Hit, project: str, *, at: int) -> Signal:
    edit = hit.change
    said = f"{one_line(edit.removed, limit=_EXCERPT)} → {one_line(edit.added, limit=_EXCERPT)}"
    return Signal(
        key=hit.key,
        kind="correction",
        session=_SESSION,
        project=project,
        at=at,
        target=edit.file,
        mistake=f"edit|{hit.note.id}",
        excerpt=said,
    )


def _written(app: App, draft: Draft) -> Note | None:
    try:
        outcome = take_note(app, draft, keep_apart=True)
    except NoteError:  # too long, or not fit to be read
        return None
    return None if isinstance(outcome, Refused) else outcome.note
