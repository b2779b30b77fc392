"""Unannounced tokens: long, mixed like generated text, and no id, hash or blob."""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.encoded import decode_base64
from twiceshy.safety.redact.values import is_plain_word, is_wordy

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.safety.redact.gate import Finding
    from twiceshy.safety.redact.joints import JoinedText

# Shorter runs are names too often, longer ones are pictures; hex digits alone, and base64 with its
# + and /, are sums and blobs far more often than secrets, which mostly have a name before them.
_RUN = r"(?<![\w+/=.@~%#$\\-])(?<!SHA256:)[A-Za-z0-9_-]{20,128}(?![\w+/=@~%(\\-]|\.\w|::)"
_HEX = r"[0-9a-fA-F_]+$"
_ADDRESS = r"://|data:|base64,"
_FULL = 48  # characters of a line of base64 that goes on
_QUOTING = " \t\"'>|+(,;)\\\r"
_BASE64_LINE = r"[\s\"'>|+(]*+[A-Za-z0-9+/_-]{32,}={0,2}[\s\"'+,;)\\]*+$"
_OF_IDS = (21, 22)  # as many letters as a nanoid or a shortened UUID has
_ID_BEFORE = r"(?i)(?:\b|_|[a-z])(?:id|ids|uid|etag|hash|digest|checksum|cursor|slug|nonce|anchor|ref|sri|revision|rev|sha)[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']?\Z"
# What services put before the ids of things, which open nothing; the last are GitHub's nodes.
_IDS = frozenset(
    """acct agent asst batch call ch chatcmpl cmpl conv cs cus doc dpl env event evt fc file gen id
    img in inst item job msg node org page pi pm price prj prod proj req resp rs run seti sess
    session sha1 sha256 sha384 sha512 snap span srvtoolu step sub task team thread toolu trace txn upload user video vol vrtx
    vs wrkr ws BPR C DC I IC IT L LA M MDU PR PRR PRRC R RE U UR""".split()
)


def find_nameless_tokens(view: JoinedText) -> Iterator[Finding]:
    """Yield positions of generated tokens without a name.

    Two lines are joined only where a terminal wrapped a full line: otherwise stacked words would
    form tokens.
    """
    for run in compile_pattern(_RUN).finditer(view.text):
        start, end = run.span()
        owner, mark, _ = run[0].replace("-", "_").partition("_")
        if (mark and owner in _IDS) or end - start in _OF_IDS:
            continue
        if compile_pattern(_ID_BEFORE).search(view.text, max(0, start - 32), start):
            continue
        if decode_base64(run[0]):
            continue  # a text: what it hides is looked for there
        drawn = is_generated(run[0]) and not _is_in_content(view.text, start, end)
        if drawn and view.is_one_token(start, end):
            yield *view.original_span(start, end), "high-entropy"


def is_generated(token: str) -> bool:
    """True if a token mixes characters like generated text."""
    body = _strip_leading_words(token)
    upper = sum(map(str.isupper, body))
    lower = sum(map(str.islower, body))
    digits = sum(map(str.isdigit, body))
    return (
        min(upper, lower, digits) >= 2
        and upper + lower + digits >= max(16, 0.85 * len(body))
        and _class_change_rate(body) >= 0.4
        and _shannon_entropy(body) >= 3.6
        and not body.startswith(("AAAA", "LS0t"))  # a public key for SSH; a certificate in base64
        and not compile_pattern(_HEX).match(body)
        and not is_wordy(body, share=0.6)
    )


def _strip_leading_words(token: str) -> str:
    """Return the token without leading vendor words."""
    body = token.replace("-", "_").lstrip("_")
    while "_" in body and is_plain_word(body.partition("_")[0]):
        body = body.partition("_")[2]
    return body


def _class_change_rate(token: str) -> float:
    """Return the rate of class changes between neighbours: 0.62 for base62, at most 0.3 for camelCase."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in token if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds)) / max(1, len(kinds) - 1)


def _shannon_entropy(token: str) -> float:
    """Return Shannon entropy in bits per character; 20 distinct characters give 4.3."""
    from math import log2  # noqa: PLC0415  (a shared library; few texts come this far)

    counts = [token.count(char) for char in set(token)]
    return -sum(n / len(token) * log2(n / len(token)) for n in counts)


def _is_in_content(text: str, start: int, end: int) -> bool:
    """True if the token is part of an address or of base64 content."""
    before = text[max(0, start - 512) : start]
    words = before.split()
    if words and not before[-1].isspace() and compile_pattern(_ADDRESS).search(words[-1]):
        return True
    *above, first = text[max(0, start - 200) : start].split("\n")
    last, *below = text[end : end + 200].split("\n")
    line = first + text[start:end] + last
    if (
        above
        and len(above[-1].strip()) >= _FULL
        and compile_pattern(_BASE64_LINE).match(above[-1])
    ):
        return line.strip(_QUOTING).replace("=", "") == text[start:end]  # the last line of a block
    if not compile_pattern(_BASE64_LINE).match(line):
        return False
    beside = [*above[-1:], *below[:1]]
    return any(map(compile_pattern(_BASE64_LINE).match, beside)) or end - start in (64, 76)
