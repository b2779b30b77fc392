"""Further ways to the same end: jobs after sessions, edits not taken in, files in projects, odd strings, old copies."""

import json
from pathlib import Path

import pytest
from tests.attacks.byte_search import find_places, find_tables
from tests.attacks.plants import Victim
from tests.attacks.tally import Tally
from tests.hooks.sessions import Session
from tests.processes import wait_for_jobs
from tests.requirements import requirement

from twiceshy.files import replace
from twiceshy.interop.views import files

FAMILY = "words that were forgotten"
WORD = "kwyjibo77"
SAID = f"Customer {WORD} pays with the purple voucher only after the audit closes."
OTHER = "Rebase before merging the release branch."
SECRETS = (
    "p/w+d é=12",
    "C:\\Users\\x\\key.pem",
    "multi word pass phrase",
    "-----KEYLIKE 12/ab-----",
    "quo\"te's",
)
CHINESE = "每次部署之前都要先备份整个数据库，否则客户的数据会丢失。"


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SETTLED_S", 0)
    monkeypatch.setattr(replace, "_GRACE_S", 0)


@pytest.fixture
def victim(home: Path, tmp_path: Path) -> Victim:
    (tmp_path / "shop").mkdir()
    return Victim(home, tmp_path / "shop")


def list_places(home: Path) -> set[str]:
    words = (WORD, "purple voucher")
    return find_places(home, words) | find_tables(home / "twiceshy.db", words)


@requirement("Y45")
def test_what_a_job_learned_after_a_session_is_gone(
    victim: Victim, tmp_path: Path, tally: Tally
) -> None:
    note = victim.run("note", SAID).strip()
    victim.run("note", OTHER)
    session = Session(victim.project, "session-9")
    session.start()
    session.prompt(f"Please note: {SAID}")
    session.works(("make deploy", f"Exit code 2\n{SAID}"), ("make ship", None))
    session.fails("make deploy", f"Exit code 2\n{SAID}")
    session.told("SessionEnd", reason="other")
    assert not wait_for_jobs(tmp_path, seconds=60)
    for words in (("diary",), ("reflect",), ("views", "write")):
        victim.run(*words)
    before = list_places(victim.home)
    assert before >= {"signals", "transcript_progress", "episodes", "intents", "views"}

    victim.run("forget", note, "--yes")

    after = list_places(victim.home)
    for place in before | after:
        tally.count_attack(FAMILY, f"job: {place}", succeeded=place in after)
    assert tally.succeeded == []
    assert OTHER in victim.run("list", "--json")


@requirement("Y45")
@pytest.mark.parametrize("name", ["todo-status.md", "Tasks.md"])
def test_an_edit_of_a_view_that_was_not_taken_in_is_gone_too(victim: Victim, name: str) -> None:
    note = victim.run("note", SAID).strip()
    victim.run("todo", "add", "Write the changelog.")
    victim.run("views", "write")
    (page,) = victim.home.rglob(name)
    page.write_text(page.read_text().rstrip() + f"\n- [ ] {SAID}\n")

    victim.run("forget", note, "--yes")

    assert list_places(victim.home) == set()
    assert "changelog" in victim.run("todo")


@requirement("Y45")
@pytest.mark.parametrize("taken", [True, False], ids=["after views write", "not yet read"])
def test_a_refused_edit_of_a_view_loses_the_quotation_alone(victim: Victim, taken: bool) -> None:
    note = victim.run("note", SAID).strip()
    victim.run("todo", "add", "Write the changelog.")
    victim.run("views", "write")
    (page,) = victim.home.rglob("Tasks.md")
    victim.client.start()
    page.write_text(page.read_text().replace("Write the changelog.", f"Write it. {SAID}"))
    if taken:
        victim.run("views", "write")
    assert SAID in page.read_text()
    assert "Write it." not in victim.run("todo"), "refused: an agent may have written it"

    told = json.loads(victim.run("forget", note, "--yes", "--json"))

    assert "Write it." in page.read_text()
    assert told["kept"] == []
    assert list_places(victim.home) == set()
    assert "changelog" in victim.run("todo")


@requirement("Y45")
def test_views_in_a_project_are_clean(victim: Victim) -> None:
    victim.run("config", "set", "views.project", "true")
    note = victim.run("note", SAID).strip()
    victim.run("add-decision", SAID, "so it is")
    victim.run("memory-set", "architecture", f"{SAID}\n\nMore.")
    victim.run("views", "write")
    assert find_places(victim.project, [WORD])

    victim.run("forget", note, "--yes")

    assert find_places(victim.project, [WORD]) | list_places(victim.home) == set()


