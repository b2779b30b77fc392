"""Words that say that something changed, and leave the statement whole when they are taken out."""

from __future__ import annotations

# Clauses that only announce a change.
ANNOUNCING = frozenset(
    (
        "actually|correction|update|edit|scratch that|strike that|forget that|korrektur|eigentlich|richtigstellung|en fait"
        "|corrección|en realidad|na verdade|correção|in realtà|correzione|更正|纠正|订正|修正|更新|其实|改口"
    ).split("|")
)
CHANGED = (
    "from now on|as of now|as of today|these days|actually|currently|nowadays|now|instead|ab jetzt|ab sofort|künftig|mittlerweile"
    "|inzwischen|jetzt|nun|à partir de maintenant|désormais|dorénavant|maintenant|en fait|a partir de ahora|desde ahora|en realidad|ahora"
    "|a partir de agora|na verdade|agora|d'ora in poi|in realtà|adesso|ora"
).split("|")
# "The limit was raised to 5" says again that the limit is something.
CHANGED_TO = [
    f"{being} {verb} to"
    for being in ("was", "were", "has been", "is", "got")
    for verb in "raised lowered changed increased reduced set moved extended shortened bumped upgraded".split()
]
INSTEAD = (
    "instead of|rather than|in place of|anstelle von|anstatt|statt|au lieu de|à la place de|en lugar de|en vez de"
    "|em vez de|no lugar de|invece di|al posto di"
).split("|")
FORGETTING = (
    "forget ",
    "vergiss ",
    "oublie ",
    "oubliez ",
    "olvida ",
    "esquece ",
    "dimentica ",
    "忘掉",
)
ARTICLES = frozenset("the a an der die das den le la les el los las il lo o os as".split())
# Words of other languages that begin a place or a purpose.
PLACING = frozenset("in im auf für bei am en dans pour sur para nel nella per em no na".split())
# The longer ones first.
CHINESE_CHANGED = "从现在起 从今天起 即日起 现在 目前 如今 今后 以后 其实 更正 已经 已".split()
CHINESE_CHANGED_TO = "调整为 调整到 提高到 提升到 降低到 增加到 减少到 延长到 缩短到 调到 推迟到 提前到 提到 降到 升到 改成 改为 换成".split()
# What "changed to" leaves when only the new state is told.
CHINESE_CHANGES = {
    "改用": "用", "换用": "用", "换为": "用",
    **{f"改{verb}": verb for verb in "发走由放送到提在存写跑"},
}  # fmt: skip
RENAMED = (
    "was renamed to|is renamed to|has been renamed to|got renamed to|were renamed to|renamed to|is now called|is now named|wurde in"
    "|heisst jetzt|a été renommé en|a été renommée en|s'appelle maintenant|s'appelle désormais|fue renombrada a|fue renombrado a"
    "|ahora se llama|foi renomeado para|è stato rinominato in|改名为|更名为|改名叫|改名成|重命名为|改叫|改名到"
).split("|")
SPLIT_RENAMED = ("wurde in", "umbenannt")  # "develop wurde in main umbenannt"
# Folded, as the texts are: "heißt" is "heisst".
NAMING = "called|named|name is|name of|heisst|s'appelle|se llama|chama-se|si chiama|叫|名为|命名|名字是|名称是".split(
    "|"
)
HANDED_OVER = (
    "took over|taken over|takes over|has replaced|hat übernommen|übernimmt|übernommen|a repris|reprend|ha asumido|asume|assumiu|接手|接管|接替|接任"
).split("|")
HOLDING = frozenset(
    """leads owns maintains reviews manages handles approves coordinates runs signs leitet verantwortet pflegt prüft dirige maintient gère
    mantiene revisa gestiona""".split()
)
# "Ann is the ..."
BEING = frozenset({("is", "the"), ("ist", "der"), ("ist", "die"), ("ist", "das"), ("est", "le"), ("est", "la"), ("es", "el"),
    ("es", "la"), ("é", "o"), ("é", "a"), ("è", "il"), ("è", "la"), ("is", "our"), ("is", "responsible")})  # fmt: skip
CHINESE_HOLDERS = "负责人 经理 主管 组长 管理员 联系人 值班 接口人 维护者 责任人 审核人".split()
CHINESE_HOLDING = "负责 维护 管理 审核 主导".split()
AGAIN = "again|wieder|de nouveau|à nouveau|de nuevo|otra vez|novamente|di nuovo|又|重新|恢复|放开|解禁".split(
    "|"
)
