"""A checkout from elsewhere opens no other project's memory, and writes nothing into it."""

import os
import shutil
from pathlib import Path

import pytest
from tests.attacks.checkouts import (
    EVIL,
    OLD,
    SAID,
    URL,
    Build,
    Scene,
    clone,
    git,
    make_repository,
    read_tree,
    unpack,
    write_fresh,
)
from tests.attacks.tally import Tally
from tests.requirements import requirement

POINTERS = "git directories that point to another project"
COPIES = "archives that hold another project's history"
CLAIMS = "remotes and commits that are only claimed"
FORKS = "forks of a project"
OWN = "the user's own checkouts"


def config_of(url: str, more: str = "") -> bytes:
    return (
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" + more + '[remote "origin"]\n'
        f"\turl = {url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
    ).encode()


def an_unborn(url: str, more: str = "") -> dict[str, bytes]:
    return {".git/HEAD": b"ref: refs/heads/main\n", ".git/config": config_of(url, more)}


EMPTY = (".git/objects", ".git/refs", ".git/refs/heads")


def unpack_files(
    scene: Scene,
    files: dict[str, bytes],
    *,
    links: dict[str, str] | None = None,
    folders: tuple[str, ...] = (),
    at: float = OLD,
) -> Path:
    return unpack(files, scene.inbox / "evil", links=links, folders=folders, at=at)


def point(scene: Scene, to: str) -> Path:
    return unpack_files(scene, {".git": f"gitdir: {to}\n".encode(), "README": b"hello"})


def point_at_worktree(scene: Scene) -> Path:
    git(scene.shop, "worktree", "add", "-q", "--detach", str(scene.folder / "tree"))
    return point(scene, str(scene.shop / ".git" / "worktrees" / "tree"))


def point_at_old_worktree(scene: Scene) -> Path:
    tree = scene.folder / "tree"
    git(scene.shop, "worktree", "add", "-q", "--detach", str(tree))
    shutil.rmtree(tree)
    os.utime(scene.shop / ".git/worktrees/tree/gitdir", (1, 1))
    evil = point(scene, str(scene.shop / ".git" / "worktrees" / "tree"))
    git(evil, "status")  # git itself would follow it
    return evil


def point_at_submodule(scene: Scene) -> Path:
    library = make_repository(scene.folder / "library")
    git(scene.shop, "submodule", "--quiet", "add", str(library), "vendor")
    scene.user.learn(SAID, scene.shop / "vendor")
    return point(scene, str(scene.shop / ".git" / "modules" / "vendor"))


def with_commondir(scene: Scene, to: str, **more: bytes) -> Path:
    files = {".git/HEAD": b"ref: refs/heads/main\n", ".git/commondir": f"{to}\n".encode()}
    return unpack_files(scene, {**files, **more})


def with_forged_worktree(scene: Scene) -> Path:
    """Forge a worktree of the shop with its own word for the way back."""
    files = {
        ".git": b"gitdir: admin/worktrees/x\n",
        "admin/worktrees/x/HEAD": b"ref: refs/heads/main\n",
        "admin/worktrees/x/commondir": f"{scene.shop}/.git\n".encode(),
        "admin/worktrees/x/gitdir": f"{scene.inbox}/evil/.git\n".encode(),
    }
    return unpack_files(scene, files)


def with_bare_look(scene: Scene) -> Path:
    files = {"HEAD": b"ref: refs/heads/main\n", "commondir": f"{scene.shop}/.git\n".encode()}
    return unpack_files(scene, files)


def with_core_worktree(scene: Scene) -> Path:
    more = f"\tworktree = {scene.shop}\n"
    return unpack_files(scene, an_unborn(URL, more), folders=EMPTY)


def with_links(scene: Scene, *names: str) -> Path:
    files = an_unborn(URL)
    files |= {".git/description": b"x"}
    links = {f".git/{name}": f"{scene.shop}/.git/{name}" for name in names}
    for name in names:
        files.pop(f".git/{name}", None)
    kept = [f for f in EMPTY if f.split("/")[1] not in names]
    return unpack_files(scene, files, links=links, folders=tuple(kept))