@requirement("Y45")
def test_two_notes_that_share_an_unusual_word_take_it_with_them_together(victim: Victim) -> None:
    one = victim.run("note", SAID).strip()
    two = victim.run("note", f"The {WORD} contract ends in May next year.").strip()
    victim.client.start()
    victim.client.prompt(f"what about {WORD}?")
    victim.run("diary", "--add", f"Talked with {WORD}. Fine.")

    victim.run("forget", one, two, "--yes")

    assert list_places(victim.home) == set()


@requirement("Y45")
def test_a_long_page_and_what_quotes_one_of_its_lines(victim: Victim) -> None:
    parts = (f"Sentence number {n} of the manual about {WORD}{n} and pipes." for n in range(200))
    victim.run("memory-set", "manual", "-", stdin="\n\n".join(parts))
    (page,) = json.loads(victim.run("list", "--all", "--json", "--kind", "page"))
    victim.run("diary", "--add", "Sentence number 77 of the manual, said somebody.")
    victim.run("backup", "--copy")

    victim.run("forget", page["id"], "--yes")

    assert find_places(victim.home, [WORD, "sentence number 77"]) == set()


@requirement("Y45")
def test_a_chinese_note_is_gone_from_every_quotation(victim: Victim) -> None:
    note = victim.run("note", CHINESE).strip()
    victim.client.start()
    victim.client.prompt(f"请记住：{CHINESE}")
    victim.run("diary", "--add", f"他说：{CHINESE}然后走了。")
    victim.run("views", "write")
    assert len(find_places(victim.home, ["部署之前都要先备份"])) > 1

    victim.run("forget", note, "--yes")

    assert find_places(victim.home, ["部署之前都要先备份", "客户的数据会丢失"]) == set()


@requirement("Y47")
@pytest.mark.parametrize("secret", SECRETS)
def test_an_odd_string_is_gone_in_every_coding(secret: str, victim: Victim, tally: Tally) -> None:
    victim.run("note", f"Login with {secret} on the box.")
    victim.client.start()
    victim.client.prompt(f"use {secret} please")
    victim.client.fire(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": f"curl -d {secret}"},
        tool_use_id="toolu-1", error=f"Exit code 1\nbad {secret} here", is_interrupt=False,
    )  # fmt: skip
    for words in (("diary", "--add", secret), ("views", "write"), ("backup", "--copy")):
        victim.run(*words)
    before = find_places(victim.home, [secret])
    assert before >= {"twiceshy.db", "calls/session-1.jsonl"}

    victim.run("forget", "--text", secret, "--yes")

    after = find_places(victim.home, [secret])
    for place in before | after:
        tally.count_attack("a secret that leaked", f"{secret}: {place}", succeeded=place in after)
    assert tally.succeeded == []


@requirement("Y45")
def test_a_tag_a_concept_and_checkpoints_of_a_skill_are_clean(victim: Victim) -> None:
    named = ("--skill", "release", "--tag", WORD, "--concept", f"{WORD}-x")
    note = victim.run("note", SAID, *named).strip()
    victim.run("checkpoint", "--skill", "release", "--note", SAID)
    victim.run("views", "write")

    victim.run("forget", note, "--yes")

    assert list_places(victim.home) == set()


@requirement("Y45")
def test_no_repair_and_no_old_copy_brings_it_back(victim: Victim) -> None:
    note = victim.run("note", SAID).strip()
    victim.run("diary", "--add", f"{OTHER} {SAID}")
    victim.run("backup", "--copy")
    (copy,) = (victim.home / "copies").iterdir()
    body = copy.read_bytes()
    victim.run("forget", note, "--yes")
    copy.write_bytes(body)

    victim.run("recover", "--copy")
    copy.unlink()
    victim.run("doctor", "--repair")

    assert list_places(victim.home) == set()
    assert "Rebase before merging" in victim.run("diary")
    assert WORD not in victim.run("history", "--json")


@requirement("Y47")
def test_a_string_that_is_everywhere_is_refused(victim: Victim) -> None:
    victim.run("note", SAID)

    assert victim.run("forget", "--text", "the", "--yes", fails=1) == ""

    assert SAID in victim.run("list", "--json")
