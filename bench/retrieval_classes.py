"""Classes of prompts that public sets do not have: other languages, typing errors and long texts.

Like the rest of our own set, all of them were written for this purpose. The lessons of our own set lie beside
their notes, so that there is something else to be found.
"""

from __future__ import annotations

import os

from bench.retrieval_sets import OWN, Doc, Haystack, Query, Task, lines, own

LANGUAGES, LONG = "own, languages", "own, long"
_MANY = 200  # words; what is longer is a group of its own


def languages() -> Task:
    """Return notes in other languages and prompts with another form of their words, or with an error.

    The prompts of a note stand in neighbouring lines, the first one of every second note in an odd line.
    """
    said = list(lines(os.path.join(OWN, "languages.jsonl")))
    notes = tuple(Doc(one["id"], one["note"]) for one in said if "note" in one)
    queries = tuple(
        Query(f"{one['id']}-{at}", prompt["text"], rel, one["lang"], number + at)
        for number, one in enumerate(said)
        for rel in [_wanted(one)]
        for at, prompt in enumerate(one["prompts"])
    )
    return Task(LANGUAGES, (Haystack((*_lessons(), *notes), queries),))


def long() -> Task:
    """Return issues, stack traces, chat logs and reviews with a lesson that matters, or with none."""
    queries = tuple(
        Query(one["id"], one["text"], tuple(one["rel"]), _length(one["text"]), number)
        for number, one in enumerate(lines(os.path.join(OWN, "long.jsonl")))
    )
    return Task(LONG, (Haystack(_lessons(), queries),))


def _length(text: str) -> str:
    above = len(text.split()) > _MANY
    return f"above {_MANY} words" if above else f"up to {_MANY} words"


def _wanted(one: dict[str, str]) -> tuple[str, ...]:
    if "note" in one:
        return (one["id"],)
    return (one["lesson"],) if "lesson" in one else ()


def _lessons() -> tuple[Doc, ...]:
    (stack,) = own().haystacks
    return stack.docs
