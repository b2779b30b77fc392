"""Ways in which words come to stand in a memory home: each is taken as a user or a client takes it."""

import json
import os
from collections.abc import Callable
from pathlib import Path

from tests.hooks.conftest import Client
from tests.person import run_by_person
from tests.store.support import opened, raw

from twiceshy.core.evidence import Signal
from twiceshy.learning.distil.model_review import log_events
from twiceshy.store.migrate import back_up
from twiceshy.store.spool import append_record

WORD = "zorblat9x7"
SAID = f"Never send the quarterly {WORD} ledger to the northern archive before Friday."
OTHER = "Keep the harmless sentence about green apples where it is."
# Words are to be gone from the vault, and from the files of older systems.
LAYOUTS = {"TWICESHY_VIEWS_LAYOUTS": "vault,fireworks,memory-keeper,memory-engine"}
EARLIER = f"The {WORD} ledger once went to the southern archive on a Monday morning."


class Victim:
    """A memory home with a project, in which words are planted."""

    def __init__(self, home: Path, project: Path) -> None:
        self.home, self.project = home, project
        self.client = Client(project)
        self.note = ""

    def run(self, *words: str, stdin: str = "", fails: int = 0) -> str:
        done = run_by_person(*words, cwd=self.project, env={"TZ": "UTC", **LAYOUTS}, stdin=stdin)
        assert done.code == fails, (words, done.err)
        return done.out

    def begin(self) -> None:
        """Write the note that is forgotten later, and one that stays."""
        self.note = self.run("note", SAID).strip()
        self.run("note", OTHER)
        self.client.start()


def plant_revision(victim: Victim) -> None:
    victim.run("edit", victim.note, EARLIER, "--why", SAID)
    victim.run("edit", victim.note, SAID)


def plant_prompt(victim: Victim) -> None:
    victim.client.prompt(f"{OTHER} {SAID}")


def plant_failure(victim: Victim) -> None:
    victim.client.fire(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make deploy"},
        tool_use_id="toolu-1", error=f"Exit code 2\n{SAID}\nother words", is_interrupt=False,
    )  # fmt: skip


def plant_command(victim: Victim) -> None:
    victim.client.fire(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": f"deploy --to {WORD}"},
        tool_use_id="toolu-2", error="Exit code 2\nno such target", is_interrupt=False,
    )  # fmt: skip


def plant_hidden_failure(victim: Victim) -> None:
    victim.client.fire(
        "PostToolUse", tool_name="Bash", tool_input={"command": "make deploy; true"},
        tool_use_id="toolu-3", tool_response={"stdout": f"make: *** [deploy] Error 1: {SAID}", "stderr": ""},
    )  # fmt: skip


def plant_summary(victim: Victim) -> None:
    said = f"<summary>We did much work.\n{SAID}\nThen we went on.</summary>"
    victim.client.fire("PostCompact", compact_summary=said, trigger="auto", summary=said)


def plant_handoff(victim: Victim) -> None:
    victim.run(
        "handoff", "ledger", "--status", "half done", "--left", SAID, "--done", OTHER, "--yes"
    )


def plant_diary(victim: Victim) -> None:
    victim.run("diary", "--add", SAID)
    victim.run("diary", "--add", OTHER)


def plant_reflection(victim: Victim) -> None:
    victim.run("note", SAID.replace("before Friday", "before Sunday"))
    victim.run("reflect")


def plant_task(victim: Victim) -> None:
    victim.run("todo", "add", f"{OTHER} {SAID}")


def plant_page(victim: Victim) -> None:
    victim.run("memory-set", "architecture", f"# Build\n\n{OTHER}\n\n- {SAID}\n")


def plant_page_section(victim: Victim) -> None:
    victim.run("memory-set", "conventions", f"{OTHER}\n")
    victim.run("memory-set", "conventions", SAID, "--append")


def plant_decision(victim: Victim) -> None:
    victim.run("add-decision", "Ledgers are sent by hand", SAID)


def plant_facts(victim: Victim) -> None:
    text = f"## Decisions\n- [architecture] {OTHER}: {SAID}\n"
    victim.run("extract-facts", "-", stdin=text)


def plant_import(victim: Victim) -> None:
    page = victim.project / "lessons.md"
    page.write_text(f"# Lessons\n\n- {SAID}\n- {OTHER}\n")
    victim.run("import", "markdown", str(page))
    page.unlink()


def plant_checkpoint(victim: Victim) -> None:
    victim.run("checkpoint", "--skill", "release", "--note", f"{OTHER} {SAID}")


def plant_skill_note(victim: Victim) -> None:
    victim.run("note", f"On releases: {SAID}", "--skill", "release")


