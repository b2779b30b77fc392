"""Every directory resolves to the right project: real repositories, real processes."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

import twiceshy
from twiceshy.core.errors import UnsafeNameError
from twiceshy.places import project as remembering
from twiceshy.places.identity import Identity, claude_slug, directory_id, remote_id
from twiceshy.places.project import identify_project
from twiceshy.places.repository import read_head, read_remote_url

SOURCES = Path(twiceshy.__file__).resolve().parents[1]
NOBODY = 65534
ORIGIN = "https://github.com/owner/app"

needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to give files away"
)


@pytest.fixture
def cache(home: Path) -> Path:
    return home / "projects.json"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return a_repository(tmp_path / "code" / "app")


def git(where: Path, *arguments: str) -> str:
    settings = ["user.name=A", "user.email=a@example.org", "init.defaultBranch=main"]
    settings += ["protocol.file.allow=always", "commit.gpgSign=false"]
    flags = [flag for setting in settings for flag in ("-c", setting)]
    command = ["git", *flags, "-C", str(where), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def a_repository(path: Path, *, commits: int = 2) -> Path:
    path.mkdir(parents=True)
    git(path, "init", "-q")
    for number in range(commits):
        # The path makes the root commits of two repositories differ within one second.
        git(path, "commit", "-q", "--allow-empty", "-m", f"{number} of {path}")
    return path


def root_id(path: Path, revision: str = "HEAD") -> str:
    return "git:" + git(path, "rev-list", "--first-parent", "--max-parents=0", revision)


def project(path: Path | str, cache: Path | None = None, *, patience: float = 5) -> Identity:
    return identify_project(str(path), cache=str(cache) if cache else None, patience=patience)


def without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def a_git_that(does: str, where: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program in git's place that writes a line for every call, and then does that."""
    where.mkdir()
    calls = where / "calls"
    calls.touch()
    program = where / "git"
    program.write_text(f"#!/bin/sh\necho called >> '{calls}'\n{does}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{where}{os.pathsep}{os.environ['PATH']}")
    return calls


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up what root may do, because nothing is unreadable for root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


# ── the table of A11 ─────────────────────────────────────────────────────────────────────────────


@requirement("U025", "A11")
@pytest.mark.parametrize("folder", ["my.app", "my_app", "my app", "my-app", "我的应用", "à 'b\""])
def test_a_repository_is_found_whatever_its_folder_is_called(
    tmp_path: Path, cache: Path, folder: str
) -> None:
    app = a_repository(tmp_path / folder)

    first, again = project(app, cache), project(app, cache)

    assert first == again
    assert (first.id, first.name, first.root) == (root_id(app), folder, str(app))
    assert {directory_id(str(app)), f"path:{app}", f"slug:{claude_slug(str(app))}"} <= set(
        first.aliases
    )


@requirement("U025", "A11")
def test_a_subdirectory_belongs_to_its_repository(app: Path, cache: Path) -> None:
    inner = app / "src" / "deep"
    inner.mkdir(parents=True)

    here = project(inner, cache)

    assert (here.id, here.name, here.root) == (root_id(app), "app", str(app))
    assert f"slug:{claude_slug(str(inner))}" in here.aliases


