"""Identify the project of a directory, with git's answer cached.

The id is the root commit of the branch of the main working tree. Worktrees, clones,
subdirectories and renamed folders share the id; a submodule has its own. Before the first
commit, in a shallow clone and without git the id comes from the remote, else from the
directory, and becomes an alias later.
"""

from __future__ import annotations

import os

from twiceshy.core.value import Value
from twiceshy.files.json_cache import JsonCache, put_newest
from twiceshy.places.evidence import PlaceMarks, find_origin, is_own_checkout, read_marks
from twiceshy.places.identity import (
    Identity,
    canonical_path,
    claude_slug,
    directory_id,
    is_project_id,
    pair_id,
    place_id,
    project_name,
    remote_id,
)
from twiceshy.places.repository import (
    GitWorktree,
    Unreadable,
    find_repository,
    identity_marks,
    is_shallow,
    read_head,
    read_remote_url,
)

PATIENCE = 5.0  # seconds for git; a hook, which has less, says so
MAX_ENTRIES = 1000  # of each table in the cache
# Tables of the cache by repository: what is known of it, and where git took too long for it.
_REPOSITORIES, _SLOW = "repositories", "slow"


class CachedProject(Value):
    """Cached facts of a repository; valid while ``born`` is, the remote while ``config`` is."""

    born: str
    config: str
    id: str
    remote: str
    folder: str
    pair: str  # root commit and remote in one id
    place: str  # the id of this very git directory
    origin: str  # how it was made, if git made it here


class CheckoutClaim(Value):
    """What a checkout says to be, and what its files on this disk tell about it."""

    facts: CachedProject
    main: str  # the main directory of the repository
    common: str
    own: bool  # does its git directory belong to it?
    marks: PlaceMarks


def identify_project(
    cwd: str, *, cache: str | None, home: str | None = None, patience: float = PATIENCE
) -> Identity:
    """Return the project that a directory says to be, existing or not, with its aliases.

    ``cache`` is the file with known root commits, ``home`` the user's home directory, and
    ``patience`` the time limit of git in seconds. Whether to believe it is asked in ``joining``.
    """
    return look_at_checkout(cwd, cache=cache, home=home, patience=patience)[0]


def look_at_checkout(
    cwd: str, *, cache: str | None, home: str | None = None, patience: float = PATIENCE
) -> tuple[Identity, CheckoutClaim | None]:
    """Return what a directory says to be; of a repository, with its evidence."""
    path = canonical_path(cwd)
    if not os.path.isabs(cwd):  # a path of another system, as a session from there reports it
        own = [directory_id(cwd)]
        return _build_identity(own, name=project_name(cwd), root=path, seen=[cwd]), None
    here = os.path.realpath(cwd)
    seen = [here, cwd.rstrip(os.sep) or cwd]
    home = home or os.path.expanduser("~")
    found = find_repository(here, home=os.path.realpath(home) if os.path.isabs(home) else "")
    if isinstance(found, GitWorktree):
        claim = _build_claim(found, JsonCache(cache), patience=patience)
        ids = [text for text in (claim.facts.id, claim.facts.remote, claim.facts.folder) if text]
        named = _build_identity(ids, name=project_name(claim.main), root=found.root, seen=seen)
        return named, claim
    root = found.root if isinstance(found, Unreadable) else here
    own = [directory_id(root)]
    return _build_identity(own, name=project_name(root), root=root, seen=seen), None


def _build_claim(repository: GitWorktree, cache: JsonCache, *, patience: float) -> CheckoutClaim:
    """Return what a repository says to be, with its evidence, from the cache if it is known."""
    common, main = repository.common, _main_directory(repository)
    own = is_own_checkout(repository)
    marks = read_marks(repository, own=own)
    born, config = identity_marks(common) or ("", "")
    born = f"{born}-{marks.made}" if own and born else born
    known = _parse_entry(cache.find_entry(common, born, config)) if own and born else None
    if known is None:
        url = read_remote_url(common)
        before = _find_before(cache, common, born)
        root, born_at = (before.id, 0) if before else _find_root(repository, cache, born, patience)
        origin = before.origin if before else find_origin(common, born_at=born_at)
        known = CachedProject(
            born,
            config,
            id=root,
            remote=(remote_id(url) if url else None) or "",
            folder=directory_id(main),
            pair=pair_id(root, url) if root else "",
            place=place_id(marks.made),
            origin=origin if own else "",
        )
        if own and born and known.id:
            _keep_entry(cache, _REPOSITORIES, common, list(known.fields().values()))
    return CheckoutClaim(known, main, common, own, marks)


