"""``backup``, ``recover`` and ``sync`` of memory-engine: push to and pull from git."""

import os
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import click

from twiceshy.cli.config import set_setting
from twiceshy.cli.copies import restore_all_copies, write_copy_now
from twiceshy.cli.options import needless_yes_option, open_app
from twiceshy.cli.output import flatten_text, print_message, print_result
from twiceshy.cli.progress import show_list_progress
from twiceshy.cli.sharing_devices import show_devices
from twiceshy.cli.sharing_options import device_options, shared_options
from twiceshy.cli.sharing_view import format_counts, list_remarks
from twiceshy.notes.person import require_person
from twiceshy.sync.devices import describe_change, introduce_devices
from twiceshy.sync.known_devices import KnownDevices
from twiceshy.sync.sync_run import SyncRequest, sync_with_remote


@click.command("backup")
@shared_options
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
@shared_options
@device_options
@click.option("--copy", is_flag=True, help="Restore the copies on this disk instead.")
def recover(
    *, plan: bool, accept: bool, copy: bool, trust: tuple[str, ...], take: str, **given: Any
) -> None:
    """Pull the changes of your devices from your remote, or restore a copy with --copy.

    On a new machine, this pulls everything. Local notes stay: both sides are merged change by
    change, the later edit of a note wins, and `undo` reverts the whole pull. Rules wait for your
    approval on this machine. Pushes nothing; for that use backup or sync.

    twiceshy writes a copy of the store every week. With --copy, all copies that can be read
    are merged into the store in the same way; notes that were forgotten stay forgotten.

    Example: twiceshy recover --remote git@example.org:me/notes.git
    """
    if copy:
        _refuse_remote(accept or trust or take, given)
        restore_all_copies(plan=plan, as_json=given["as_json"])
        return
    way = SyncRequest(give=False, plan=plan, accept=accept, accept_from=take)
    _share_notes(way, trust=trust, **given)


@click.command("sync")
@shared_options
@device_options
@click.option("--revoke", default="", metavar="FINGERPRINT", help="Believe a device no longer.")
@click.option("--devices", is_flag=True, help="Show this device, known and waiting devices.")
def sync(
    *,
    plan: bool,
    accept: bool,
    trust: tuple[str, ...],
    take: str,
    revoke: str,
    devices: bool,
    **given: Any,
) -> None:
    """Pull changes of other devices, and push your own changes.

    Each device signs what it pushes. What a device says that you did not introduce waits: sync
    shows its fingerprint, and --trust believes it, if the device shows the same one.

    The repository must be yours, and git must reach it without a password prompt; an empty
    repository is fine. Each device writes its own files, so nothing has to be merged by hand.
    sync.after_sessions runs a backup automatically after sessions.

    Example: twiceshy sync --plan
    """
    if devices:
        show_devices(as_json=given["as_json"])
        return
    way = SyncRequest(plan=plan, accept=accept, accept_from=take)
    _share_notes(way, trust=trust, revoke=revoke, **given)


def _refuse_remote(others: object, given: Mapping[str, Any]) -> None:
    if others or given["remote"]:
        raise click.UsageError("--copy is about this disk; it goes with no remote")


def _share_notes(
    way: SyncRequest,
    *,
    remote: str | None,
    as_json: bool,
    trust: tuple[str, ...] = (),
    revoke: str = "",
) -> None:
    decides = trust or revoke or way.accept_from
    if remote or way.accept or way.purge or decides:
        about = (remote, *trust, revoke, way.accept_from)
        require_person("share", [flatten_text(one) for one in about if one])
    address = os.path.abspath(remote) if remote and os.path.isdir(remote) else remote or ""

    def decide(known: KnownDevices, own: str) -> None:
        introduce_devices(known, own, trust)
        if revoke:
            known.revoke(revoke)

    way = way.but(watch=show_list_progress, tell=_print_step)
    with open_app() as app:
        done = sync_with_remote(app, way.but(decide=decide) if decides else way, remote=address)
        if address and not way.plan:
            set_setting("sync.remote", address)
        own = {name: value for name, value in done.fields().items() if name != "brought"}
        own["strangers"] = [one.fields() for one in done.strangers]
        brought = done.brought.fields()
        brought["asking"] = [one.fields() for one in done.brought.asking]
        plain = {"planned": way.plan, **own, **brought}
        talk = list_remarks(done, plan=way.plan, describe=partial(describe_change, app))
        print_result(plain, format_counts(done), talk=talk, as_json=as_json)


def _print_step(step: str) -> None:
    if sys.stderr.isatty():
        print_message(f"{step} …")
