"""The tools ``recall`` and ``skill_recall`` answer who asks, and tell missing answers apart."""

from pathlib import Path

import pytest
from tests.mcp.conftest import Client, Connect, a_skill, twiceshy
from tests.requirements import requirement

FLYWAY = "Flyway migrations must never be edited after merge"
UNSURE = 'fit="weak">\nNo note fits well. The nearest, which may be about something else:\n'


@requirement("T120")
def test_an_agent_that_asks_for_a_word_of_a_note_is_told_the_note(client: Client) -> None:
    client.do("note", text=FLYWAY)

    told = client.do("recall", intent="flyway")

    assert FLYWAY in told
    assert told.endswith("</project-memory>")


@requirement("T120")
def test_an_agent_is_told_that_notes_are_only_the_nearest_and_pays_for_no_more(
    client: Client, project: Path
) -> None:
    client.do("note", text="Tag releases from main only")
    intent = "which bird is on the main square"

    told = client.do("recall", intent=intent)

    assert UNSURE in told
    assert told == twiceshy(project, "recall", intent).strip()


def test_an_agent_is_told_of_a_skill_whose_notes_fit_better(client: Client) -> None:
    client.do("note", text="Tag releases from main only")
    client.do("note", text="Sign the tag with the key of the team.", skill="release")

    told = client.do("recall", intent="sign the tag with the key of the team")

    assert UNSURE in told
    assert told.endswith("\nNotes of skills fit: skill release.")


@requirement("T120", "M16")
@pytest.mark.parametrize("tool", ["recall", "skill_recall"])
def test_a_long_note_is_cut_to_a_small_budget(client: Client, tool: str) -> None:
    text = f"{FLYWAY}, {'or the checksums differ, ' * 30}"
    given = {"skill": "release"} if tool == "skill_recall" else {}
    client.do("note", text=text, **given)

    told = client.do(tool, intent="flyway", max_tokens=50, **given)

    assert "Flyway migrations must" in told
    assert "observations, not instructions" in told


@requirement("T121", "M16")
@pytest.mark.parametrize("tool", ["recall", "skill_recall"])
def test_a_budget_that_is_too_small_is_not_called_an_empty_memory(
    client: Client, home: Path, project: Path, tool: str
) -> None:
    name = "a" * 100
    a_skill(project / ".claude/skills", name, settings="skill-memory:\n  max_tokens: 5\n")
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text("[brief]\nskill_tokens = 5\n")
    given = {"skill": name} if tool == "skill_recall" else {}
    client.do("note", text="Zebras cross.", **given)

    said = client.do(tool, intent="zebras", **given)

    assert said.startswith("The budget is too small for any note for ")
    tokens = int(said.rstrip(".").rpartition("max_tokens ")[2])
    told = client.do(tool, intent="zebras", max_tokens=max(50, tokens), **given)
    assert "Zebras cross." in told


@requirement("T121")
def test_an_empty_memory_says_where_notes_are_and_what_waits(
    client: Client, connect: Connect, tmp_path: Path
) -> None:
    (tmp_path / "bakery").mkdir()
    connect(tmp_path / "bakery").do("note", text="Orders of bread close at noon.")
    client.do("note", text="Never push to main.", kind="rule")
    client.do("note", text="Tag last.", skill="release")

    assert client.do("recall", intent="orders") == (
        "No active notes for project 'shop'. 1 waiting for the user: twiceshy review."
        " 1 of skills: skill release. 1 in other projects: search with all_projects."
        " What you learn: note."
    )


@requirement("T121", "T86")
def test_an_empty_memory_tells_of_older_systems_that_were_not_imported(
    client: Client, tmp_path: Path
) -> None:
    place = tmp_path / "user/.claude/skills/release/KNOWLEDGE.md"
    place.parent.mkdir(parents=True)
    place.write_text("# release — experience\n\n- Fetch tags\n")

    said = client.do("recall", intent="fetch")

    assert "Not imported yet are notes of fireworks; the user may: twiceshy import." in said
    assert "Fetch tags" not in said


@requirement("T121", "M03")
@pytest.mark.parametrize("tool", ["recall", "skill_recall"])
def test_unknown_disabled_and_empty_skills_are_told_apart(
    client: Client, project: Path, tool: str
) -> None:
    a_skill(project / ".claude/skills", "quiet", settings="skill-memory: {enabled: false}\n")
    twiceshy(project, "note", "Boxes first.", "--skill", "packing")

    unknown = client.refused(tool, skill="pakcing", intent="tag")
    off = client.refused(tool, skill="quiet", intent="tag")
    empty = client.do(tool, skill="release", intent="tag")

    assert "no SKILL.md of a skill 'pakcing' was found, and no note about it" in unknown
    assert "did you mean 'packing'?" in unknown
    assert "notes are not enabled for skill 'quiet'" in off
    assert empty == "No notes yet for skill 'release'. What you learn about it: skill_note."


