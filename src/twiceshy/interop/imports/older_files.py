"""Say what files of older systems lie here that were not imported, with their numbers."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from twiceshy import app as composition
from twiceshy.interop.imports import ImportContext
from twiceshy.interop.imports.find_sources import (
    SEEDS,
    FoundSource,
    find_sources,
    list_not_imported,
)
from twiceshy.places.project import identify_project
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.config.resolved import Config
    from twiceshy.interop.imports import ImportPlace
    from twiceshy.places.identity import Identity

# format → what a person calls such a file; files of state are not worth a word
_NOUNS = {
    "engine_session": "session",
    "engine_handoff": "handoff",
    "engine_notebook": "notebook",
    "engine_learned": "lesson",
    "engine_pitfall": "pitfall record",
    "engine_spoke": "page",
    "engine_hub": "page",
    "engine_todo": "task list",
    "engine_diary": "diary",
    "engine_reflect": "reflection",
    "fireworks_knowledge": "KNOWLEDGE.md file",
    "fireworks_checkpoints": "CHECKPOINTS.md file",
    "keeper_facts": "facts.json file",
    "keeper_session": "session",
    "keeper_archive": "archive",
    "keeper_page": "page",
    "keeper_log": "log",
}
_OTHER = "file"


def describe_older_files(config: Config) -> list[str]:
    """Return a line for each older system with files that were not imported; nothing is written."""
    if os.path.exists(config.store):
        with composition.open_app(config) as app:
            found = [
                FoundSource(
                    one.source,
                    [place for place in one.places if not app.store.list_views(place.path)],
                )
                for one in list_not_imported(app)
            ]
    else:
        found = find_sources(_look_around(config), only=SEEDS)
    return [
        worded(
            "{name}: {counts}; to import them: twiceshy import {name}",
            name=one.source.NAME,
            counts=counts,
        )
        for one in found
        if (counts := _count_places(one.places))
    ]


def _look_around(config: Config) -> ImportContext:
    """Return the search context of a machine that has no store yet."""

    def identify(path: str) -> Identity:
        return identify_project(path, cache=None, home=config.home_dir)

    return ImportContext(
        home=config.home_dir,
        here=identify(composition.working_directory()),
        environ=os.environ,
        identify=identify,
        by_slug=lambda _: None,
    )


def _count_places(places: Iterable[ImportPlace]) -> str:
    """Return the numbers of places by what they are, the commonest first."""
    named = Counter(
        _NOUNS.get(place.what, _OTHER) for place in places if not place.original or place.what
    )
    return ", ".join(
        f"{count} {_pluralise(noun) if count > 1 else noun}" for noun, count in named.most_common()
    )


def _pluralise(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
