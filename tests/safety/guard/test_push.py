"""A guard knows what a push would do, however the command is spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.safety.guard.commits import SensitiveChanges, revision_arguments, search_patch
from twiceshy.safety.guard.push import GitPush, list_pushes
from twiceshy.safety.guard.warning import warn_about_push

PUSHES: dict[str, tuple[str, GitPush]] = {
    "a plain push": ("git push", GitPush()),
    "a remote and a branch": ("git push origin main", GitPush(remote="origin", refs=("main",))),
    "options anywhere": ("git push origin main -u", GitPush(remote="origin", refs=("main",))),
    "forced": ("git push --force", GitPush(forced="--force")),
    "forced, behind the remote": (
        "git push origin -f",
        GitPush(remote="origin", forced="--force"),
    ),
    "forced, among other letters": ("git push -uf", GitPush(forced="--force")),
    "a plus": (
        "git push origin +main:dev",
        GitPush(remote="origin", refs=("main",), forced="+main:dev"),
    ),
    "a lease": ("git push --force-with-lease=main:abc", GitPush()),
    "a lease that sees all": ("git push --force-with-lease --force-if-includes", GitPush()),
    "a lease that does not hold": ("git push --force-with-lease -f", GitPush(forced="--force")),
    "force taken back": ("git push --force --no-force", GitPush()),
    "a mirror": ("git push --mirror bak", GitPush(remote="bak", mirror=True, forced="--mirror")),
    "cut short": ("git push --mir bak", GitPush(remote="bak", mirror=True, forced="--mirror")),
    "all branches": ("git push --all", GitPush(every=True)),
    "matching branches": ("git push origin :", GitPush(remote="origin", every=True)),
    "tags": ("git push --tags", GitPush(tags=True)),
    "a tag in two words": (
        "git push origin tag v1 main",
        GitPush(remote="origin", refs=("refs/tags/v1", "main")),
    ),
    "a deletion": ("git push origin --delete a b", GitPush(remote="origin", deleted=("a", "b"))),
    "a deletion by letter": ("git push -d origin a", GitPush(remote="origin", deleted=("a",))),
    "a deletion by colon": ("git push origin :a", GitPush(remote="origin", deleted=("a",))),
    "what is not here": ("git push --prune origin", GitPush(remote="origin", prune=True)),
    "a value that looks like force": ("git push -o -f origin", GitPush(remote="origin")),
    "a value behind its letter": ("git push -of origin", GitPush(remote="origin")),
    "a remote by option": ("git push --repo=up", GitPush(remote="up")),
    "names behind two dashes": (
        "git push -- origin main",
        GitPush(remote="origin", refs=("main",)),
    ),
    "elsewhere": ("git -C /srv/app push", GitPush(directory="/srv/app")),
    "elsewhere, step by step": ("cd a && git -C b -C c push", GitPush(directory="a/b/c")),
    "another git directory": ("git --git-dir=x/.git push", GitPush(git_dir="x/.git")),
    "another git directory, in two words": ("git --git-dir x push", GitPush(git_dir="x")),
    "another git directory, by variable": ("GIT_DIR=x git push", GitPush(git_dir="x")),
    "with settings": ("git -c http.proxy=x --no-pager push", GitPush()),
    "behind other programs": ("env A=1 sudo -u me timeout 60 git push", GitPush()),
    "by its path": ("/usr/bin/git push", GitPush()),
    "quoted": ("g'i't \"pu\"sh", GitPush()),
    "in another shell": ("sh -c 'cd a; git push -f'", GitPush(directory="a", forced="--force")),
    "in a subshell": ("(git push)", GitPush()),
    "at the end of a line": ("git add -A && git fetch 'x; y' && git push || true", GitPush()),
    "after a commit": ("git commit -m 'x; y' && git push", GitPush(after_commit=True)),
    "by a variable": ("GIT=git; $GIT push origin main", GitPush(remote="origin", refs=("main",))),
    "of a subtree": ("git subtree push --prefix=web origin main", GitPush()),
    "in a pipe": ("yes | git push 2>&1 | tail -3", GitPush()),
    "in a substitution": ('echo "$(git push)"', GitPush()),
    "over two lines": ("git \\\n  push", GitPush()),
}
NONE = r"""git status
git commit -m "git push --force"
echo git push
git log --grep='git push'
git push --dry-run
git push -n -f
git stash push -m x
git help push
grep -r 'git push -f' docs
# git push
cat <<EOF\ngit push\nEOF
gitpush
git""".splitlines()


@pytest.mark.parametrize("what", PUSHES)
def test_m15_a_push_is_understood_however_it_is_spelled(what: str) -> None:
    line, push = PUSHES[what]

    assert list_pushes(line) == (push,)


@pytest.mark.parametrize("line", NONE)
def test_m15_what_only_speaks_of_a_push_is_none(line: str) -> None:
    assert list_pushes(line.replace("\\n", "\n")) == ()


def test_every_push_of_a_line_is_seen_and_each_once() -> None:
    assert list_pushes("git push a; git push b -f; git push a") == (
        GitPush(remote="a"),
        GitPush(remote="b", forced="--force"),
    )


@pytest.mark.parametrize(
    ("line", "push"),
    [
        ("git p origin", GitPush(remote="origin")),
        ("git P origin", GitPush(remote="origin")),
        ("git pf origin", GitPush(remote="origin", forced="--force")),
        ("git pp", GitPush(forced="--force")),
        ("git -C a sync -f", GitPush(directory="a", forced="--force")),
        ("git up x", GitPush(directory="sub", remote="x")),
        ("git -c alias.own='push --mirror' own", GitPush(mirror=True, forced="--mirror")),
    ],
)
def test_an_alias_means_what_it_stands_for(line: str, push: GitPush) -> None:
    aliases = {
        "p": "push",
        "pf": "push --force",
        "pp": "pf",
        "sync": "!git pull --rebase && git push",
        "up": "!cd sub && git push",
    }

    assert list_pushes(line, aliases) == (push,)


def test_aliases_that_stand_for_each_other_mean_nothing() -> None:
    assert list_pushes("git a", {"a": "b", "b": "a"}) == ()
    assert list_pushes("git a", {"a": "!git a"}) == ()


@given(st.text(alphabet="git push-fC+:.'\"$()&;|\\\n=", max_size=60))
def test_no_command_line_is_too_odd_to_be_read(line: str) -> None:
    assert isinstance(list_pushes(line, {"p": line}), tuple)


# --- which commits go out


@pytest.mark.parametrize(
    ("push", "words"),
    [
        (GitPush(remote="origin"), ["HEAD", "--not", "--remotes=origin"]),
        (GitPush(remote="origin", refs=("a", "b")), ["a", "b", "--not", "--remotes=origin"]),
        (GitPush(remote="https://x.y/z"), ["HEAD", "--not", "--remotes"]),
        (GitPush(every=True, remote="origin"), ["--branches", "--not", "--remotes=origin"]),
        (GitPush(tags=True, remote="origin"), ["--tags", "--not", "--remotes=origin"]),
        (GitPush(mirror=True, remote="origin"), ["--all", "--not", "--remotes=origin"]),
        (
            GitPush(refs=("refs/heads/*",), remote="origin"),
            ["--branches", "--not", "--remotes=origin"],
        ),
        (GitPush(deleted=("a",), remote="origin"), []),
        (GitPush(refs=("--output=x",), remote="origin"), ["HEAD", "--not", "--remotes=origin"]),
    ],
)
def test_the_commits_that_go_out_are_those_the_remote_was_not_seen_to_have(
    push: GitPush, words: list[str]
) -> None:
    assert list(revision_arguments(push, remotes=["origin"])) == words


# --- what is in them

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


def a_patch(path: str, *lines: str) -> str:
    head = f"diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n"
    return head + "@@ -1,2 +1,3 @@ def f():\n" + "".join(f"{line}\n" for line in lines)


def test_a_secret_is_found_in_the_lines_that_are_added_and_only_there() -> None:
    patch = (
        a_patch("a.py", f"+token = '{TOKEN}'")
        + a_patch("b.py", f"-token = '{TOKEN}'", "+token = load()")
        + a_patch("c.py", "+++ b/x", f"+{TOKEN}")
    )

    found = search_patch(patch).secrets

    assert [path for path, _ in found] == ["a.py", "c.py"]
    assert TOKEN not in str(found)


def test_what_was_redacted_before_and_what_merely_looks_random_is_no_secret() -> None:
    random = "Zk8vQ2mN7xL4pR9tB3wY6cF1hJ5dG0sA"
    patch = a_patch("a.md", "+[REDACTED:github-token]", f"+x = '{random}'")

    assert search_patch(patch).secrets == ()
    assert search_patch("").secrets == ()


# --- what is said


def test_nothing_is_said_about_a_push_that_hides_overwrites_and_deletes_nothing() -> None:
    assert (
        warn_about_push(GitPush(remote="origin", refs=("main",), tags=True), SensitiveChanges())
        == ""
    )


def test_everything_about_a_push_is_said_in_one_line() -> None:
    push = GitPush(remote="origin", forced="+main", deleted=("old",))
    found = SensitiveChanges((".env",), (("a.py", "github-token"),))

    assert warn_about_push(push, found) == (
        "<twiceshy-guard>About this call: this push sends commits that add `.env`; it sends commits"
        " with what looks like a secret in `a.py (github-token)`; it overwrites history on `origin`"
        " (`+main`); `--force-with-lease` would keep what others pushed; it deletes `old` on"
        " `origin`. Make sure that the user wants it.</twiceshy-guard>"
    )


def test_a_mirror_and_pruning_are_named_as_what_they_do() -> None:
    mirror = warn_about_push(
        GitPush(remote="bak", mirror=True, forced="--mirror"), SensitiveChanges()
    )
    prune = warn_about_push(GitPush(prune=True), SensitiveChanges())

    assert "makes everything on `bak` as it is here" in mirror
    assert "force-with-lease" not in mirror
    assert "deletes every branch that is not here" in prune


def test_a_patch_that_is_too_long_to_search_says_so() -> None:
    head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n"

    assert search_patch(head + "+word\n" * 30_000).unsure == ""
    assert search_patch(head + "+word\n" * 50_000).unsure == "its commits are too large"
