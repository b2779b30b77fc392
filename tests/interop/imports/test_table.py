"""The table of docs/importing.md is what importing the samples gives."""

from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, put
from tests.interop.imports.shop import SAMPLES, a_shop

from twiceshy.interop.imports import (
    ImportContext,
    ImportSource,
    claude_folders,
    instructions,
    markdown,
)
from twiceshy.interop.imports.import_run import ImportReport
from twiceshy.interop.imports.seeds import engine, fireworks, keeper, magic_context
from twiceshy.places.identity import claude_slug

PAGE = Path(__file__).parents[3] / "docs" / "importing.md"


def row(report: ImportReport) -> str:
    counts = (
        report.offered,
        len(report.imported),
        len(report.merged),
        report.known,
        report.episodes,
        report.signals,
        report.counts,
        len(report.refused),
    )
    reasons = "; ".join(dict.fromkeys(report.refused.values())) or "-"
    return f"| {report.source} | {' | '.join(map(str, counts))} | {reasons} |"


@pytest.mark.parametrize(
    "source",
    [fireworks, magic_context, engine, keeper, instructions],
    ids=lambda source: source.NAME,
)
def test_the_samples_give_the_figures_of_the_page(
    source: ImportSource, imported: Imported, around: ImportContext, user: Path, project: Path
) -> None:
    report = imported(source, around=a_shop(user, project, around))

    assert row(report) in PAGE.read_text()


def test_claude_codes_folder_gives_the_figures_of_the_page(
    imported: Imported, around: ImportContext, user: Path, project: Path
) -> None:
    folder = user / ".claude/projects" / claude_slug(str(project)) / "memory"
    pages = SAMPLES / "engine/projects/-home-kim-shop/memory"
    for name in ("MEMORY.md", "mail-templates.md"):
        put(folder / name, (pages / name).read_text())

    report = imported(claude_folders, around=around.but(by_slug=lambda _: around.here))

    assert row(report) in PAGE.read_text()


def test_a_folder_of_markdown_gives_the_figures_of_the_page(imported: Imported) -> None:
    report = imported(markdown, SAMPLES / "plain")

    assert row(report) in PAGE.read_text()
