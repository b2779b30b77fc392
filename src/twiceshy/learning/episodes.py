"""Keep an episode for every session and save point, however often a session is read.

A session still in progress is summarised again when its length has doubled, or when it has
grown by the messages between two checkpoints: the journal keeps every version, so there must
not be a version for each turn. The transcript of an episode is rendered without bulk.
"""

import contextlib
import os
from collections.abc import Iterator

from twiceshy.app import App, user_home
from twiceshy.core.errors import NotFoundError, StoreError
from twiceshy.core.evidence import Episode
from twiceshy.core.history import edited_fields, replay_episode
from twiceshy.core.jsontext import get_integer, parse_mapping_or_empty, write_json
from twiceshy.core.store import Store
from twiceshy.core.store_learning import find_progress
from twiceshy.files.replace import replace_file
from twiceshy.learning.sources import SessionOrigin, find_session_sources
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_compact_episode,
    build_session_episode,
)
from twiceshy.project.episodes.facts import episode_id, parse_episode_facts
from twiceshy.project.episodes.refine import locate_refined_copy, refine_transcript
from twiceshy.project.episodes.work_segment import (
    Compaction,
    WorkSegment,
    WorkSegmentBuilder,
    describe_work,
    find_project_tag,
)
from twiceshy.runtimes.transcripts import reader_for_path

# compactions of a project among which those of the session are looked for
_RECENT_COMPACTIONS = 100
_LONGEST_SUMMARY = 8_000


def is_episode_due(app: App, origin: SessionOrigin, path: str) -> bool:
    """True if a session has grown enough since its last summary."""
    said = _count_prompts(app.store, path)
    saved = _count_messages(_find_session_episode(app.store, origin))
    every = app.config.integer("learn.checkpoint_messages")
    longer = said >= min(2 * saved, saved + every) or said // every > saved // every
    return said > saved and longer


def keep_episodes(
    app: App, origin: SessionOrigin, fold: WorkSegmentBuilder, path: str, *, close: bool
) -> bool:
    """Summarise a session by its folded steps; False if the known episode covers more."""
    known, store = _find_session_episode(app.store, origin), app.store
    stretch = _fill_times(fold.build_segment(), store.now())
    if stretch.messages < max(_count_messages(known), 1):
        return False  # an agent's own transcript, or a shorter copy of what is known
    about = _label_segment(app, origin, stretch, path)
    with store.change():
        _keep_compactions(app, origin, fold, path, close=close)
        if fold.milestone and not close:
            began = _fill_times(fold.milestone, store.now())
            store.capture(
                build_checkpoint_episode(began, _label_segment(app, origin, began, path))
            )
        _write_episode(store, known, build_session_episode(stretch, about))
    return True


def _count_prompts(store: Store, path: str) -> int:
    """Return the number of user messages in the part of a transcript read so far."""
    reading = find_progress(store, path)
    return get_integer(parse_mapping_or_empty(reading.state).get("prompts")) if reading else 0


def _find_session_episode(store: Store, origin: SessionOrigin) -> Episode | None:
    return replay_episode(store.history(episode_id(origin.session, "session")))


def _count_messages(known: Episode | None) -> int:
    """Return the number of messages covered by an episode."""
    return parse_episode_facts(known).messages if known else 0


def _label_segment(
    app: App, origin: SessionOrigin, segment: WorkSegment, path: str
) -> EpisodeContext:
    """Return project, tag and work of a segment; a session in the user's home has no project."""
    name, _ = app.store.list_projects().get(origin.project, ("", ""))
    patterns = app.config.table("projects.patterns")
    tag = find_project_tag(segment, patterns, name="" if origin.root == user_home() else name)
    work = describe_work(segment, app.config.table("words.actions"), patterns, tag=tag)
    return EpisodeContext(origin.session, origin.project, tag, work, path)


def _fill_times(segment: WorkSegment, now: int) -> WorkSegment:
    """Return a work segment with times, even if the runtime recorded no time."""
    return segment if segment.ended_at else segment.but(started_at=now, ended_at=now)


