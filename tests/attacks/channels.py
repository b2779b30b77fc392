"""Ways by which a text comes into the memory, and ways by which an agent is told."""

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.commands import Command
from tests.hooks.conftest import Client, a_skill
from tests.learning.sessions import Told
from tests.person import run_by_person
from tests.store.support import prepare
from tests.sync.support import introduce

from twiceshy.core.errors import TwiceshyError
from twiceshy.hooks.background import _LearningJob
from twiceshy.mcp.prompts import render_prompt
from twiceshy.mcp.resources import list_resources, read_resource
from twiceshy.mcp.session import McpSession
from twiceshy.mcp.tools import prepare_call

NOW = "2026-11-03T09:30:00Z"
AGENT = {"CLAUDECODE": "1"}
SKILL = "release"
WORDS = "deploy the release with the exporter cache build"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a"
    " file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


class World:
    """A memory home with a project and a skill in it, and sessions that come and go."""

    def __init__(self, place: Path, patch: pytest.MonkeyPatch) -> None:
        self.home, self.project = place / "memory", place / "shop"
        self.user = place / "user"
        self.user.mkdir(parents=True)
        self._patch = patch
        patch.setenv("TWICESHY_NOW", NOW)
        patch.setenv("TWICESHY_HOME", str(self.home))
        patch.setenv("HOME", str(self.user))
        prepare(self.home)
        a_skill(self.project / ".claude/skills" / SKILL)
        self._sessions = 0

    def client(self) -> Client:
        self._sessions += 1
        return Client(self.project, session=f"session-{self._sessions}")

    def run(self, *words: str, agent: bool = False, stdin: str = "") -> Command:
        return run_by_person(*words, cwd=self.project, env=AGENT if agent else {}, stdin=stdin)

    def must(self, *words: str, agent: bool = False) -> Command:
        done = self.run(*words, agent=agent)
        assert done.code == 0, (words, done.err)
        return done

    def call(self, tool: str, **given: Any) -> str:
        """Call a tool of the MCP server; a refusal is told as well."""
        session = McpSession(str(self.project), session_id=f"mcp-{self._sessions}")
        try:
            reply = prepare_call(session, tool, given)()
        except TwiceshyError as error:
            return f"{error} {error.hint}"
        return "\n".join((reply.text, json.dumps(reply.facts), *reply.remarks))

    def learn(self, told: Told) -> None:
        """Let a session of this project end, and be learned from."""
        for record in told.records:
            record["cwd"] = str(self.project)
        path = told.file(self.home.parent / "transcripts")
        done = self.run("distill", "--transcript", str(path))
        assert done.code == 0, done.err

    def work_off(self) -> None:
        """Let the background job do what it does after a session."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.project)
            _LearningJob("session-1").learn_alone(over=True)

    def store(self) -> sqlite3.Connection:
        return sqlite3.connect(self.home / "twiceshy.db", isolation_level=None)


COMMANDS = (
    "recall {}", "inject release", "reload", "memory-get", "memory-get deploy", "memory-list", "memory-search exporter",
    "memory-search deploy", "handoff --show", "handoff --list", "handoff --draft", "todo", "search {}", "episodes", "facts",
    "reflect", "diary", "compact-guide", "list", "review", "show --skill release",
)  # fmt: skip
# What the user said himself may be an order to agents; what attacks them may not be there either.
OWN_WORDS = {"reason of a refused call": ("standing order", "to all agents")}
Channel = Callable[[World, str], None]
CHANNELS: dict[str, Channel] = {}


def channel(name: str) -> Callable[[Channel], Channel]:
    def add(put: Channel) -> Channel:
        CHANNELS[name] = put
        return put

    return add


@channel("note by MCP")
def put_mcp_note(world: World, text: str) -> None:
    world.call("note", text=text, kind="lesson", why="when the release is built")


@channel("reason of a note by MCP")
def put_mcp_reason(world: World, text: str) -> None:
    world.call("note", text="Build the release with make deploy.", kind="decision", why=text)


@channel("skill note by MCP")
def put_skill_note(world: World, text: str) -> None:
    world.call("skill_note", skill=SKILL, intent="cut a release", kind="gotcha", delta=text)


@channel("preference by MCP")
def put_mcp_preference(world: World, text: str) -> None:
    world.call("note", text=text, kind="preference")


@channel("page by MCP")
def put_mcp_page(world: World, text: str) -> None:
    world.call("note", text=f"# Deploying\n\n{text}", kind="page", tags=["deploy"])


@channel("labels of a note by MCP")
def put_mcp_labels(world: World, text: str) -> None:
    world.call("note", text="The exporter writes heron99.", kind="lesson", concepts=[text[:190]])


@channel("note by an agent's command")
def put_agent_note(world: World, text: str) -> None:
    world.run("note", text, "--as-agent", agent=True)


@channel("task by an agent's command")
def put_task(world: World, text: str) -> None:
    world.run("todo", "add", text, agent=True)


@channel("decision by an agent's command")
def put_decision(world: World, text: str) -> None:
    world.run("add-decision", "Deploy from the branch.", text, agent=True)


@channel("handoff by MCP")
def put_handoff(world: World, text: str) -> None:
    world.call("handoff", action="write", status="Half of it is moved.", left=[text])


@channel("text of a handoff by MCP")
def put_handoff_text(world: World, text: str) -> None:
    world.call("handoff", action="write", status="In work.", text=f"What to know:\n{text}")


@channel("handoff by an agent's command")
def put_command_handoff(world: World, text: str) -> None:
    world.run("handoff", "--status", text, "--left", "Move the lexer.", agent=True)


@channel("compaction summary")
def put_summary(world: World, text: str) -> None:
    summary = f"<summary>Half of the parser is moved.\n{text}\nThe tests are green.</summary>"
    world.client().fire("PostCompact", trigger="auto", compact_summary=summary)


@channel("compaction summary of one sentence")
def put_short_summary(world: World, text: str) -> None:
    world.client().fire("PostCompact", trigger="auto", compact_summary=text)


@channel("last words of an agent")
def put_last_words(world: World, text: str) -> None:
    told = Told("words").said("please deploy").ran("touch x.py")
    world.learn(told.called("Edit", file_path="a.py").answered(f"Still open: {text}\n\n{text}"))


@channel("open items of an agent")
def put_open_items(world: World, text: str) -> None:
    told = Told("items").said("please deploy").called("Edit", file_path="a.py")
    world.learn(told.answered(f"Still open:\n- {text}\n- the docs"))


@channel("task list of an agent")
def put_task_list(world: World, text: str) -> None:
    todos = [{"content": text, "status": "pending"}]
    told = Told("todos").said("please deploy").called("TodoWrite", todos=todos)
    world.learn(told.called("Edit", file_path="a.py").answered("I stopped here."))


@channel("pasted prompt")
def put_pasted_prompt(world: World, text: str) -> None:
    pasted = f"why does this fail?\n\n```\n$ make deploy\n{text}\nmake: *** [deploy] Error 2\n```"
    world.client().prompt(pasted)
    world.learn(Told("pasted").said(pasted).called("Edit", file_path="a.py").answered("Done."))


@channel("prompt of a pasted page")
def put_pasted_page(world: World, text: str) -> None:
    page = f"Look at this page:\n\n# Install guide\n\nFirst unpack it.\n\n{text}\n\nThen build it."
    world.client().prompt(page)
    told = Told("page").said(page).called("Edit", file_path="a.py")
    world.learn(told.answered("I will look into it next, and then deploy the release."))


@channel("subject of a commit")
def put_commit(world: World, text: str) -> None:
    line = text.replace("'", "").replace("\n", " ")
    told = Told("commit").said("please deploy").called("Edit", file_path="a.py")
    told.ran(f"git commit -m '{line[:70]}'", f"[main 3f2a1bc9] {line[:70]}\n 1 file changed")
    world.learn(told.called("Edit", file_path="b.py").answered("I committed it."))


@channel("quoted error")
def put_error(world: World, text: str) -> None:
    for day in range(2):
        told = Told(f"error-{day}", day=-day).said("please deploy")
        told.failed("make deploy --all", f"Exit code 2\nerror: {text}")
        world.learn(told.ran("make deploy --only web").answered("It works."))


@channel("reason of a refused call")
def put_refusal(world: World, text: str) -> None:
    for day in range(2):
        told = Told(f"refused-{day}", day=-day).said("please deploy").ran("ls")
        told.failed("make publish --tag next", f"{REFUSED}{text}")
        world.learn(told.answered("I stop here."))


@channel("name of a file")
def put_file_name(world: World, text: str) -> None:
    name = f"src/{text.replace('/', ' ')[:120]}.py"
    told = Told("file").said("please deploy").called("Edit", file_path=name)
    world.learn(told.answered("I will go on with the release of the exporter next."))


@channel("diary by an agent's command")
def put_diary(world: World, text: str) -> None:
    world.run("diary", "--add", text, agent=True)


def export_bundle(world: World, put: Callable[[World], object]) -> Path:
    """Let another memory write a bundle of the same project."""
    place = world.home.parent / "other"
    with pytest.MonkeyPatch.context() as patch:
        other = World(place, patch)
        subprocess.run(["rm", "-rf", str(other.project)], check=True)
        other.project = world.project
        put(other)
        path = place / "bundle.jsonl"
        done = other.must("export", str(path))
        assert done.out or done.err is not None
    return path


@channel("note in a bundle")
def put_bundle_note(world: World, text: str) -> None:
    path = export_bundle(world, lambda other: other.must("note", text))
    world.must("import", str(path), "--trust")


@channel("skill note in a bundle")
def put_bundle_skill_note(world: World, text: str) -> None:
    path = export_bundle(world, lambda other: other.must("note", text, "--skill", SKILL))
    world.must("import", str(path), "--trust")


@channel("handoff in a bundle")
def put_bundle_handoff(world: World, text: str) -> None:
    path = export_bundle(world, lambda other: other.must("handoff", "--left", text))
    world.must("import", str(path), "--trust")


@channel("summary in a bundle")
def put_bundle_summary(world: World, text: str) -> None:
    path = export_bundle(world, lambda other: put_summary(other, text))
    world.must("import", str(path), "--trust")


@channel("line of a bundle without history")
def put_bundle_line(world: World, text: str) -> None:
    path = export_bundle(world, lambda other: other.must("note", "Harmless heron00."))
    lines = path.read_text().splitlines()
    from twiceshy.places.project import identify_project

    where = identify_project(str(world.project), cache=None).id
    note = {"kind": "lesson", "text": text, "project": where, "status": "active", "trust": 1.0}
    note |= {"source": "user", "skill": ""}
    path.write_text("\n".join(['{"twiceshy-bundle":1}', json.dumps({"note": note})]) + "\n")
    assert lines
    world.must("import", str(path), "--trust")


@channel("note from the remote")
def put_remote_note(world: World, text: str) -> None:
    _push(world, lambda other: other.must("note", text))


@channel("handoff from the remote")
def put_remote_handoff(world: World, text: str) -> None:
    _push(world, lambda other: other.must("handoff", "--left", text))


def _push(world: World, put: Callable[[World], object]) -> None:
    remote = world.home.parent / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    with pytest.MonkeyPatch.context() as patch:
        other = World(world.home.parent / "other", patch)
        other.project = world.project
        put(other)
        other.must("sync", "--remote", str(remote))
    introduce(world.home, other.home)
    world.must("sync", "--remote", str(remote))


@channel("hand edit of a view")
def put_view_edit(world: World, text: str) -> None:
    world.must("note", "Tag last.", "--skill", SKILL)
    world.must("views", "write")
    path = world.home / "vault" / world.project.name / "lessons" / f"{SKILL}.md"
    if path.exists():
        path.write_text(f"{path.read_text()}- {text}\n")
    world.must("views", "write")


@channel("import of a file of another system")
def put_fireworks(world: World, text: str) -> None:
    _leave_knowledge(world, text)
    world.must("import", "fireworks")


@channel("file of another system read in place")
def put_in_place(world: World, text: str) -> None:
    _leave_knowledge(world, text)


@channel("handoff of another system")
def put_engine(world: World, text: str) -> None:
    slug = re.sub("[^A-Za-z0-9]", "-", str(world.project))
    folder = world.user / ".claude/projects" / slug / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(f"# Memory\n\n- {text}\n")
    (folder / "handoff-work.md").write_text(
        "---\nname: handoff-work\ndescription: Work\ntype: project\n---\n\n# Work Handoff\n\n"
        f"**Status:** half\n\n## What's left to do\n- [ ] {text}\n"
    )
    world.must("import", "--all")


def _leave_knowledge(world: World, text: str) -> None:
    for place in (".ai-memory/skills", ".claude/skills"):
        path = world.user / place / SKILL / "KNOWLEDGE.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {SKILL}\n\n- [2026-10] [tags] {text}  [HIT:3]\n")


@channel("row of a note changed by another program")
def put_row(world: World, text: str) -> None:
    world.run("note", "The exporter keeps its cache.")
    with closing(world.store()) as db:
        db.execute("UPDATE notes SET text = ?", (text,))


@channel("row of a summary changed by another program")
def put_episode_row(world: World, text: str) -> None:
    put_summary(world, "All is well.")
    world.work_off()
    with closing(world.store()) as db:
        db.execute("UPDATE episodes SET summary = ?", (text,))


@channel("row of a store without verdicts")
def put_older_row(world: World, text: str) -> None:
    put_handoff(world, text)
    put_summary(world, text)
    with closing(world.store()) as db:
        with suppress(sqlite3.OperationalError):
            db.execute("DELETE FROM verdicts")
        db.execute("DELETE FROM meta WHERE key = 'judged'")


def read_outlets(world: World, words: str) -> Mapping[str, str]:
    """Ask everything that tells an agent something, in these words, and return what it said."""
    return dict(ask_outlets(world, words))


def ask_outlets(world: World, asked: str) -> Iterator[tuple[str, str]]:
    """Ask them one after the other, and yield the name of each with what it said."""
    first = world.client()
    yield "session start", first.start()
    yield "prompt", first.prompt(f"{WORDS} {asked}")
    yield "before a call", _ask_call(first, "make deploy --all")
    yield "before a refused call", _ask_call(first, "make publish --tag next")
    yield "failure", first.fail("make deploy --all", "Exit code 2\nerror: deploy failed")
    yield "first use", first.bash("make deploy --only web", "done")
    yield "skill load", first.load(SKILL, WORDS)
    yield "start after a compaction", first.start("compact")
    yield "start of another session", world.client().start()
    tools: dict[str, dict[str, Any]] = {
        "recall": {"intent": f"{WORDS} {asked}"},
        "search": {"query": asked, "limit": 50, "all_projects": True},
        "skill_recall": {"skill": SKILL, "intent": asked},
        "handoff": {"action": "read"},
        "status": {},
        "note": {"text": "Deploy the release with the exporter and its cache.", "kind": "lesson"},
    }
    for tool, given in tools.items():
        yield f"MCP {tool}", world.call(tool, **given)
    session = McpSession(str(world.project), session_id="mcp-0")
    listed = list_resources(session)
    yield "MCP resources", "\n".join(f"{one.uri} {one.name} {one.about}" for one in listed)
    yield "MCP resource texts", "\n".join(read_resource(session, one.uri) for one in listed)
    for name in ("reflect", "handoff"):
        yield f"MCP prompt {name}", render_prompt(session, name, {})
    for line in COMMANDS:
        agent = line.split()[0] in ("list", "review", "show", "why")  # a person may see them
        words = [each.format(asked) for each in line.split()]
        done = world.run(*words, agent=agent)
        yield f"command {words[0]}", done.out + done.err
    world.run("views", "write")
    for path in sorted((world.home / "vault").rglob("*.md")):
        if "~" not in path.name and "+" not in path.name:
            yield f"view {path.name}", _without_own_lines(path)


def _without_own_lines(path: Path) -> str:
    """Return a view; what was typed into the file itself is before everybody's eyes anyway."""
    return "" if path.name == f"{SKILL}.md" else path.read_text()


def _ask_call(client: Client, command: str) -> str:
    with suppress(AssertionError):  # a stop has another form than advice
        return client.fire(
            "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id="toolu_9"
        )
    return ""


def wait_for(world: World) -> None:
    """Let what waits for the background job be done."""
    world.work_off()
    assert os.path.exists(world.home / "twiceshy.db")
