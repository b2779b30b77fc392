"""Import episodes and signals, each once by a stable id."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from twiceshy.core.draft import MAX_ITEMS, MAX_LINE, MAX_PAGE, MAX_TEXT
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Exposure
from twiceshy.core.history import FORGET, replay_episode
from twiceshy.core.text import clean, one_line
from twiceshy.project.handoff.rules import CHANNEL, shown_as
from twiceshy.safety.danger import danger
from twiceshy.safety.danger.reasons import INSTRUCTION
from twiceshy.safety.names import MAX_SESSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.store import Store
    from twiceshy.interop.imports import Offered

_TOLD = ("title", "summary", "requests", "tools", "files")
_LONGEST_EXCERPT = 800


class Stretches:
    """Episodes and signals of an import, and their results."""

    def __init__(self, store: Store, source: str, redact: Callable[[str], str]) -> None:
        self.episodes = 0
        self.signals = 0
        self.known = 0
        self.secrets: dict[str, None] = {}
        self._store = store
        self._source = source
        self._redact = redact

    def take(self, piece: Offered) -> None:
        """Import an episode or signal; NoteError explains a refusal."""
        if piece.episode:
            self._episode(piece, self._checked(piece, piece.episode))
        elif piece.signal:
            self._signal(piece, piece.signal)

    def _episode(self, piece: Offered, episode: Episode) -> None:
        history = self._store.history(episode.id)
        if any(entry.op == FORGET for entry in history):
            raise NoteError("it was forgotten here", hint="")
        known = replay_episode(history)
        if known is None:
            self._store.capture(episode)
            self.episodes += 1
        else:
            self._renew(known, episode)
        if piece.shown:
            self._shown(episode)

    def _renew(self, known: Episode, episode: Episode) -> None:
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
        self._store.record("edit", known.id, after, before=before)
        self.episodes += 1

    def _shown(self, episode: Episode) -> None:
        """Mark a handoff as already told."""
        key = shown_as(episode)
        if not self._store.exposures(key=key):
            at, session = self._store.now(), f"import:{self._source}"
            self._store.capture(Exposure(key, episode.id, session, CHANNEL, at))

    def _signal(self, piece: Offered, signal: Signal) -> None:
        key = signal.key
        if signal.kind != "checkpoint":  # those are known by their own names
            key = f"import:{self._source}:{_name(key or piece.what, signal.excerpt)}"
        if self._store.signals_of(keys=[key], limit=1):
            self.known += 1
            return
        excerpt = clean(self._redact(signal.excerpt[:_LONGEST_EXCERPT]))
        if not excerpt:
            raise NoteError("it says nothing", hint="")
        if piece.redacted or self._redact(signal.excerpt) != signal.excerpt:
            self.secrets[piece.what] = None
        told = {name: self._named(getattr(signal, name)) for name in ("session", "tool", "target")}
        nothing = {"mistake": "", "call": "", "pair": ""}  # what only our own watching can tell
        kept = signal.but(key=key, excerpt=excerpt, **told, **nothing)
        self._store.capture(kept.but(session=kept.session or key))
        self.signals += 1

    def _checked(self, piece: Offered, episode: Episode) -> Episode:
        """Return an episode bounded, cleaned, redacted, with a stable id."""
        if max(len(episode.summary), len(episode.title)) > MAX_PAGE:
            raise NoteError(f"it has more than {MAX_PAGE:,} characters", hint="")
        lists = (*episode.requests, *episode.tools, *episode.files)
        told = "\n".join((episode.title, episode.summary, *lists))
        if piece.redacted or self._redact(told) != told:
            self.secrets[piece.what] = None
        if danger(told) == INSTRUCTION:
            raise NoteError(f"it {INSTRUCTION}", hint="")
        name = _name(episode.project, episode.kind, piece.alias or piece.what)
        now = self._store.now()
        ended = min(episode.ended_at or now, now)
        ready = episode.but(
            id=episode.id or f"e{name}",
            # undo takes back the episodes whose session begins so, and no session of ours is one of theirs
            session=self._named(f"import:{self._source}:{episode.session or name[:12]}"),
            transcript="",
            started_at=min(episode.started_at or ended, ended),
            ended_at=ended,
            title=one_line(self._safe(episode.title), limit=MAX_LINE),
            summary=self._safe(episode.summary),
            requests=self._listed(episode.requests, MAX_TEXT),
            tools=self._listed(episode.tools, MAX_LINE),
            files=self._listed(episode.files, MAX_LINE),
        )
        if not (ready.title or ready.summary or ready.requests):
            raise NoteError("it says nothing", hint="")
        return ready

    def _listed(self, items: Iterable[str], longest: int) -> tuple[str, ...]:
        kept = (one_line(self._safe(item), limit=longest) for item in items)
        return tuple(dict.fromkeys(filter(None, kept)))[:MAX_ITEMS]

    def _named(self, text: str) -> str:
        return one_line(self._safe(text), limit=MAX_SESSION)

    def _safe(self, text: str) -> str:
        return clean(self._redact(clean(text)))


def _name(*parts: str) -> str:
    text = "\x1f".join(parts)
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:31]