@requirement("T121")
def test_an_unknown_project_is_refused_with_the_one_that_was_meant(
    client: Client, connect: Connect, tmp_path: Path
) -> None:
    (tmp_path / "bakery").mkdir()
    connect(tmp_path / "bakery").do("note", text="Orders of bread close at noon.")

    said = client.refused("recall", intent="orders", project="bakrey")

    assert "did you mean 'bakery'?" in said


@requirement("T121")
def test_an_expired_note_is_said_to_be_so(
    client: Client, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-01-01T09:00:00Z")
    (project / ".twiceshy.toml").write_text("[expiry.days]\nlesson = 2\n")
    client.do("note", text=FLYWAY)
    monkeypatch.setenv("TWICESHY_NOW", "2026-02-01T09:00:00Z")

    said = client.do("recall", intent="flyway")

    assert said.startswith("1 note about this for project 'shop' is not told.")
    assert "1 expired" in said


@requirement("T171")
def test_an_agent_is_told_tasks_and_pages_and_counts_of_what_waits(
    client: Client, project: Path
) -> None:
    client.do("note", text="Renew the Flyway licence in June", kind="task")
    client.do("note", text="Never rebase the archive", kind="rule")
    gone = twiceshy(project, "note", "Kubeseal seals the secrets of the cluster").strip()
    twiceshy(project, "retire", gone)

    task = client.do("recall", intent="flyway")
    rule = client.do("recall", intent="rebase")
    retired = client.do("recall", intent="kubeseal")

    assert " task] Renew the Flyway licence in June" in task
    assert rule == (
        "1 note about this for project 'shop' is not told. 1 waiting for the user: twiceshy review."
    )
    assert retired == (
        "1 note about this for project 'shop' is not told."
        f" 1 retired ({gone}): twiceshy list --status retired."
    )


@requirement("T171")
def test_notes_of_a_skill_that_wait_are_counted_for_an_agent(
    client: Client, project: Path
) -> None:
    client.do("note", text="Sign the tag with gpg", skill="release")
    gone = twiceshy(project, "note", "Kubeseal seals the secrets", "--skill", "release").strip()
    twiceshy(project, "retire", gone)

    said = client.do("skill_recall", skill="release", intent="kubeseal")

    assert "Sign the tag with gpg" in said
    assert "1 note about this for skill 'release' is not told." in said


@requirement("T172")
def test_an_agent_is_told_of_a_question_without_words(client: Client) -> None:
    client.do("note", text="Renew the Flyway licence in June")

    common = client.do("recall", intent="not now")
    signs = client.do("recall", intent="?")

    found = client.do("search", query="?")

    assert "The question has only words that most sentences have." in common
    assert "no word of the query can be searched for" in found
    assert "Renew the Flyway licence" in signs
    assert signs.endswith("these notes are told to any question.")


@requirement("T173")
def test_an_agent_is_told_which_word_a_mistyped_one_may_mean(client: Client) -> None:
    client.do("note", text="psycopg2 needs libpq headers to build")

    told = client.do("recall", intent="psycpog2")
    found = client.do("search", query="psycpog2")

    assert "psycopg2 needs libpq headers to build" in told
    assert "No note has 'psycpog2'; the nearest word is 'psycopg2'." in told
    assert "no note has 'psycpog2'; the nearest word is 'psycopg2'" in found


@requirement("T175")
def test_an_agent_is_told_the_sentence_of_a_long_note_that_answers(client: Client) -> None:
    filler = "Most of the evening was spent with waiting for the copy of the shop. " * 8
    client.do("note", text=f"{filler}The pager text names the replica. {filler}")

    told = client.do("recall", intent="what does the pager text name", max_tokens=60)
    found = client.do("search", query="pager text")

    assert "] …The pager text names the replica." in told
    assert "] …The pager text names the replica." in found


@requirement("T176")
def test_an_agent_is_told_which_skill_without_notes_it_may_mean(
    client: Client, project: Path
) -> None:
    a_skill(project / ".claude/skills", "deploying")

    assert "did you mean 'deploying'?" in client.refused("skill_recall", skill="deployng")
    assert "did you mean 'deploying'?" in client.refused("recall", skill="deployng", intent="tag")
