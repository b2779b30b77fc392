"""A second set of checkouts from elsewhere, written after the rules of joining."""

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from tests.attacks.checkouts import (
    EVIL,
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

FAMILY = "checkouts from elsewhere, the second set"


def made(scene: Scene) -> Path:
    """Return the clone that is packed: it is two seconds old, as git's log tells seconds."""
    path = clone(scene.shop, scene.folder / "made", url=URL)
    log = path / ".git" / "logs" / "refs" / "remotes" / "origin" / "HEAD"
    parts = log.read_text().split(" ")
    at = next(number for number, word in enumerate(parts) if word.isdecimal() and len(word) == 10)
    parts[at] = str(int(parts[at]) - 2)
    log.write_text(" ".join(parts))
    return path


def by_zip(scene: Scene) -> Path:
    """Unpack a zip archive with Python, which restores no times."""
    source, path = made(scene), scene.folder / "made.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(source.rglob("*")):
            archive.write(file, file.relative_to(source))
    with zipfile.ZipFile(path) as archive:
        archive.extractall(scene.inbox / "zip")
    return scene.inbox / "zip"


def by_tar_without_times(scene: Scene) -> Path:
    source, path = made(scene), scene.folder / "made.tar"
    subprocess.run(["tar", "-C", str(source), "-cf", str(path), "."], check=True)
    (scene.inbox / "m").mkdir()
    subprocess.run(["tar", "-C", str(scene.inbox / "m"), "-xmf", str(path)], check=True)
    return scene.inbox / "m"


def by_system_tar(scene: Scene) -> Path:
    source, path = made(scene), scene.folder / "made.tgz"
    subprocess.run(["tar", "-C", str(source), "-czf", str(path), "."], check=True)
    (scene.inbox / "t").mkdir()
    subprocess.run(["tar", "-C", str(scene.inbox / "t"), "-xzf", str(path)], check=True)
    return scene.inbox / "t"


def by_copy(scene: Scene, *words: str) -> Path:
    source = made(scene)
    (source / ".git" / "index").unlink()  # what a copy has that is written last
    git(source, "reset", "-q")
    subprocess.run(["cp", *words, str(source), str(scene.inbox / "c")], check=True)
    return scene.inbox / "c"


def initialised_anew(scene: Scene) -> Path:
    """Leave the templates out, and let the user's own git write them."""
    files = {n: t for n, t in read_tree(made(scene)).items() if "description" not in n}
    place = unpack(files, scene.inbox / "i")
    shutil.rmtree(place / ".git" / "info", ignore_errors=True)
    git(place, "init", "-q")
    return place


def worked_on(scene: Scene) -> Path:
    """Commit, fetch and pack in the unpacked checkout before the first session."""
    place = unpack(read_tree(made(scene)), scene.inbox / "w")
    git(place, "commit", "-q", "--allow-empty", "-m", "more")
    git(place, "remote", "set-head", "origin", "main")
    git(place, "gc", "-q")
    return place


def linked_objects(scene: Scene) -> Path:
    """Borrow each folder of objects by a link of its own."""
    place = make_repository(scene.inbox / "l", commits=0)
    for folder in (scene.shop / ".git" / "objects").iterdir():
        target = place / ".git" / "objects" / folder.name
        if not target.exists():
            target.symlink_to(folder)
    tip = git(scene.shop, "rev-parse", "HEAD")
    (place / ".git" / "refs" / "heads" / "main").write_text(f"{tip}\n")
    git(place, "remote", "add", "origin", URL)
    return place


def borrowed_by_git(scene: Scene) -> Path:
    return clone(scene.shop, scene.inbox / "r", "--shared", url="https://github.com/other/shop")


def fetched(scene: Scene) -> Path:
    place = make_repository(scene.inbox / "f", commits=0)
    git(place, "fetch", "-q", str(scene.shop), "main:main2")
    git(place, "checkout", "-q", "main2")
    git(place, "remote", "add", "origin", URL)
    return place


def pointer(text: bytes) -> Build:
    return lambda s: unpack({".git": text.replace(b"SHOP", str(s.shop).encode())}, s.inbox / "p")


def worktree_named_alike(scene: Scene) -> Path:
    """Point into the shop's directory of worktrees, at a name with dots."""
    git(scene.shop, "worktree", "add", "-q", "--detach", str(scene.folder / "tree"))
    to = f"{scene.shop}/.git/worktrees/../worktrees/tree"
    return unpack({".git": f"gitdir: {to}\n".encode()}, scene.inbox / "p")


def inside_a_worktree_that_is_gone(scene: Scene) -> Path:
    """Unpack a pointer where a worktree was: its directory still names this place."""
    tree = scene.folder / "tree"
    git(scene.shop, "worktree", "add", "-q", "--detach", str(tree))
    git(scene.shop, "worktree", "remove", str(tree))
    return unpack({".git": f"gitdir: {scene.shop}/.git/worktrees/tree\n".encode()}, tree)


def superproject_of_the_user(scene: Scene) -> Path:
    """Claim a submodule of another superproject by its name and its way back."""
    library = make_repository(scene.folder / "library")
    git(scene.shop, "submodule", "--quiet", "add", str(library), "vendor")
    scene.user.learn(SAID, scene.shop / "vendor")
    name = f"{scene.shop}/.git/modules/vendor"
    return unpack({"vendor/.git": f"gitdir: {name}\n".encode()}, scene.inbox / "s") / "vendor"


def renamed_over(scene: Scene) -> Path:
    """Swap the git directory of the known folder for an unpacked one."""
    place = unpack(read_tree(made(scene)), scene.inbox / "n")
    (scene.shop / ".git").rename(scene.folder / "kept.git")
    (place / ".git").rename(scene.shop / ".git")
    return scene.shop


def with_stolen_marks(scene: Scene) -> Path:
    """Set the times of the known file, as far as a program can."""
    found = (scene.shop / ".git" / "description").stat()
    place = unpack(read_tree(made(scene)), scene.inbox / "q")
    os.utime(place / ".git" / "description", ns=(found.st_atime_ns, found.st_mtime_ns))
    return place


def with_a_pipe(scene: Scene) -> Path:
    place = write_fresh(read_tree(made(scene)), scene.inbox / "pipe")
    for name in ("description", "logs/refs/remotes/origin/HEAD", "info/exclude"):
        (place / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(place / ".git" / name)
    return place


AGAIN: dict[str, Build] = {
    "zip": by_zip,
    "tar -m": by_tar_without_times,
    "tar of the system": by_system_tar,
    "cp -r": lambda s: by_copy(s, "-r"),
    "cp -a": lambda s: by_copy(s, "-a"),
    "initialised anew": initialised_anew,
    "worked on before": worked_on,
    "objects linked one by one": linked_objects,
    "borrowed by git, other remote": borrowed_by_git,
    "fetched, not cloned": fetched,
    "pointer without a line end": pointer(b"gitdir: SHOP/.git"),
    "pointer with two lines": pointer(b"gitdir: SHOP/.git\ngitdir: x\n"),
    "pointer with a carriage return": pointer(b"gitdir: SHOP/.git\r\n"),
    "pointer in capitals": pointer(b"GITDIR: SHOP/.git\n"),
    "pointer with NUL": pointer(b"gitdir: SHOP/.git\0\n"),
    "pointer at the working tree": pointer(b"gitdir: SHOP\n"),
    "pointer at logs": pointer(b"gitdir: SHOP/.git/logs\n"),
    "worktree with dots": worktree_named_alike,
    "pointer where a worktree was": inside_a_worktree_that_is_gone,
    "submodule of another superproject": superproject_of_the_user,
    "git directory swapped": renamed_over,
    "times of the known file": with_stolen_marks,
    "pipes": with_a_pipe,
}


@requirement("Y65", "Y66")
@pytest.mark.parametrize("build", AGAIN.values(), ids=AGAIN)
def test_a_checkout_from_elsewhere_shares_no_memory_either(
    build: Build, tmp_path: Path, home: Path, tally: Tally
) -> None:
    scene = Scene(tmp_path, home)
    evil = build(scene)

    told = scene.user.tell(evil)
    scene.user.learn(EVIL, evil)
    again = scene.user.tell(evil)
    back = scene.user.tell(scene.shop) if evil != scene.shop else ""

    tally.expect_control("the checkout is told its own", arrived=EVIL in again)
    tally.count_attack(FAMILY, str(build), succeeded=SAID in told + again or EVIL in back)
    assert (tally.succeeded, tally.lost) == ([], [])
