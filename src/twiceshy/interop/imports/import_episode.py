"""Import episodes and signals, each once by a stable id."""

from twiceshy.app import App
from twiceshy.core.draft import MAX_LINE, MAX_PAGE, MAX_TEXT
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Episode, Exposure, Signal
from twiceshy.core.history import FORGET, replay_episode
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.interop.formats.pieces import stable_name
from twiceshy.interop.held_back import strip_marks
from twiceshy.interop.imports import OfferedItem
from twiceshy.interop.imports.foreign_values import shorten_texts
from twiceshy.project.handoff.rules import CHANNEL, exposure_key
from twiceshy.safety.gate import find_reason, judge_episode, list_withheld
from twiceshy.safety.gate_rules import ELSEWHERE
from twiceshy.safety.names import MAX_SESSION
from twiceshy.safety.redact import redact_head

_TOLD = ("title", "summary", "requests", "tools", "files")
_LONGEST_EXCERPT = 800


class EpisodeImport:
    """Episodes and signals of an import, and their results."""

    def __init__(self, app: App, source: str) -> None:
        self.episodes = 0
        self.held: dict[str, str] = {}  # the id of an episode → where it stood, and why it is held
        self.signals = 0
        self.known = 0
        self.secrets: dict[str, None] = {}
        self._store, self._redact = app.store, app.redact
        self._source = source

    def import_item(self, piece: OfferedItem, before: frozenset[str] = frozenset()) -> str:
        """Import an episode or signal, and return its id or key; NoteError explains a refusal.

        ``before`` are the ids of what an earlier import brought from a file of one episode.
        """
        if piece.signal:
            return self._import_signal(piece, piece.signal)
        if piece.episode:
            episode = self._check_episode(piece, piece.episode)
            if len(before) == 1:  # whatever project it lies in now
                episode = episode.but(id=next(iter(before)))
            self._import_episode(piece, episode)
            return episode.id
        return ""

    def _import_episode(self, piece: OfferedItem, episode: Episode) -> None:
        history = self._store.history(episode.id)
        if any(entry.op == FORGET for entry in history):
            raise NoteError("it was forgotten here", hint="")
        known = replay_episode(history)
        if known is None:
            self._store.capture(episode)
            self.episodes += 1
            self._note_danger(piece, episode)
        else:
            self._renew_episode(known, episode)
        if piece.shown:
            self._mark_shown(episode)

    def _note_danger(self, piece: OfferedItem, episode: Episode) -> None:
        """Remember why agents are not told an episode, or parts of it."""
        verdict = judge_episode(episode)
        found = (find_reason(part, ELSEWHERE) for part in list_withheld(episode, verdict))
        if reason := verdict.reason or next(filter(None, found), ""):
            self.held[episode.id] = f"{piece.what}: {reason}"

    def _renew_episode(self, known: Episode, episode: Episode) -> None:
        """Update an episode imported before."""
        after = {
            name: getattr(episode, name)
            for name in _TOLD
            if getattr(episode, name) != getattr(known, name)
        }
        if not after or known.ended_at > episode.ended_at:  # what is newer here stays
            self.known += 1
            return
        after["ended_at"] = episode.ended_at
        before = {name: getattr(known, name) for name in after}
        self._store.record_entry("edit", known.id, after, before=before)
        self.episodes += 1

    def _mark_shown(self, episode: Episode) -> None:
        """Mark a handoff as already told."""
        key = exposure_key(episode)
        if not self._store.list_exposures(key=key):
            at, session = self._store.now(), f"import:{self._source}"
            self._store.capture(Exposure(key, episode.id, session, CHANNEL, at))

    def _import_signal(self, piece: OfferedItem, signal: Signal) -> str:
        key = signal.key
        if signal.kind != "checkpoint":  # those are known by their own names
            key = f"import:{self._source}:{stable_name(key or piece.what, signal.excerpt)}"
        if self._store.list_signals(keys=[key], limit=1):
            self.known += 1
            return key
        excerpt = strip_unsafe(redact_head(signal.excerpt, self._redact, most=_LONGEST_EXCERPT))
        if not excerpt:
            raise NoteError("it says nothing", hint="")
        if piece.redacted or self._redact(signal.excerpt) != signal.excerpt:
            self.secrets[piece.what] = None
        told = {
            name: self._clean_name(getattr(signal, name)) for name in ("session", "tool", "target")
        }
        nothing = {"mistake": "", "call": "", "pair": ""}  # what only our own watching can tell
        kept = signal.but(key=key, excerpt=excerpt, **told, **nothing)
        self._store.capture(kept.but(session=kept.session or key))
        self.signals += 1
        return key

    def _check_episode(self, piece: OfferedItem, episode: Episode) -> Episode:
        """Return an episode bounded, cleaned, redacted, with a stable id."""
        if max(len(episode.summary), len(episode.title)) > MAX_PAGE:
            raise NoteError(f"it has more than {MAX_PAGE:,} characters", hint="")
        lists = (*episode.requests, *episode.tools, *episode.files)
        told = "\n".join((episode.title, episode.summary, *lists))
        if piece.redacted or self._redact(told) != told:
            self.secrets[piece.what] = None
        name = stable_name(episode.project, episode.kind, piece.alias or piece.what)
        now = self._store.now()
        ended = min(episode.ended_at or now, now)
        ready = episode.but(
            id=episode.id or f"e{name}",
            # undo takes back the episodes whose session begins so, and no session of ours is one of theirs
            session=self._clean_name(f"import:{self._source}:{episode.session or name[:12]}"),
            transcript="",
            started_at=min(episode.started_at or ended, ended),
            ended_at=ended,
            title=fold_to_line(self._clean_text(episode.title), limit=MAX_LINE),
            summary=self._clean_text(episode.summary),
            requests=shorten_texts(map(self._clean_text, episode.requests), limit=MAX_TEXT),
            tools=shorten_texts(map(self._clean_text, episode.tools)),
            files=shorten_texts(map(self._clean_text, episode.files)),
        )
        if not (ready.title or ready.summary or ready.requests):
            raise NoteError("it says nothing", hint="")
        return ready

    def _clean_name(self, text: str) -> str:
        return fold_to_line(self._clean_text(text), limit=MAX_SESSION)

    def _clean_text(self, text: str) -> str:
        return strip_unsafe(self._redact(strip_unsafe(strip_marks(text))))
