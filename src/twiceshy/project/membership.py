"""Join a checkout to a project, or keep it apart; both are one change that ``undo`` takes back."""

from __future__ import annotations

import os

from twiceshy.app import App, identify_project
from twiceshy.core.errors import NotFoundError
from twiceshy.core.project_link import GONE, HOLDS, OP, ProjectLink, link_id, replay_link
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.notes.person import require_person
from twiceshy.places.joining import APART
from twiceshy.project.identity import link_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.store import Store
    from twiceshy.places.identity import Identity


class Membership(Value):
    """A checkout, the project in question, and whether the checkout belongs to it now."""

    root: str
    checkout: str
    project: str
    name: str
    joined: bool
    changed: bool


def join_checkout(app: App, path: str, project: str | None, *, plan: bool) -> Membership:
    """Join a checkout to a project; by default, to the one that it says to be."""
    here = _identify(app, path)
    into = project or here.claimed
    if not into or into == EVERYWHERE:
        raise NotFoundError(
            f"{here.root} says to be no project that is known here",
            hint="name one: twiceshy project join PATH PROJECT; see: twiceshy project",
        )
    known = app.store.list_project_ids(into)
    changed = here.id not in known
    if changed and not plan:
        require_person("join", [f"{here.root} → {into}"])
    with app.store.change(rehearsal=plan):
        for name in _own_names(here) if changed else ():
            _end_link(app.store, APART + name)
        if changed:
            _record(app.store, here)
            link_name(app.store, here.id, into)
    return _describe(app, here, into, joined=True, changed=changed)


def separate_checkout(app: App, path: str, *, plan: bool) -> Membership:
    """Keep a checkout apart from the project that it belongs to."""
    here = _identify(app, path)
    if not plan:
        require_person("join", [here.root])
    store, own = app.store, here.checkout or here.id
    link = replay_link(store.history(link_id(here.id)))
    if link is not None and link.status == HOLDS:
        with store.change(rehearsal=plan):
            _end_link(store, here.id)
        return _describe(app, here, link.project, joined=False, changed=True)
    if own == here.id:
        return _describe(app, here, here.claimed, joined=False, changed=False)
    with store.change(rehearsal=plan):
        _record(store, here)
        _end_link(store, own, to=here.id)
        link_name(store, APART + own, own)
    return _describe(app, here, here.id, joined=False, changed=True)


def _identify(app: App, path: str) -> Identity:
    whole = os.path.join(app.cwd, os.path.expanduser(path))
    if not os.path.isdir(whole):
        raise NotFoundError(f"{path} is no folder", hint="name the folder of a checkout")
    return identify_project(whole, app)


def _record(store: Store, here: Identity) -> None:
    store.record_project(
        here.id, name=here.name, root=here.root, aliases=here.aliases, places=here.places
    )


def _own_names(here: Identity) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (here.checkout, here.id))))


def _end_link(store: Store, name: str, *, to: str = "") -> None:
    """End the link of a name; ``to`` is the project of a name that no journal entry linked."""
    known = replay_link(store.history(link_id(name)))
    held = known if known and known.status == HOLDS else None
    if held is None and (not to or to not in store.list_project_ids(name)):
        return
    before = held or ProjectLink(name, to)
    store.record_entry(OP, link_id(name), before.but(status=GONE).fields(), before=before.fields())


def _describe(
    app: App, here: Identity, project: str, *, joined: bool, changed: bool
) -> Membership:
    name, _ = app.store.list_projects().get(project, ("", ""))
    checkout = here.checkout or here.id
    return Membership(here.root, checkout, project, name, joined=joined, changed=changed)
