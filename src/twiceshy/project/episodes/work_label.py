"""Describe a work segment in a few words: activity and project, from word lists."""

from __future__ import annotations

from twiceshy.core.text import fold_to_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.project.episodes.work_segment import WorkSegment

    WordLists = Mapping[str, Sequence[str]]

NO_PROJECT = "general"
_MAX_ACTIONS = 3
_MAX_KEYWORDS = 2
_MAX_TAG = 40
_FIRST_MESSAGES = 10  # messages; later ones may be about anything


def find_project_tag(segment: WorkSegment, patterns: WordLists, *, name: str = "") -> str:
    """Find the project tag of a work segment: by directory, files, first messages.

    ``patterns`` are the user's own, by tag; ``name`` is the directory's name, used if no pattern
    matches.
    """
    for texts in ((segment.cwd,), segment.files, segment.user_messages[:_FIRST_MESSAGES]):
        for tag, wanted in patterns.items():
            if any(_matches_pattern(pattern, text) for pattern in wanted for text in texts):
                return _clean_tag(tag)
    return _clean_tag(name) or NO_PROJECT


def describe_work(
    segment: WorkSegment, actions: WordLists, patterns: WordLists, *, tag: str
) -> str:
    """Describe a work segment in a line: most frequent activities, then keywords."""
    labels = _most_frequent(
        {
            label: sum(map(_WordMatcher(words), segment.user_messages))
            for label, words in actions.items()
        },
        _MAX_ACTIONS,
    )
    own = {
        word: sum(map(_WordMatcher((word,)), segment.user_messages))
        for word in map(_strip_pattern, patterns.get(tag, ()))
    }
    stems = [_file_stem(path) for path in segment.edits]
    # what the user calls the project's own comes first, then the files that were changed most
    ranked = [
        *_most_frequent(own, _MAX_KEYWORDS),
        *_most_frequent({s: stems.count(s) for s in stems}, _MAX_KEYWORDS),
    ]
    keywords = list(dict.fromkeys(ranked))[:_MAX_KEYWORDS]
    work = ", ".join(labels)
    return f"{work} ({', '.join(keywords)})" if work and keywords else work or ", ".join(keywords)


def _most_frequent(counts: Mapping[str, int], most: int) -> list[str]:
    """Return the most frequent words; ties keep the given order."""
    found = [word for word in counts if word and counts[word]]
    return sorted(found, key=lambda word: -counts[word])[:most]


class _WordMatcher:
    """Matcher for a list of words; Latin words match from a word start."""

    def __init__(self, words: Iterable[str]) -> None:
        folded = [word.casefold() for word in words if word]
        self._inside = [word for word in folded if not word.isascii()]
        self._begun = [f" {word}" for word in folded if word.isascii()]

    def __call__(self, text: str) -> bool:
        said = text.casefold()
        if any(word in said for word in self._inside):
            return True
        plain = " " + "".join(c if c.isalnum() else " " for c in said)
        return any(word in plain for word in self._begun)


def _matches_pattern(pattern: str, text: str) -> bool:
    """True if the parts of a pattern between stars appear in a text in order."""
    rest = text.replace("\\", "/").casefold()
    pieces = [piece for piece in pattern.replace("\\", "/").casefold().split("*") if piece]
    for piece in pieces:
        _, found, rest = rest.partition(piece)
        if not found:
            return False
    return bool(pieces)


def _strip_pattern(pattern: str) -> str:
    """Return the last path part of a pattern, as named in a message."""
    return pattern.replace("\\", "/").strip("*/").rpartition("/")[2]


def _file_stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _clean_tag(name: str) -> str:
    """Return a name without colons and semicolons, which separate parts of a line."""
    return fold_to_line(name.replace(":", " ").replace(";", " "), limit=_MAX_TAG)
