"""A view: a file of notes that people may edit, and a folder of such files."""

from __future__ import annotations

import os

from twiceshy.core.jsontext import parse_object
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.registry import load_format
from twiceshy.interop.views import contents
from twiceshy.interop.views.files import FileLocation, build_damage_error
from twiceshy.interop.views.update_text import update_json, update_text
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from twiceshy.app import App
    from twiceshy.core.evidence import Episode
    from twiceshy.interop.formats import Piece
    from twiceshy.interop.views.update_text import ViewUpdate

    Made = Literal["", "text", "hub", "index", "episode", "file"]
    Gather = Callable[[App], Sequence[Any]]


class ViewTarget(Value):
    """A view target: name, location, format, subject, and content.

    ``made`` marks a generated file: ``text``, ``hub`` and ``index`` keep foreign lines, hub additions
    become notes, and an index is written anew if it is deleted; an ``episode`` is editable, a ``file``
    is not. A file of the user's ``own``
    carries the user's word; a project file may be anybody's. ``stretch`` is the id of its
    episode, if any; ``former`` is where the file was before its title changed.
    """

    name: str
    spot: FileLocation
    format: str
    about: FileContext
    gather_content: Gather  # notes, signals, an episode, or a text
    made: Made = ""
    own: bool = True
    stretch: str = ""
    former: str = ""

    def render_fresh(self, app: App, shown: Sequence[Any]) -> tuple[Piece, ...]:
        """Render the file from scratch."""
        if self.made in ("text", "hub", "index", "file"):
            return tuple(shown)
        return load_format(self.format).render_items(shown, self._file_context(app))

    def render_text(self, app: App, shown: Sequence[Any]) -> str:
        """Render the text of the file from scratch."""
        if self.made in ("text", "hub", "index", "file"):
            return "".join(shown)
        return load_format(self.format).render(shown, self._file_context(app))

    def parse_text(self, app: App, text: str) -> tuple[Piece, ...]:
        """Parse a text."""
        if self.made in ("text", "index", "file"):
            return (text,)
        return load_format(self.format).parse_text(text, self._file_context(app))

    def find_episode(self, app: App) -> Episode | None:
        """Return the current episode of the view."""
        return contents.find_episode(app, self.stretch) if self.stretch else None

    def find_rewording(self, known: Episode, was: Episode, now: Episode) -> dict[str, object]:
        """Return the changes of an edited file to its episode."""
        reword = load_format(self.format).find_rewording
        return reword(known, was, now) if reword else {}

    def refuse_damaged(self, text: str, *, known: bool) -> None:
        """Refuse a file that seems emptied, or with foreign counts."""
        path = self.spot.path
        if self.made == "file" and not known:
            hint = worded("import it, then move it away: twiceshy import")
            raise build_damage_error(path, worded("was there before"), hint)
        if load_format(self.format).mend_file is None:
            return
        try:
            parse_object(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            hint = worded("correct it, or move it away")
            raise build_damage_error(path, worded("is no JSON any more"), hint) from error

    def update_text(self, file: Sequence[Piece], update: ViewUpdate) -> str:
        """Return the updated text of a file."""
        mended = load_format(self.format).mend_file
        return update_json(file, update, mended) if mended else update_text(file, update)

    def _file_context(self, app: App) -> FileContext:
        return self.about.but(now=app.store.now())


class ViewFolder(Value):
    """A folder of view targets with name prefix and subject."""

    name: str
    spot: FileLocation
    about: FileContext

    def build_target(
        self, file: str, kind: str, which: Gather, made: Made = "", stretch: str = ""
    ) -> ViewTarget:
        """Return a target in this folder."""
        name, about = f"{self.name}/{file}", self.about.but(name=file)
        spot = self.spot.but(path=os.path.join(self.spot.path, file))
        own = spot.private or about.project == EVERYWHERE
        return ViewTarget(name, spot, kind, about, which, made, own, stretch)
