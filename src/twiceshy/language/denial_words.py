"""Words by which a text denies something, calls it over, or says nothing besides, in six languages."""

from __future__ import annotations

_GERMAN_DENYING = "nicht nie niemals kein keine keinen keinem keiner keines ohne"
_ROMANCE_DENYING = """ne pas jamais aucun aucune sans nunca jamás ningún ninguna ninguno sin tampoco não nunca nenhum
    nenhuma sem nem non mai nessun nessuna senza évite évitez evita evite evitar éviter evitare"""
_ENGLISH_DENYING = """no not never none nothing nobody neither nor without don't dont doesn't didn't won't can't cannot couldn't
    shouldn't mustn't needn't isn't aren't wasn't weren't hasn't haven't avoid forbid ban disallow"""
_FORBIDDEN = "forbidden banned disallowed prohibited verboten interdit prohibido proibido vietato"
_OVER_WORDS = """stopped stop dropped removed deleted gone deprecated retired obsolete unsupported abandoned disabled except excluded rejected
    unwanted abgeschafft entfernt"""
FORBIDDING = frozenset(
    f"{_ENGLISH_DENYING} {_GERMAN_DENYING} {_ROMANCE_DENYING} {_FORBIDDEN}".split()
)
_OVER = frozenset(_OVER_WORDS.split())
DENYING = FORBIDDING | _OVER
# These say which thing is meant, unless they end a clause or follow one of the others: "is allowed".
STATED = _OVER.union(
    _FORBIDDEN.split(),
    "allowed permitted okay ok fine used erlaubt permis permitido permesso".split(),
)
HELPING = frozenset(
    "is are was were been being be has have got we i they not never longer finally ist sind wurde wurden est a été es fue foi è stato".split()
)
# Up to an amount, which another one takes the place of: "never wait more than 5 s".
BOUNDING = frozenset("than exceed exceeds over above below under als más plus mais più".split())
CHINESE_BOUNDING = "超过 超出 低于 少于 多于 大于 小于".split()
# "n'utilisez", "l'API"
ELIDED = frozenset("n l d j qu c s m t un dell all nell sull dall".split())
_NO_DENIAL_ALONE = {"without"}
# Words that name nothing. "All", "old" and "new" are not among them: they say which.
EMPTY = (
    frozenset(
        f"""the a an any we you i they it he she please is are was were be been being
    has have had do does did will would shall should must may might can could need needs to of for in on at by with from into and or
    as so use uses using anymore again now currently nowadays yet already actually ever today let lets let's we're we've it's that's {_ENGLISH_DENYING}""".split()
    )
    - _NO_DENIAL_ALONE
)
GERMAN_EMPTY = frozenset(
    f"""der die das den dem des ein eine einen einem einer eines wir ihr sie man es ist sind wird werden wurde wurden darf dürfen soll
    sollen muss müssen kann können verwenden verwende verwendet benutzen benutze benutzt nutzen nutze nutzt bitte ab jetzt nun wieder
    mehr für in im am an auf mit von vom zu zum zur und oder {_GERMAN_DENYING}""".split()
) - {"ohne"}
ROMANCE_EMPTY = frozenset(
    f"""le la les l un une des du de d el los las unos unas o os as um uma il lo gli i uno dei delle da do dos das nous vous on ils elles
    se noi usar uses usa usad usamos usan utiliser utilisez utilisons utilise utilizar utiliza utilizamos usare usate usiamo utilizzare
    est sont es son são sono è é doit doivent debe deben deve devono peut puede può pode plus ya già já déjà maintenant ahora agora
    adesso ora nouveau nuevo à a al au aux en dans em no na con avec com su sur por para pour per et y e ou o
    {_ROMANCE_DENYING}""".split()
) - {"sans", "senza", "sem", "sin"}
# Of a list, the rest goes on if one thing is over.
LISTING = frozenset("and or und oder et ou y e 和 与 或 及 、".split())
# Words that tell the language of a text which is too short for its grammar to tell it.
GERMAN_SIGNS = frozenset("nicht kein keine keinen verwenden verwende benutzen nutzen".split())
ROMANCE_SIGNS = frozenset("ne ya não jamais jamás nunca usar utiliser utilizar".split())
# From one of these on, a clause gives a reason, or what to do instead.
TURNING = frozenset(
    """because since but instead rather although otherwise weil denn sondern stattdessen parce car mais plutôt porque sino pero mas
    perché ma bensì""".split()
)
CHINESE_TURNING = "因为 由于 而是 改用 改为 改成 换成 但".split()
# What says that a thing is over, not only that it is not: the second word follows soon after the first.
ENDING = tuple(
    (first, second)
    for first, second in (
        pair.split()
        for pair in """no longer|any more|any longer|not anymore|don't anymore|stop using|we stopped|was stopped|was removed|were removed
        |is removed|was dropped|were dropped|is gone|are gone|was retired|is retired|is deprecated|was deprecated|is obsolete|nicht mehr|keine mehr
        |kein mehr|keinen mehr|wurde abgeschafft|wurde entfernt|ne plus|ya no|já não|não mais|non più""".split(
            "|"
        )
    )
)
CHINESE_ENDING = "不再 不用了 停用 弃用 废弃 下线 已经不 没有了 不要再 别再 作废 已移除 已删除 淘汰 退役".split()
CHINESE_DENYING = (
    "不 别 禁止 严禁 切勿 请勿 勿 无需 没有 停用 弃用 废弃 下线 作废 移除 淘汰 退役 取消".split()
)
# The longer ones first, of which a shorter one is a part.
CHINESE_EMPTY = sorted(
    """不要再 不再 不要 别再 不准 不许 不能 不得 不允许 不可以 不可 不必 不用了 不用 无需 请勿 切勿 禁止 严禁 允许 可以 能够 别 不 勿 停用 弃用
    废弃 下线 作废 移除 没有 淘汰 退役 取消 使用 用 请 已经 已 现在 目前 如今 以后 今后 从现在起 一律 我们 咱们 必须 应该 务必 应 能 要 会 也 又 再
    都 就 了 把 被 是 在 将 掉 吧""".split(),
    key=lambda cue: -len(cue),
)
