"""Choose the sentence of a text that tells how the work ended; plain string work, for hooks.

Only whole sentences are chosen: a sentence that is too long is passed over, never cut.
"""

from __future__ import annotations

from twiceshy.core.text import strip_unsafe

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_MIN_SENTENCE = 25  # characters; "All done." tells nothing
_FEWEST_ASKED = 6  # words of a question that says what it is about
_MIN_DENSE = 6  # the same in Chinese or Japanese
_MAX_LINES = 200  # of a text, from its end
_FENCE = "```"
_STOPS = ".!?"
_DENSE_STOPS = "。！？"
_QUOTES = "\"'`)*_”’"
_ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "cf", "no", "approx", "incl")
_BULLETS = ("- ", "* ", "+ ", "• ", "> ")
_SKIPPED = ("#", "|", "<", "{", "[{", "::", "│", "┌", "└", "├", "---", "===")
# What is still to be done, in the words of agents; each stands in a sentence with blanks around.
_OPEN = (
    "i'll",
    "i will",
    "i'm going to",
    "i am going to",
    "let me",
    "next step",
    "next:",
    "next,",
    "next is",
    "next up",
    "remaining",
    "remains",
    "still need",
    "still to",
    "still fail",
    "still open",
    "still missing",
    "left to do",
    "to be done",
    "not yet",
    "haven't",
    "have not",
    "hasn't",
    "isn't done",
    "unfinished",
    "not committed",
    "uncommitted",
    "not pushed",
    "follow-up",
    "follow up",
    "pending",
    "blocked",
    "waiting for",
    "wait for",
    "before merging",
    "ready to",
    "ready for",
    "you need to",
    "you'll need",
    "you should",
    "you will need",
    "now retry",
    "needs to be",
    "must be",
    "out of scope",
    "接下来",
    "接下來",
    "下一步",
    "还没",
    "還沒",
    "尚未",
    "待办",
    "待辦",
    "剩下",
    "剩余",
    "剩餘",
    "需要你",
    "我将",
    "我會",
    "我会",
)
# An offer, or a question about what was just said: the next session cannot know what it is about.
_OFFERS = (
    "want me to",
    "would you like",
    "should i ",
    "shall i ",
    "do you want",
    "let me know",
    "feel free",
    "if you want",
    "if you'd like",
    "if you like",
    "say the word",
    "happy to",
    "i can ",
    "let me explain",
    "let me summarize",
    "let me summarise",
    "要不要",
    "需要我",
)


# Questions that only ask to go on, or about something that the sentence does not name.
_GO_ON = (
    *("anything else", "sound good", "does that", "is that ok", "look good", "make sense", "proceed", "continue"),
    *("go ahead", "go on", "commit", "push", "open a pr"),
    *("继续", "可以吗", "好吗"),
)  # fmt: skip
_MERE_OFFERS = (
    *("want me to", "would you like", "shall i", "can i", "may i", "do you want me"),
    *("要我", "需要我"),
)
_VAGUE = (" it", " this", " that", " these", " those", " them", " they")
_FAILURES = (" fails", " failing", " failed", " still broken", "失败", "报错")


def choose_open_sentence(
    text: str, *, limit: int, fits: Callable[[str], bool] = lambda _: True
) -> str:
    """Return the last whole sentence about work that is still to be done; may be empty."""
    open_ones = (one for one in reversed(list_sentences(text)) if _is_open(one))
    return next((one for one in open_ones if _is_short(one, limit) and fits(one)), "")


def choose_open_question(text: str, *, fits: Callable[[str], bool]) -> str:
    """Return the question with which a text ends, if a stranger can understand and answer it."""
    last = list_sentences(text)[-2:]
    asked = (one for one in reversed(last) if _is_open_question(one))
    return next((one for one in asked if _is_short(one, len(one)) and fits(one)), "")


def choose_failure_sentence(text: str, *, fits: Callable[[str], bool]) -> str:
    """Return the last whole sentence that says what fails; may be empty."""
    plain = ((one, f" {one.casefold()}") for one in reversed(list_sentences(text)))
    failing = (one for one, said in plain if any(word in said for word in _FAILURES))
    return next((one for one in failing if _is_short(one, len(one)) and fits(one)), "")


