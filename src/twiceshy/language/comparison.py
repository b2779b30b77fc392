"""What speaks for and against that a newer statement takes the place of an older one."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.amendment import (
    AGAINST,
    CHANGING,
    CORRECTING,
    CURRENT,
    DUTY,
    EXCEPTING,
    GONE_AFTER,
    GONE_BEFORE,
    OVER,
    has_any,
)
from twiceshy.language.statement import (
    find_places,
    has_digit,
    is_chinese,
    list_words,
    read_clause,
    read_statement,
)
from twiceshy.language.statement_words import CHINESE

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.language.statement import Clause, Statement

    Words = frozenset[str]

_NONE: Words = frozenset()
_CONDITIONS = ("when ", "if ", "once ", "unless ", "until ", "before ", "after ")
_NEAR = 20  # characters before a Chinese cue in which the thing is named
_FEW = 2
_DOINGS = ("import", "use", "publish", "push", "merge", "commit", "run")
_ANY_THING = frozenset(
    """space feed file version account server setup code variant plugin packag librari client contract import job script
    subscript licens tool stuff instanc support final""".split()
)
_ANY_CHINESE_THING = (
    "那套 那条 那块盘 那块 目录 文件 合同 配置 脚本 账号 服务 仓库 的卡点 卡点 封装 资源".split()
)
_LONG = {True: 60, False: 200}  # characters of a text in Chinese or not that may quote another


class ReplacementSigns(Value):
    """Signs found in a newer statement beside an older one.

    The clause that counts is the one with the most words of the older statement.
    """

    shared: Words = _NONE
    topic: float = 0.0  # the share that is found again of what the older statement is about
    known_subject: float = (
        -1.0
    )  # the share of known words in the subjects of the newer; -1 without
    strange: Words = _NONE  # what the clause that counts is about, and the older statement not
    strange_place: Words = _NONE
    lost_place: Words = _NONE
    modifiers: Words = _NONE  # "the worker tests" beside "the tests"
    has_other_subject: bool = False
    is_corrected: bool = False
    is_changed: bool = False
    is_gone: bool = False
    is_excepted: bool = False
    is_current: bool = False  # "now", "by now"
    forbids: bool = False
    counts_subject: bool = False  # "port 80 is open": the number says which one
    moves: bool = False  # the older says where, and the newer calls that place gone
    denies: bool = False  # one of the two forbids or denies, and the other does not
    is_mixed: bool = False  # one of the two is Chinese, and the other is not
    is_long: bool = False
    is_chinese: bool = False
    clauses: int = 0

    @property
    def is_elsewhere(self) -> bool:
        """True if each statement names a place that the other does not."""
        return bool(self.strange_place and self.lost_place)

    @property
    def is_apart(self) -> bool:
        """True if the newer statement is about another place or subject."""
        return bool(self.strange_place or self.modifiers or self.has_other_subject)


def compare_statements(newer: str, older: str) -> ReplacementSigns:
    """Find the signs of two texts."""
    new, old = read_statement(newer), read_statement(older)
    words, before = new.words, old.words
    if not words or not before:
        return ReplacementSigns()
    dense = is_chinese(old.text)
    counts = max(new.clauses, key=lambda one: (len(one.words & before), len(one.about & before)))
    claim = _list_claim(new, new.clauses.index(counts))
    topic = old.about - old.numbers or before
    is_gone = any(_calls_gone(new, at, old) for at in range(len(new.clauses)))
    subjects = _NONE.union(*(clause.subject for clause in new.clauses))
    return ReplacementSigns(
        shared=words & before,
        topic=len(topic & words) / len(topic),
        known_subject=len(subjects & before) / len(subjects) if subjects else -1.0,
        strange=counts.about - before - counts.numbers,
        strange_place=_list_strange_places(claim, old),
        lost_place=_keep_many(old.place - words - old.numbers, dense=dense)
        | (find_places(old.text) - find_places(new.text)),
        modifiers=_NONE.union(*(_list_modifiers(each, old) for each in claim)),
        has_other_subject=any(_has_other_subject(each, old) for each in claim),
        is_corrected=_has_fresh(CORRECTING, new.text, old.text),
        is_changed=_has_fresh(CHANGING, new.text, old.text),
        is_gone=is_gone,
        is_excepted=has_any(EXCEPTING, new.text) or "也" in counts.text,
        is_current=_has_fresh(CURRENT, new.text, old.text),
        forbids=has_any(AGAINST, new.text),
        counts_subject=any(
            clause.has_verb and any(map(has_digit, clause.subject)) for clause in old.clauses
        ),
        moves=is_gone and bool(old.place) and old.place <= words,
        denies=has_any(AGAINST, new.text) != has_any(AGAINST, old.text),
        is_mixed=(max(new.text) >= CHINESE) != (max(old.text) >= CHINESE),
        is_long=len(new.text) > max(_LONG[dense], 3 * len(old.text)) and len(new.clauses) > 2,
        is_chinese=dense,
        clauses=len(new.clauses),
    )


def _list_claim(new: Statement, at: int) -> tuple[Clause, ...]:
    """Return a clause with the one before it, if that has its subject: "X is here, not there"."""
    clause = new.clauses[at]
    whole = clause.has_subject and clause.has_verb
    return new.clauses[at : at + 1] if whole else new.clauses[max(0, at - 1) : at + 1]


def _list_strange_places(claim: tuple[Clause, ...], old: Statement) -> Words:
    """Return the places of clauses that the older statement does not name."""
    places = _NONE.union(*(clause.place - old.words - clause.numbers for clause in claim))
    named = _NONE.union(*(find_places(clause.text) for clause in claim))
    return _keep_many(places, dense=is_chinese(old.text)) | (named - find_places(old.text))


def _keep_many(found: Words, *, dense: bool) -> Words:
    """Return words, or Chinese characters if there are two at least: one tells little."""
    return found if len(found) > dense or any(word < CHINESE for word in found) else _NONE


def _list_modifiers(clause: Clause, old: Statement) -> Words:
    """Return the new words of a subject that stand ahead of a known one."""
    if is_chinese(clause.text):
        ahead = _cut_known_end(clause, old)
        return frozenset(ahead) if ahead and ahead != clause.lead else _NONE
    if clause.subject.isdisjoint(old.words):
        return _NONE
    words = [word for word in list_words(clause.text) if word in clause.subject]
    return frozenset(words[: next(at for at, word in enumerate(words) if word in old.words)])


def _cut_known_end(clause: Clause, old: Statement) -> str:
    """Return what stands in a Chinese subject ahead of the first thing that is known."""
    said = clause.lead
    starts = [
        at
        for at in range(len(said) - 1)
        if _is_pair(said[at : at + 2]) and said[at : at + 2] in old.text
    ]
    starts += [
        said.find(word) for word in clause.subject & old.words if word < CHINESE and word in said
    ]
    ahead = said[: min(starts, default=len(said))].strip()
    return ahead if len(ahead) > 1 else ""


def _is_pair(text: str) -> bool:
    return len(text) > 1 and min(text) >= CHINESE and text.isalpha()


def _has_other_subject(clause: Clause, old: Statement) -> bool:
    """True if a sentence has a subject that the older statement does not name."""
    if is_chinese(clause.text):
        return (
            bool(clause.lead)
            and len(clause.lead) > 1
            and _cut_known_end(clause, old) == clause.lead
        )
    return clause.has_verb and bool(clause.subject) and clause.subject.isdisjoint(old.words)


def _has_fresh(cues: tuple[str, ...], text: str, known: str) -> bool:
    """True if a text has a cue that the older text does not have."""
    return has_any(tuple(cue for cue in cues if cue not in known), text)


def _calls_gone(new: Statement, at: int, old: Statement) -> bool:
    """True if a clause calls a thing of the older statement gone, there where that holds."""
    clause = new.clauses[at]
    if has_any(_CONDITIONS, clause.text) or is_chinese(clause.text) != is_chinese(old.text):
        return False
    if any(_is_about_other(each, old) for each in _list_claim(new, at)):
        return False
    if is_chinese(clause.text):
        return _calls_gone_in_chinese(clause, old)
    return _names_gone_thing(clause.text, old)


def _is_about_other(clause: Clause, old: Statement) -> bool:
    strange = _list_strange_places((clause,), old) or _list_modifiers(clause, old)
    numbered = clause.subject & clause.numbers - old.words and old.subject & old.numbers
    return bool(strange) or bool(numbered) or _has_other_subject(clause, old)


def _names_gone_thing(text: str, old: Statement) -> bool:
    """True if a thing that is gone is in the older statement, or a doing that is over."""
    text, known = f" {text} ", f" {old.text} "
    for _, at in _find_cues(text, GONE_AFTER, known):
        if not old.words.isdisjoint(list_words(text[at:])[:1]):
            return True
    for refused in (" don't ", " do not ", " doesn't ", " never "):
        _, found, doing = text.partition(refused)
        if found and has_any(OVER, doing) and not old.words.isdisjoint(list_words(doing)[:1]):
            return True
    return any(_is_all_known(text[:at], old) for at, _ in _find_cues(text, GONE_BEFORE, known))


def _is_all_known(text: str, old: Statement) -> bool:
    """True if the older statement has each thing that a text names, besides words for any thing."""
    if has_any(DUTY, text):
        return False  # it shall be gone at times
    things = [word for word in list_words(text) if word not in _ANY_THING]
    return bool(things) and old.words.issuperset(things)


def _calls_gone_in_chinese(clause: Clause, old: Statement) -> bool:
    text = clause.text
    for _, at in _find_cues(text, GONE_AFTER, old.text):
        if _begins_known(text[at:], old) and not _is_about_other(clause, old):
            return True
    for start, end in _find_cues(text, GONE_BEFORE, old.text):
        rest, ahead = text[end:].strip(" 了吧啦的呢"), text[:start]
        if has_any(DUTY, ahead) or (
            text[start:end] in GONE_AFTER and len(rest) > _FEW and rest not in _DOINGS
        ):
            continue  # it calls what follows gone
        said = read_clause(ahead)
        if said and _ends_known(ahead, old) and not _is_about_other(said, old):
            return True
    return False


def _find_cues(text: str, cues: tuple[str, ...], known: str) -> Iterator[tuple[int, int]]:
    """Yield where each cue begins and ends that the older text does not have."""
    ends = " " if cues is GONE_AFTER else ""
    for cue in cues:
        sought = cue if cue > CHINESE else f" {cue.strip()}{ends}"
        if cue not in known and (at := text.find(sought)) >= 0:
            yield at, at + len(sought)


def _begins_known(text: str, old: Statement) -> bool:
    """True if the first thing of a Chinese text is in the older statement."""
    text = text.lstrip(" 用使走写跑再放在要")
    latin = text[
        : next((at for at, char in enumerate(text) if char >= CHINESE or char == " "), None)
    ]
    if latin:
        return len(latin) > 1 and not old.words.isdisjoint(list_words(latin)[:1])
    return len(text) > 1 and text[:2] in old.text


def _ends_known(text: str, old: Statement) -> bool:
    """True if the last thing of a Chinese text is in the older statement."""
    for thing in _ANY_CHINESE_THING:
        text = text.rstrip(" 已都也全就被的经把").removesuffix(thing)
    text = text.rstrip(" 已都也全就被的经把")
    if text and text[-1] < CHINESE:
        last = list_words(text)[-1:]
        return any(word in old.words or word.partition(".")[0] in old.words for word in last)
    return _is_pair(text[-2:]) and text[-2:] in old.text if len(text) > 1 else False
