"""A guard knows what a push would do, however the command is spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.safety.guard.outgoing import Outgoing, revisions, secrets_in
from twiceshy.safety.guard.push import Push, pushes
from twiceshy.safety.guard.warning import about_push

PUSHES: dict[str, tuple[str, Push]] = {
    "a plain push": ("git push", Push()),
    "a remote and a branch": ("git push origin main", Push(remote="origin", refs=("main",))),
    "options anywhere": ("git push origin main -u", Push(remote="origin", refs=("main",))),
    "forced": ("git push --force", Push(forced="--force")),
    "forced, behind the remote": ("git push origin -f", Push(remote="origin", forced="--force")),
    "forced, among other letters": ("git push -uf", Push(forced="--force")),
    "a plus": (
        "git push origin +main:dev",
        Push(remote="origin", refs=("main",), forced="+main:dev"),
    ),
    "a lease": ("git push --force-with-lease=main:abc", Push()),
    "a lease that sees all": ("git push --force-with-lease --force-if-includes", Push()),
    "a lease that does not hold": ("git push --force-with-lease -f", Push(forced="--force")),
    "force taken back": ("git push --force --no-force", Push()),
    "a mirror": ("git push --mirror bak", Push(remote="bak", mirror=True, forced="--mirror")),
    "cut short": ("git push --mir bak", Push(remote="bak", mirror=True, forced="--mirror")),
    "all branches": ("git push --all", Push(every=True)),
    "matching branches": ("git push origin :", Push(remote="origin", every=True)),
    "tags": ("git push --tags", Push(tags=True)),
    "a tag in two words": (
        "git push origin tag v1 main",
        Push(remote="origin", refs=("refs/tags/v1", "main")),
    ),
    "a deletion": ("git push origin --delete a b", Push(remote="origin", deleted=("a", "b"))),
    "a deletion by letter": ("git push -d origin a", Push(remote="origin", deleted=("a",))),
    "a deletion by colon": ("git push origin :a", Push(remote="origin", deleted=("a",))),
    "what is not here": ("git push --prune origin", Push(remote="origin", prune=True)),
    "a value that looks like force": ("git push -o -f origin", Push(remote="origin")),
    "a value behind its letter": ("git push -of origin", Push(remote="origin")),
    "a remote by option": ("git push --repo=up", Push(remote="up")),
    "names behind two dashes": ("git push -- origin main", Push(remote="origin", refs=("main",))),
    "elsewhere": ("git -C /srv/app push", Push(directory="/srv/app")),
    "elsewhere, step by step": ("cd a && git -C b -C c push", Push(directory="a/b/c")),
    "another git directory": ("git --git-dir=x/.git push", Push(git_dir="x/.git")),
    "another git directory, in two words": ("git --git-dir x push", Push(git_dir="x")),
    "another git directory, by variable": ("GIT_DIR=x git push", Push(git_dir="x")),
    "with settings": ("git -c http.proxy=x --no-pager push", Push()),
    "behind other programs": ("env A=1 sudo -u me timeout 60 git push", Push()),
    "by its path": ("/usr/bin/git push", Push()),
    "quoted": ("g'i't \"pu\"sh", Push()),
    "in another shell": ("sh -c 'cd a; git push -f'", Push(directory="a", forced="--force")),
    "in a subshell": ("(git push)", Push()),
    "at the end of a line": ("git add -A && git commit -m 'x; y' && git push || true", Push()),
    "in a pipe": ("yes | git push 2>&1 | tail -3", Push()),
    "in a substitution": ('echo "$(git push)"', Push()),
    "over two lines": ("git \\\n  push", Push()),
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

    assert pushes(line) == (push,)


@pytest.mark.parametrize("line", NONE)
def test_m15_what_only_speaks_of_a_push_is_none(line: str) -> None:
    assert pushes(line.replace("\\n", "\n")) == ()


def test_every_push_of_a_line_is_seen_and_each_once() -> None:
    assert pushes("git push a; git push b -f; git push a") == (
        Push(remote="a"),
        Push(remote="b", forced="--force"),
    )


@pytest.mark.parametrize(
    ("line", "push"),
    [
        ("git p origin", Push(remote="origin")),
        ("git P origin", Push(remote="origin")),
        ("git pf origin", Push(remote="origin", forced="--force")),
        ("git pp", Push(forced="--force")),
        ("git -C a sync -f", Push(directory="a", forced="--force")),
        ("git up x", Push(directory="sub", remote="x")),
        ("git -c alias.own='push --mirror' own", Push(mirror=True, forced="--mirror")),
    ],
)
def test_an_alias_means_what_it_stands_for(line: str, push: Push) -> None:
    aliases = {
        "p": "push",
        "pf": "push --force",
        "pp": "pf",
        "sync": "!git pull --rebase && git push",
        "up": "!cd sub && git push",
    }

    assert pushes(line, aliases) == (push,)


def test_aliases_that_stand_for_each_other_mean_nothing() -> None:
    assert pushes("git a", {"a": "b", "b": "a"}) == ()
    assert pushes("git a", {"a": "!git a"}) == ()


@given(st.text(alphabet="git push-fC+:.'\"$()&;|\\\n=", max_size=60))
def test_no_command_line_is_too_odd_to_be_read(line: str) -> None:
    assert isinstance(pushes(line, {"p": line}), tuple)


# --- which commits go out


@pytest.mark.parametrize(
    ("push", "words"),
    [
        (Push(remote="origin"), ["HEAD", "--not", "--remotes=origin"]),
        (Push(remote="origin", refs=("a", "b")), ["a", "b", "--not", "--remotes=origin"]),
        (Push(remote="https://x.y/z"), ["HEAD", "--not", "--remotes"]),
        (Push(every=True, remote="origin"), ["--branches", "--not", "--remotes=origin"]),
        (Push(tags=True, remote="origin"), ["--tags", "--not", "--remotes=origin"]),
        (Push(mirror=True, remote="origin"), ["--all", "--not", "--remotes=origin"]),
        (
            Push(refs=("refs/heads/*",), remote="origin"),
            ["--branches", "--not", "--remotes=origin"],
        ),
        (Push(deleted=("a",), remote="origin"), []),
        (Push(refs=("--output=x",), remote="origin"), ["HEAD", "--not", "--remotes=origin"]),
    ],
)
def test_the_commits_that_go_out_are_those_the_remote_was_not_seen_to_have(
    push: Push, words: list[str]
) -> None:
    assert list(revisions(push, remotes=["origin"])) == words


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

    found = secrets_in(patch)

    assert [path for path, _ in found] == ["a.py", "c.py"]
    assert TOKEN not in str(found)


def test_what_was_redacted_before_and_what_merely_looks_random_is_no_secret() -> None:
    random = "Zk8vQ2mN7xL4pR9tB3wY6cF1hJ5dG0sA"
    patch = a_patch("a.md", "+[REDACTED:github-token]", f"+x = '{random}'")

    assert secrets_in(patch) == ()
    assert secrets_in("") == ()


# --- what is said


def test_nothing_is_said_about_a_push_that_hides_overwrites_and_deletes_nothing() -> None:
    assert about_push(Push(remote="origin", refs=("main",), tags=True), Outgoing()) == ""


def test_everything_about_a_push_is_said_in_one_line() -> None:
    push = Push(remote="origin", forced="+main", deleted=("old",))
    found = Outgoing((".env",), (("a.py", "github-token"),))

    assert about_push(push, found) == (
        "<twiceshy-guard>Before this call: this push sends commits that add `.env`; it sends commits"
        " with what looks like a secret in `a.py (github-token)`; it overwrites history on `origin`"
        " (`+main`); `--force-with-lease` would keep what others pushed; it deletes `old` on"
        " `origin`. Make sure that the user wants it.</twiceshy-guard>"
    )


def test_a_mirror_and_pruning_are_named_as_what_they_do() -> None:
    mirror = about_push(Push(remote="bak", mirror=True, forced="--mirror"), Outgoing())
    prune = about_push(Push(prune=True), Outgoing())

    assert "makes everything on `bak` as it is here" in mirror
    assert "force-with-lease" not in mirror
    assert "deletes every branch that is not here" in prune