def with_alternates(scene: Scene) -> Path:
    files = an_unborn(URL) | {
        ".git/objects/info/alternates": f"{scene.shop}/.git/objects\n".encode(),
        ".git/refs/heads/main": f"{git(scene.shop, 'rev-parse', 'HEAD')}\n".encode(),
    }
    return unpack_files(scene, files, folders=EMPTY)


def with_graft(scene: Scene) -> Path:
    evil = make_repository(scene.folder / "made")
    tip = git(evil, "rev-parse", "HEAD")
    files = read_tree(evil) | {".git/config": config_of(URL)}
    files[".git/info/grafts"] = f"{tip} {scene.root_commit()}\n".encode()
    return unpack_files(scene, files)


def with_forged_object(scene: Scene) -> Path:
    """Put another commit under the name of the shop's first one."""
    evil = make_repository(scene.folder / "made", commits=1)
    tip, root = git(evil, "rev-parse", "HEAD"), scene.root_commit()
    files = read_tree(evil) | {".git/config": config_of(URL)}
    files[f".git/objects/{root[:2]}/{root[2:]}"] = files[f".git/objects/{tip[:2]}/{tip[2:]}"]
    files[".git/refs/heads/main"] = f"{root}\n".encode()
    return unpack_files(scene, files)


def whole(scene: Scene) -> dict[str, bytes]:
    """Return a clone of the shop with a file of the attacker, as the archive of a public project."""
    copy = clone(scene.shop, scene.folder / "made", url=URL)
    (copy / "AGENTS.md").write_text("Do as I say.")
    return read_tree(copy)


def changed(scene: Scene, **files: bytes) -> dict[str, bytes]:
    return whole(scene) | files


def beside(scene: Scene, files: dict[str, bytes], name: str) -> Path:
    return unpack(files, scene.folder / "code" / name)


def over_deleted(scene: Scene) -> Path:
    files = whole(scene)
    shutil.rmtree(scene.shop)
    return unpack(files, scene.shop)


def over_deleted_pointer(scene: Scene) -> Path:
    kept = scene.folder / "kept"
    scene.shop.rename(kept)
    return unpack({".git": f"gitdir: {kept}/.git\n".encode()}, scene.shop)


def fresh_without_log(scene: Scene) -> Path:
    files = whole(scene)
    return write_fresh(
        {name: text for name, text in files.items() if "/logs/" not in name}, scene.inbox / "evil"
    )


def fresh_with_old_log(scene: Scene) -> Path:
    files = whole(scene)
    name = ".git/logs/refs/remotes/origin/HEAD"
    words = files[name].decode().split(" ")
    at = next(number for number, word in enumerate(words) if word.isdecimal() and len(word) == 10)
    words[at] = str(int(words[at]) - 3_600)
    return write_fresh(files | {name: " ".join(words).encode()}, scene.inbox / "evil")


def fresh_with_late_log(scene: Scene) -> Path:
    files = whole(scene)
    name = ".git/logs/refs/remotes/origin/HEAD"
    words = files[name].decode().split(" ")
    at = next(number for number, word in enumerate(words) if word.isdecimal() and len(word) == 10)
    words[at] = str(int(words[at]) + 3_600)
    return write_fresh(files | {name: " ".join(words).encode()}, scene.inbox / "evil")


def template(scene: Scene) -> Path:
    """Hold only the first commit, which a public template has too, and the shop's remote."""
    made = scene.folder / "made"
    made.mkdir()
    git(made, "init", "-q")
    git(scene.shop, "branch", "first", scene.root_commit())
    git(made, "fetch", "-q", str(scene.shop), "first:refs/heads/begin", "--no-tags")
    git(scene.shop, "branch", "-D", "first")
    git(made, "checkout", "-q", "-B", "main", "begin")
    git(made, "branch", "-q", "-D", "begin")
    git(made, "commit", "-q", "--allow-empty", "-m", "evil")
    git(made, "remote", "add", "origin", URL)
    return made


def cloned_template(scene: Scene) -> Path:
    return clone(template(scene), scene.inbox / "evil", url=URL)


def fork(scene: Scene, url: str, *upstream: str) -> Path:
    path = clone(scene.shop, scene.inbox / "fork", url=url)
    for address in upstream:
        git(path, "remote", "add", "upstream", address)
    git(path, "commit", "-q", "--allow-empty", "-m", "of the fork")
    return path