def _write_episode(store: Store, known: Episode | None, episode: Episode) -> None:
    if known is None:
        store.capture(episode)  # which leaves alone what was forgotten
        return
    held = edited_fields(store.history(known.id))
    now, before = _merge_held_fields(episode, known, held).fields(), known.fields()
    changed = {name: value for name, value in now.items() if value != before[name]}
    if changed:
        store.record_entry(
            "edit", known.id, changed, before={name: before[name] for name in changed}
        )


def _merge_held_fields(episode: Episode, known: Episode, held: frozenset[str]) -> Episode:
    """Merge a new episode with fields held by a person.

    Of a held summary, only the line of facts is replaced.
    """
    theirs = {name: getattr(known, name) for name in held}
    if "summary" in held and parse_episode_facts(known).messages:
        facts = episode.summary.partition("\n")[0]
        theirs["summary"] = f"{facts}\n{parse_episode_facts(known).text}"
    return episode.but(**theirs)


def _keep_compactions(
    app: App, origin: SessionOrigin, fold: WorkSegmentBuilder, path: str, *, close: bool
) -> None:
    """Add the preceding work and the cause to every compaction episode.

    A hook has already kept most compactions, with the summary. Missing ones are kept when the
    session is over, because until then the hook may still be running.
    """
    if not fold.compactions:
        return
    store, projects = app.store, app.store.list_project_ids(origin.project)
    lately = store.list_episodes(projects, kinds=("compact",), limit=_RECENT_COMPACTIONS)
    mine = [each for each in lately if each.session == origin.session]
    for number, compaction in enumerate(reversed(fold.compactions)):
        known = mine[number] if number < len(mine) else None
        if known and not known.title:
            told = _build_compaction(app, origin, compaction, path)
            told = told.but(id=known.id, summary=known.summary, ended_at=known.ended_at)
            _write_episode(store, known, told)
        elif known is None and close:
            store.capture(_build_compaction(app, origin, compaction, path))


def _build_compaction(
    app: App, origin: SessionOrigin, compaction: Compaction, path: str
) -> Episode:
    before = _fill_times(compaction.before, app.store.now())
    return build_compact_episode(
        before,
        _label_segment(app, origin, before, path),
        step=compaction.step,
        automatic=compaction.automatic,
        summary=app.redact(compaction.summary)[:_LONGEST_SUMMARY],
    )


def render_refined_lines(app: App, episode: Episode) -> Iterator[str]:
    """Yield the messages and calls of an episode's session, a JSON object a line."""
    path = _find_transcript(app, episode)
    for one in refine_transcript(reader_for_path(path).read_transcript(path), redact=app.redact):
        yield write_json(one)


def keep_refined_copy(app: App, origin: SessionOrigin) -> None:
    """Write the refined copy of a finished session if the user wants one of each.

    A full disk, or a transcript that is gone, costs the copy and nothing else.
    """
    known = _find_session_episode(app.store, origin)
    if app.config.flag("transcripts.keep") and known:
        with contextlib.suppress(NotFoundError, StoreError):
            write_refined_copy(app, known)


def find_refined_copy(app: App, episode: Episode) -> str:
    """Return the path of an episode's refined copy; nothing if there is none."""
    path = locate_refined_copy(app.config.home, episode.id)
    return path if os.path.isfile(path) else ""


def write_refined_copy(app: App, episode: Episode) -> str:
    """Write a refined copy into the memory home, readable only by the owner; return the path."""
    path = locate_refined_copy(app.config.home, episode.id)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        lines = render_refined_lines(app, episode)
        replace_file(path, (f"{line}\n".encode() for line in lines))
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
    return path


def _find_transcript(app: App, episode: Episode) -> str:
    path = episode.transcript
    if path and reader_for_path(path).transcript_size(path) >= 0:
        return path
    if not episode.session:
        raise NotFoundError(
            "no transcript of this episode is known any more",
            hint="what is archived is a line of its own; see: twiceshy compress --as-file MONTH",
        )
    return find_session_sources(app, episode.session)[0].path
