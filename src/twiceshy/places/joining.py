"""Decide whether a checkout joins the project that it says to be.

What a checkout says is its maker's word; only what the user did makes it a place of a project:
the same git directory worked in before, a worktree of it, a clone that git made on this machine
of the same commits from the same remote, or the user's own word (``twiceshy project join``).
Anything else is a project of its own. ADR 37 has the table.
"""

from __future__ import annotations

import os

from twiceshy.core.value import Value
from twiceshy.files.json_cache import JsonCache, put_newest
from twiceshy.places.evidence import BORN, CLONED
from twiceshy.places.identity import canonical_path, is_project_id, origin_path
from twiceshy.places.project import MAX_ENTRIES, look_at_checkout
from twiceshy.places.repository import read_remote_url

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.store import HookStore
    from twiceshy.places.identity import Identity
    from twiceshy.places.project import CheckoutClaim

APART = "apart:"  # begins the name by which the user keeps a checkout apart
CACHE = "projects.json"
_PATH, _SLUG = "path:", "slug:"
_STRENGTH = ("git:", "remote:", "dir:")
_DECIDED = "places"  # the table of the cache for hooks that find the store busy


class JoiningQuestion(Value):
    """A checkout, what it says, and the store that knows where the user worked."""

    said: Identity
    claim: CheckoutClaim
    store: HookStore
    memory: str
    patience: float

    @property
    def own(self) -> str:
        """Return the id of this very checkout."""
        return self.claim.facts.place

    def list_old_paths(self) -> dict[str, str]:
        """Return the folders known to earlier versions, by the mark that this home knows it anew.

        Earlier versions recorded nothing but the path. A home that was restored begins anew.
        """
        roots = (self.said.root, self.claim.main) if self.claim.own else (self.said.root,)
        paths = [_PATH + canonical_path(root) for root in roots]
        old = [each for each in paths if self.store.list_project_ids(each, at_place=True)]
        if not old:
            return {}
        from twiceshy.core.prefilter_words import hash_name  # noqa: PLC0415 - of older stores

        try:
            number = os.stat(self.memory).st_ino
        except OSError:
            number = 0
        return {
            f"at:{number}-{hash_name(each.encode('utf-8', 'surrogateescape'))}": each
            for each in old
        }


def find_project(
    cwd: str,
    store: HookStore,
    *,
    memory: str,
    patience: float,
    keep: bool = True,
) -> Identity:
    """Return the project of a directory, as far as the directory may be believed.

    ``memory`` is the memory home; without ``keep`` nothing is written there.
    """
    cache = os.path.join(memory, CACHE) if keep else None
    said, claim = look_at_checkout(cwd, cache=cache, patience=patience)
    if claim is None:
        return said if os.path.lexists(said.root) else _believe_path(said, store)
    question = JoiningQuestion(said, claim, store, memory, patience)
    decided = JsonCache(cache)
    if store.is_stand_in:  # it knows nothing; the decision of before holds
        project, *_ = decided.find_entry(claim.facts.place) or [claim.facts.place]
        return _describe_place(question, project if is_project_id(project) else question.own)
    project = _decide(question)
    if decided.find_entry(question.own) != [project]:
        _keep_decision(decided, question.own, project)
    return _describe_place(question, project)


def _decide(asked: JoiningQuestion) -> str:
    """Return the project that a checkout belongs to: its own place, unless something joins it."""
    own, store, claim = asked.own, asked.store, asked.claim
    if own in store.list_project_ids(APART + own)[1:]:
        return own
    known = _find_worked_in(asked)
    if known and known != own:
        return known
    root, origin = claim.facts.id, claim.facts.origin
    if not (root and claim.own and origin):
        return own
    if origin == BORN or not is_known_project(store, root):
        return root
    if origin != CLONED:
        return own
    return _decide_clone(asked)


def _decide_clone(asked: JoiningQuestion) -> str:
    """Return the project of a clone of a known project's commits: the project, or a fork of it."""
    facts, store = asked.claim.facts, asked.store
    source = origin_path(read_remote_url(asked.claim.common))
    names = (facts.pair, facts.remote, f"{_PATH}{source}" if source else "")
    known = (store.list_project_ids(name)[1:] for name in names if name)
    if not any(facts.id in ids for ids in known):
        return facts.pair or asked.own
    from twiceshy.places.shared_commits import shares_commits  # noqa: PLC0415 - once for a clone

    return facts.id if shares_commits(asked) else asked.own


