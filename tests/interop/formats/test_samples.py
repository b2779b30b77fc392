"""The samples are files as the older systems wrote them; each is read whole, and told by its name."""

from pathlib import Path

import pytest
from tests.interop.formats.noting import items_in, noted, said
from tests.requirements import requirement

from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.note import Note
from twiceshy.interop.formats import FileContext, join_pieces
from twiceshy.interop.formats.fireworks import parse_usages, render_usages
from twiceshy.interop.formats.registry import FORMATS, guess_formats, load_format

SAMPLES = Path(__file__).parents[2] / "samples"
MEMORY = "engine/projects/-home-kim-shop/memory"
KEEPER = "keeper/.claude/memory"
# path, format, and how many items it holds
TABLE = (
    ("fireworks/skills/release/KNOWLEDGE.md", "fireworks_knowledge", 4),
    ("fireworks/global/KNOWLEDGE.md", "fireworks_knowledge", 2),
    ("fireworks/legacy/skills-knowledge.md", "fireworks_knowledge", 2),
    ("fireworks/pack/KNOWLEDGE.md", "fireworks_knowledge", 2),
    ("fireworks/pack/EMPTY-KNOWLEDGE.md", "fireworks_knowledge", 0),
    ("fireworks/skills/release/CHECKPOINTS.md", "fireworks_checkpoints", 2),
    ("fireworks/skills/release/.error_seeds", "fireworks_seeds", 2),
    ("fireworks/error-seeds/5f0c2a77-demo.txt", "fireworks_seeds", 2),
    ("fireworks/skill-usage-stats.json", "fireworks_stats", 0),
    ("fireworks/legacy/skill-memory.log", "fireworks_log", 0),
    (f"{KEEPER}/facts.json", "keeper_facts", 5),
    (f"{KEEPER}/sessions/2026-09-10_1400.md", "keeper_session", 6),
    (f"{KEEPER}/sessions/archive/2026-08.md", "keeper_archive", 3),
    (f"{KEEPER}/project.md", "keeper_page", 1),
    (f"{KEEPER}/architecture.md", "keeper_page", 1),
    (f"{KEEPER}/conventions.md", "keeper_page", 1),
    (f"{KEEPER}/memory.md", "keeper_log", 2),
    ("engine/sessions/2026-10-05-7gk2-session.md", "engine_session", 1),
    ("engine/sessions/2026-10-06-a1b2c3d4-compact.md", "engine_session", 1),
    ("engine/sessions/2026-10-07-a1b2c3d4-checkpoint.md", "engine_session", 1),
    ("engine/sessions/reflect-2026-10-11.md", "engine_reflect", 1),
    ("engine/sessions/diary/2026-10-07.md", "engine_diary", 1),
    ("engine/skills/learned/auto-pitfall-20261006.md", "engine_pitfall", 3),
    ("engine/skills/learned/time-zones.md", "engine_learned", 1),
    ("engine/skills/learned/printer-margins.md", "engine_learned", 1),
    ("engine/skills/learned/writing-review-list.md", "engine_notebook", 3),
    (f"{MEMORY}/MEMORY.md", "engine_hub", 2),
    (f"{MEMORY}/mail-templates.md", "engine_spoke", 1),
    (f"{MEMORY}/todo-status.md", "engine_todo", 3),
    (f"{MEMORY}/handoff-checkout.md", "engine_handoff", 1),
    ("instructions/CLAUDE.md", "instructions", 4),
    ("instructions/AGENTS.md", "instructions", 2),
    ("plain/printing.md", "markdown", 1),
    ("plain/loose.md", "markdown", 1),
)
# what a format holds, if it is not notes
HELD = {
    **dict.fromkeys(("fireworks_checkpoints", "fireworks_seeds"), Signal),
    **dict.fromkeys(("keeper_archive", "keeper_log", "engine_session"), Episode),
    **dict.fromkeys(("engine_handoff", "engine_diary", "engine_reflect"), Episode),
}
EACH = pytest.mark.parametrize(("path", "name", "count"), TABLE, ids=[row[0] for row in TABLE])


def sample(path: str) -> str:
    return (SAMPLES / path).read_bytes().decode()


def about(path: str) -> FileContext:
    skill = "release" if "/release/" in path else ""
    return FileContext("demo", skill, 1_790_000_000_000, path)


def test_there_is_a_sample_for_every_format_and_no_other_file() -> None:
    files = {str(path.relative_to(SAMPLES)) for path in SAMPLES.rglob("*") if path.is_file()}

    assert files == {row[0] for row in TABLE}
    theirs = {name for name in FORMATS if not name.startswith("vault_")}
    assert {row[1] for row in TABLE} | {"markdown_list"} == theirs


@EACH
def test_a_sample_is_known_by_its_name_and_first_lines(path: str, name: str, count: int) -> None:
    assert guess_formats(path, sample(path)[:500])[0] == name


@EACH
def test_a_sample_is_read_whole(path: str, name: str, count: int) -> None:
    for text in (sample(path), sample(path).replace("\n", "\r\n"), "\ufeff" + sample(path)):
        pieces = load_format(name).parse_text(text, about(path))

        assert join_pieces(pieces) == text
        assert len(items_in(pieces)) == count


@requirement("A04")
@EACH
def test_what_a_sample_says_is_written_and_read_back_unchanged(
    path: str, name: str, count: int
) -> None:
    form, own = load_format(name), about(path)
    found = items_in(form.parse_text(sample(path), own))
    held = [one for one in found if isinstance(noted(one, 0), HELD.get(name, Note))]
    kept = [noted(item, number) for number, item in enumerate(held)]

    written_anew = form.render_items(kept, own)

    back = items_in(written_anew)
    # a hub is made of pages, and holds nothing of ours
    assert said(back) == ([] if name == "engine_hub" else said(held))
    assert form.parse_text(join_pieces(written_anew), own) == written_anew
    again = [noted(item, number) for number, item in enumerate(back)]
    assert join_pieces(form.render_items(again, own)) == join_pieces(written_anew)


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "{}", "[1]", '{"a": {"total": "x", "daily": 3}, "b": 1}', "{" * 9_000]
)
def test_statistics_that_count_nothing_give_nothing(text: str) -> None:
    assert parse_usages(text) == []


def test_statistics_are_written_as_they_were_read() -> None:
    text = sample("fireworks/skill-usage-stats.json")

    found = parse_usages(text)

    assert [(one.skill, one.sessions) for one in found] == [("playwright", 3), ("release", 9)]
    assert render_usages(found) == text
