"""Words that amend what was said before, in English and Chinese."""

from __future__ import annotations

_CHINESE = "\u2e80"


def _list_cues(english: str, chinese: str) -> tuple[str, ...]:
    """Split cues at bars; a blank at an end belongs to a cue."""
    joined = "|".join(line.lstrip() for line in f"{english}\n{chinese}".splitlines())
    return tuple(filter(None, joined.split("|")))


# What says that something said before is wrong or over.
CORRECTING = _list_cues(
    """scratch that|strike that|correction:|correction -|edit:|update:|turns out|turned out|ignore what|ignore my|ignore that note
    forget what|forget my|what i said|i said before|i was wrong|no longer applies|no longer holds|does not apply any|doesn't apply any
    is void|rule is off|after all,|after all .|superseded|is outdated|no longer true|not true any|from now on|as of now|as of today
    changed my mind|on second thought|never mind|overruled|going forward|my mistake|my bad""",
    """更正|纠正|订正|作废|之前说|之前定|之前写|先前说|以前说|上次说|前面说|说错|记错|搞错|写错|其实|不算数|推翻|废止|失效|不成立|从现在起|即日起
    从今天起|从今往后|今后|以后都|以后一律|以后不|以后改|以后用|改口|改主意|收回""",
)
# What says that a thing has changed.
CHANGING = _list_cues(
    """no longer|not any more|any more|anymore|any longer|instead|now |nowadays|switched|we switch|switch to|moved|moving to|migrated|migration to
    replaced|replaces|deprecated|sunset|dropped|we drop|gone|rather than|changed|became|become|upgraded|updated to|got updated|bumped|raise|raised
    lowered|reduced|increased|extended|resized|renamed|retired|removed|deleted|archived|cancelled|canceled|abandoned|gave up|given up
    went with|went back|go back to|back to|we're on|we are on|new default|is over|is done|is finished|frozen|goes away|took over|phased out
    rolled back|we decided|not needed|isn't needed|unnecessary|isn't used|unused|shut down|we have since|since may|end of life""",
    """不再|改用|改为|改成|改走|改由|改到|改在|改放|换成|换到|换用|换了|换为|改了|现在|取代|替代|代替|替换|弃用|废弃|停用|下线|下掉|取消|不用再|不用了
    不需要了|不需要|没了|删掉|删了|删光|已删|移除|移到|迁到|迁移到|已迁|迁走|搬到|搬完|搬去|整套搬|升到|升级到|升级了|提到|调到|调整为|调成|关掉|关了|到期|没续
    清空|清完|卸了|卸载了|退役|而不是|别再|接手|接管|合并到|拆到|放开|解禁|已开放|涨到|降到|缩到|延到|延长到|提前到|推迟到|变成|变为|变更为|切到|切换到
    转到|转为|回到|成了|不走""",
)
# What calls the thing gone, or the doing over, that is named right after it.
GONE_AFTER = _list_cues(
    """no longer|no longer use|no more|no |not |nothing |dropped|drop |gave up on|give up on|given up on|off |instead of|rather than|replaced|replaces
    replacing|without|stop using|stopped using|stop |stopped|rid of|cancelled|canceled|away from|switched from|migrated from|moved from|changed from
    went from|forget|forget about|abandoned|we removed|we deleted|killed|retired|ditched|kicked out|thrown out|don't use|dont use|do not use
    never use|we left""",
    """不再|不用再|不用|别再|不要|别用|别|弃用|停用|取消|删掉|删了|去掉|换掉|取代|替代|代替|而不是|淘汰|废弃|没有|不走|不放|放弃|抛弃|替换|禁用|下掉""",
)
# What calls the thing gone that is named right before it.
GONE_BEFORE = _list_cues(
    """is gone|are gone|was dropped|were dropped|is dropped|was removed|were removed|is removed|was deleted|were deleted|deleted|archived|obsolete
    deprecated|sunset|replaced by|was retired|is retired|cancelled|canceled|frozen|read-only|read only|abandoned|not needed|isn't needed|aren't needed
    isn't used|isn't necessary|is unused|emptied|does not exist|doesn't exist|don't exist|is rejected|are rejected|left|is void|void|superseded
    unnecessary|can go|may go|can be deleted|can be removed|diverged|is out|are out|is dead|is over|was shut down|is shut down|is lifted|not accepted
    goes away|is history|is wrong|was wrong|phased out|not supported|unsupported|is closed|has closed|was stopped|end of life|is no longer used
    no longer used|no longer needed|no longer valid|no longer true|no longer applies|no longer holds|no longer exists|no longer supported
    no longer maintained|no longer required|no longer necessary|no longer there|ended""",
    """停用|下掉|下线|没了|没有了|删|移除|作废|取消|不用了|不用|不需要|不走|不再用|弃用|废弃|别再|没续|清空|卸|退役|占|离职|调去|调走|停|拆|去掉|不管|别用|别动
    到期|关了|关掉|挂了|不维护|放开|清完|不能用|退回|被退|不要|别开|只是忘了|关闭|过期|淘汰|不存在|下架|走了|走人|撤了|撤掉|退了|要收费""",
)
OVER = ("any more", "anymore", "any longer")
DUTY = ("must", "should", "need to", "needs to", "have to", "has to", "每", "要", "必须", "定期")
# What says that the older note holds for the rest.
EXCEPTING = _list_cues(
    """except|exception|unless|only feature|one place where|nothing changes|stays|as before|unchanged|is tolerated|are tolerated|is fine in|are fine in
    ok inside|ok in |also |besides|in addition|additionally|as well|on top of that|on purpose|obviously|for that one|on that one|needn't|the rest
    unaffected|separately|still applies|still holds|other than|apart from|just for|only for|only in|a new |another |a second |additional""",
    """例外|除外|除了|除非|另外|此外|不变|不动|照旧|仍然|依旧|还是|同时|补充|也要|也得|也可以|只限|仅限|仅在|没问题|额外|特殊|另说|错开|还要|新加|新增|另一""",
)
# What forbids something.
AGAINST = _list_cues(
    """don't|dont|do not|never|must not|mustn't|no |not |stop |avoid|cannot|can't|needn't|no need|isn't|without|forbidden|banned|out of scope|disable|off""",
    """不要|别|禁止|不准|不许|严禁|不能|不用|不再|切勿|请勿|不得|不允许|不可|不必|无需|不走|不""",
)
# What says how things are by now.
CURRENT = _list_cues(
    "now |now.|now,|nowadays|currently|these days|at the moment|has been|have been|got |we've|instead",
    "现在|目前|已经|已|了|如今|改|换",
)


def has_any(cues: tuple[str, ...], text: str) -> bool:
    """True if a folded text has one of the cues, an English one at the start of a word."""
    padded = f" {text} ."
    return any((cue in text) if cue > _CHINESE else (f" {cue}" in padded) for cue in cues)
