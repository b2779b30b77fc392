"""Ask git whether a clone has commits of the place where the user works on the same project."""

from __future__ import annotations

import os

from twiceshy.places import git
from twiceshy.places.evidence import is_own_checkout, read_marks
from twiceshy.places.repository import GitWorktree, find_repository, read_head

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.places.joining import JoiningQuestion

_TIPS = ("for-each-ref", "--format=%(objectname)", "--count=50", "refs/heads", "refs/remotes")
_AMONG = ("rev-list", "--no-walk", "--ignore-missing", "--max-count=1")


def shares_commits(asked: JoiningQuestion) -> bool:
    """True unless a known place on this machine has no branch in common with the clone.

    Projects that began as copies of one template share their first commit, and no later one.
    """
    project = asked.claim.facts.id
    _, root = asked.store.list_projects().get(project, ("", ""))
    place = find_repository(os.path.realpath(root), home="") if os.path.isdir(root) else None
    if not isinstance(place, GitWorktree) or place.common == asked.claim.common:
        return True
    own = is_own_checkout(place)
    marks = read_marks(place, own=own).list_marks()
    worked_in = (asked.store.list_project_ids(mark, at_place=True)[:1] for mark in marks)
    if not own or (project,) not in worked_in:
        return True  # the path is of another machine, or something else lies there now
    told = git.list_from_git(place.root, *_TIPS, patience=asked.patience).split()
    tips = [tip for tip in told if f"git:{tip}" != project]
    if not tips:
        return True  # a project of one commit
    if git.list_from_git(asked.said.root, *_AMONG, *tips, "--", patience=asked.patience):
        return True
    head = read_head(asked.claim.common, common=asked.claim.common).strip("?")
    try:
        return bool(head) and git.has_commit(place.root, head, patience=asked.patience)
    except TimeoutError:
        return False
