"""Whatever git content an archive brings, no note of another project is told in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.checkouts import EVIL, SAID, URL, Scene, clone, git, read_tree, unpack
from tests.requirements import requirement

FOLDERS = (".git/objects", ".git/refs", ".git/refs/heads", ".git/objects/pack")
PLACES = ("", ".git/", "sub/", "sub/.git/", ".git/worktrees/t/", ".git/modules/m/")


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, dict[str, bytes]]:
    """A user with a shop, a worktree and a submodule, and the files of a clone of the shop."""
    folder = tmp_path_factory.mktemp("known")
    scene = Scene(folder, folder / "home")
    git(scene.shop, "worktree", "add", "-q", "--detach", str(folder / "tree"))
    return scene, read_tree(clone(scene.shop, folder / "made", url=URL))


def contents(scene: Scene) -> list[bytes]:
    """Return what a file of a git directory may say about the shop."""
    shop, root = scene.shop, scene.root_commit()
    paths = [f"{shop}/.git", f"{shop}", f"{shop}/.git/worktrees/tree", "../../code/shop/.git"]
    return [
        b"ref: refs/heads/main\n",
        f"{root}\n".encode(),
        *(f"gitdir: {path}\n".encode() for path in paths),
        *(f"{path}\n".encode() for path in (*paths, "../..", ".git", ".")),
        f'[core]\n\tworktree = {shop}\n[remote "origin"]\n\turl = {URL}\n'.encode(),
        f"{root} {root}\n".encode(),
        f"{'0' * 40} {root} U <u@example.org> 1700000000 +0000\tclone: from {URL}\n".encode(),
        b"",
    ]


NAMES = (
    *("HEAD", "config", "commondir", "gitdir", "packed-refs", "shallow", "description"),
    *("objects/info/alternates", "info/grafts", "info/exclude", "refs/heads/main"),
    *("logs/HEAD", "logs/refs/remotes/origin/HEAD", "config.worktree", "HEAD.lock"),
)


@requirement("Y72")
@settings(max_examples=40)
@given(data=st.data())
def test_no_content_of_an_archive_opens_a_known_project(
    known: tuple[Scene, dict[str, bytes]], data: st.DataObject
) -> None:
    scene, cloned = known
    said = contents(scene)
    names = st.builds("{}{}".format, st.sampled_from(PLACES), st.sampled_from(NAMES))
    files = dict(cloned) if data.draw(st.booleans()) else {}
    files |= data.draw(st.dictionaries(names, st.sampled_from(said), max_size=8))
    pointer = data.draw(st.sampled_from(("", ".git", "sub/.git")))
    to = data.draw(st.sampled_from(said))
    if pointer:
        files = {name: text for name, text in files.items() if not name.startswith(pointer)}
        files[pointer] = to
    links = data.draw(
        st.dictionaries(
            st.sampled_from(
                (".git/refs", ".git/objects", ".git/logs", ".git/config", "sub", ".git")
            ),
            st.sampled_from(
                [f"{scene.shop}/.git", f"{scene.shop}/.git/refs", "../../code/shop/.git"]
            ),
            max_size=2,
        )
    )
    links = {n: t for n, t in links.items() if not any(f.startswith((f"{n}/", n)) for f in files)}
    folders = tuple(
        f
        for f in FOLDERS
        if ".git" not in {*files, *links} and not any(f.startswith(n) for n in links)
    )
    number = sum(1 for _ in scene.inbox.iterdir())
    evil = unpack(
        files | {"README": b"x"}, scene.inbox / str(number), links=links, folders=folders
    )

    for folder in (evil, evil / "sub"):
        if folder.is_dir() and not folder.is_symlink():
            assert SAID not in scene.user.begin(folder)
            scene.user.learn(EVIL, folder)
    assert EVIL not in scene.user.begin(scene.shop)
    assert SAID in scene.user.begin(scene.shop)
