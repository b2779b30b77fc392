"""``forget``: erase notes, episodes and exact strings, with all that quotes them."""

import sys
from collections.abc import Iterator, Sequence
from functools import cache

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, needless_yes_option, open_app
from twiceshy.cli.output import (
    flatten_text,
    format_minute,
    format_note,
    print_json,
    print_message,
    print_messages,
    print_worded,
)
from twiceshy.core.erasure import ErasureReport
from twiceshy.core.errors import NotFoundError
from twiceshy.core.evidence import Episode
from twiceshy.core.note import Note, short_handle
from twiceshy.interop.views.sweep import erase_forgotten, take_in_edits
from twiceshy.notes.find_by_name import find_notes_by_name, find_only_note
from twiceshy.notes.person import is_person_present, require_person
from twiceshy.project.episodes.find import find_episode
from twiceshy.sync.sync_run import SyncRequest, sync_with_remote
from twiceshy.upkeep.erasing import erase_objects, list_unreached
from twiceshy.wording import worded

_FEW = 10


@click.command("forget")
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option(
    "--text",
    "strings",
    multiple=True,
    metavar="TEXT",
    help="Erase this exact string, such as a secret; '-' reads it from stdin.",
)
@click.option("--plan", is_flag=True, help="Show what would be erased, and change nothing.")
@click.option(
    "--purge", is_flag=True, help="Then rewrite the remote history, as backup --purge does."
)
@needless_yes_option
@json_option
def command(
    *,
    names: tuple[str, ...],
    strings: tuple[str, ...],
    plan: bool,
    purge: bool,
    as_json: bool,
) -> None:
    """Erase notes, episodes and strings from store, files and backups. Cannot be undone.

    IDs are those of notes, tasks, pages, preferences, sessions, handoffs and diaries. What quotes them loses the
    quoting sentences: a run of five words, or an unusual word. Erased notes are not learned again
    automatically. To only hide a note, use retire.

    Example: twiceshy forget n7k2x
    """
    texts = tuple(_read_stdin() if text == "-" else text for text in strings)
    if not (names or texts):
        raise click.UsageError("name what to erase: an ID, or --text")
    with open_app() as app:
        gone = [_find_object(app, name) for name in dict.fromkeys(names)]
        about = list(map(_format_object, gone))
        if not (plan or is_person_present()):
            about += _format_report(_erase(app, gone, texts, plan=True), plan=True)
            require_person("forget", about)
        elif not as_json:
            print_messages(about)
        done = _erase(app, gone, texts, plan=plan)
        if purge and not plan:
            sync_with_remote(app, SyncRequest(take=True, give=True, purge=True))
            done = done.but(unreached=list_unreached(app, texts, purged=True))
    if as_json:
        print_json({"planned": plan, "erased": [one.id for one in gone], **done.fields()})
        return
    if not plan:
        for one in gone:
            click.echo(one.id)
        print_worded("forgotten")
    print_messages(_format_report(done, plan=plan))


def _erase(
    app: App, gone: Sequence[Note | Episode], texts: Sequence[str], *, plan: bool
) -> ErasureReport:
    return erase_objects(
        app,
        gone,
        texts,
        plan=plan,
        take_in=take_in_edits,
        refresh=erase_forgotten,
        tell=_print_step,
    )


def _find_object(app: App, name: str) -> Note | Episode:
    """Return the note of a name, or the episode if no note has it."""
    if find_notes_by_name(app.store, name):
        return find_only_note(app, name)
    try:
        return find_episode(app.store, name)
    except NotFoundError:
        return find_only_note(app, name)


def _format_object(one: Note | Episode) -> str:
    if isinstance(one, Note):
        return format_note(one)
    about = flatten_text(one.title or one.summary, limit=80)
    return f"e{one.id[-6:]}  {format_minute(one.ended_at)}  {one.kind:<10}  {about}"


def _format_report(done: ErasureReport, *, plan: bool) -> Iterator[str]:
    """Yield what was swept by place, what is left, and what cannot be reached."""
    if done.places:
        places = ", ".join(f"{place} {count}" for place, count in done.places.items())
        yield (
            worded("would be erased or cleaned: {places}", places=places)
            if plan
            else worded("erased or cleaned: {places}", places=places)
        )
    if done.objects:
        names = " ".join(short_handle(each) for each in done.objects[:_FEW])
        more = len(done.objects) - _FEW
        names += worded(" and {count} more", count=more) if more > 0 else ""
        yield worded("these quote it and lose the quoting sentences, or go: {names}", names=names)
    for path in done.kept:
        yield worded("lines of your own in {path} hold it; they stay", path=path)
    for path in done.left:
        yield worded("{path} may still hold it; the next command tries again", path=path)
    for sentence in done.unreached:
        yield worded("not reached: {what}", what=sentence)


@cache  # the command runs again once the person is known
def _read_stdin() -> str:
    if sys.stdin.isatty():
        return str(click.prompt(worded("Text to erase"), hide_input=True, err=True))
    return sys.stdin.read().rstrip("\n")


def _print_step(step: str) -> None:
    if sys.stderr.isatty():
        print_message(step)
