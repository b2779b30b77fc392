"""Whether a text says again what an older one says, but for one thing that changed.

"Actually, deploy with Terraform" is "Deploy with Ansible" with another tool. Words of change and clauses that
only call the older thing gone are taken out; what is left must repeat the older text with one part replaced.
"""

from __future__ import annotations

from twiceshy.language.alignment import align_texts
from twiceshy.language.denial import has_more, is_denial, is_foreign, list_things
from twiceshy.language.restatement_words import (
    AGAIN,
    ANNOUNCING,
    ARTICLES,
    BEING,
    CHANGED,
    CHANGED_TO,
    CHINESE_CHANGED,
    CHINESE_CHANGED_TO,
    CHINESE_CHANGES,
    CHINESE_HOLDERS,
    CHINESE_HOLDING,
    FORGETTING,
    HANDED_OVER,
    HOLDING,
    INSTEAD,
    NAMING,
    PLACING,
    RENAMED,
    SPLIT_RENAMED,
)
from twiceshy.language.statement import is_chinese, read_statement
from twiceshy.language.statement_words import CHINESE, TRIMMED
from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.language.alignment import Alignment

_FORGOTTEN = frozenset(stem_word(sign.strip()) for sign in FORGETTING)
_MOST, _MOST_CHINESE = 3, 8  # words or characters of a part that is replaced


def says_again(newer: str, older: str, *, is_apart: bool) -> bool:
    """True if a text announces a change, and repeats the older one but for one part.

    What is changed is no subject or place, unless the text says what it takes the place of.
    """
    clauses = [clause.text for clause in read_statement(newer).clauses]
    bare = [_cut_replaced(said, older) for said in clauses if not _is_gone(said, older)]
    names_gone = bare != clauses
    told = [said for said in bare if said not in ANNOUNCING]
    kept = [strip_change(said, older) for said in told]
    announces = names_gone or told != bare
    candidates = [
        (", ".join(kept), kept != told),
        *zip(kept[:1], [kept[:1] != told[:1]], strict=False),
    ]
    return any(
        (changes or announces)
        and replaces_one_part(alignment := align_texts(said, older))
        and (names_gone or not _is_about_other(alignment, older, is_apart=is_apart))
        for said, changes in candidates
    )


def _is_gone(said: str, older: str) -> bool:
    """True if a clause only calls gone what the older text names."""
    over = is_denial(said) or said.startswith(FORGETTING)
    things = [thing for thing in list_things(said, older) if thing not in _FORGOTTEN]
    return over and not has_more(things, list_things(older, said))


def _is_about_other(alignment: Alignment, older: str, *, is_apart: bool) -> bool:
    """True if what differs is the subject or a place; in other languages as far as the order tells."""
    if is_chinese(older) or not is_foreign(older):
        return is_apart
    words = older.casefold().split()
    before = words[: round(alignment.first_change * alignment.length)]
    return not before or before[-1] in PLACING


def replaces_one_part(alignment: Alignment) -> bool:
    """True if two texts differ in one short part, and neither has a word more elsewhere."""
    if not alignment.is_even or len(alignment.replaced) != 1:
        return False
    old, new = alignment.replaced[0]
    most = _MOST_CHINESE if (*old, *new)[0] >= CHINESE or max((*old, *new)) >= CHINESE else _MOST
    return max(len(old), len(new)) <= most


def renames(newer: str, older: str) -> bool:
    """True if a text gives another name to what the older one names."""
    said, known = newer.casefold(), older.casefold()
    named, found = _cut_at(said, RENAMED)
    if found == SPLIT_RENAMED[0] and SPLIT_RENAMED[1] not in said:
        return False
    things = list_things(named, known) if found else []
    return (
        bool(things) and _has_any(NAMING, known) and not has_more(things, list_things(known, said))
    )


def allows_again(newer: str, older: str) -> bool:
    """True if a text lifts what the older one forbids: "lodash may be used again"."""
    if not is_denial(older) or is_denial(newer):
        return False
    said = newer.casefold()
    lifted = _has_any(AGAIN, said) or ("可以" in said and said.rstrip("。.!！").endswith("了"))
    for sign in AGAIN:
        said = said.replace(sign, " ") if sign > CHINESE else said
    things, known = list_things(said, older), list_things(older, newer)
    return lifted and not has_more(things, known) and 2 * len(things) >= len(known) > 0


def hands_over(newer: str, older: str) -> bool:
    """True if somebody has taken over from somebody what the older text says of that one."""
    said = newer.casefold()
    heir, found = _cut_at(said, HANDED_OVER)
    if not found:
        return False
    things = list_things(said.partition(found)[2], older)
    known = list_things(older, newer)
    if not things or has_more(things, known) or not has_more(list_things(heir, older), known):
        return False
    return is_holder(older) or len(known) - len(things) <= 1


