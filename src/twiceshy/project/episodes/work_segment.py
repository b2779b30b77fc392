"""Summarise the steps of a session without a model: requests, tools, files, activity, project."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.jsontext import parse_mapping_or_empty
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.transcript import CallStep, ResultStep, Step, SummaryStep, UserMessage
from twiceshy.core.value import Value
from twiceshy.project.episodes.ending import EndingBuilder
from twiceshy.safety.redact import redact_head
from twiceshy.shell.tool_call import EDITS, ToolCall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    WordLists = Mapping[str, Sequence[str]]

MAX_TITLE = 60
MAX_REQUEST = 200
MAX_REQUESTS = 10  # a checkpoint lists as many, a session two fewer
_MAX_MESSAGE = 16_000  # of a message: longer than any secret that is written over several lines
_MIN_TITLE = 20  # characters from which a first message says by itself what a session is about
_MAX_NAME_WORDS, _LONG_NAME = 6, "a file with a long name"
_MAX_JUDGED = 2_000  # what stands behind that does not change what its beginning says
_MAX_MESSAGES = 400  # that tell which work it was; far more than people write in a session
_MAX_FILES = 50
_MAX_TOOLS = 30
_CLOSING = " \t\n.,!?;:~…。，！？；：、～\"'`()*"
_TRIVIAL = frozenset(
    """y yes yep yeah yup ok okay k kk sure fine good great nice cool perfect thanks thx ty please
    continue proceed next go done no nope n right correct lgtm agreed hi hello hey
    好 好的 好啊 好吧 可以 是 是的 对 對 嗯 嗯嗯 行 繼續 继续 不 不是 不用 謝謝 谢谢 沒問題 没问题 了解 收到 下一步 同意""".split()
) | frozenset(
    "go on|go ahead|do it|sounds good|looks good|thank you|ok thanks|yes please".split("|")
)
NO_PROJECT = "general"
_MAX_ACTIONS = 3
_MAX_KEYWORDS = 2
_MAX_TAG = 40
_FIRST_MESSAGES = 10  # messages; later ones may be about anything


class WorkSegment(Value):
    """Content of a session or of its beginning; every text is redacted."""

    messages: int = 0
    title: str = ""
    requests: tuple[str, ...] = ()
    user_messages: tuple[str, ...] = ()  # what the user said that means something, all of it
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()  # the files again, as often as they were changed
    cwd: str = ""
    started_at: int = 0
    ended_at: int = 0
    ending: str = ""  # how it ended, on a line


class Compaction(Value):
    """Work segment before a compaction, its summary, and whether it was automatic."""

    before: WorkSegment
    summary: str
    automatic: bool
    step: str


class WorkSegmentBuilder:
    """Builder of a work segment from transcript steps."""

    def __init__(
        self,
        *,
        redact: Callable[[str], str],
        root: str = "",
        every: int = 0,
        withhold: Callable[[str], str] = str,
    ) -> None:
        """Begin a segment; ``withhold`` marks what no agent may be told, before a text is cut."""
        self.milestone: WorkSegment | None = None  # how it stood after the last ``every`` messages
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
        self._withhold = withhold
        self._ending = EndingBuilder(redact=redact, root=root, withhold=withhold)
        self._cwd = ""
        self._started = self._ended = 0

    def add_step(self, step: Step) -> None:
        """Add a step; skip steps of subagents, whose prompts are no user requests."""
        if step.agent:
            return
        self._cwd = self._cwd or step.cwd
        self._started = self._started or step.at
        self._ended = max(self._ended, step.at)
        self._ending.add_step(step)
        match step:
            case UserMessage(text=text) if text.strip():
                self._add_message(text)
                if self._every and self._messages % self._every == 0:
                    self.milestone = self.build_segment()
            case CallStep():
                self._add_call(step)
            case ResultStep(failed=failed, refusal=refusal):
                path = self._open.pop(step.id, "")
                if path and not failed and not refusal:
                    self._edits.append(path)
                    self._ending.add_changed_file(path)
            case SummaryStep(summary=summary, automatic=automatic):
                before = self.build_segment()
                self.compactions.append(Compaction(before, summary, automatic, step.id))
            case _:
                return

    def build_segment(self) -> WorkSegment:
        """Return the work segment of the steps so far."""
        return WorkSegment(
            messages=self._messages,
            title=_join_title(self._heard) or self._first,
            requests=tuple(self._requests),
            user_messages=tuple(self._heard),
            tools=tuple(sorted(self._tools, key=lambda tool: (-self._tools[tool], tool))),
            files=tuple(dict.fromkeys(self._edits))[-_MAX_FILES:],
            edits=tuple(self._edits),
            cwd=self._cwd,
            started_at=self._started,
            ended_at=self._ended,
            ending=self._ending.render_ending(),
        )

    def _add_message(self, text: str) -> None:
        self._messages += 1
        # a secret is known only while it is whole, so a message is redacted before it is cut
        said = strip_unsafe(redact_head(text, self._redact, most=_MAX_MESSAGE))
        request = fold_to_line(self._withhold(said[:_MAX_JUDGED]), limit=MAX_REQUEST)
        self._first = self._first or fold_to_line(request, limit=MAX_TITLE)
        if is_trivial(said):
            return
        self._requests = [*self._requests, request][-MAX_REQUESTS:]
        if len(self._heard) < _MAX_MESSAGES:
            self._heard.append(request)

    def _add_call(self, step: CallStep) -> None:
        if step.tool in self._tools or len(self._tools) < _MAX_TOOLS:
            self._tools[step.tool] = self._tools.get(step.tool, 0) + 1
        if step.tool in EDITS:
            arguments = parse_mapping_or_empty(step.arguments)
            path = ToolCall(step.id, step.tool, arguments, step.at).path.replace("\\", "/")
            name = self._redact(path.removeprefix(self._root))
            # a sentence is the name of no file, and its first words may hide what it says
            self._open[step.id] = name if len(name.split()) <= _MAX_NAME_WORDS else _LONG_NAME


def is_trivial(message: str) -> bool:
    """True if a message only agrees, thanks or greets, in English or Chinese."""
    return " ".join(message.casefold().strip(_CLOSING).split()) in _TRIVIAL | {""}


def _join_title(messages: list[str]) -> str:
    """Return a title from the first messages; join up to three short messages."""
    title = ""
    for message in messages[:3]:
        title = f"{title} · {message}" if title else message
        if len(title) >= _MIN_TITLE:
            break
    return fold_to_line(title, limit=MAX_TITLE)


def find_project_tag(segment: WorkSegment, patterns: WordLists, *, name: str = "") -> str:
    """Find the project tag of a work segment: by directory, files, first messages.

    ``patterns`` are the user's own, by tag; ``name`` is the directory's name, used if no pattern
    matches.
    """
    for texts in ((segment.cwd,), segment.files, segment.user_messages[:_FIRST_MESSAGES]):
        for tag, wanted in patterns.items():
            if any(_matches_pattern(pattern, text) for pattern in wanted for text in texts):
                return _clean_tag(tag)
    return _clean_tag(name) or NO_PROJECT


def describe_work(
    segment: WorkSegment, actions: WordLists, patterns: WordLists, *, tag: str
) -> str:
    """Describe a work segment in a line: most frequent activities, then keywords."""
    said = segment.user_messages
    counts = {label: sum(map(_WordMatcher(words), said)) for label, words in actions.items()}
    labels = _most_frequent(counts, _MAX_ACTIONS)
    names = map(_strip_pattern, patterns.get(tag, ()))
    own = {name: sum(map(_WordMatcher((name,)), said)) for name in names}
    edited = Counter(map(_file_stem, segment.edits))
    # what the user calls the project's own comes first, then the files that were changed most
    ranked = (*_most_frequent(own, _MAX_KEYWORDS), *_most_frequent(edited, _MAX_KEYWORDS))
    keywords = list(dict.fromkeys(ranked))[:_MAX_KEYWORDS]
    work = ", ".join(labels)
    return f"{work} ({', '.join(keywords)})" if work and keywords else work or ", ".join(keywords)


def _most_frequent(counts: Mapping[str, int], most: int) -> list[str]:
    """Return the most frequent words; ties keep the given order."""
    found = [word for word in counts if word and counts[word]]
    return sorted(found, key=lambda word: -counts[word])[:most]


class _WordMatcher:
    """Matcher for a list of words; Latin words match from a word start."""

    def __init__(self, words: Iterable[str]) -> None:
        folded = [word.casefold() for word in words if word]
        self._inside = [word for word in folded if not word.isascii()]
        self._begun = [f" {word}" for word in folded if word.isascii()]

    def __call__(self, text: str) -> bool:
        said = text.casefold()
        if any(word in said for word in self._inside):
            return True
        plain = " " + "".join(c if c.isalnum() else " " for c in said)
        return any(word in plain for word in self._begun)


def _matches_pattern(pattern: str, text: str) -> bool:
    """True if the parts of a pattern between stars appear in a text in order."""
    rest = text.replace("\\", "/").casefold()
    pieces = [piece for piece in pattern.replace("\\", "/").casefold().split("*") if piece]
    for piece in pieces:
        _, found, rest = rest.partition(piece)
        if not found:
            return False
    return bool(pieces)


def _strip_pattern(pattern: str) -> str:
    """Return the last path part of a pattern, as named in a message."""
    return pattern.replace("\\", "/").strip("*/").rpartition("/")[2]


def _file_stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _clean_tag(name: str) -> str:
    """Return a name without colons and semicolons, which separate parts of a line."""
    return fold_to_line(name.replace(":", " ").replace(";", " "), limit=_MAX_TAG)
