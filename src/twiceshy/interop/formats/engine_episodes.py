"""memory-engine's files with one episode each: sessions, handoffs, diaries and reflections.

A session, compact or checkpoint file holds project, title, minute, message count, requests,
tools, names of changed files, current work (checkpoint) and summary (compaction). Session id,
folders and start time are not held.

A handoff holds topic, status, day, done and remaining work, decisions, files, and free text. A
ticked task is done. Session and time of day are not held.

A diary of a day and a reflection report are kept unchanged.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, format_day
from twiceshy.interop.formats import FileFormat, ParsedItem
from twiceshy.interop.formats.headed import BULLETS, find_day, list_bullets, parse_headed
from twiceshy.interop.formats.pieces import changed_fields, parse_stamp_or_zero, stable_name
from twiceshy.project.episodes.facts import AUTOMATIC, MANUAL, episode_id
from twiceshy.project.episodes.pages import render_engine_page
from twiceshy.project.handoff import rules as handoffs
from twiceshy.project.reflect.report import INTERVAL_DAYS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from twiceshy.core.evidence import EpisodeKind
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.interop.formats.headed import HeadedFile

    BuildEpisode = Callable[[str, FileContext], Episode | None]
    RenderEpisode = Callable[[Episode, FileContext], str]
    Rewording = Callable[[Episode, Episode, Episode], dict[str, object]]

_MOST_MESSAGES = 1_000_000
_WORDS = {
    "done": ("done", "完成"),
    "left": ("left", "to do", "todo", "next", "待辦", "剩"),
    "decisions": ("decision", "決策", "決定"),
    "files": ("file", "檔案"),
}
_OPEN, _TICKED = ("[ ]", "[]"), ("[x]", "[X]")
_SUFFIX = " handoff"
_NO_TOPIC = "work"


def _episode_format(
    name: str, build: BuildEpisode, render: RenderEpisode, rewording: Rewording | None = None
) -> FileFormat:
    """Return the format of a single-episode file; the episode's key is the file name."""

    def parse(text: str, about: FileContext) -> Iterator[Piece]:
        episode = build(text.replace("\r\n", "\n"), about) if text.strip() else None
        if episode is None:
            yield text
        else:
            key = about.stem or episode.id
            yield ParsedItem(raw=text, key=key, episode=episode, at=episode.ended_at)

    def render_first(episodes: Sequence[Episode], about: FileContext) -> str:
        return render(episodes[0], about) if episodes else ""

    return FileFormat(name, parse, render_first, rewording)