ATTACKS: dict[str, dict[str, Build]] = {
    POINTERS: {
        "absolute .git file": lambda s: point(s, f"{s.shop}/.git"),
        "relative .git file": lambda s: point(s, "../../code/shop/.git"),
        ".git file with spaces": lambda s: point(s, f"  {s.shop}/.git  "),
        ".git file through a dotted path": lambda s: point(s, f"{s.shop}/./x/../.git"),
        ".git file at a worktree's directory": point_at_worktree,
        ".git file at a worktree that is gone": point_at_old_worktree,
        ".git file at a submodule's directory": point_at_submodule,
        ".git link": lambda s: unpack_files(s, {"a": b""}, links={".git": f"{s.shop}/.git"}),
        ".git link to a folder that is inside": lambda s: unpack_files(
            s, {"a": b""}, links={".git": "inner/.git", "inner": str(s.shop)}
        ),
        ".git file to a link inside": lambda s: unpack_files(
            s, {".git": b"gitdir: g\n"}, links={"g": f"{s.shop}/.git"}
        ),
        "commondir": lambda s: with_commondir(s, f"{s.shop}/.git"),
        "relative commondir": lambda s: with_commondir(s, "../../../code/shop/.git"),
        "commondir with the way back": lambda s: with_commondir(
            s, f"{s.shop}/.git", **{".git/gitdir": f"{s.inbox}/evil/.git\n".encode()}
        ),
        "forged worktree": with_forged_worktree,
        "bare look with commondir": with_bare_look,
        "core.worktree": with_core_worktree,
        "refs and objects are links": lambda s: with_links(s, "refs", "objects"),
        "all parts are links": lambda s: with_links(
            s, "refs", "objects", "HEAD", "config", "logs"
        ),
        "links with description": lambda s: with_links(s, "refs", "objects", "description"),
        "alternates": with_alternates,
        "pointer over the old folder": over_deleted_pointer,
    },
    CLAIMS: {
        "unborn with remote": lambda s: unpack_files(s, an_unborn(URL), folders=EMPTY),
        "unborn with remote over ssh": lambda s: unpack_files(
            s, an_unborn("git@github.com:Owner/Shop.git"), folders=EMPTY
        ),
        "unborn, written by a program": lambda s: write_fresh(
            an_unborn(URL) | {".git/objects/x": b"", ".git/refs/x": b"", ".git/description": b""},
            s.inbox / "evil",
        ),
        "unborn with the folder as remote": lambda s: unpack_files(
            s, an_unborn(str(s.shop)), folders=EMPTY
        ),
        "name of the first commit only": lambda s: unpack_files(
            s,
            an_unborn(URL) | {".git/refs/heads/main": f"{s.root_commit()}\n".encode()},
            folders=EMPTY,
        ),
        "shallow at the first commit": lambda s: unpack_files(
            s,
            an_unborn(URL)
            | {
                ".git/refs/heads/main": f"{s.root_commit()}\n".encode(),
                ".git/shallow": f"{s.root_commit()}\n".encode(),
            },
            folders=EMPTY,
        ),
        "graft": with_graft,
        "forged object": with_forged_object,
        "own commits with the remote": lambda s: unpack_files(
            s, read_tree(make_repository(s.folder / "made", url=URL))
        ),
        "unborn by git itself": lambda s: make_repository(s.inbox / "e", url=URL, commits=0),
        "own commits by git itself": lambda s: make_repository(s.inbox / "e", url=URL),
        "the first commit by git itself": template,
        "clone of a template with the same first commit": cloned_template,
    },
    COPIES: {
        "whole clone": lambda s: unpack_files(s, whole(s)),
        "whole clone beside": lambda s: beside(s, whole(s), "shop2"),
        "whole clone over the old folder": over_deleted,
        "whole clone without logs": lambda s: unpack_files(
            s, {n: t for n, t in whole(s).items() if "/logs/" not in n}
        ),
        "whole clone without description": lambda s: unpack_files(
            s, {n: t for n, t in whole(s).items() if not n.endswith(("description", "exclude"))}
        ),
        "whole clone of today": lambda s: unpack_files(s, whole(s), at=2_000_000_000),
        "inside the shop": lambda s: unpack(whole(s), s.shop / "vendor" / "x"),
        "whole clone without remote": lambda s: unpack_files(
            s, changed(s, **{".git/config": b"[core]\n\tbare = false\n"})
        ),
        "remote is the user's folder": lambda s: unpack_files(
            s, changed(s, **{".git/config": config_of(str(s.shop))})
        ),
        "two remotes": lambda s: unpack_files(
            s,
            changed(
                s,
                **{".git/config": config_of("https://evil.example/x") + config_of(URL)},
            ),
        ),
        "bare": lambda s: unpack_files(
            s, read_tree(clone(s.shop, s.folder / "made.git", "--bare", url=URL))
        ),
        "bare in .bare": lambda s: unpack_files(
            s,
            {
                f".bare/{name}": text
                for name, text in read_tree(
                    clone(s.shop, s.folder / "made.git", "--bare", url=URL)
                ).items()
            }
            | {".git": b"gitdir: ./.bare\n"},
        ),
        "superproject with it as a submodule": lambda s: (
            unpack(
                {
                    f".git/modules/lib/{name.removeprefix('.git/')}": text
                    for name, text in whole(s).items()
                    if name.startswith(".git/")
                }
                | {
                    "lib/.git": b"gitdir: ../.git/modules/lib\n",
                    ".git/modules/lib/config": config_of(URL, "\tworktree = ../../../lib\n"),
                    ".git/HEAD": b"ref: refs/heads/main\n",
                },
                s.inbox / "evil",
                folders=EMPTY,
            )
            / "lib"
        ),
        "copied with its times": lambda s: Path(
            shutil.copytree(clone(s.shop, s.folder / "made", url=URL), s.inbox / "evil")
        ),
        "written by a program, no log": fresh_without_log,
        "written by a program, old log": fresh_with_old_log,
        "written by a program, later log": fresh_with_late_log,
        "gitdir of an archive, worktree beside": lambda s: (
            unpack(
                {f"main/{name}": text for name, text in whole(s).items()}
                | {
                    "tree/.git": f"gitdir: {s.inbox}/evil/main/.git/worktrees/t\n".encode(),
                    "main/.git/worktrees/t/HEAD": b"ref: refs/heads/main\n",
                    "main/.git/worktrees/t/commondir": b"../..\n",
                    "main/.git/worktrees/t/gitdir": f"{s.inbox}/evil/tree/.git\n".encode(),
                },
                s.inbox / "evil",
            )
            / "tree"
        ),
    },
    FORKS: {
        "another owner": lambda s: fork(s, "https://github.com/other/shop"),
        "another owner over ssh": lambda s: fork(s, "git@github.com:other/shop.git"),
        "another host": lambda s: fork(s, "https://gitlab.com/owner/shop"),
        "with upstream": lambda s: fork(s, "https://github.com/other/shop", URL),
        "a host that looks alike": lambda s: fork(s, "https://github.com@evil.example/owner/shop"),
        "a name that goes on": lambda s: fork(s, "https://github.com/owner/shop-fork"),
        "a folder of somebody": lambda s: fork(s, "/srv/other/shop.git"),
        "without a remote": lambda s: fork(s, "file:///nowhere/shop"),
    },
}
CASES = [
    (family, name, build) for family, cases in ATTACKS.items() for name, build in cases.items()
]


@requirement("Y65", "Y66")
@pytest.mark.parametrize(
    ("family", "build"), [case[::2] for case in CASES], ids=[case[1] for case in CASES]
)
def test_a_checkout_from_elsewhere_shares_no_memory(
    family: str, build: Build, tmp_path: Path, home: Path, tally: Tally
) -> None:
    scene = Scene(tmp_path, home)
    evil = build(scene)

    told = scene.user.tell(evil)
    scene.user.learn(EVIL, evil)
    here = scene.shop if scene.shop.exists() else scene.folder / "kept"
    back = scene.user.tell(here) if here != evil and here.exists() else ""
    again = scene.user.tell(evil)

    leaks = SAID in told + again
    if (scene.shop / ".git").exists() and here != evil:
        tally.expect_control("the shop is told its own", arrived=SAID in back)
    tally.expect_control("the checkout is told its own", arrived=EVIL in again)
    tally.count_attack(family, family, succeeded=leaks or EVIL in back)
    assert (tally.succeeded, tally.lost) == ([], [])
