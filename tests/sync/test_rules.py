"""What is said when a remote cannot be used, and what is not even tried."""

import pytest

from twiceshy.core.maintenance import MaintenanceRun
from twiceshy.core.moment import SECOND
from twiceshy.sync import rules as syncing
from twiceshy.sync.rules import (
    SyncError,
    check_address,
    explain_git_error,
    is_backup_due,
    journal_part,
    parse_format,
)

MINUTE = 60 * SECOND
HOST = "git@example.org:me/notes.git"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("git@example.org: Permission denied (publickey).", "you have no access to"),
        ("fatal: could not read Username for 'https://x': terminal prompts disabled", "no access"),
        ("fatal: Authentication failed for 'https://x/'", "you have no access to"),
        ("remote: Repository not found.\nfatal: repository 'https://x/' not found", "no access"),
        ("The requested URL returned error: 403", "you have no access to"),
        ("Host key verification failed.", "you have no access to"),
        ("ssh: Could not resolve hostname example.org: Name or service", "cannot be reached"),
        ("Failed to connect to example.org port 443", "cannot be reached"),
        ("ssh: connect to host x port 22: Connection refused", "cannot be reached"),
        ("fatal: '/x' does not appear to be a git repository", "there is no repository at"),
        ("! [remote rejected] main -> main (pre-receive hook declined)", "refuses what was sent"),
        ("remote: error: GH006: Protected branch update failed", "refuses what was sent"),
        ("fatal: something new", "git failed with git@example.org:me/notes.git: fatal: something"),
        ("", "git failed with"),
    ],
)
def test_what_git_says_becomes_what_the_user_can_do(said: str, meant: str) -> None:
    error = explain_git_error(said, HOST)

    assert meant in str(error)
    assert error.hint
    assert "\n" not in str(error) + error.hint


@pytest.mark.parametrize(
    "address",
    [
        HOST,
        "ssh://git@example.org:22/me/notes.git",
        "https://example.org/me/notes.git",
        "https://me@example.org/me/notes.git",
        "/srv/git/notes.git",
        "../notes.git",
    ],
)
def test_addresses_that_git_understands_are_passed_on(address: str) -> None:
    assert check_address(address) == address


@pytest.mark.parametrize("address", ["", "-x", "ext::sh", "a\x1bb", "https://me:pw@host/x"])
def test_addresses_that_could_do_harm_are_refused(address: str) -> None:
    with pytest.raises(SyncError):
        check_address(address)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (syncing.describe_repository(3)["format"], (syncing.VERSION, 3)),
        (b"twiceshy-sync 7\npurges 0\nmore 1\n", (7, 0)),
        (b"twiceshy-sync x\npurges 0\n", None),
        (b"twiceshy-sync 1\npurges x\n", None),
        (b"twiceshy-sync 1\nothers 0\n", None),
        (b"something else entirely", None),
        (b"\xff\xfe", None),
        (b"", None),
    ],
)
def test_only_what_we_wrote_is_a_format(body: bytes, found: tuple[int, int] | None) -> None:
    assert parse_format(body) == found


def test_a_device_knows_its_own_files() -> None:
    own = syncing.journal_path("abc-def", 12)

    assert own == "journal/abc-def-0012.jsonl"
    assert journal_part(own, "abc-def")
    assert not journal_part(own, "abc")
    assert not journal_part("journal/abc-def.jsonl", "abc-def")
    assert not journal_part(syncing.device_path("abc-def"), "abc-def")


def test_far_more_than_notes_can_be_is_not_read() -> None:
    syncing.check_size({"a": 10**9, "b": 10**9})

    with pytest.raises(SyncError, match="far larger"):
        syncing.check_size({"a": 10**9, "b": 10**9 + 1})


def a_run(began_at: int) -> MaintenanceRun:
    return MaintenanceRun(1, syncing.SYNC, began_at, 0, "", "")


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([], True),
        ([a_run(40 * MINUTE)], False),
        ([a_run(30 * MINUTE)], True),
        ([a_run(30 * MINUTE), a_run(41 * MINUTE)], False),
        ([a_run(200 * MINUTE)], True),  # a clock that went back does not stop it for years
    ],
)
def test_a_backup_by_itself_waits_its_time(runs: list[MaintenanceRun], expected: bool) -> None:
    assert is_backup_due(runs, every_minutes=60, now=90 * MINUTE) is expected
