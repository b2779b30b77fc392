"""One project has one id, however its path or its remote is written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.scope import EVERYWHERE
from twiceshy.places.identity import (
    Identity,
    canonical_path,
    claude_slug,
    directory_id,
    is_project_id,
    normalise_remote,
    project_name,
    remote_id,
)

DIGEST = "0123456789abcdef0123456789abcdef"
words = st.text("abcXYZ09.-_", min_size=1, max_size=12).filter(
    lambda word: word.strip(".") and not word.endswith(".git")
)


@requirement("U025")
@pytest.mark.parametrize(
    "text",
    [EVERYWHERE, "git:" + "a1" * 20, "git:" + "a1" * 32, f"dir:{DIGEST}", f"remote:{DIGEST}"],
)
def test_the_forms_of_a_project_id_are_known(text: str) -> None:
    assert is_project_id(text)


@requirement("U025", "A06")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "**",
        "git:",
        "git:HEAD",
        "git:" + "A1" * 20,
        "git:" + "a1" * 21,
        f"git:{DIGEST}",
        "git:../../" + "a" * 34,
        f"dir:{DIGEST}\n",
        f"dir:{DIGEST}0",
        f"slug:{DIGEST}",
        "/home/u/app",
    ],
)
def test_nothing_else_becomes_the_key_of_a_project(text: str) -> None:
    assert not is_project_id(text)


@requirement("U025")
@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Owner/Name.git",
        "github.com:owner/name",
        "ssh://git@github.com/owner/name.git",
        "ssh://git@github.com:22/owner/name",
        "ssh://git@ssh.github.com:443/owner/name.git",
        "git+ssh://git@github.com/owner/name.git",
        "https://github.com/owner/name",
        "https://github.com/Owner/Name.git/",
        "https://GITHUB.com:443/owner//name",
        "https://x-access-token:s3cret@github.com/owner/name.git",
        "https://user@www.github.com/owner/name?token=s3cret#readme",
        "http://github.com./owner/name",
        "git://github.com:9418/owner/name.git",
        "  https://github.com/owner/name\n",
    ],
)
def test_a_remote_is_one_however_it_is_written(url: str) -> None:
    assert normalise_remote(url) == "github.com/owner/name"
    assert remote_id(url) == remote_id("https://github.com/owner/name")


@requirement("U025")
@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("ssh://git@git.example.org:2222/Team/app.git", "git.example.org/Team/app"),
        ("git@git.example.org:Team/app", "git.example.org/Team/app"),
        ("git.example.org:/srv/git/app.git", "git.example.org/srv/git/app"),
        ("https://git.example.org:8443/Team/app", "git.example.org:8443/Team/app"),
        ("https://gitlab.com/Group/Sub/App.git", "gitlab.com/group/sub/app"),
        ("ssh://git@[2001:DB8::1]:2222/a/b.git", "[2001:db8::1]/a/b"),
        ("https://[2001:db8::1]:8443/a/b", "[2001:db8::1]:8443/a/b"),
        ("git@[2001:db8::1]:a/b.git", "[2001:db8::1]/a/b"),
        ("[2001:db8::1]:a/b.git", "[2001:db8::1]/a/b"),
        ("g:owner/name", "g/owner/name"),
        ("codecommit::eu-west-1://profile@app", "codecommit::eu-west-1://app"),
        ("/srv/git/app.git", "file:///srv/git/app"),
        ("/home/u/app/.git", "file:///home/u/app"),
        ("file:///srv/git/app.git/", "file:///srv/git/app"),
        ("file://localhost/srv/git/app", "file:///srv/git/app"),
        ("C:\\git\\app.git", "file://C:/git/app"),
        ("c:/git/app", "file://C:/git/app"),
        ("file:///c:/git/app", "file://C:/git/app"),
        ("\\\\Server\\Share\\app", "file:////server/share/app"),
    ],
)
def test_hosts_ports_and_local_paths_stay_apart(url: str, normal: str) -> None:
    assert normalise_remote(url) == normal


@requirement("U025")
@pytest.mark.parametrize("url", ["", ".", "../app", "app", "~/app", "a\0b", "x" * 5000])
def test_a_remote_that_means_another_place_elsewhere_identifies_nothing(url: str) -> None:
    assert remote_id(url) is None


@requirement("U025")
@given(host=words, owner=words, name=words, secret=st.text("abcXYZ09:%", min_size=8))
def test_credentials_never_reach_the_normal_form(
    host: str, owner: str, name: str, secret: str
) -> None:
    bare = normalise_remote(f"https://h{host}/{owner}/{name}")

    assert normalise_remote(f"https://{secret}@h{host}/{owner}/{name}.git") == bare
    assert normalise_remote(f"ssh://{secret}@h{host}:22/{owner}/{name}.git/") == bare
    assert normalise_remote(f"git@h{host}:{owner}/{name}.git") == bare


@given(st.text() | st.text("ab:/@[].\\~?#g"))
def test_any_text_for_a_remote_has_a_normal_form(url: str) -> None:
    remote = remote_id(url)

    assert remote is None or is_project_id(remote)


@requirement("U011", "A11")
@pytest.mark.parametrize(
    "path",
    [
        "C:\\Users\\u\\my.app",
        "c:\\Users\\u\\my.app\\",
        "C:/Users/u/my.app",
        "c:/Users//u/./my.app/",
        "\\\\?\\C:\\Users\\u\\my.app",
        "\\\\.\\c:\\Users\\u\\my.app",
    ],
)
def test_a_windows_directory_is_one_however_it_is_written(path: str) -> None:
    assert canonical_path(path) == "C:/Users/u/my.app"
    assert directory_id(path) == directory_id("C:\\Users\\u\\my.app")
    assert project_name(path) == "my.app"


@requirement("U011", "A11")
@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/", "/"),
        ("/home/u/app/", "/home/u/app"),
        ("//home/./u//app", "/home/u/app"),
        ("/home/u/back\\slash", "/home/u/back\\slash"),
        ("/home/u/cafe\u0301", "/home/u/caf\u00e9"),
        ("/home/u/caf\udce9", "/home/u/caf\\udce9"),
        ("/mnt/c/Users/u", "/mnt/c/Users/u"),
        ("/c/Users/u", "/c/Users/u"),
        ("C:", "C:/"),
        ("d:\\", "D:/"),
        ("\\\\Server\\Share\\Dir\\app", "//server/share/Dir/app"),
        ("\\\\?\\UNC\\SERVER\\share\\Dir\\app", "//server/share/Dir/app"),
    ],
)
def test_a_directory_has_one_text_on_every_system(path: str, canonical: str) -> None:
    assert canonical_path(path) == canonical


@requirement("U011", "A06")
@pytest.mark.parametrize(
    "path", ["", "app", "./app", "C:app", "\\app", "~", "/a\0b", "/" + "a" * 4096, "\\\\?\\Volume"]
)
def test_a_directory_that_depends_on_who_asks_is_refused(path: str) -> None:
    with pytest.raises(UnsafeNameError) as refusal:
        directory_id(path)

    assert refusal.value.hint


@requirement("U011")
@given(st.lists(words, min_size=1), st.sampled_from(["/", "C:/", "\\\\?\\d:\\"]))
def test_the_canonical_text_of_a_path_is_its_own(parts: list[str], start: str) -> None:
    canonical = canonical_path(start + "/".join(parts))

    assert canonical_path(canonical) == canonical
    assert is_project_id(directory_id(canonical))


@requirement("U025", "A11")
@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/home/u/my.app", "-home-u-my-app"),
        ("/home/u/my_app", "-home-u-my-app"),
        ("/home/u/my app", "-home-u-my-app"),
        ("/home/u/项目", "-home-u---"),
        ("/home/u/🦉", "-home-u---"),
        ("C:\\Users\\u", "C--Users-u"),
        ("/" + "a" * 199, "-" + "a" * 199),
    ],
)
def test_a_slug_is_the_folder_that_claude_code_makes(path: str, folder: str) -> None:
    assert claude_slug(path) == folder


@requirement("U025", "A11")
def test_a_long_slug_ends_in_a_hash_of_the_whole_path() -> None:
    # 31-fold sums of "hello" give 99162322, in base 36 "1n1e4y"; NUL adds nothing in front of it.
    assert claude_slug("\0" * 200 + "hello") == "-" * 200 + "-1n1e4y"
    # These two sums are negative in 32 bits, the first as far as can be; the sign is dropped.
    assert claude_slug("\0" * 200 + "polygenelubricants") == "-" * 200 + "-zik0zk"
    assert claude_slug("\0" * 200 + "Hello World") == "-" * 200 + "-e9jc70"


@given(st.text(min_size=1))
def test_a_slug_is_plain_whatever_the_path(path: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9-]{1,208}", claude_slug(path))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/u/my.app", "my.app"),
        ("/srv/git/app.git", "app"),
        ("/srv/.git", ".git"),
        ("/", "/"),
        ("C:\\", "C:"),
        ("/home/u/项目", "项目"),
        ("/home/u/a\x1b[2Jb\u202e", "a\ufffd[2Jb\ufffd"),
        ("/" + "a" * 200, "a" * 100),
    ],
)
def test_a_project_is_shown_by_its_last_name(path: str, name: str) -> None:
    assert project_name(path) == name


def test_an_identity_needs_no_alias() -> None:
    identity = Identity("dir:" + DIGEST, "app", "/home/u/app")

    assert identity.aliases == ()
