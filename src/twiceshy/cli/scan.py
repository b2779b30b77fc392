"""``scan``: find secrets that the memory holds under the present rules, and erase them."""

import sys
from collections.abc import Iterator

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, needless_yes_option, open_app
from twiceshy.cli.output import print_json, print_message, print_messages
from twiceshy.core.erasure import ErasureReport
from twiceshy.interop.views.sweep import erase_forgotten
from twiceshy.notes.person import require_person
from twiceshy.upkeep.erasing import erase_strings
from twiceshy.upkeep.scan import ScanReport, scan_memory
from twiceshy.wording import worded

_FOUND = 1  # exit status: secrets were found and are still there


@click.command("scan")
@click.option("--purge", is_flag=True, help="Erase what was found, everywhere. Cannot be undone.")
@needless_yes_option
@json_option
def command(*, purge: bool, as_json: bool) -> None:
    """Find secrets in the store, its history, files, views, logs, copies and backups.

    A finding names the place and the format, never the secret. Rules become better: what was written under
    earlier rules may hold what the present ones take out. The exit status is 1 if secrets are left.

    Example: twiceshy scan --purge
    """
    with open_app() as app:
        report = scan_memory(app, tell=_print_step)
        erased, left = None, report
        if not as_json:
            print_messages(_format_report(report))
        if purge:
            require_person("forget")
        if purge and report.secrets:
            erased = _erase(app, report)
            left = scan_memory(app, tell=_print_step)
    if as_json:
        print_json(_list_fields(left if purge else report, erased))
    elif erased is not None:
        print_messages(_format_erased(left, erased))
    if left.findings:
        click.get_current_context().exit(_FOUND)


def _erase(app: App, report: ScanReport) -> ErasureReport:
    """Erase the longest first: a secret may be a part of another."""
    secrets = sorted(report.secrets, key=len, reverse=True)
    return erase_strings(app, secrets, refresh=erase_forgotten, tell=_print_step)


def _list_fields(report: ScanReport, erased: ErasureReport | None) -> dict[str, object]:
    return {
        "texts": report.texts,
        "findings": [finding.fields() for finding in report.findings],
        "unread": list(report.unread),
        "erased": None if erased is None else dict(erased.fields()),
    }


def _format_report(report: ScanReport) -> Iterator[str]:
    for one in report.findings:
        begins = f" ({one.begins})" if one.begins else ""
        yield f"{one.place:<20} {one.format}{begins} × {one.count}"
    for path in report.unread:
        yield worded("{path} cannot be looked at", path=path)
    if report.findings:
        yield worded(
            "{count} texts looked at; to erase: twiceshy scan --purge", count=report.texts
        )
    else:
        yield worded("{count} texts looked at; no secrets found", count=report.texts)


def _format_erased(left: ScanReport, erased: ErasureReport) -> Iterator[str]:
    if erased.places:
        places = ", ".join(f"{place} {count}" for place, count in erased.places.items())
        yield worded("erased or cleaned: {places}", places=places)
    for path in erased.left:
        yield worded("{path} may still hold it; the next command tries again", path=path)
    for path in erased.kept:
        yield worded("lines of your own in {path} hold it; they stay", path=path)
    for one in left.findings:
        yield worded("still in {place}: {format}", place=one.place, format=one.format)
    for sentence in erased.unreached:
        yield worded("not reached: {what}", what=sentence)
    yield worded(
        "a secret that stood here was seen by a model and a disk: change it where it is used"
    )


def _print_step(step: str) -> None:
    if sys.stderr.isatty():
        print_message(step)
