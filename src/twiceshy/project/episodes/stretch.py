"""Summarise the steps of a session without a model: requests, tools, files."""

from __future__ import annotations

from twiceshy.core.jsontext import mapping
from twiceshy.core.text import clean, one_line
from twiceshy.core.transcript import Called, Result, Summarised, UserSaid
from twiceshy.core.value import Value
from twiceshy.shell.tool_call import EDITS, Act

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.transcript import Step

LONGEST_TITLE = 60
LONGEST_REQUEST = 200
MOST_REQUESTS = 10  # a checkpoint lists as many, a session two fewer
_LONGEST_HEARD = 16_000  # of a message: longer than any secret that is written over several lines
_TELLING = 20  # characters from which a first message says by itself what a session is about
_MOST_HEARD = 400  # messages that tell which work it was; far more than people write in a session
_MOST_FILES = 50
_MOST_TOOLS = 30
_CLOSING = " \t\n.,!?;:~…。，！？；：、～\"'`()*"
_TRIVIAL = frozenset(
    """y yes yep yeah yup ok okay k kk sure fine good great nice cool perfect thanks thx ty please
    continue proceed next go done no nope n right correct lgtm agreed hi hello hey
    好 好的 好啊 好吧 可以 是 是的 对 對 嗯 嗯嗯 行 繼續 继续 不 不是 不用 謝謝 谢谢 沒問題 没问题 了解 收到 下一步 同意""".split()
) | frozenset(
    (
        "go on",
        "go ahead",
        "do it",
        "sounds good",
        "looks good",
        "thank you",
        "ok thanks",
        "yes please",
    )
)


class Stretch(Value):
    """Content of a session or of its beginning; every text is redacted."""

    messages: int = 0
    title: str = ""
    requests: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()  # what the user said that means something, all of it
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()  # the files again, as often as they were changed
    cwd: str = ""
    started_at: int = 0
    ended_at: int = 0


class Compaction(Value):
    """Work segment before a compaction, its summary, and whether it was automatic."""

    before: Stretch
    summary: str
    automatic: bool
    step: str


class Fold:
    """Builder of a work segment from transcript steps."""

    def __init__(self, *, redact: Callable[[str], str], root: str = "", every: int = 0) -> None:
        self.milestone: Stretch | None = None  # how it stood after the last ``every`` messages
        self.compactions: list[Compaction] = []
        self._redact = redact
        self._every = every
        self._root = root.rstrip("/") + "/" if root else ""
        self._messages = 0
        self._first = ""
        self._heard: list[str] = []
        self._requests: list[str] = []
        self._tools: dict[str, int] = {}
        self._edits: list[str] = []
        self._open: dict[str, str] = {}
        self._cwd = ""
        self._started = self._ended = 0

    def take(self, step: Step) -> None:
        """Add a step; skip steps of subagents, whose prompts are no user requests."""
        if step.agent:
            return
        self._cwd = self._cwd or step.cwd
        self._started = self._started or step.at
        self._ended = max(self._ended, step.at)
        match step:
            case UserSaid(text=text) if text.strip():
                self._hear(text)
                if self._every and self._messages % self._every == 0:
                    self.milestone = self.stretch()
            case Called():
                self._call(step)
            case Result(failed=failed, refusal=refusal):
                path = self._open.pop(step.id, "")
                if path and not failed and not refusal:
                    self._edits.append(path)
            case Summarised(summary=summary, automatic=automatic):
                before = self.stretch()
                self.compactions.append(Compaction(before, summary, automatic, step.id))
            case _:
                return

    def stretch(self) -> Stretch:
        """Return the work segment of the steps so far."""
        return Stretch(
            messages=self._messages,
            title=_title(self._heard) or self._first,
            requests=tuple(self._requests),
            heard=tuple(self._heard),
            tools=tuple(sorted(self._tools, key=lambda tool: (-self._tools[tool], tool))),
            files=tuple(dict.fromkeys(self._edits))[-_MOST_FILES:],
            edits=tuple(self._edits),
            cwd=self._cwd,
            started_at=self._started,
            ended_at=self._ended,
        )

    def _hear(self, text: str) -> None:
        self._messages += 1
        # a secret is known only while it is whole, so a message is redacted before it is cut
        said = clean(self._redact(text[:_LONGEST_HEARD]))
        request = one_line(said, limit=LONGEST_REQUEST)
        self._first = self._first or one_line(request, limit=LONGEST_TITLE)
        if trivial(said):
            return
        self._requests = [*self._requests, request][-MOST_REQUESTS:]
        if len(self._heard) < _MOST_HEARD:
            self._heard.append(request)

    def _call(self, step: Called) -> None:
        if step.tool in self._tools or len(self._tools) < _MOST_TOOLS:
            self._tools[step.tool] = self._tools.get(step.tool, 0) + 1
        if step.tool in EDITS:
            path = Act(step.id, step.tool, mapping(step.arguments), step.at).path
            self._open[step.id] = self._redact(path.replace("\\", "/").removeprefix(self._root))


def folded(
    steps: Iterable[Step], *, redact: Callable[[str], str], root: str = "", every: int = 0
) -> Fold:
    """Build a work segment from every step of a transcript."""
    fold = Fold(redact=redact, root=root, every=every)
    for step in steps:
        fold.take(step)
    return fold


def trivial(message: str) -> bool:
    """True if a message only agrees, thanks or greets, in English or Chinese."""
    return " ".join(message.casefold().strip(_CLOSING).split()) in _TRIVIAL | {""}


def _title(heard: list[str]) -> str:
    """Return a title from the first messages; join up to three short messages."""
    title = ""
    for message in heard[:3]:
        title = f"{title} · {message}" if title else message
        if len(title) >= _TELLING:
            break
    return one_line(title, limit=LONGEST_TITLE)