def _reword_session(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited session file to its episode."""
    fields = changed_fields(was, now, ("title", "requests"))
    if now.summary == was.summary:
        return fields
    summary = known.summary
    if known.kind == "compact" or known.summary == was.summary:
        return fields | {"summary": now.summary}
    # the store tells more than the file: line by line, what was said is said in other words
    for old, new in zip(was.summary.split("\n"), now.summary.split("\n"), strict=False):
        summary = summary.replace(old, new, 1) if old else summary
    return fields | {"summary": summary}


def _build_session(text: str, about: FileContext) -> Episode | None:
    said = parse_headed(text)
    kind = _episode_kind(said, about)
    title = said.facts.get("title", "")
    requests = list_bullets(said.find_section("request"))
    told = "\n".join(said.find_section("summary")).strip()
    if not (title or requests or told):
        return None
    at = _episode_time(said, about)
    count = _message_count(said)
    name = episode_id(f"engine/{about.project}", about.stem or stable_name(text))
    episode = Episode(name, kind, "", about.project, at, at, title, told, requests).but(
        tools=_parse_tools(said), files=list_bullets(said.find_section("file"))
    )
    if kind == "compact":
        trigger = said.facts.get("trigger", "").lower()
        trigger = trigger if trigger in (AUTOMATIC, MANUAL) else AUTOMATIC
        return episode.but(title=f"{title} ({trigger}, after {count})".strip())
    return episode.but(summary=_session_summary(said, title or told, count))


def _session_summary(said: HeadedFile, title: str, count: str) -> str:
    """Render the facts line of our episodes, and the title."""
    if count.startswith("0 "):
        return title
    tag = said.facts.get("project", "").replace(":", " ").replace(";", " ")
    where = f" on {tag}" if tag else ""
    doing = " ".join(" ".join(said.find_section("being done")).split())
    return f"{count}{where}{f'; {doing}' if doing else ''}:\n{title}"


def _episode_kind(said: HeadedFile, about: FileContext) -> EpisodeKind:
    named = f"{said.title.lower()} {about.name.lower()}"
    if "compact" in named:
        return "compact"
    return "checkpoint" if "checkpoint" in named else "end"


def _episode_time(said: HeadedFile, about: FileContext) -> int:
    began = find_day(said.title, said.facts.get("date", ""), about.name)
    clock = said.facts.get("time", "")[:5]
    return (parse_stamp_or_zero(f"{format_day(began)}T{clock}") or began) if began else about.now


def _message_count(said: HeadedFile) -> str:
    word = said.facts.get("messages", "").partition(" ")[0]
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 8 else 0
    number = min(number, _MOST_MESSAGES)
    return f"{number} message{'s' if number != 1 else ''}"


def _parse_tools(said: HeadedFile) -> tuple[str, ...]:
    told = said.find_section("tool")
    words = list_bullets(told) or tuple(word.strip() for line in told for word in line.split(","))
    return tuple(dict.fromkeys(filter(None, words)))


def _reword_handoff(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited file to its episode.

    The topic is the file name, and stays.
    """
    fields = changed_fields(was, now, ("files",))
    if now.title != was.title and not handoffs.handoff_topic(known):
        fields["title"] = now.title
    if now.summary != was.summary:
        fields |= {"summary": now.summary, "requests": handoffs.parse_handoff(now).left}
    return fields


def _build_handoff(text: str, about: FileContext) -> Episode | None:
    said = parse_headed(text)
    handoff = _parse_handoff(said)
    if handoff.is_empty:
        return None
    at = find_day(said.facts.get("date", ""), about.name) or about.now
    name = episode_id(f"handoff/{about.project}", about.stem or stable_name(text))
    title = _read_topic(said) or handoffs.handoff_title(handoff)
    summary = handoffs.render_summary(handoff)
    told = Episode(name, "handoff", "", about.project, at, at, title, summary)
    return told.but(files=handoff.files)


def _parse_handoff(said: HeadedFile) -> handoffs.Handoff:
    found: dict[str, list[str]] = {name: [] for name in _WORDS}
    free: list[str] = []
    for heading, told in said.sections.items():
        fit = (name for name, words in _WORDS.items() if any(word in heading for word in words))
        section = next(fit, "")
        for line in map(str.strip, told):
            if section and line.startswith(BULLETS):
                item = line[2:].strip()
                ticked = section == "left" and item.startswith(_TICKED)
                told_of = "done" if ticked else section
                found[told_of].append(_strip_box(item) if section == "left" else item)
            elif line:
                free.append(line)
    held = {name: tuple(filter(None, lines)) for name, lines in found.items()}
    return handoffs.Handoff(status=said.facts.get("status", ""), text="\n".join(free), **held)


def _strip_box(item: str) -> str:
    box = next((box for box in (*_OPEN, *_TICKED) if item.startswith(box)), "")
    return " ".join(item[len(box) :].split())


def _read_topic(said: HeadedFile) -> str:
    """Return the topic in its original letters from the front matter."""
    title = said.title
    topic = title[: -len(_SUFFIX)] if title.lower().endswith(_SUFFIX) else title
    named = said.front.get("name", "").removeprefix("handoff-")
    if named[:1].islower():
        topic = topic[:1].lower() + topic[1:]
    return "" if topic == _NO_TOPIC else topic


def _render_handoff(episode: Episode, _: FileContext) -> str:
    told, topic = handoffs.parse_handoff(episode), handoffs.handoff_topic(episode)
    return handoffs.render_page(told, topic=topic, day=format_day(episode.ended_at))


def _build_diary(text: str, about: FileContext) -> Episode | None:
    """Return the diary of a day; None without a day."""
    at = find_day(parse_headed(text).title, about.name)
    if not at:
        return None
    name, title = episode_id(f"diary:{about.project}", format_day(at)), f"Diary: {format_day(at)}"
    summary = text.rstrip("\n") + "\n"
    return Episode(name, "diary", "", about.project, at, at + DAY - 1, title, summary)


def _build_reflection(text: str, about: FileContext) -> Episode | None:
    """Return the report of a day; None without a day."""
    said = parse_headed(text)
    at = find_day(said.title, about.name)
    if not at:
        return None
    name = episode_id(f"reflect:{about.project}", format_day(at))
    project = said.facts.get("project", "")
    title = f"Reflection on {project}" if project else f"Reflection: {format_day(at)}"
    began, summary = at - INTERVAL_DAYS * DAY, text.rstrip("\n") + "\n"
    return Episode(name, "reflect", "", about.project, began, at, title, summary)


def _render_unchanged(episode: Episode, _: FileContext) -> str:
    return episode.summary.rstrip("\n") + "\n"


ENGINE_SESSION = _episode_format(
    "engine_session",
    _build_session,
    lambda episode, about: render_engine_page(episode, project=about.called),
    _reword_session,
)
ENGINE_HANDOFF = _episode_format(
    "engine_handoff", _build_handoff, _render_handoff, _reword_handoff
)
ENGINE_DIARY = _episode_format("engine_diary", _build_diary, _render_unchanged)
ENGINE_REFLECT = _episode_format("engine_reflect", _build_reflection, _render_unchanged)
