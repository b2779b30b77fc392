"""Measure the use of a context, and advise whether to compact now.

Unfinished work lives only in the conversation: an unsolved failure, untested changes, a
document just read. Finished work lives in files and commits, and needs no context.
"""

from __future__ import annotations

from collections import deque

from twiceshy import app as wiring
from twiceshy.core.errors import NotFoundError
from twiceshy.core.transcript import SummaryStep, UserMessage
from twiceshy.core.value import Value
from twiceshy.runtimes.records import parse_moment
from twiceshy.runtimes.transcript_files import USUAL_WINDOW, modified_at
from twiceshy.runtimes.transcripts import load_readers, reader_for_path
from twiceshy.shell.command_line import parse_command_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.transcript import Step
    from twiceshy.shell.tool_call import ToolCall

    Moment = Literal["good", "bad", "open"]
    Because = Literal[
        "",
        "unresolved failure",
        "untested changes",
        "document just read",
        "just compacted",
        "tests just passed",
        "just committed",
        "new task",
    ]

ADVICE_PERCENT = 60  # percent
RECENT_CALLS = 8  # calls, among which a failure still matters
_MANY_FILES = 2
_REASONS: dict[Because, str] = {
    "unresolved failure": "a failure is not solved",
    "untested changes": "several files changed and nothing was tested since",
    "document just read": "a document was just read and nothing was made of it",
    "just compacted": "that was done a moment ago",
    "tests just passed": "the tests just passed",
    "just committed": "the work was just committed",
    "new task": "a new task begins",
}
_EDITS = frozenset("Edit MultiEdit Write NotebookEdit".split())
_READS = frozenset("Read WebFetch NotebookRead".split())
_DOCUMENTS = (".md", ".mdx", ".rst", ".txt", ".pdf", ".adoc", ".html", ".docx")
_TESTS = (
    *("pytest", "tox", "nox", "unittest", "rspec", "jest", "vitest", "mocha", "phpunit", "ctest"),
    *("go test", "cargo test", "npm test", "npm run test", "pnpm test", "yarn test", "make test"),
    *("make check", "mvn test", "gradle test", "gradlew test", "dotnet test", "mix test"),
    *("bun test", "deno test"),
)
_COMMITS = ("git commit", "git push", "gh pr create", "gh pr merge", "gh release create")
_NEW_TASK = (
    *("next task", "new task", "next up", "now let's", "now lets", "let's move on", "moving on"),
    *("switch to", "another thing", "something else", "different topic"),
    *("接下來", "接下来", "下一個", "下一个", "換個", "换个", "另一件", "新任務", "新任务"),
)
_RECENT_STEPS = 400  # steps; what went before says nothing about this moment
_MOST_TRANSCRIPTS = 200  # transcripts, of which the first is nearly always the one
_NANOSECONDS = 1_000_000  # of a millisecond


