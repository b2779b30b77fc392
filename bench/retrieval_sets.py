"""Retrieval sets in one form: haystacks of documents, each with the questions that are asked of it."""

from __future__ import annotations

import glob
import gzip
import json
import os
from typing import TYPE_CHECKING, Any

from twiceshy.core.errors import ConfigError
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sets")


class Doc(Value):
    """A document; what was known about it besides its text stands in fields of its own."""

    id: str
    text: str
    title: str = ""
    tag: str = ""
    why: str = ""
    supersedes: str = ""
    day: str = ""

    @property
    def whole(self) -> str:
        """Return all that a full-text index may know of it."""
        return " ".join(filter(None, (self.title, self.text, self.why, self.tag)))


class Query(Value):
    """A question, the line it stood in, and the documents that answer it; none may be a right answer."""

    id: str
    text: str
    rel: tuple[str, ...]
    group: str
    line: int


class Haystack(Value):
    """Documents that are searched together."""

    docs: tuple[Doc, ...]
    queries: tuple[Query, ...]


class Task(Value):
    """A set; ``official`` means that nDCG is counted as LongMemEval's own script does."""

    name: str
    haystacks: tuple[Haystack, ...]
    official: bool = False


def own() -> Task:
    """Return the coding lessons and prompts that come with the repository."""
    docs = tuple(Doc.of(fields) for fields in lines(os.path.join(OWN, "lessons.jsonl")))
    queries = _queries(os.path.join(OWN, "prompts.jsonl"))
    return Task("own", (Haystack(docs, queries),))


def crosslingual() -> Task:
    """Return prompts in German, Russian and Chinese about our own English lessons."""
    docs = tuple(Doc.of(fields) for fields in lines(os.path.join(OWN, "lessons.jsonl")))
    queries = _queries(os.path.join(OWN, "crosslingual.jsonl"))
    return Task("own, asked in others", (Haystack(docs, queries),))


def folder(path: str) -> Iterator[Task]:
    """Yield every set of a folder: ``<set>.corpus.jsonl.gz`` beside ``<set>.queries.jsonl.gz``."""
    found = sorted(glob.glob(os.path.join(path, "*.corpus.jsonl.gz")))
    if not found:
        raise ConfigError(
            f"no retrieval set in {path}", hint="name a folder with *.corpus.jsonl.gz"
        )
    for corpus in found:
        docs = tuple(
            Doc(doc["id"], doc["text"], doc.get("title") or "", doc.get("tag") or "")
            for doc in lines(corpus)
        )
        queries = _queries(corpus.replace(".corpus.", ".queries."))
        yield Task(os.path.basename(corpus).split(".")[0], (Haystack(docs, queries),))


def half(task: Task, which: str) -> Task:
    """Keep the queries of even or odd lines, counted from zero: tune on odd, report on even."""
    if which == "all":
        return task
    rest = 0 if which == "even" else 1
    kept = (
        stack.but(queries=tuple(query for query in stack.queries if query.line % 2 == rest))
        for stack in task.haystacks
    )
    return task.but(haystacks=tuple(stack for stack in kept if stack.queries))


def lines(path: str) -> Iterator[Any]:
    """Yield what stands in each line of a JSONL file, compressed or not."""
    opener = gzip.open if path.endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
    except (OSError, ValueError) as why:
        raise ConfigError(f"cannot read {path}: {why}", hint="is it a JSONL file?") from why


def _queries(path: str) -> tuple[Query, ...]:
    return tuple(
        Query(said["id"], said["text"], tuple(said["rel"]), said.get("group") or "", number)
        for number, said in enumerate(lines(path))
    )