def plant_agent_note(victim: Victim) -> None:
    done = run_by_person(
        "note", f"I saw that: {SAID}", cwd=victim.project,
        env={"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "session-1"},
    )  # fmt: skip
    assert done.code == 0, done.err


def plant_views(victim: Victim) -> None:
    plant_task(victim)
    plant_page(victim)
    victim.run("views", "write")


def plant_view_edit(victim: Victim) -> None:
    victim.run("todo", "add", "Write the changelog.")
    victim.run("todo", "add", "Write the readme.")
    victim.run("memory-set", "deploy", "Ship it.")
    victim.run("views", "write")
    (page,) = (victim.home / "views").rglob("todo-status.md")
    page.write_text(page.read_text().replace("Write the changelog.", f"Write it. {SAID}"))
    vault = victim.home / "vault" / "shop"
    tasks, deploy, new = (vault / name for name in ("Tasks.md", "pages/deploy.md", "pages/new.md"))
    tasks.write_text(tasks.read_text().replace("Write the readme.", f"Write this. {SAID}"))
    deploy.write_text(f"{deploy.read_text()}\n{SAID}\n\n{OTHER}\n")
    new.write_text(f"{OTHER}\n\n{SAID}\n")
    victim.run("views", "write")


def plant_copy(victim: Victim) -> None:
    victim.run("backup", "--copy")


def plant_backup(victim: Victim) -> None:
    with opened(victim.home) as store:
        back_up(store.path, 111, now=store.now())


def plant_rescued(victim: Victim) -> None:
    folder = victim.home / "rescued" / "2026-11-02T0900000Z-a1b2c3"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "twiceshy.db").write_bytes(
        (victim.home / "twiceshy.db").read_bytes() + SAID.encode()
    )


def plant_spool(victim: Victim) -> None:
    append_record(str(victim.home / "spool"), {"as": "of a newer version", "says": SAID})
    append_record(str(victim.home / "spool"), {"as": "of a newer version", "says": OTHER})
    victim.run("note", "Something that takes the spool in.")


def plant_waiting(victim: Victim) -> None:
    signal = Signal("waiting-1", "error", "session-1", "p", 1, excerpt=SAID)
    append_record(str(victim.home / "spool"), {"as": "signal", **signal.fields()})


def plant_held(victim: Victim) -> None:
    (victim.home / "held").mkdir(exist_ok=True, mode=0o700)
    (victim.home / "held" / "0a1b").write_text(json.dumps({"as": "signal", "excerpt": SAID}))


def plant_logs(victim: Victim) -> None:
    with (victim.home / "hook.log").open("a") as log:
        log.write(f"2026-11-02T09:00:00Z claude-code Stop StoreError: {SAID}\n")
        log.write(f"2026-11-02T09:00:00Z claude-code Stop StoreError: {OTHER}\n")
    victim.run("config", "set", "distiller.debug", "true")
    from twiceshy.app import open_app

    with open_app() as app:
        log_events(app, "session-1", [("SKIP", SAID), ("SKIP", OTHER)], at=1)


def plant_report(victim: Victim) -> None:
    (victim.home / "bug-report-1.txt").write_text(f"ValueError: {SAID}\n")


def plant_draft(victim: Victim) -> None:
    (victim.home / "copies").mkdir(exist_ok=True)
    (victim.home / "copies" / ".twiceshy-0123456789ab").write_text(SAID)
    (victim.home / ".twiceshy-0123456789ab").write_text(SAID)


def plant_transcript(victim: Victim) -> None:
    """Learn from a transcript in which a call fails with these words."""
    from tests.hooks.sessions import Session

    session = Session(victim.project, "session-7")
    session.works(("make deploy", f"Exit code 2\n{SAID}"), ("make ship", None))
    victim.run("distill", "--transcript", str(session.transcript))
    session.transcript.unlink()


def plant_refined(victim: Victim) -> None:
    plant_summary(victim)
    (victim.home / "transcripts").mkdir(exist_ok=True, mode=0o700)
    line = json.dumps({"role": "user", "text": f"{OTHER} {SAID}"}, ensure_ascii=True)
    (victim.home / "transcripts" / "e1.jsonl").write_text(
        f"{line}\n{json.dumps({'text': OTHER})}\n"
    )


def plant_free_pages(victim: Victim) -> None:
    """Leave the words in pages that SQLite does not use, as a program without secure_delete does."""
    with raw(victim.home / "twiceshy.db") as db:
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("CREATE TABLE later (text TEXT)")
        db.executemany("INSERT INTO later VALUES (?)", [(SAID * 9,)] * 30)
        db.execute("DROP TABLE later")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


PLANTS: dict[str, Callable[[Victim], None]] = {
    name.removeprefix("plant_"): plant
    for name, plant in list(globals().items())
    if name.startswith("plant_")
}


def lay_down(home: Path, project: Path, *names: str) -> Victim:
    """Return a memory home in which words were planted in these ways."""
    project.mkdir(exist_ok=True)
    victim = Victim(home, project)
    victim.begin()
    for name in names:
        PLANTS[name](victim)
    assert os.path.isdir(home)
    return victim
