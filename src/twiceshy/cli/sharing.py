"""``backup``, ``recover`` and ``sync`` of memory-engine: push to and pull from git."""

import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from twiceshy.cli.config import set_setting
from twiceshy.cli.copies import restore_all_copies, write_copy_now
from twiceshy.cli.options import combine_options, json_option, needless_yes_option, open_app
from twiceshy.cli.output import print_message, print_result
from twiceshy.cli.progress import show_list_progress
from twiceshy.cli.sharing_view import format_counts, list_remarks
from twiceshy.notes.person import require_person
from twiceshy.sync.sync_run import SyncRequest, sync_with_remote

_shared_options = combine_options(
    click.option("--plan", is_flag=True, help="Fetch, and show the planned changes only."),
    click.option("--remote", metavar="URL", help="Your git repository; remembered for next time."),
    click.option(
        "--accept", is_flag=True, help="Continue although the remote history was rewritten."
    ),
    json_option,
)


@click.command("backup")
@_shared_options
@click.option("--purge", is_flag=True, help="Rewrite the remote history without forgotten notes.")
@click.option("--copy", is_flag=True, help="Write a copy of the store on this disk instead.")
@needless_yes_option
def backup(*, plan: bool, accept: bool, purge: bool, copy: bool, **given: Any) -> None:
    """Commit your notes and push them to your git repository, or copy the store with --copy.

    Pulls nothing; for that use recover or sync. All text is scanned for secrets again. A forgotten
    note leaves the files at once; with --purge it leaves the history as well, also on other
    devices, which accept the new history at their next sync.

    Example: twiceshy backup --remote git@example.org:me/notes.git
    """
    if copy:
        _refuse_remote(plan or accept or purge, given)
        write_copy_now(as_json=given["as_json"])
        return
    # nothing may be written anew that this device has not taken in
    _share_notes(
        SyncRequest(take=purge, give=True, plan=plan, purge=purge, accept=accept), **given
    )


@click.command("recover")
@_shared_options
@click.option("--copy", is_flag=True, help="Restore the copies on this disk instead.")
def recover(*, plan: bool, accept: bool, copy: bool, **given: Any) -> None:
    """Pull the changes of your devices from your remote, or restore a copy with --copy.

    On a new machine, this pulls everything. Local notes stay: both sides are merged change by
    change, the later edit of a note wins, and `undo` reverts the whole pull. Rules wait for your
    approval on this machine. Pushes nothing; for that use backup or sync.

    twiceshy writes a copy of the store every week. With --copy, all copies that can be read
    are merged into the store in the same way; notes that were forgotten stay forgotten.

    Example: twiceshy recover --remote git@example.org:me/notes.git
    """
    if copy:
        _refuse_remote(accept, given)
        restore_all_copies(plan=plan, as_json=given["as_json"])
        return
    _share_notes(SyncRequest(give=False, plan=plan, accept=accept), **given)


@click.command("sync")
@_shared_options
def sync(*, plan: bool, accept: bool, **given: Any) -> None:
    """Pull changes of other devices, and push your own changes.

    The repository must be yours, and git must reach it without a password prompt; an empty
    repository is fine. Each device writes its own files, so nothing has to be merged by hand.
    sync.after_sessions runs a backup automatically after sessions.

    Example: twiceshy sync --plan
    """
    _share_notes(SyncRequest(plan=plan, accept=accept), **given)


def _refuse_remote(others: object, given: Mapping[str, Any]) -> None:
    if others or given["remote"]:
        raise click.UsageError("--copy is about this disk; it goes with no remote")


def _share_notes(way: SyncRequest, *, remote: str | None, as_json: bool) -> None:
    if remote or way.accept or way.purge:
        require_person("share", [remote] if remote else [])
    address = os.path.abspath(remote) if remote and os.path.isdir(remote) else remote or ""
    with open_app() as app:
        done = sync_with_remote(
            app, way.but(watch=show_list_progress, tell=_print_step), remote=address
        )
    if address and not way.plan:
        set_setting("sync.remote", address)
    own = {name: value for name, value in done.fields().items() if name != "brought"}
    plain = {"planned": way.plan, **own, **done.brought.fields()}
    print_result(
        plain, format_counts(done), talk=list_remarks(done, plan=way.plan), as_json=as_json
    )


def _print_step(step: str) -> None:
    if sys.stderr.isatty():
        print_message(f"{step} …")
