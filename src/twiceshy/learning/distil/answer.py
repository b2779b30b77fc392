"""Parse the answer of a model: at most a few changes; the rest is refused with a reason.

A delta can add, strengthen, reword, replace or doubt a note. There is no way to delete a
note.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value

MOST_LESSONS = 3
MOST_PRINCIPLES = 2
LESSON_KINDS = ("gotcha", "discovery", "fix", "workflow", "pitfall")
PRINCIPLE_KINDS = ("principle",)
CORRECTION_KINDS = ("decision", "convention", "preference")
LONGEST_FIELDS = {"text": 300, "why": 160, "trigger": 120, "kind": 20, "id": 40, "op": 20}
# op → what it must say; whatever else of the known fields it says is allowed
NEEDED_FIELDS = {
    "add": ("kind", "text"),
    "reinforce": ("id",),
    "refine": ("id", "text"),
    "supersede": ("id", "kind", "text"),
    "contradict": ("id", "why"),
}
_MOST_READ = 64_000  # characters of an answer
_MOST_LISTS = 20  # places where a list may begin
_NO_CHANGES = frozenset(("", "skip", "[]", "{}", "none"))
_LONGEST_EXCERPT = 80


class Delta(Value):
    """A change proposed by a model."""

    op: str
    id: str = ""
    kind: str = ""
    text: str = ""
    why: str = ""
    trigger: str = ""
    tag: str = ""


class Refusal(Value):
    """A refused part of an answer, with the reason."""

    what: str
    reason: str


class ModelAnswer(Value):
    """The usable changes of an answer, and the refusals."""

    deltas: tuple[Delta, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def parse_answer(
    text: str, *, known: Collection[str], kinds: Sequence[str], most: int = MOST_LESSONS
) -> ModelAnswer:
    """Parse an answer; ``known`` are the handles allowed, ``kinds`` the kinds to add."""
    bare = text[:_MOST_READ].strip()
    if _strip_fence(bare).strip(".").lower() in _NO_CHANGES:
        return ModelAnswer()
    if bare.startswith("- "):
        return _limit_changes(
            [_parse_bullet(line, kinds) for line in bare.splitlines() if line.strip()], most
        )
    found = _find_list(bare)
    if found is None:
        return ModelAnswer(refusals=(_build_refusal(bare, "it is neither a JSON list nor SKIP"),))
    return _limit_changes([_check_item(item, known, kinds) for item in found], most)


def _limit_changes(read: Sequence[Delta | Refusal], most: int) -> ModelAnswer:
    """Keep the first changes, at most one per note."""
    deltas: list[Delta] = []
    refusals: list[Refusal] = []
    for one in read:
        if isinstance(one, Refusal):
            refusals.append(one)
            continue
        reason = "" if len(deltas) < most else f"only {most} are taken from one answer"
        if one.id and one.id in {taken.id for taken in deltas}:
            reason = "another change to this note came before"
        if reason:
            refusals.append(Refusal(_describe_delta(one), reason))
        else:
            deltas.append(one)
    return ModelAnswer(tuple(deltas), tuple(refusals[:_MOST_LISTS]))


def split_answer(text: str, names: Collection[str]) -> dict[str, str]:
    """Return the part of an answer for each section; a missing or broken one is left out.

    Only the broken section is lost: the next one is found by its name. A name inside a part that
    was read is a text of that part. What is said twice is not taken.
    """
    import json  # noqa: PLC0415 - as below

    bare = text[:_MOST_READ].strip()
    if _strip_fence(bare).strip(".").lower() in _NO_CHANGES:
        return dict.fromkeys(names, "")
    decoder, at = json.JSONDecoder(), 0
    parts: dict[str, list[str]] = {}
    while found := _find_section(bare, names, at):
        name, at = found
        try:
            end = decoder.raw_decode(bare, at)[1]
        except (ValueError, RecursionError):
            continue
        parts.setdefault(name, []).append(bare[at:end])
        at = end
    if not parts and len(names) == 1:
        return dict.fromkeys(names, bare)  # the only list needs no name
    return {name: said[0] for name, said in parts.items() if len(said) == 1}


def _find_section(text: str, names: Collection[str], at: int) -> tuple[str, int] | None:
    """Return the next name that stands as a key, and where its value begins."""
    import re  # noqa: PLC0415 - only an answer needs it

    keys = "|".join(map(re.escape, names))
    found = re.compile(rf'(?<!\\)"({keys})"\s*:\s*').search(text, at)
    return (found[1], found.end()) if found else None


def _check_item(item: object, known: Collection[str], kinds: Sequence[str]) -> Delta | Refusal:
    if not isinstance(item, dict):
        return _build_refusal(str(item)[:_LONGEST_EXCERPT], "it is no object")
    said = {key: value for key, value in item.items() if value not in (None, "")}
    reason = next(filter(None, _list_faults(said, known, kinds)), "")
    if reason:
        return _build_refusal(_describe_fields(said), reason)
    return Delta(**{key: value.strip() for key, value in said.items()})


def _list_faults(
    fields: Mapping[str, object], known: Collection[str], kinds: Sequence[str]
) -> Iterator[str]:
    """Yield faults, the gravest first; empty strings and no items mean no fault."""
    if strange := sorted(map(str, fields.keys() - LONGEST_FIELDS.keys())):
        yield f"a change cannot say {fold_to_line(strange[0], limit=20)!r}"
    op = fields.get("op")
    if not isinstance(op, str) or op not in NEEDED_FIELDS:
        yield f"there is no op {fold_to_line(str(op), limit=20)!r}"
        return
    for key, value in fields.items():
        yield _find_misfit(key, value)
    missing = [key for key in NEEDED_FIELDS[op] if not str(fields.get(key, "")).strip()]
    yield f"{op} needs {missing[0]!r}" if missing else ""
    if op == "add" and "id" in fields:
        yield "what is added has no id yet"
    if "id" in fields and fields["id"] not in known:
        yield "it names a note that it was not shown"
    if "kind" in fields and fields["kind"] not in kinds:
        yield f"it is none of {', '.join(kinds)}"


def _find_misfit(key: str, value: object) -> str:
    if not isinstance(value, str):
        return f"{key!r} is no text"
    longest = LONGEST_FIELDS.get(key, 0)
    return f"{key!r} has more than {longest} characters" if len(value) > longest else ""


def _parse_bullet(line: str, kinds: Sequence[str]) -> Delta | Refusal:
    """Parse ``- [2026-11] [Tag] text``, with or without the month."""
    rest, tags = line.strip().removeprefix("- ").strip(), []
    if not line.strip().startswith("- "):
        return _build_refusal(line, "it is no bullet")
    while rest.startswith("[") and "]" in rest:
        tag, _, rest = rest[1:].partition("]")
        tags.append(tag.strip())
        rest = rest.strip()
    if not rest:
        return _build_refusal(line, "it says nothing")
    if len(rest) > LONGEST_FIELDS["text"]:
        return _build_refusal(line, f"'text' has more than {LONGEST_FIELDS['text']} characters")
    tag = next((one for one in tags if one and not one.replace("-", "").isdecimal()), "")
    return Delta(op="add", kind=kinds[0], text=rest, tag=fold_to_line(tag, limit=40))


def _find_list(text: str) -> list[object] | None:
    """Return the first list of objects in a text, ignoring fences and prose around."""
    import json  # noqa: PLC0415 - 9 ms that only an answer needs: it can read what more text follows

    decoder, at = json.JSONDecoder(), -1
    empty: list[object] | None = None
    for _ in range(_MOST_LISTS):
        at = text.find("[", at + 1)
        if at < 0:
            break
        try:
            value = decoder.raw_decode(text, at)[0]
        except (ValueError, RecursionError):
            continue
        if any(isinstance(item, dict) for item in value):
            return list(value)
        empty = [] if not value else empty
    return empty


def _strip_fence(text: str) -> str:
    if not text.startswith("```"):
        return text
    return text.partition("\n")[2].rpartition("```")[0].strip()


def _describe_delta(delta: Delta) -> str:
    return fold_to_line(f"{delta.op} {delta.id} {delta.text or delta.why}", limit=_LONGEST_EXCERPT)


def _describe_fields(fields: Mapping[str, object]) -> str:
    return " ".join(
        str(fields[key])[:_LONGEST_EXCERPT] for key in ("op", "id", "text", "why") if key in fields
    )


def _build_refusal(what: str, reason: str) -> Refusal:
    return Refusal(fold_to_line(what[: 4 * _LONGEST_EXCERPT], limit=_LONGEST_EXCERPT), reason)