def is_holder(text: str) -> bool:
    """True if a text says who has a role: "Ann leads the team"."""
    said = text.casefold()
    if is_chinese(said):
        return any(sign in said for sign in (*CHINESE_HOLDERS, *CHINESE_HOLDING))
    words = [word.strip(TRIMMED) for word in said.split()]
    return (
        tuple(words[1:3]) in BEING
        or not HOLDING.isdisjoint(words[1:3])
        or _has_any(("owned by", "on call"), said)
    )


def gives_role_anew(newer: str, older: str) -> bool:
    """True if a role that one person has is given to another one: "Ben is the release manager"."""
    bare = strip_change(newer, older)
    is_sole = _has_sole_role(older) or (bare != newer.casefold() and is_holder(older))
    return is_sole and _names_another(bare, older)


def names_other_holder(newer: str, older: str) -> bool:
    """True if another one is said to do what somebody does, which both may do."""
    bare = strip_change(newer, older)
    return is_holder(older) and (_names_another(bare, older) or _inflects_another(bare, older))


def _has_sole_role(text: str) -> bool:
    said = text.casefold()
    if is_chinese(said):
        return any(f"{holder}是" in said for holder in CHINESE_HOLDERS)
    return tuple(word.strip(TRIMMED) for word in said.split()[1:3]) in BEING


def _names_another(newer: str, older: str) -> bool:
    """True if only a name differs, where a sentence begins or a Chinese one may end."""
    alignment = align_texts(newer, older)
    if not replaces_one_part(alignment):
        return False
    old, new = alignment.replaced[0]
    if is_chinese(older):
        return max(len(old), len(new)) <= len("欧阳小明")
    return alignment.first_change == 0.0 and len(old) == len(new) == 1


def tells_change(newer: str, older: str) -> bool:
    """True if a text has words of change that the older one does not have: "from now on", 改为."""
    said, known = newer.casefold(), older.casefold()
    return strip_change(said, known) != said and strip_change(known, said) == known


def _inflects_another(newer: str, older: str) -> bool:
    """True if another name begins a sentence, and the rest has at most other endings and articles."""
    alignment = align_texts(newer, older)
    if not alignment.is_even or alignment.first_change > 0.0:
        return False
    first, *rest = alignment.replaced
    are_forms = all(map(_are_forms, *zip(*rest, strict=True))) if rest else False
    return len(first[0]) == len(first[1]) == 1 and are_forms


def _are_forms(old: Sequence[str], new: Sequence[str]) -> bool:
    """True if words are equal but for articles, and for what follows in the longer ones."""
    pairs = zip(_drop_articles(old), _drop_articles(new), strict=False)
    return len(old) == len(new) and all(
        one.startswith(other) or other.startswith(one) for one, other in pairs
    )


def _drop_articles(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in ARTICLES]


def strip_change(newer: str, older: str) -> str:
    """Take out words of change, and put "is" for "was raised to"."""
    said = newer.casefold()
    if is_chinese(said):
        return _strip_chinese_change(said, older)
    padded = f" {said} "
    for sign in CHANGED:
        padded = padded.replace(f" {sign} ", " ")
    being = next((verb for verb in ("are", "was") if f" {verb} " in older.casefold()), "is")
    for sign in CHANGED_TO:
        padded = padded.replace(f" {sign} ", f" {being} ")
    return padded.strip()


def _strip_chinese_change(said: str, older: str) -> str:
    for sign in CHINESE_CHANGED:
        said = said.replace(sign, "")
    for sign in CHINESE_CHANGED_TO:
        said = said.removeprefix(sign) if said.startswith(sign) else said.replace(sign, "是")
    for sign, left in CHINESE_CHANGES.items():
        said = said if sign in older else said.replace(sign, left)
    return said


def _cut_replaced(said: str, older: str) -> str:
    """Take out "instead of npm", if the older text names that."""
    known = {stem_word(word.strip(TRIMMED)) for word in older.casefold().split()}
    for sign in INSTEAD:
        ahead, found, rest = f" {said}".partition(f" {sign} ")
        words = [word for word in rest.split() if word not in ARTICLES]
        if found and words and stem_word(words[0].strip(TRIMMED)) in known:
            return f"{ahead} {' '.join(words[1:])}".strip()
    return said


def _cut_at(said: str, signs: Sequence[str]) -> tuple[str, str]:
    """Return what stands before the first of some signs that a text has, and the sign."""
    for sign in signs:
        if sign in said:
            return said.partition(sign)[0].strip(), sign
    return said, ""


def _has_any(signs: Sequence[str], said: str) -> bool:
    return any(sign in said for sign in signs)
