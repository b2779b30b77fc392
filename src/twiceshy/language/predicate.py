"""Whether two clauses say the same kind of thing about a subject, such as where it is.

"The cache lives in S3" and "the cache moved to GCS" do; "the cache is cleared on Mondays" says
something else about the same cache, and both hold.
"""

from __future__ import annotations

from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.language.statement import Clause

# Verbs that only tie a value to its subject, and verbs that give it another value.
_TYING = frozenset(
    map(
        stem_word,
        """is are was were be been being go goes went live lives run runs sit sits stay stays belong belongs come comes
        start starts begin begins end ends lie lies stand stands store stored keep keeps kept host hosted use uses used
        using put done do handle handled manage managed publish published send sent write goes found placed located
        made get gets got tracked managed set points point happen happens ask pick read based written take takes deploy
        deployed deploys""".split(),
    )
)
_CHANGING = frozenset(
    map(
        stem_word,
        """moved moving switched changed replaced upgraded updated bumped raised raise lowered reduced increased extended
        resized renamed became become migrated set shortened cut dropped""".split(),
    )
)
_SAYING_NOTHING = frozenset(map(stem_word, "have has had can could will would may might".split()))
_CHINESE_FILLING = "现在 默认 统一 全部 全面 一律 已经 目前 直接 上周 昨天 今天 都 已 也 先 会 请 就 则 均 本地 一直 主要 一般 先".split()
_CHINESE_TYING = "用 走 是 跑 放 存 在 叫 为 找 由 发 设 部署 写 保留 留 上限 超时 缩进".split()
_CHINESE_CHANGING = "换 改 升 提 调 变 切 转 降 涨 延 缩".split()
_CHINESE_MOVING = "搬 迁 挪 移".split()
_CHINESE_PLACES = "放 存 在 跑 发 走 是".split()


def say_same_kind(newer: Clause, older: Clause) -> bool:
    """True if two clauses tie a value of one kind to a subject."""
    if newer.says_amount != older.says_amount:
        return False
    if newer.lead or older.lead:
        return _match_chinese(_cut_verb(newer), _cut_verb(older))
    mine, yours = (_list_telling_verbs(clause) for clause in (newer, older))
    return mine == yours


def _list_telling_verbs(clause: Clause) -> frozenset[str]:
    """Return the verbs that say more than a tie or a change."""
    return clause.verbs - _TYING - _CHANGING


def _cut_verb(clause: Clause) -> str:
    """Return a Chinese clause from its verb on."""
    rest = clause.text.partition(clause.lead)[2].strip() if clause.lead else clause.text
    while filling := next((each for each in _CHINESE_FILLING if rest.startswith(each)), ""):
        rest = rest.removeprefix(filling).strip()
    return rest


def _match_chinese(newer: str, older: str) -> bool:
    ties = [any(rest.startswith(verb) for verb in _CHINESE_TYING) for rest in (newer, older)]
    if any(newer.startswith(verb) for verb in _CHINESE_MOVING):
        return any(older.startswith(verb) for verb in _CHINESE_PLACES)
    changes = any(newer.startswith(verb) for verb in _CHINESE_CHANGING)
    if ties[1] or not older or older[0] < "\u2e80":
        return changes or ties[0] or not newer or newer[0] < "\u2e80"
    return newer[:1] == older[:1] or (changes and older[0].isdigit())