def _find_worked_in(asked: JoiningQuestion) -> str:
    """Return the project on which the user worked in this git directory; empty if none.

    A path alone counts only for work of earlier versions, which recorded nothing else.
    """
    store, said = asked.store, asked.said
    for mark in asked.claim.marks.list_marks():
        if known := store.list_project_ids(mark, at_place=True):
            return known[0]
    for mark, path in asked.list_old_paths().items():
        if store.list_project_ids(mark, at_place=True):
            continue
        known = store.list_project_ids(path, at_place=True)
        if said.id in (known if said.id.startswith("git:") else known[:1]):
            return known[0]
    return ""


def is_known_project(store: HookStore, project: str) -> bool:
    """True if somebody worked on a project, on this device or on another one."""
    return project in store.list_projects() or len(store.list_project_ids(project)) > 1


def _has_memory(store: HookStore, project: str) -> bool:
    from twiceshy.core.filter import NoteFilter  # noqa: PLC0415 - of a place that is new

    which = NoteFilter(projects=(project,), statuses=())
    return is_known_project(store, project) or bool(store.count_notes(which))


def _describe_place(asked: JoiningQuestion, project: str) -> Identity:
    """Return the identity of a checkout, with what is to be recorded of it."""
    said, facts, store = asked.said, asked.claim.facts, asked.store
    names = [name for name in said.aliases if name.startswith((_PATH, _SLUG))]
    grown = [facts.folder] if facts.origin else []  # a folder in which git was started
    if project == asked.own:
        names = [
            each for each in names if each.startswith(_PATH) or _is_free(store, each, project)
        ]
        claimed = "" if store.is_stand_in else _find_claimed(asked)
    else:
        grown = [facts.pair, *grown, facts.remote]
        names.insert(0, asked.own)
        claimed = ""
    more = [
        name
        for name in filter(None, grown)
        if (name == facts.pair or _has_memory(store, name)) and _is_free(store, name, project)
    ]
    marks = list(asked.claim.marks.list_marks(lasting=True))
    if facts.id:
        marks += asked.list_old_paths()
    known = all(store.list_project_ids(mark, at_place=True)[:1] == (project,) for mark in marks)
    known = known and all(project in store.list_project_ids(name) for name in more)
    return said.but(
        id=project,
        aliases=tuple(dict.fromkeys(name for name in [*more, *names] if name != project)),
        checkout=asked.own,
        places=() if known else tuple(marks),
        claimed=claimed,
    )


def _is_free(store: HookStore, name: str, project: str) -> bool:
    """True if a name leads to this project already, or to no project at all."""
    known = store.list_project_ids(name)
    return project in known or not any(map(is_project_id, known[1:]))


def _find_claimed(asked: JoiningQuestion) -> str:
    """Return the known project that a checkout says to be and does not belong to."""
    facts, store = asked.claim.facts, asked.store
    mine = store.list_project_ids(asked.own)
    for said in filter(None, (facts.id, facts.pair, facts.remote)):
        for each in store.list_project_ids(said):
            if each.startswith(_STRENGTH) and each not in mine and is_known_project(store, each):
                return each
    return ""


def _believe_path(said: Identity, store: HookStore) -> Identity:
    """Return the project that was worked on in a folder that is gone; it cannot say anything."""
    ids = [one for one in store.list_project_ids(_PATH + said.root) if is_project_id(one)]
    ids.sort(key=lambda one: (_STRENGTH.index(one.partition(":")[0] + ":"), one))
    return said.but(id=ids[0]) if ids and said.id not in store.list_projects() else said


def _keep_decision(cache: JsonCache, place: str, project: str) -> None:
    document = cache.read_document()
    table = document.get(_DECIDED)
    decided = dict(table) if isinstance(table, dict) else {}
    put_newest(decided, place, [project], most=MAX_ENTRIES)
    cache.write_document(document | {_DECIDED: decided})