class ContextUse(Value):
    """Tokens used by a conversation, and the size of the context window."""

    tokens: int
    window: int = USUAL_WINDOW

    @property
    def percent(self) -> int:
        """Return the used share of the window in percent; never above 100."""
        return min(100, self.tokens * 100 // self.window) if self.window > 0 else 0


class CompactionAdvice(Value):
    """Whether to compact now, with the reason; ``is_due`` if the context is full enough."""

    context: ContextUse
    moment: Moment
    because: Because = ""

    @property
    def is_due(self) -> bool:
        """True if the context is full enough for advice."""
        return self.context.percent >= ADVICE_PERCENT


def advise_compaction(context: ContextUse, steps: Sequence[Step]) -> CompactionAdvice:
    """Judge from the last steps of a session whether to compact now."""
    from twiceshy.learning.detect.watch import list_calls  # noqa: PLC0415 - who only asks how full pays nothing

    own = [step for step in steps if not step.agent]
    acts = list(list_calls(own, since=0, root=""))
    if because := _find_unfinished(own, acts):
        return CompactionAdvice(context, "bad", because)
    if because := _find_finished(own, acts):
        return CompactionAdvice(context, "good", because)
    return CompactionAdvice(context, "open")


def render_advice(given: CompactionAdvice) -> str:
    """Render compaction advice for an agent."""
    head = f"The context is {given.context.percent} % full."
    match given.moment:
        case "good":
            return f"{head} Now is a good moment to compact: {_REASONS[given.because]}."
        case "bad":
            return f"{head} Do not compact yet: {_REASONS[given.because]}."
        case _:
            return f"{head} Compact when tests pass, a commit is made or a new task begins; not before."


def _find_unfinished(steps: Sequence[Step], acts: Sequence[ToolCall]) -> Because:
    if steps and isinstance(steps[-1], SummaryStep):
        return "just compacted"
    if _is_new_task(steps):
        return ""
    if any(_is_unsolved(acts, at) for at in range(max(0, len(acts) - RECENT_CALLS), len(acts))):
        return "unresolved failure"
    last_check = max((at for at, act in enumerate(acts) if _is_test_or_commit(act)), default=-1)
    changed = {
        act.path for act in acts[last_check + 1 :] if act.tool in _EDITS and _has_worked(act)
    }
    if len(changed) >= _MANY_FILES:
        return "untested changes"
    if acts and acts[-1].tool in _READS and _is_document(acts[-1]):
        return "document just read"
    return ""


def _find_finished(steps: Sequence[Step], acts: Sequence[ToolCall]) -> Because:
    if _is_new_task(steps):
        return "new task"
    behind = [act for act in acts[-RECENT_CALLS:] if act.tool in _EDITS or _is_test_or_commit(act)]
    if not behind or not _is_test_or_commit(behind[-1]):
        return ""
    return "just committed" if _is_one_of(behind[-1], _COMMITS) else "tests just passed"


def _is_new_task(steps: Sequence[Step]) -> bool:
    """True if the last step is a prompt with a new task."""
    last = steps[-1] if steps else None
    return isinstance(last, UserMessage) and any(cue in last.text.casefold() for cue in _NEW_TASK)


def _is_unsolved(acts: Sequence[ToolCall], at: int) -> bool:
    """True if a call failed and no later call for the same work succeeded."""
    failed = acts[at]
    if failed.mistake is None:
        return False
    return not any(_has_worked(act) and _is_same_work(act, failed) for act in acts[at + 1 :])


def _is_same_work(one: ToolCall, other: ToolCall) -> bool:
    if one.family != other.family:
        return False
    if one.command or other.command:
        return bool(_list_programs(one.command) & _list_programs(other.command))
    return one.path == other.path


def _list_programs(command: str) -> set[str]:
    """Return the programs of a command line, without ``cd`` and variables."""
    return {each.program for each in parse_command_line(command).list_steps()} - {"", "cd"}


def _is_test_or_commit(act: ToolCall) -> bool:
    return _has_worked(act) and (_is_one_of(act, _TESTS) or _is_one_of(act, _COMMITS))


def _is_one_of(act: ToolCall, names: Sequence[str]) -> bool:
    padded = f" {' '.join(act.command.replace('/', ' ').split())} "
    return any(f" {name} " in padded for name in names)


def _has_worked(act: ToolCall) -> bool:
    return act.mistake is None and not act.refusal


def _is_document(act: ToolCall) -> bool:
    return act.tool == "WebFetch" or act.path.casefold().endswith(_DOCUMENTS)


def read_context_use(path: str) -> ContextUse | None:
    """Return the context use recorded in a transcript; None while unknown."""
    tokens, window = reader_for_path(path).read_context_use(path)
    return ContextUse(tokens, window) if tokens and window else None


def find_context_percent(app: App, session: str) -> int:
    """Return the percentage of a session's context in use; 0 while unknown."""
    known = app.store.session(session)
    if known is None or not known.transcript:
        return 0
    found = read_context_use(known.transcript)
    return found.percent if found else 0


def advise_session(path: str) -> CompactionAdvice:
    """Advise whether to compact the session of a transcript now."""
    found = read_context_use(path)
    if found is None:
        raise NotFoundError(
            "the transcript does not tell how full the context is",
            hint="it does after the first answer; until then there is no need to compact",
        )
    return advise_compaction(
        found, list(deque(reader_for_path(path).read_transcript(path), maxlen=_RECENT_STEPS))
    )


def find_latest_transcript(app: App, project: str) -> str:
    """Return the transcript of a project written most recently; never from a different project."""
    mine = app.store.list_project_ids(project)
    every = (by.list_transcripts(app.config.text(by.SETTING)) for by in load_readers())
    found = [(_find_written_time(path), path) for paths in every for path in paths]
    for _, path in sorted(found, reverse=True)[:_MOST_TRANSCRIPTS]:
        cwd = reader_for_path(path).read_opening(path).cwd
        if cwd and wiring.identify_project(cwd, app).id in mine:
            return path
    raise NotFoundError(
        "no session of this project has left a transcript",
        hint="name one with --session; see: twiceshy config transcripts",
    )


def _find_written_time(path: str) -> int:
    """Return the last write time of a transcript in nanoseconds.

    OpenCode's transcripts are in a database, where only their start is known.
    """
    if at := modified_at(path):
        return at
    return parse_moment(reader_for_path(path).read_opening(path).at) * _NANOSECONDS
