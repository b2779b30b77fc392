"""Tell which project a directory belongs to; once git was asked, without asking it again.

The id is the root commit of the branch that the main working tree is on. Worktrees, clones,
subdirectories and renamed folders share it; a submodule has its own. Before the first commit, in a
shallow clone and without git it is the remote's, else the directory's, and becomes an alias as
soon as more is known.
"""

from __future__ import annotations

import os

from twiceshy.places.identity import (
    Identity,
    canonical_path,
    dir_id,
    name_of,
    project_id_valid,
    remote_id,
    slug,
)
from twiceshy.places.project_cache import Cache, Known, Slow
from twiceshy.places.repository import (
    Repository,
    Unreadable,
    find,
    head,
    is_shallow,
    marks,
    remote_url,
)

PATIENCE = 5.0  # seconds for git; a hook, which has less, says so


def identify(
    cwd: str, *, cache: str | None, home: str | None = None, patience: float = PATIENCE
) -> Identity:
    """Return the project of a directory, which may be gone already, and what else it goes by.

    ``cache`` is the file to remember root commits in, ``home`` the user's home directory, and
    ``patience`` the seconds that git may take where the cache does not know the answer.
    """
    path = canonical_path(cwd)
    if not os.path.isabs(cwd):  # a path of another system, as a session from there reports it
        return _identity([dir_id(cwd)], name=name_of(cwd), root=path, seen=[cwd])
    here = os.path.realpath(cwd)
    seen = [here, cwd.rstrip(os.sep) or cwd]
    home = home or os.path.expanduser("~")
    found = find(here, home=os.path.realpath(home) if os.path.isabs(home) else "")
    if isinstance(found, Repository):
        ids = _ids(found, Cache(cache), patience=patience)
        return _identity(ids, name=name_of(_main(found)), root=found.root, seen=seen)
    root = found.root if isinstance(found, Unreadable) else here
    return _identity([dir_id(root)], name=name_of(root), root=root, seen=seen)


def _ids(repository: Repository, cache: Cache, *, patience: float) -> list[str]:
    """Return every id of a repository, the strongest first."""
    common = repository.common
    born, config = marks(common) or ("", "")
    known = cache.glance(common, born=born, config=config) if born else None
    if known is None:
        url = remote_url(common)
        known = Known(
            born,
            config,
            id=_root_id(repository, cache, born=born, patience=patience) or "",
            remote=(remote_id(url) if url else None) or "",
            folder=dir_id(_main(repository)),
        )
        if born and known.id:
            cache.keep(common, known)
    return [text for text in (known.id, known.remote, known.folder) if text]


def _root_id(repository: Repository, cache: Cache, *, born: str, patience: float) -> str | None:
    """Return the id that a repository has by its root commit; none while that cannot be known."""
    common = repository.common
    before = cache.known(common)
    if before and before.born == born:
        return before.id
    tip = None if is_shallow(common) else _tip(repository)
    if tip is None:
        return None
    revision, commit = tip
    tried = cache.slow(common)
    if tried and (tried.born, tried.head) == (born, commit) and tried.patience >= patience:
        return None
    try:
        return _asked(repository.root, revision, before, patience=patience)
    except TimeoutError:
        cache.keep(common, Slow(born, commit, patience))
        return None


def _asked(root: str, revision: str, before: Known | None, *, patience: float) -> str | None:
    """Return the id that git's answer makes; what it was before stays, while its commit is there."""
    from twiceshy.places import git  # noqa: PLC0415 - subprocess costs 13 ms, more than Python

    if before and git.has_commit(root, before.id.removeprefix("git:"), patience=patience):
        return before.id
    answer = f"git:{git.root_commit(root, revision, patience=patience)}"
    return answer if project_id_valid(answer) else None


def _tip(repository: Repository) -> tuple[str, str] | None:
    """Return where to walk back from, and the commit there: the main working tree's, else our own.

    The main one, because a worktree may be on a branch with a root of its own, as documentation is.
    """
    own, common = repository.own, repository.common
    if own != common and (commit := head(common, common=common)):
        return "main-worktree/HEAD", commit
    commit = head(own, common=common)
    return ("HEAD", commit) if commit else None


def _main(repository: Repository) -> str:
    """Return the directory that stands for a repository and all its worktrees."""
    if os.path.basename(repository.common).startswith("."):
        return os.path.dirname(repository.common)
    return repository.root if repository.own == repository.common else repository.common


def _identity(ids: list[str], *, name: str, root: str, seen: list[str]) -> Identity:
    """Return an identity with its aliases; ``seen`` are the directories sessions were in."""
    strongest, *weaker = ids
    slugs = [f"slug:{slug(path)}" for path in (root, *seen)]
    aliases = dict.fromkeys([*weaker, f"path:{canonical_path(root)}", *slugs])
    # A name that is no text cannot be stored, so it is spelt out.
    shown = root.encode("utf-8", "backslashreplace").decode()
    return Identity(strongest, name, shown, tuple(aliases))
