"""Take quotations out of the fields of a payload: words are cleaned, names and codes keep their meaning."""

from __future__ import annotations

from twiceshy.store.rows import dump_payload, load_payload

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.language.quoted_words import QuoteFinder

CODES = frozenset(
    "kind subtype status source supersedes superseded_by skill_hash origin_runtime refers".split()
)
NAMES = frozenset(
    "project skill origin_project origin_session session transcript root alias".split()
)
# The columns of notes and episodes in which words stand.
WORDS = frozenset("text why tag files concepts trigger reason title summary requests".split())


def clean_fields(fields: Mapping[str, object], finder: QuoteFinder) -> dict[str, object]:
    """Return fields without quotations; of names only exact strings are taken out."""
    return {name: _clean_field(name, value, finder) for name, value in fields.items()}


def clean_body(body: str, finder: QuoteFinder) -> str:
    """Return the body of a payload without quotations."""
    fields = load_payload(body)
    cleaned = clean_fields(fields, finder)
    return body if cleaned == fields else dump_payload(cleaned)


def _clean_field(name: str, value: object, finder: QuoteFinder) -> object:
    if name in CODES:
        return value
    if name in NAMES:
        return finder.replace_exact(value) if isinstance(value, str) else value
    if isinstance(value, tuple):
        return tuple(_as_list(finder.clean_value(list(value))))
    return finder.clean_value(value)


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