def _find_before(cache: JsonCache, common: str, born: str) -> CachedProject | None:
    """Return what is known of the same git directory with other settings."""
    before = _parse_entry(_copy_table(cache.read_document(), _REPOSITORIES).get(common))
    return before if before and before.born == born else None


def _find_root(
    repository: GitWorktree, cache: JsonCache, born: str, patience: float
) -> tuple[str, int]:
    """Return the id by root commit, empty while unknown, and when that commit was made."""
    common = repository.common
    tip = None if is_shallow(common) else _find_tip(repository)
    if tip is None:
        return "", 0
    revision, commit = tip
    document = cache.read_document()
    if _was_slow(_copy_table(document, _SLOW).get(common), [born, commit], patience):
        return "", 0
    before = _parse_entry(_copy_table(document, _REPOSITORIES).get(common))
    try:
        return _ask_root(repository.root, revision, before, patience=patience)
    except TimeoutError:
        _keep_entry(cache, _SLOW, common, [born, commit, patience])
        return "", 0


def _was_slow(entry: object, start: list[str], patience: float) -> bool:
    """True if git already exceeded this time limit from ``start``."""
    match entry:
        case [*before, int(seconds) | float(seconds)]:
            return before == start and seconds >= patience
        case _:
            return False


def _keep_entry(cache: JsonCache, name: str, common: str, entry: list[object]) -> None:
    """Write an entry into a cache table, removing it from the other."""
    document = cache.read_document()
    tables = {each: _copy_table(document, each) for each in (_REPOSITORIES, _SLOW)}
    for table in tables.values():
        table.pop(common, None)
    put_newest(tables[name], common, entry, most=MAX_ENTRIES)
    cache.write_document(document | tables)  # with the tables of other versions


def _parse_entry(entry: object) -> CachedProject | None:
    """Parse a cache entry; None unless complete and valid."""
    match entry:
        case [str(_), str(_), str(root), str(remote), str(folder), *rest] if len(rest) == 3:
            pair, place, _ = rest
            kinds = [("git:", root), ("dir:", folder), ("dir:", str(place))]
            kinds += [("remote:", str(each)) for each in (remote, pair) if each]
            sound = all(i.startswith(kind) and is_project_id(i) for kind, i in kinds)
            return CachedProject(*map(str, entry)) if sound else None
        case _:
            return None


def _copy_table(document: dict[str, object], name: str) -> dict[str, object]:
    """Return a copy of a cache table; empty if absent."""
    table = document.get(name)
    return dict(table) if isinstance(table, dict) else {}


def _ask_root(
    root: str, revision: str, before: CachedProject | None, *, patience: float
) -> tuple[str, int]:
    """Return the id from git's answer; a known id stays while its commit exists."""
    from twiceshy.places import git  # noqa: PLC0415 - subprocess costs 13 ms, more than Python

    if before and git.has_commit(root, before.id.removeprefix("git:"), patience=patience):
        return before.id, 0
    found = git.find_root_commit(root, revision, patience=patience)
    answer = f"git:{found.name}" if found else ""
    return (answer, found.at) if found and is_project_id(answer) else ("", 0)


def _find_tip(repository: GitWorktree) -> tuple[str, str] | None:
    """Return the start of the walk and its commit: the main working tree's, else our own.

    A worktree may be on a branch with a root of its own, such as documentation.
    """
    own, common = repository.own, repository.common
    if own != common and (commit := read_head(common, common=common)):
        return "main-worktree/HEAD", commit
    commit = read_head(own, common=common)
    return ("HEAD", commit) if commit else None


def _main_directory(repository: GitWorktree) -> str:
    """Return the main directory of a repository and its worktrees."""
    if os.path.basename(repository.common).startswith("."):
        return os.path.dirname(repository.common)
    return repository.root if repository.own == repository.common else repository.common


def _build_identity(ids: list[str], *, name: str, root: str, seen: list[str]) -> Identity:
    """Build an identity with its aliases; ``seen`` are directories of sessions."""
    strongest, *weaker = ids
    slugs = [f"slug:{claude_slug(path)}" for path in (root, *seen)]
    aliases = dict.fromkeys([*weaker, f"path:{canonical_path(root)}", *slugs])
    # A name that is no text cannot be stored, so it is spelt out.
    shown = root.encode("utf-8", "backslashreplace").decode()
    return Identity(strongest, name, shown, tuple(aliases))
