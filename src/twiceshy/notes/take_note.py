"""Write a requested note; dangerous text by an agent waits for a person."""

from __future__ import annotations

from twiceshy.core.admit import Admitted, Refused, Revised, SeenAgain
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.person import require_person
from twiceshy.notes.vouch import vouch_for_changes
from twiceshy.notes.write import change_note, write_draft
from twiceshy.places import skill as skills

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.notes.write import NoteLimits, Outcome
    from twiceshy.places.identity import Identity


def take_note(
    app: App,
    draft: Draft,
    *,
    keep_apart: bool = False,
    bounds: NoteLimits | None = None,
    prefer: str = "",
    is_typed: bool = True,
) -> Outcome:
    """Write a draft with its origin and skill version.

    A user's draft is vouched for, unless it was read from a file and not typed. ``keep_apart`` keeps a near-duplicate as a separate note; ``prefer`` is the runtime whose
    copy of the skill counts.
    """
    if draft.source == "agent" and (draft.pinned or draft.scope == Scope(EVERYWHERE)):
        require_person("everywhere", [draft.text])
    here = app.current_project()
    version = _find_skill_version(app, draft, here, prefer)
    draft = draft.but(origin_project=here.id, skill_hash=version)
    waits = _find_danger(draft) if draft.source == "agent" else ""
    if waits:  # it takes nobody's place meanwhile
        draft, keep_apart = draft.but(supersedes=""), True
    own = is_typed and draft.source == "user"
    with vouch_for_changes(app, by_person=own), app.store.change():
        if draft.kind == "page" and (known := _find_page(app, draft)):
            return _revise_page(app, known, draft, waits)
        outcome = write_draft(app, draft, bounds=bounds, keep_apart=keep_apart)
        if waits and isinstance(outcome, Admitted):
            fields = {"status": "quarantined", "reason": waits}
            outcome = outcome.but(note=change_note(app, "quarantine", outcome.note, **fields))
        if isinstance(outcome, SeenAgain) and _may_set_trigger(draft, outcome.note):
            note = change_note(app, "edit", outcome.note, trigger=draft.trigger)
            outcome = outcome.but(note=note)
        if draft.scope.project == here.id:
            app.store.record_project(
                here.id, name=here.name, root=here.root, aliases=here.aliases, places=here.places
            )
        return outcome


def _may_set_trigger(draft: Draft, known: Note) -> bool:
    """True if the writer of a known note may set its trigger: a person, or an agent its own."""
    own = draft.source in ("user", known.source)
    return bool(draft.trigger) and own and known.kind != "rule"


def _find_page(app: App, draft: Draft) -> Note | None:
    """Return the existing page of this name."""
    from twiceshy.notes.pages.write import find_page  # noqa: PLC0415 - most notes are no pages

    return find_page(app.store, app.store.list_project_ids(draft.scope.project), draft.tag)


def _revise_page(app: App, page: Note, draft: Draft, waits: str) -> Outcome:
    """Revise a page; its trust is limited by its author."""
    from twiceshy.notes.pages.write import PagePart, revise_page  # noqa: PLC0415 - as above

    if waits:
        hint = "set it yourself, in a terminal of your own"
        return Refused(f"the page stays as it was: {waits}", hint)
    revised = revise_page(app, page, draft, PagePart()).page
    return Revised(revised, revised.text)


def _find_danger(draft: Draft) -> str:
    from twiceshy.safety.danger import find_danger  # noqa: PLC0415 - a user's own words need no look

    return find_danger(f"{draft.text}\n{draft.why}")


def _find_skill_version(app: App, draft: Draft, here: Identity, prefer: str) -> str:
    """Return the skill version as loaded by the note's project."""
    scope = draft.scope
    if not scope.skill:
        return ""
    root = here.root if scope.project in (here.id, EVERYWHERE) else ""
    # another project has other skills: for its notes only the user's own count
    skill = skills.find_skill(scope.skill, app.skill_search_path(prefer=prefer).but(root=root))
    return app.skill_version(skill) if skill else ""
