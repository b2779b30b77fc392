"""How a session ended: last commit, files changed after it, what failed last, open items, last words.

Everything is taken from the end of the session and is stated as it was seen there: no request of
the user, no guess. A session that changed nothing and left nothing open has no ending.
"""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.jsontext import parse_json, parse_mapping_or_empty
from twiceshy.core.text import estimate_tokens, fold_to_line, strip_unsafe
from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    InterruptStep,
    ResultStep,
    SummaryStep,
    UserMessage,
)
from twiceshy.project.episodes.closing_words import (
    choose_failure_sentence,
    choose_open_question,
    choose_open_sentence,
)
from twiceshy.project.episodes.left_open import FailedRuns, list_open_items, name_command
from twiceshy.safety.redact import redact_head
from twiceshy.shell.call_words import get_command_line
from twiceshy.shell.command_line import parse_command_line
from twiceshy.shell.summary import shorten_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twiceshy.core.transcript import Step
    from twiceshy.shell.command_line import SimpleCommand

MAX_ENDING = 111  # characters; every session that starts here pays for them
MAX_TOKENS = 28  # the same in dense scripts; with its label, the line has 35
_MAX_TEXT = 16_000  # of a message or a result: longer than any secret over several lines
_MAX_SUBJECT = 72
_SHORT_SUBJECT = 30
_MAX_ITEM = 60
_MAX_FAILED = 40
_MAX_NAMES = 3
_MAX_ITEMS = 2
_STOPPED = ("interrupted", "rejected")
_LISTS = ("todos", "plan")  # arguments that hold a whole list of tasks
_COMMITTED = (" committed", " commit went", " pushed", "已提交", "已推送")
_DONE = ("completed", "done", "cancelled", "deleted")
_MAX_COMMAND = 8_000
_SHORT_HASH = 7
_HEX = frozenset("0123456789abcdef")