@requirement("U025", "A11")
def test_a_symlink_leads_to_the_same_project(tmp_path: Path, app: Path, cache: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(app)

    here = project(f"{link}/", cache)

    assert (here.id, here.root) == (root_id(app), str(app))
    assert f"slug:{claude_slug(str(link))}" in here.aliases


@requirement("U025", "A11")
def test_a_worktree_is_the_same_project(tmp_path: Path, app: Path, cache: Path) -> None:
    tree = tmp_path / "feature"
    git(app, "worktree", "add", "-q", "-b", "feature", str(tree))

    here = project(tree, cache)

    assert (here.id, here.name, here.root) == (root_id(app), "app", str(tree))
    assert directory_id(str(app)) in here.aliases


@requirement("U025", "A11")
def test_a_worktree_on_a_branch_of_its_own_is_the_same_project(tmp_path: Path, app: Path) -> None:
    pages = tmp_path / "gh-pages"
    git(app, "worktree", "add", "-q", "--detach", str(pages))
    git(pages, "checkout", "-q", "--orphan", "gh-pages")
    git(pages, "commit", "-q", "--allow-empty", "-m", "pages")

    here = project(pages)

    assert here.id == root_id(app)
    assert here.id != root_id(pages)


@requirement("U025", "A11")
def test_a_worktree_is_the_same_project_even_where_git_is_missing(
    tmp_path: Path, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "feature"
    git(app, "worktree", "add", "-q", str(tree))
    without_git(monkeypatch)

    assert project(tree).id == project(app).id == directory_id(str(app))


@requirement("U025", "A11")
def test_a_second_clone_is_the_same_project(tmp_path: Path, app: Path, cache: Path) -> None:
    git(tmp_path, "clone", "-q", str(app), "clone")

    assert project(tmp_path / "clone", cache).id == project(app, cache).id


@requirement("U025", "A11")
def test_a_renamed_folder_stays_the_same_project(tmp_path: Path, app: Path, cache: Path) -> None:
    before = project(app, cache)
    after = project(app.rename(tmp_path / "renamed"), cache)

    assert after.id == before.id
    assert after.root == str(tmp_path / "renamed")


@requirement("U025", "A11")
def test_a_submodule_is_a_project_of_its_own(tmp_path: Path, app: Path, cache: Path) -> None:
    outer = a_repository(tmp_path / "outer")
    git(outer, "submodule", "--quiet", "add", str(app), "vendor/app")
    inner = outer / "vendor" / "app"

    assert project(inner, cache).id == root_id(app)
    assert project(inner, cache).name == "app"
    assert project(outer / "vendor", cache).id == root_id(outer)


@requirement("U025", "A11")
def test_a_plain_folder_is_known_by_its_path(tmp_path: Path, cache: Path) -> None:
    plain = tmp_path / "plain.folder"
    plain.mkdir()

    here = project(plain, cache)

    assert (here.id, here.name, here.root) == (
        directory_id(str(plain)),
        "plain.folder",
        str(plain),
    )
    assert here.aliases == (f"path:{plain}", f"slug:{claude_slug(str(plain))}")


@requirement("U025", "A11")
def test_a_shallow_clone_goes_by_its_remote_until_history_is_there(
    tmp_path: Path, app: Path, cache: Path
) -> None:
    url = app.as_uri()
    git(tmp_path, "clone", "-q", "--depth", "1", url, "shallow")
    clone = tmp_path / "shallow"

    before = project(clone, cache)
    git(clone, "fetch", "-q", "--unshallow")
    after = project(clone, cache)

    assert before.id == remote_id(url)
    assert after.id == root_id(app)
    assert before.id in after.aliases


@requirement("U025", "A11")
def test_a_project_keeps_every_id_it_grew_out_of(tmp_path: Path, cache: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()

    plain = project(app, cache).id
    git(app, "init", "-q")
    unborn = project(app, cache).id
    git(app, "remote", "add", "origin", ORIGIN)
    published = project(app, cache).id
    git(app, "commit", "-q", "--allow-empty", "-m", "first")
    final = project(app, cache)

    assert [plain, unborn, published] == [
        directory_id(str(app)),
        directory_id(str(app)),
        remote_id(ORIGIN),
    ]
    assert final.id == root_id(app)
    assert {plain, unborn, published} <= set(final.aliases)


@requirement("U025", "A11")
@pytest.mark.parametrize("date", ["2001-01-01T00:00:00Z", "2037-01-01T00:00:00Z"])
def test_merging_a_foreign_history_does_not_change_the_project(
    tmp_path: Path, app: Path, monkeypatch: pytest.MonkeyPatch, date: str
) -> None:
    before = project(app).id
    monkeypatch.setenv("GIT_COMMITTER_DATE", date)
    other = a_repository(tmp_path / "other")
    git(app, "fetch", "-q", str(other), "main")
    git(app, "merge", "-q", "--allow-unrelated-histories", "-m", "both", "FETCH_HEAD")

    assert project(app).id == before
    assert len(git(app, "rev-list", "--max-parents=0", "HEAD").split()) == 2


@requirement("U025", "A11")
def test_two_unrelated_repositories_are_two_projects(tmp_path: Path, app: Path) -> None:
    other = a_repository(tmp_path / "other" / "app")

    assert project(app).id != project(other).id


@requirement("U025", "A11")
def test_a_bare_repository_is_a_project(tmp_path: Path, app: Path, cache: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(app), "app.git")

    here = project(tmp_path / "app.git" / "hooks", cache)

    assert (here.id, here.name) == (root_id(app), "app")
    assert here.root == str(tmp_path / "app.git")


@requirement("U025", "A11")
def test_worktrees_around_a_bare_repository_are_one_project(tmp_path: Path, app: Path) -> None:
    place = tmp_path / "place"
    git(tmp_path, "clone", "-q", "--bare", str(app), str(place / ".bare"))
    git(place / ".bare", "worktree", "add", "-q", str(place / "topic"))

    here = project(place / "topic")

    assert (here.id, here.name) == (root_id(app), "place")
    assert project(place / ".bare").id == here.id


@requirement("U011", "A11")
def test_a_windows_path_is_one_project_on_every_system() -> None:
    here = project("C:\\Users\\u\\my.app")

    assert here.id == project("c:/Users/u/my.app/").id == directory_id("C:/Users/u/my.app")
    assert here.name == "my.app"
    assert "slug:C--Users-u-my-app" in here.aliases


@requirement("U025", "A11")
def test_a_deleted_directory_still_has_a_project(
    tmp_path: Path, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, gone_inside = tmp_path / "gone", app / "gone" / "deep"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setenv("HOME", "relative")  # nor does the rest of the machine make sense
    gone.rmdir()

    assert project(gone).id == directory_id(str(gone))
    assert project(gone_inside).id == root_id(app)


@requirement("A06", "A11")
@pytest.mark.parametrize("path", ["", "app", "../app", "/tmp/a\0b", "/" + "a" * 5000])
def test_a_directory_that_cannot_be_one_is_refused_with_a_hint(path: str) -> None:
    with pytest.raises(UnsafeNameError) as refusal:
        project(path)

    assert refusal.value.hint


@requirement("A11")
@given(st.text(max_size=60))
def test_any_text_for_a_directory_is_a_project_or_refused(text: str) -> None:
    try:
        here = project(f"/nowhere/{text}")
    except UnsafeNameError:
        assert "\0" in text
        return

    assert here.id.startswith("dir:")
    assert json.dumps(here.fields(), ensure_ascii=False).encode()


# ── odd repositories ─────────────────────────────────────────────────────────────────────────────


@requirement("U025")
def test_variables_of_git_that_a_hook_inherits_are_ignored(
    tmp_path: Path, app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = root_id(app)
    other = a_repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git" / "objects"))

    assert project(app).id == expected


@requirement("U025")
def test_a_home_under_version_control_does_not_swallow_what_is_in_it(tmp_path: Path) -> None:
    user = a_repository(tmp_path / "user" / "dotfiles-home")
    inside = user / "notes"
    inside.mkdir()

    right_in_it = identify_project(str(user), cache=None, home=str(user))
    below = identify_project(str(inside), cache=None, home=str(user))

    assert right_in_it.id == root_id(user)
    assert below.id == directory_id(str(inside))


@requirement("U025")
def test_a_home_inside_a_repository_changes_nothing(app: Path) -> None:
    sandbox = app / ".sandbox"
    sandbox.mkdir()

    here = identify_project(str(app / "src"), cache=None, home=str(sandbox))

    assert here.id == root_id(app)


def test_a_session_inside_the_git_directory_belongs_to_the_repository(app: Path) -> None:
    here = project(app / ".git" / "hooks")

    assert (here.id, here.root) == (root_id(app), str(app))


def test_a_repository_with_its_git_directory_elsewhere_is_found(tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    git(app, "init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere"))
    git(app, "commit", "-q", "--allow-empty", "-m", "first")

    here = project(app)

    assert (here.id, here.name) == (root_id(app), "app")
    assert directory_id(str(app)) in here.aliases


@pytest.mark.parametrize("files", [[], ["HEAD"], ["HEAD", "config"]])
def test_half_a_git_folder_is_no_repository(app: Path, files: list[str]) -> None:
    stray = app / "fixture"
    (stray / ".git").mkdir(parents=True)
    for file in files:
        shutil.copy(app / ".git" / file, stray / ".git" / file)

    assert project(stray).id == root_id(app)


def test_a_damaged_repository_does_not_get_the_id_of_the_one_around_it(app: Path) -> None:
    damaged = a_repository(app / "damaged")
    (damaged / ".git" / "HEAD").write_text("nonsense", encoding="utf-8")

    assert project(damaged).id == directory_id(str(damaged))


@pytest.mark.parametrize("pointer", ["gitdir: /nowhere/at/all\n", "nonsense", "", "gitdir: \0"])
def test_a_worktree_without_its_repository_is_known_by_its_path(
    tmp_path: Path, pointer: str
) -> None:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / ".git").write_text(pointer, encoding="utf-8")

    assert project(tree / "src").id == directory_id(str(tree))


@requirement("A11")
def test_an_unreadable_repository_is_known_by_its_path() -> None:
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are closed to others
        app = a_repository(Path(place).resolve() / "app")
        Path(place).chmod(0o755)
        (app / ".git").chmod(0)

        with as_nobody():
            here = project(app / "src")

        (app / ".git").chmod(0o755)
        assert here.id == directory_id(str(app))


@needs_root
def test_a_repository_of_another_owner_falls_back_to_its_remote(app: Path) -> None:
    git(app, "remote", "add", "origin", ORIGIN)
    for path in [app, *app.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)

    assert project(app).id == remote_id(ORIGIN)


@requirement("U025")
def test_without_git_the_remote_or_the_path_serves(
    tmp_path: Path, app: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = a_repository(tmp_path / "other")
    git(app, "remote", "add", "origin", ORIGIN)
    expected = root_id(app)

    with monkeypatch.context() as changed:
        without_git(changed)
        assert project(app, cache).id == remote_id(ORIGIN)
        assert project(other, cache).id == directory_id(str(other))

    assert project(app, cache).id == expected


def test_packed_refs_and_a_detached_head_are_a_history_too(tmp_path: Path, app: Path) -> None:
    git(app, "pack-refs", "--all")
    git(tmp_path, "clone", "-q", str(app), "detached")
    git(tmp_path / "detached", "checkout", "-q", "--detach")

    assert project(app).id == project(tmp_path / "detached").id == root_id(app)


def test_a_bare_repository_whose_head_names_no_branch_serves_its_worktrees(
    tmp_path: Path, app: Path
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(app), "app.git")
    git(tmp_path / "app.git", "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    git(tmp_path / "app.git", "symbolic-ref", "HEAD", "refs/heads/never-born")

    assert project(tmp_path / "tree").id == root_id(app)


def test_longer_hashes_are_ids_too(tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    git(app, "init", "-q", "--object-format=sha256")
    git(app, "commit", "-q", "--allow-empty", "-m", "first")

    assert project(app).id == root_id(app)
    assert len(project(app).id) == len("git:") + 64


def test_a_replaced_history_does_not_change_the_project(app: Path) -> None:
    before = project(app).id
    git(app, "replace", "--graft", "HEAD")

    assert root_id(app) != before
    assert project(app).id == before


def test_whether_there_is_a_commit_in_a_reftable_is_left_to_git(app: Path) -> None:
    (app / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")

    assert read_head(str(app / ".git"), common=str(app / ".git")) == "?"


def test_a_head_cannot_make_us_read_other_files(app: Path) -> None:
    secret = app / "secret"
    secret.write_text("a" * 40, encoding="utf-8")
    (app / ".git" / "HEAD").write_text("ref: refs/../../secret\n", encoding="utf-8")

    assert read_head(str(app / ".git"), common=str(app / ".git")) == ""


def test_a_folder_whose_name_is_no_text_has_an_id_that_can_be_stored(tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/caf\xe9"
    try:
        os.mkdir(odd)
    except OSError:
        pytest.skip("this file system takes nothing but Unicode")

    here = project(os.fsdecode(odd))

    assert here.id.startswith("dir:")
    assert json.dumps(here.fields(), ensure_ascii=False).encode()


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="needs a file system below another")
def test_a_repository_is_not_looked_for_beyond_its_file_system() -> None:
    from twiceshy.places.repository import _crosses_file_systems

    assert _crosses_file_systems("/", "/proc")
    assert not _crosses_file_systems("/proc", "/proc/self")


# ── the remote, read from the config ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "url",
    [
        ORIGIN,
        "git@github.com:owner/app.git",
        "/srv/with space/app",
        "/srv/#1;/app",
        'C:\\git\\"app"',
        "https://example.org/a=b",
    ],
)
def test_a_remote_is_read_as_git_wrote_it(app: Path, url: str) -> None:
    git(app, "config", "remote.origin.url", url)

    assert read_remote_url(str(app / ".git")) == url


def test_origin_comes_first_and_else_the_first_by_name(app: Path) -> None:
    git(app, "remote", "add", "zeta", "/z")
    git(app, "remote", "add", "beta", "/b")
    first = read_remote_url(str(app / ".git"))
    git(app, "remote", "add", "origin", "/o")
    git(app, "remote", "set-url", "--add", "origin", "/second")

    assert first == "/b"
    assert read_remote_url(str(app / ".git")) == "/o"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ('\ufeff[Remote "origin"] ; ours\n\tURL=/a # not this\n', "/a"),
        ('[remote "origin"]\n# url = /no\n[url "/y"]\n\turl = /no\n[core]\nurl = /no\n', None),
        ('[remote "origin"] url = "/srv/\\"a\\""/b ; not this', '/srv/"a"/b'),
        ('[remote "origin"]\n\turl = /srv/long\\\nname\n\turl = /second\n', "/srv/longname"),
        ('[remote "b\\"c"]\nurl = /b\n[remote "d"]\nurl = /d\n', "/b"),
        ('[remote "origin"]\nurl = /a\n\0', None),
    ],
)
def test_a_config_written_by_hand_is_understood(app: Path, text: str, url: str | None) -> None:
    (app / ".git" / "config").write_text(text, encoding="utf-8")

    assert read_remote_url(str(app / ".git")) == url


@given(st.text() | st.text('[]"remote origin=url\\\n#;'))
def test_any_config_is_read_without_a_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / "config").write_bytes(text.encode("utf-8", "replace"))

    url = read_remote_url(str(tmp_path))

    assert url is None or remote_id(url) is None or str(remote_id(url)).startswith("remote:")


# ── the cache ────────────────────────────────────────────────────────────────────────────────────


@requirement("U025")
def test_a_project_that_is_known_is_told_without_a_process(
    tmp_path: Path, app: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(app, "remote", "add", "origin", ORIGIN)
    git(app, "worktree", "add", "-q", str(tmp_path / "tree"))
    asked = project(app, cache)
    without_git(monkeypatch)

    assert project(app, cache) == asked
    assert project(tmp_path / "tree", cache).id == asked.id
    assert project(app).id == remote_id(ORIGIN)


@requirement("U025")
def test_a_project_that_is_known_costs_a_hook_no_slow_module(app: Path, cache: Path) -> None:
    project(app, cache)
    slow = {"hashlib", "json", "pathlib", "re", "subprocess", "typing", "unicodedata"}
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n"
        "from twiceshy.places.project import identify_project\n"
        f"print(identify_project({str(app)!r}, cache={str(cache)!r}).id)\n"
        f"print(sorted({slow} & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines() == [root_id(app), "[]"]


@requirement("U025")
def test_a_new_repository_at_an_old_place_is_noticed(app: Path, cache: Path) -> None:
    before = project(app, cache).id
    shutil.rmtree(app / ".git")
    git(app, "init", "-q")
    unborn = project(app, cache).id
    git(app, "commit", "-q", "--allow-empty", "-m", "another beginning")

    assert unborn == directory_id(str(app))
    assert project(app, cache).id == root_id(app)
    assert project(app, cache).id != before


@requirement("U025")
def test_a_new_remote_is_noticed_without_asking_git_again(
    app: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = project(app, cache)
    git(app, "remote", "add", "origin", ORIGIN)
    without_git(monkeypatch)

    after = project(app, cache)

    assert after.id == before.id
    assert remote_id(ORIGIN) in set(after.aliases) - set(before.aliases)


@requirement("U025")
def test_a_project_keeps_its_id_on_a_branch_with_another_beginning(app: Path, cache: Path) -> None:
    before = project(app, cache).id
    git(app, "checkout", "-q", "--orphan", "pages")
    git(app, "commit", "-q", "--allow-empty", "-m", "pages")
    git(app, "update-ref", "refs/stash", "HEAD")  # what a stash does to the folder of refs

    assert root_id(app) != before
    assert project(app, cache).id == before


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"repositories": 3, "slow": []}',
        b'{"repositories": {"%(key)s": null}}',
        b'{"repositories": {"%(key)s": ["", "", "", "", ""]}}',
        b'{"repositories": {"%(key)s": ["b", "c", "git:../../x", "", "dir:x"]}, "slow": {"%(key)s": 1}}',
        b'{"repositories": {"%(key)s": ["b", "c", "git:%(zeros)s", "", "dir:%(short)s"]}}',
    ],
)
def test_a_damaged_cache_is_ignored_and_written_anew(
    app: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, text: bytes
) -> None:
    keys = {b"key": os.fsencode(app / ".git"), b"zeros": b"0" * 40, b"short": b"0" * 32}
    cache.parent.mkdir()
    cache.write_bytes(text % keys if b"%(" in text else text)

    asked = project(app, cache)
    without_git(monkeypatch)

    assert asked.id == root_id_of(app, cache)
    assert project(app, cache) == asked


def root_id_of(app: Path, cache: Path) -> str:
    """Return the id that the cache holds for a repository."""
    entry = json.loads(cache.read_bytes())["repositories"][str(app / ".git")]
    return str(entry[2])


@pytest.mark.parametrize("kind", ["git:", "remote:", "dir:"])
@pytest.mark.parametrize("forged", ["git:../../x", "*", "slug:x"])
def test_an_id_that_is_none_is_not_believed_even_in_a_sound_entry(
    app: Path, cache: Path, kind: str, forged: str
) -> None:
    git(app, "remote", "add", "origin", ORIGIN)
    expected = project(app, cache)
    genuine = next(text for text in (expected.id, *expected.aliases) if text.startswith(kind))
    text = cache.read_text(encoding="utf-8")
    assert genuine in text
    cache.write_text(text.replace(genuine, forged), encoding="utf-8")

    assert project(app, cache) == expected


@needs_root
def test_a_cache_that_somebody_else_put_there_is_not_believed(app: Path, cache: Path) -> None:
    expected = project(app, cache).id
    forged = cache.read_text(encoding="utf-8").replace(expected, "git:" + "0" * 40)
    cache.write_text(forged, encoding="utf-8")
    assert project(app, cache).id == "git:" + "0" * 40

    os.chown(cache, NOBODY, NOBODY)

    assert project(app, cache).id == expected


def test_what_others_keep_in_the_cache_stays_there(tmp_path: Path, app: Path, cache: Path) -> None:
    other = a_repository(tmp_path / "other")
    cache.parent.mkdir()
    cache.write_text('{"later": {"a": "\\u00e9"}, "repositories": {"x": 1}}', encoding="utf-8")

    project(app, cache)
    project(other, cache)

    document = json.loads(cache.read_bytes())
    assert document["later"] == {"a": "é"}
    assert list(document["repositories"]) == ["x", str(app / ".git"), str(other / ".git")]


def test_only_the_owner_can_read_the_cache(app: Path, cache: Path) -> None:
    mask = os.umask(0)
    try:
        project(app, cache)
    finally:
        os.umask(mask)

    assert stat.S_IMODE(cache.stat().st_mode) == 0o600
    assert stat.S_IMODE(cache.parent.stat().st_mode) == 0o700
    assert os.listdir(cache.parent) == [cache.name]


def test_the_cache_holds_no_secret_of_a_remote(app: Path, cache: Path) -> None:
    git(app, "remote", "add", "origin", "https://user:s3cret@github.com/owner/app")

    here = project(app, cache)

    assert remote_id(ORIGIN) in here.aliases
    assert "s3cret" not in cache.read_text(encoding="utf-8") + repr(here)


def test_the_cache_forgets_the_oldest_repositories(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "MAX_ENTRIES", 2)
    apps = [a_repository(tmp_path / name) for name in ("a", "b", "c")]

    for app in apps:
        project(app, cache)

    kept = json.loads(cache.read_bytes())["repositories"]
    assert list(kept) == [str(app / ".git") for app in apps[1:]]


def test_a_cache_that_cannot_be_written_costs_no_answer(tmp_path: Path, app: Path) -> None:
    (tmp_path / "file").touch()

    assert project(app, tmp_path / "file" / "projects.json").id == root_id(app)


def test_a_cache_that_cannot_be_replaced_leaves_nothing_behind(app: Path, cache: Path) -> None:
    cache.mkdir(parents=True)

    assert project(app, cache).id == root_id(app)
    assert os.listdir(cache.parent) == [cache.name]


def test_a_cache_with_text_that_is_none_costs_no_answer(app: Path, cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text('{"later": "\\ud800"}', encoding="utf-8")

    assert project(app, cache).id == root_id(app)
    assert os.listdir(cache.parent) == [cache.name]


def test_a_repository_that_nothing_marks_is_not_remembered(app: Path, cache: Path) -> None:
    (app / ".git" / "config").unlink()

    assert project(app, cache).id == root_id(app)
    assert not cache.exists()


def test_writers_at_the_same_time_leave_a_sound_cache(tmp_path: Path, cache: Path) -> None:
    apps = [a_repository(tmp_path / f"app{number}") for number in range(4)]
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n"
        "from twiceshy.places.project import identify_project\n"
        f"print(identify_project(sys.argv[1], cache={str(cache)!r}).id)"
    )

    started = [
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", program, str(app)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for app in apps
    ]
    answers = [running.communicate()[0].strip() for running in started]

    assert answers == [root_id(app) for app in apps]
    assert json.loads(cache.read_bytes())["repositories"]
    assert os.listdir(cache.parent) == [cache.name]


def test_a_slow_git_is_not_asked_again_for_the_same_commit(
    tmp_path: Path, app: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = root_id(app)
    with monkeypatch.context() as changed:
        calls = a_git_that("exec sleep 60", tmp_path / "bin", changed)
        answers = [project(app, cache, patience=0.5).id for _ in range(3)]

    patient = project(app, cache, patience=5)

    assert answers == [directory_id(str(app))] * 3
    assert calls.read_text(encoding="utf-8").count("called") <= 1
    assert patient.id == expected
    assert json.loads(cache.read_bytes())["slow"] == {}


@pytest.mark.parametrize("answer", ["exit 128", "echo nonsense", "echo git:../../x", ":"])
def test_a_git_that_answers_nothing_useful_is_asked_again_later(
    tmp_path: Path, app: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    expected = root_id(app)
    with monkeypatch.context() as changed:
        a_git_that(answer, tmp_path / "bin", changed)
        refused = project(app, cache).id

    assert refused == directory_id(str(app))
    assert project(app, cache).id == expected