def choose_last_sentences(text: str, *, limit: int) -> str:
    """Return the sentence about open work, else the last whole sentences; may be empty."""
    if found := choose_open_sentence(text, limit=limit):
        return found
    kept = ""
    for one in reversed(list_sentences(text)):
        longer = f"{one} {kept}".strip()
        if len(longer) > limit:
            break
        kept = longer
    return kept


def list_sentences(text: str) -> list[str]:
    """Return the whole sentences of a text, without code, tables, headings and lead-ins."""
    lines = strip_unsafe(text).split("\n")[-_MAX_LINES:]
    return [one for line in _prose_lines(lines) for one in _split_line(line) if _is_whole(one)]


def _prose_lines(lines: Iterable[str]) -> Iterator[str]:
    fenced = False
    for line in lines:
        bare = line.strip()
        if bare.startswith(_FENCE):
            fenced = not fenced
        elif not fenced and bare and not bare.startswith(_SKIPPED):
            yield _strip_marks(bare)


def _strip_marks(line: str) -> str:
    """Return a line without bullet, number, bold marks and link targets."""
    while line.startswith(_BULLETS):
        line = line[2:].lstrip()
    number, dot, rest = line.partition(". ")
    if dot and number.isdecimal():
        line = rest
    line = line.replace("**", "").replace("__", "")
    while "](" in line:
        before, _, behind = line.partition("](")
        opened, closed = before.rfind("["), behind.find(")")
        if opened < 0 or closed < 0:
            break
        line = before[:opened] + before[opened + 1 :] + behind[closed + 1 :]
    return " ".join(line.split())


def _split_line(line: str) -> list[str]:
    """Split a line into sentences; dots in names, numbers and abbreviations do not count."""
    sentences, start = [], 0
    for at, letter in enumerate(line):
        if letter in _DENSE_STOPS or (letter in _STOPS and _ends_sentence(line, at)):
            end = at + 1
            while end < len(line) and line[end] in _QUOTES:
                end += 1
            sentences.append(line[start:end].strip())
            start = end
    return [*filter(None, sentences), *filter(None, (line[start:].strip(),))]


def _ends_sentence(line: str, at: int) -> bool:
    behind = line[at + 1 :].lstrip(_QUOTES)
    if behind and not behind.startswith(" "):
        return False
    word = line[:at].rpartition(" ")[2].casefold().lstrip("(\"'`")
    return not word.endswith(_ABBREVIATIONS) if line[at] == "." else True


def _is_whole(sentence: str) -> bool:
    """True if a sentence ends as sentences do, with quotes and brackets closed."""
    bare = sentence.rstrip(_QUOTES)
    return (
        bool(bare)
        and bare[-1] in _STOPS + _DENSE_STOPS
        and not bare.endswith("..")
        and "…" not in sentence
        and sentence.count("`") % 2 == 0
        and sentence.count("(") == sentence.count(")")
    )


def _is_short(sentence: str, limit: int) -> bool:
    least = _MIN_SENTENCE if sentence.isascii() else _MIN_DENSE
    return least <= len(sentence) <= limit


def _is_open(sentence: str) -> bool:
    plain = " " + sentence.casefold().replace("’", "'")
    return not _has_any(plain, _OFFERS) and _has_any(plain, _OPEN) and not plain.endswith("?")


def _is_open_question(sentence: str) -> bool:
    """True for a question with its subject in it; an offer to go on has none."""
    plain = f" {sentence.casefold().replace('’', chr(39))}"
    if not plain.endswith(("?", "？")):
        return False
    if _has_any(plain, _GO_ON) or any(f"{word} " in f"{plain[:-1]} " for word in _VAGUE):
        return False
    is_choice = " or " in plain or "还是" in plain
    if plain.isascii() and len(plain.split()) < _FEWEST_ASKED and not is_choice:
        return False
    return is_choice or not _has_any(plain, _MERE_OFFERS)


def _has_any(text: str, words: Sequence[str]) -> bool:
    return any((word if not word.isascii() else f" {word}") in text for word in words)