class EndingBuilder:
    """Collects the end of a session from its steps; redacts when the ending is rendered."""

    def __init__(
        self,
        *,
        redact: Callable[[str], str],
        root: str = "",
        withhold: Callable[[str], str] = str,
    ) -> None:
        self._redact = redact
        self._withhold = withhold  # marks what no agent may be told, before a text is cut
        self._root = root
        self._calls: dict[str, tuple[str, Mapping[str, object]]] = {}
        self._commit = ("", "")  # command line and output
        self._request = ""  # number of a pull request
        self._changed: dict[str, None] = {}
        self._tasks: dict[str, tuple[str, str]] = {}  # id: text and status
        self._said = ""
        self._is_answered = False
        self._is_unsure = False  # something else than git has committed, here or elsewhere
        self._failed = FailedRuns()
        self._last_command = ""
        self._is_interrupted = False

    def add_step(self, step: Step) -> None:
        """Add a step of the session's own agent."""
        match step:
            case AgentMessage(text=text) | SummaryStep(summary=text) if text.strip():
                self._said, self._is_answered, self._is_interrupted = text, True, False
            case CallStep(tool=tool, arguments=arguments):
                self._calls[step.id] = (tool, parse_mapping_or_empty(arguments))
                self._is_answered = self._is_interrupted = False
            case UserMessage():
                self._is_answered = False
            case InterruptStep():
                self._is_interrupted = not self._is_answered
            case ResultStep(text=text, failed=failed, refusal=refusal):
                tool, given = self._calls.pop(step.id, ("", {}))
                self._is_interrupted = refusal in _STOPPED
                if tool and not refusal:
                    self._add_run(get_command_line(given), failed=failed)
                if tool and not failed and not refusal:
                    self._add_result(tool, given, text)
            case _:
                return

    def add_changed_file(self, path: str) -> None:
        """Add a file that the agent has changed; files outside of the project do not count."""
        if path and not path.startswith(("/", "~")):
            self._changed.pop(path, None)
            self._changed[path] = None

    def render_ending(self) -> str:
        """Return the ending on a line of at most MAX_ENDING characters; empty if there is none.

        What was left open comes before what git knows: each part is chosen at its shortest, and
        made longer while there is room.
        """
        said = self._withhold(strip_unsafe(redact_head(self._said, self._redact, most=_MAX_TEXT)))
        failed = self._word_failure()
        changes, tasks = self._word_changes(said), self._word_tasks(said)
        wordings = [self._word_commit(), changes, failed, tasks, self._word_interruption()]
        line = _EndingLine(wordings)
        for at in (2, 3, 4, 1):
            line.take_shortest(at)
        if self._is_answered:
            line.quote(choose_open_question(said, fits=line.has_room))
        line.quote(choose_open_sentence(said, limit=MAX_ENDING, fits=line.has_room))
        if failed:
            line.quote(choose_failure_sentence(said, fits=line.has_room))
        line.take_shortest(0)
        for at in (1, 4, 0, 3):
            line.lengthen(at)
        return line.render_text()

    def _add_run(self, command: str, *, failed: bool) -> None:
        if command:
            self._last_command = command
            self._failed.add_run(command, failed=failed)

    def _word_failure(self) -> list[str]:
        """Return the wording of the check or command that failed last."""
        last = self._withhold(self._redact(self._failed.name_last()))
        named = shorten_words(last, _MAX_FAILED)
        return [f"`{named}` failed"] if named and "`" not in named else []

    def _word_interruption(self) -> list[str]:
        """Return wordings of an interruption in the middle of work, the longest first."""
        if not self._is_interrupted or not (self._changed or self._last_command):
            return []
        after = name_command(redact_head(self._last_command, self._redact, most=_MAX_TEXT))
        behind = [f"interrupted after `{after}`"] if after and "`" not in after else []
        return [*behind, "interrupted"]

    def _add_result(self, tool: str, given: Mapping[str, object], text: str) -> None:
        command = get_command_line(given)
        if command and _is_commit(command, text, self._root):
            self._commit, self._changed, self._request = (command, text), {}, ""
            self._is_unsure = False
            self._failed.forget()
        elif command and _find_commit_line(text):
            self._is_unsure = True
        elif " pr create" in command and "/pull/" in text:
            number = (text.rpartition("/pull/")[2].split() or [""])[0]
            self._request = number if number.isdecimal() else ""
        for name in _LISTS:
            if name in given:
                self._tasks = _read_task_list(given[name])
        if tool == "TaskCreate":
            number = text.partition("#")[2].partition(" ")[0]
            self._tasks[number] = (str(given.get("subject", "")), "pending")
        elif tool == "TaskUpdate":
            known, before = self._tasks.get(str(given.get("taskId", "")), ("", ""))
            self._tasks[str(given.get("taskId", ""))] = (known, str(given.get("status") or before))

    def _word_commit(self) -> list[str]:
        """Return wordings of the last commit, the longest first."""
        command, output = (
            redact_head(text, self._redact, most=_MAX_TEXT) for text in self._commit
        )
        name, subject = _read_commit(command, output)
        if not subject:
            return []
        request = f" (PR #{self._request})" if self._request else ""
        plain = self._withhold(strip_unsafe(subject)).replace('"', "'")
        shorter = dict.fromkeys(
            shorten_words(plain, most) for most in (_MAX_SUBJECT, _SHORT_SUBJECT)
        )
        named = [" ".join(filter(None, ("committed", name, f'"{short}"'))) for short in shorter]
        return [one + request for one in named]

    def _word_changes(self, said: str) -> list[str]:
        """Return wordings of the files changed after the last commit, the longest first."""
        bare = dict.fromkeys(path.rpartition("/")[2] for path in reversed(self._changed))
        names = [fold_to_line(self._redact(name), limit=_MAX_ITEM) for name in bare]
        told = f" {said.casefold()}"
        claimed = any(word in told for word in _COMMITTED) and "not committed" not in told
        claimed = claimed or self._is_unsure
        left = "" if claimed else ", not committed"
        most = range(min(len(names), _MAX_NAMES), 0, -1)
        listed = [_list_names(names, most=count) for count in most]
        listed += [f"{len(names)} files"] if len(names) > 1 else []
        return [f"changed {one}{left}" for one in listed]

    def _word_tasks(self, said: str) -> list[str]:
        """Return wordings of the open items of the agent's list or message, the longest first."""
        done = (*_DONE, *(("in_progress",) if self._is_answered else ()))  # seldom ticked off
        items = [text for text, status in self._tasks.values() if text and status not in done]
        items = items or (list_open_items(said) if self._is_answered else [])
        told = (self._withhold(self._redact(one[:_MAX_TEXT])) for one in items)
        quoted = [f'"{shorten_words(one, _MAX_ITEM)}"' for one in told]
        most = range(min(len(items), _MAX_ITEMS), 0, -1)
        return [f"open: {_list_names(quoted, most=count)}" for count in most]


class _EndingLine:
    """An ending in progress: a part is taken only if the line stays within its length."""

    def __init__(self, wordings: list[list[str]]) -> None:
        self._wordings = wordings
        self._parts = [""] * len(wordings)
        self._quote = ""

    def take_shortest(self, at: int) -> None:
        """Take the shortest wording of a part if there is room."""
        for one in self._wordings[at][-1:]:
            self._replace(at, one)

    def lengthen(self, at: int) -> None:
        """Put the longest wording in the place of a taken one for which there is room."""
        if self._parts[at]:
            any(self._replace(at, one) for one in self._wordings[at])

    def has_room(self, sentence: str) -> bool:
        """True if a quoted sentence fits beside the parts taken so far."""
        return _fits("; ".join([*filter(None, self._parts), f'"{sentence}"']))

    def quote(self, sentence: str) -> None:
        """Take a sentence if there is none yet; it must have room."""
        self._quote = self._quote or (f'"{sentence}"' if sentence else "")

    def render_text(self) -> str:
        """Return the parts in their order, and the sentence behind them."""
        return "; ".join(filter(None, [*self._parts, self._quote]))

    def _replace(self, at: int, wording: str) -> bool:
        before, self._parts[at] = self._parts[at], wording
        fits = _fits(self.render_text())
        self._parts[at] = wording if fits else before
        return fits


def _fits(line: str) -> bool:
    return len(line) <= MAX_ENDING and estimate_tokens(line) <= MAX_TOKENS


def _is_commit(command: str, output: str, root: str) -> bool:
    """True if a command line commits in this project, by its words or by the answer to git.

    A script may commit elsewhere, such as in a repository that it tests with.
    """
    if "mktemp" in command or not ("commit" in command or _find_commit_line(output)):
        return False
    commits, answered = False, bool(_find_commit_line(output))
    for step in parse_command_line(command[:_MAX_COMMAND]).list_steps():
        places = [*step.words[1:2]] if step.words[:1] == ("cd",) else _option_values(step, "-C")
        if any(not _is_inside(place, root) for place in places):
            return False
        is_git = step.words[:1] == ("git",)
        commits = commits or _find_subcommand(step) == "commit" or (is_git and answered)
    return commits


def _find_subcommand(step: SimpleCommand) -> str:
    """Return the first word of a command that is neither an option nor the value of one."""
    words = iter(step.words[1:])
    for word in words:
        if word in ("-C", "-c"):
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def _option_values(step: SimpleCommand, option: str) -> list[str]:
    return [value for word, value in pairwise(step.words) if word == option]


def _is_inside(place: str, root: str) -> bool:
    """True if a folder lies in the project, as far as its name tells."""
    return place.startswith(root) if place.startswith("/") else not place.startswith(("$", "~"))


def _read_commit(command: str, output: str) -> tuple[str, str]:
    """Return short hash and subject of a commit, by git's own line or by the command."""
    place, _, subject = _find_commit_line(output).partition("] ")
    if subject:
        return place.rpartition(" ")[2][:_SHORT_HASH], subject.strip()
    return "", _read_message(command)


def _find_commit_line(output: str) -> str:
    """Return git's line about its last commit, such as ``[main 3f2a1bc] Keep the token``."""
    for line in reversed(output.splitlines()):
        place, closed, _ = line.partition("] ")
        name = place.rpartition(" ")[2]
        is_hash = len(name) >= _SHORT_HASH and _HEX.issuperset(name)
        if closed and line.startswith("[") and is_hash and "(root-commit)" not in place:
            return line
    return ""


def _read_message(command: str) -> str:
    """Return the first line of the message in a command line; may be empty."""
    behind = command.partition(" commit ")[2]
    if "<<" in behind.partition("\n")[0]:
        return next((line.strip() for line in behind.split("\n")[1:] if line.strip()), "")
    for step in parse_command_line(f"git commit {behind}"[:_MAX_COMMAND]).list_steps():
        for word, value in pairwise(step.words):
            if word == "--message" or (word[:1] == "-" != word[1:2] and word.endswith("m")):
                return value.partition("\n")[0].strip()
        break
    return ""


def _read_task_list(given: object) -> dict[str, tuple[str, str]]:
    """Return the tasks of a list that replaces the list before it."""
    try:
        items = parse_json(given) if isinstance(given, str) else given
    except ValueError:
        return {}
    found = {}
    for number, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, dict):
            text = item.get("content") or item.get("step") or item.get("description") or ""
            found[str(number)] = (str(text), str(item.get("status", "")))
    return found


def _list_names(names: list[str], *, most: int) -> str:
    more = len(names) - most
    listed = ", ".join(names[:most])
    return f"{listed} and {more} more" if more > 0 else listed
