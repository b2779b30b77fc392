"""Wordings of corrections in English and Chinese: patterns with a weight and a category.

Chinese is in simplified characters, because sentences are folded to them.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    # ``preference`` holds for all time; ``revert`` takes back what was done; ``not-working`` says
    # that the last attempt did not help, which is an outcome and never a rule
    Sort = Literal["correction", "preference", "revert", "not-working"]


class Cue(Value):
    """A cue; ``wording`` is a pattern for lower case and simplified characters."""

    wording: str
    weight: int
    category: Sort = "correction"


# Where an order may begin: with the sentence, with a clause, or behind what leads to one.
_FIRST = r"(?:^|[.:;!?]\s+|\(|\b(?:please|pls|no|actually|so),?\s+)"
_CLAUSE = r"(?:^|[.,:;!?]\s+|\(|\b(?:please|pls|but|and|no|ok|so|because|also|actually|now on)\s+)"
_ORDER = (
    r"(?:^|[.,:;!?]\s+|\(|\b(?:please|pls|just|no|ok|so|but|and|then|let's|lets|you|you to|we should"
    r"|need to|have to|(?:can|could|would) (?:you|we)|let us)\s+)"
)
_START = (
    r"(?:^|[.,:;!?()\[\]–—]\s*|-\s+|\b(?:please|pls|just|and|but|so|then|also|or|no|ok|okay|yes|well"
    r"|again|actually|instead|you|we|to|can|could|would|should|let's|lets|must|i'd|simply|rather|now on),?\s+)"
)
_NO_RULE = r"(?:be|have|had|the|a|gets|goes|works|shows|returns|comes|ends|runs|finishes|stops|starts|happens|appears|(?!need|embed|feed)\w+ed|shown|seen|done|written|made|found)\b"
_NO_ORDER = r"(?:know|think|see|seem|get|understand|really|always|even|yet|we|you)\b"
_NOT = r"(?:don't|dont|do not|never)"
_DONT = rf"{_NOT} (?:ever |just |even |also )?(?!{_NO_RULE}|{_NO_ORDER})[a-z]+"
_IT = r"(?:it|that|this|these|those|they|them|everything|all of (?:it|this|that))"
_BE = r"(?:'s|'re| is| are| was| were| looks?| seems?| feels?)"
_ADVERBS = r"(?: (?:still|also|just|completely|totally|really|quite|simply|all|clearly|a bit))*"
_FULLY = r"(?:fully |entirely |really |quite |completely |exactly |at all |very )?"
_RATHER = r"(?:a (?:bit|little) |too |very |quite |rather |so |really )?"
_RIGHT = r"right|correct|true|accurate|good|great|ideal|appropriate|acceptable|intended|how|what"
_NEEDED = r"needed|necessary|required|help(?:ful|ing)|useful|expected|allowed|wanted|enough|ok(?:ay)?|quite"
_ODD = r"(?:confusing|misleading|ugly|weird|odd|strange|hacky|messy|yuck|awkward|inconsistent|redundant)"
_WELL = r"(?:yeah|yes|yep|ok|okay|hm+|right|sure|well|true|no)"
_OH = r"^(?:(?:oh|ah|uh|hm+|ugh|well|ok|okay|sorry|but|and|so|no|please),? )?"
_MINE = r"(?:i|we)(?:'ve| have)?(?: just| also| already| only| clearly| explicitly)*"
_YOURS = r"you(?:'ve| have)?(?: just| also| again| still| completely| already| even| now)*"

# Covered before cues are looked for.
_ENGLISH_HARMLESS = (
    r"\bno(?: big)? (?:problem|worries|worry|rush|hurry|idea|thanks|thank you|doubt|wonder|matter|deal"
    r"|one|longer|more|issues?|errors?|questions?|changes|comments?|objections?|other|such|bugs?"
    r"|warnings?|failures?|reason|harm|pressure|way)\b",
    r"\b(?:not|isn't|aren't|nothing|never|anything|something|what|what's|whats|went|go|goes|if|whether"
    r"|when|where|why|any|could be|might be|may be|can be) (?:\w+ ){0,3}(?:wrong|incorrect|broken|mistaken|missing)\b",
    r"\b(?:if|whether|when|in case|unless|because|since) (?:\w+ ){0,3}(?:is|are|it's|does)(?: not|n't) "
    r"(?:\w+ed|work\w*|necessary)\b|\b(?:if|when|whether|unless|until|once|in case|why) (?:\w+ ){0,3}fail\w*",
    r"\bnot (?:bad|only|sure|yet|necessarily|just|at all|too bad|least|to mention|that (?:i|it|bad))\b",
    r"\b(?:don't|dont|do not) (?:worry|mind|hesitate|know|think|get me wrong|you|we|they|i)\b",
    r"\b(?:don't|dont|do not) [a-z]+ (?:anything|any code|any files?)\b(?=\W*$|[,.;!?]| (?:yet|else|just|for))",  # part of a request
    r"\bi (?:don't|dont|do not) (?:understand|get|remember|believe|have|care)\b",
    r"\b(?:why|how come|if|when|because|since|that|which|who|where|tests?|users?|people|functions?"
    rf"|it|they|he|she) (?:\w+ )?{_NOT}\b",
    r"\b(?:an?|the|our|your|its|and|with|support|add|implement|of|for|redo and) "
    r"(?:undo|revert|rollback|roll back)\b|\bundo ?[/&]|\bundo and redo\b",
    r"\b(?:undo|revert|rollback) (?:button|feature|command|stack|history|support|action|function"
    r"|operation|logic|flow|script|strategy|endpoint|commits?|key|shortcut|is|works)\b",
    r"\b(?:(?!guess)\w+s that|which|who|places|files|ones) (?:are |is )?still\b",
    r"\b(?:sure|should|must|will|would|can|could|if|whether|while|does|want|to) (?:\w+ ){0,2}still\b",
    r"\bso (?:that )?(?:we|it|you|they|i) (?:don't|dont|do not|never|can)\b",
    r"\b(?:once|when|after|if|before|until|as soon as) you(?:'ve| have)? \w+",
    r"\b(?:can't|cannot|couldn't) go wrong\b|\bstop (?:button|sign|word|signal|event|hook)s?\b",
    r"\b(?:works?|working|worked|fixed) (?:now|again|as expected|fine|great|well)\b",
)

_ENGLISH = (
    # no, wrong, not what I asked for
    Cue(rf"{_OH}(?:no|nope|nah)\b(?!\.\d)", 3),
    Cue(rf"{_OH}(?:wait|hold on|hang on)\b(?! (?:for|until|till)\b)", 1),
    Cue(rf"{_OH}stop\b(?! [a-z]+ing)", 3),
    Cue(rf"\b(?:{_IT}|you|which|part|one|there){_BE}{_ADVERBS} (?:wrong|incorrect|false|backwards?"
        rf"|mistaken|a mistake|not {_FULLY}(?:{_RIGHT}|{_NEEDED}|supposed))\b", 4),
    Cue(r"^(?:that's |it's |so |still |all |completely )*(?:wrong|incorrect|false|not (?:right|correct"
        r"|true|quite|there|here|like|in|on|as|with|that|this|those|the))\b", 4),
    Cue(r"\b(?:is|are|was|were|looks?) (?:still |just |completely |all )?wrong\b(?! with)", 4),
    Cue(r"(?:\bis|'s|\bwas|\byou \w+|\byou \w+ (?:it|that|this|them|in|on|to|from)) (?:in |on |to |from )?the wrong\b", 4),
    Cue(rf"\b(?:is|are)(?:n't| not) {_FULLY}(?:{_RIGHT})\b", 4),
    Cue(rf"(?:\b(?:is|are|was)|{_BE}) {_RATHER}{_ODD}\b", 2),
    Cue(rf"\b{_IT}{_BE} {_RATHER}{_ODD}\b", 1),
    Cue(r"\b(?:i|we)(?:'d| would)? (?:have )?expect(?:ed)?\b", 3),
    Cue(r"\b(?:doesn't|does not|didn't|don't) (?:look|seem|feel|sound|make) (?:right|correct|good|sense)\b", 3),
    Cue(r"\bnot what (?:i|we|you|was|it)\b", 5),
    Cue(rf"\b{_MINE} (?:said|meant|told you|asked (?:for|you|to)|was asking|wasn't asking|wanted you)\b"
        r"|\bi(?:'m| am| was) (?:talking about|referring to|questioning)\b|\bmy point (?:is|was)\b", 4),
    Cue(r"\b(?:i|we) (?:didn't|did not|never) (?:say|said|ask|asked|mean|meant|tell|told|want|wanted)\b", 4),
    Cue(r"\bnot expected\b|\bunexpected\b|\bsupposed to\b", 2),
    # what you did
    Cue(rf"\b{_YOURS} (?:forgot|forgotten|missed|broke|broken|removed|deleted|ignored|skipped|overwrote"
        r"|overwritten|misunderstood|misread|misspelled|mixed up|messed up|lost|dropped|failed|invented"
        r"|hallucinated|made (?:that|this|it) up|confused|duplicated|hardcoded|hard-coded)\b", 4),
    Cue(r"\byou (?:didn't|did not|haven't|have not|were supposed|weren't|shouldn't have|should not have"
        r"|keep \w+ing|never (?:ran|did|checked|tested|read|asked))\b", 4),
    Cue(r"\byou should have (?!access|everything|all\b|the\b|an?\b|enough|no\b|it\b|to\b|permission)", 4),
    Cue(r"\byou(?:'re| are) (?:still |again |also )*(?:missing|not \w+ing|ignoring|forgetting"
        r"|over-?complicating|over-?engineering|confusing|mixing|misunderstanding|assuming|guessing|wrong)\b", 4),
    Cue(rf"\b{_YOURS} (?:put|placed|attached|added|changed|used|created|named|wrote|renamed|moved"
        r"|committed|pushed)\b", 1),
    Cue(r"\bwhy (?:did|are|would|have) you\b(?! think)", 2),
    # do not
    Cue(rf"{_FIRST}{_DONT}", 1),
    Cue(rf"{_START}{_DONT}", 2),
    Cue(rf"\b(?:please|pls) (?:{_NOT}|stop)\b", 3),
    Cue(rf"{_START}stop [a-z]+ing\b", 3),
    Cue(r"\b(?:should|must)(?:n't| not| never)\b|\bcan't just\b", 2),
    Cue(rf"{_CLAUSE}(?:really |actually )?(?:i|we) (?:really |also |just |explicitly )?{_NOT} "
        rf"(?!{_NO_RULE}|{_NO_ORDER})\w+", 3),
    Cue(r"\byou (?:don't|do not) (?:have|need) to\b|\bno need (?:to|for)\b", 3),
    Cue(r"\blet'?s not\b|\bavoid [a-z]+ing\b|\bcan (?:you|we) not\b", 3),
    # this, not that
    Cue(rf"{_START}(?:use|using|call|name|put|make|run|keep|want|take|write|go with|pick)\b.{{1,60}}?"
        r"(?:,? and not\b|, not\b(?! only)|\binstead\b|\brather than\b)", 3),
    Cue(rf"{_START}(?:use|using|call|name|run|pick|take) (?:\S+ ){{1,3}}?not (?!found|be|only|exist|yet)\S", 3),
    Cue(r"\b(?:instead of|rather than)\b", 1),
    Cue(r"^(?:ok,? |no,? )?instead of\b.{1,80}?\b(?:we|you|please|use|let's|lets|show|do|just|i'd|should)\b", 2),
    Cue(r"\b(?:can|can't|could|couldn't|should|shouldn't) (?:we|you|it) .{1,60}? instead[.!?]*$", 3),
    Cue(r"\binstead[.!]*$|^instead,? (?!of)", 2),
    Cue(r"\bshould (?!not\b)\w+ .{1,60}?(?:,? and not\b|, not\b(?! only)|\binstead\b|\brather than\b)", 3),
    Cue(r"\bshould (?:be|go|use|return|live|print|say|have|call) (?:\S+ ){1,3}?(?<!if )(?<!or )not (?!be|found)\S", 3),
    Cue(r", (?:and )?not (?:in|on|to|as|next|under|from|with|at|for|the|an?)\b", 3),
    Cue(rf"\b(?:{_IT}|there|we|you|which|i think) should\b", 1),
    Cue(r"^should (?:be|have|use|go|return|live)\b|\bshould still be\b", 2),
    Cue(r"(?:\bis|\bare|\bwas|'s|'re) [^,.?]{1,40}, not (?!if|when|because|only|just|yet)\S", 3),
    Cue(r"\b(?:i|we)(?:'d| would)? (?:much |strongly |personally |really )?(?:prefer|rather)\b", 3, "preference"),
    # take it back
    Cue(rf"{_ORDER}(?:revert|undo|roll ?back|restore (?:it|that|this|the (?:old|previous|original|last)))\b", 3, "revert"),
    Cue(r"\b(?:put|change|move|switch|bring|add|set|turn) (?:it|that|this|them|those|these|the [\w ]{1,30}?) back\b", 3, "revert"),
    Cue(rf"{_CLAUSE}(?:let's )?(?:(?:go|switch|change|move) back to|bring back)\b", 3, "revert"),
    Cue(rf"{_ORDER}(?:remove|delete|drop|take out) [^.?!]{{1,40}} again\b", 3, "revert"),
    Cue(rf"\b{_MINE} (?:reverted|undid|undone|rolled back)\b", 3, "revert"),
    # for all time
    Cue(r"\bfrom now on\b|\bgoing forward\b|\bfrom here on\b|\bas a (?:general )?rule\b", 3, "preference"),
    Cue(r"\b(?:next time|in (?:the )?future|for future reference)\b", 2, "preference"),
    Cue(rf"{_CLAUSE}(?:(?:we|you)(?: should| must)? )?(?:always|never) (?!{_NO_RULE})[a-z]+", 3, "preference"),
    Cue(rf"{_CLAUSE}(?:prefer\b|remember(?: to\b|:))", 3, "preference"),
    Cue(rf"{_START}(?:remember|keep in mind|(?:make sure|ensure|be sure) (?:to|you|that))\b", 1),
    Cue(rf"{_START}(?:don't|dont|do not) forget\b", 2),
    # it did not help
    Cue(r"\bstill (?:fail\w*|broken|crash\w*|error\w*|wrong|the same|see\w*|get\w*|show\w*|happen\w*"
        r"|hang\w*|not|no|doesn't|does not|don't|do not|isn't|aren't|can't|cannot|having|says|there"
        r"|missing|empty|looks?|reads?|takes?|gives?|returns?|throws?|points?|contains?)\b", 3, "not-working"),
    Cue(r"\b(?:is|are|'s|'re) still (?!running|working|thinking|going|waiting|pending|missing)[a-z]+ing\b", 3, "not-working"),
    Cue(rf"\b(?:{_IT}|fix|change|command|page|button|script|test|app|one) (?:still )?(?:doesn't|does not"
        r"|didn't|did not|don't|isn't|is not|not|won't) (?:working|help|fix|change|do anything|compile"
        r"|build|start|run|pass)\b", 3, "not-working"),
    Cue(r"\b\w+ (?:doesn't|does not|didn't|did not|won't|not) work\b|\bnot working\b", 3, "not-working"),
    Cue(r"\b(?:tests?|build|ci|lint|pipeline|checks?|it) (?:is|are|keeps?|still) (?:still |now )?"
        r"(?:fail\w*|broken|red)\b|(?:^|\b(?:tests?|build|ci|lint|it|that|this|command)|·) (?:now )?fails?(?: now| again)?[.!]*$", 3, "not-working"),
    Cue(r"\b(?:it|that|this|page|cli|app|view|list|command|now) (?:now )?(?:shows?|says|prints?|returns?|displays?) "
        r"(?:no|nothing)\b|\bbugged\b", 3, "not-working"),
    Cue(r"\bsame (?:error|issue|problem|result|failure)s?\b", 2, "not-working"),
    Cue(r"\bi (?:still )?(?:don't|do not|can't|cannot) (?:even )?see (?:the|any|it|a|them)\b"
        r"(?! (?:point|need|reason|value|difference|benefit|problem|issue))", 3, "not-working"),
    Cue(rf"\b(?:{_IT}|is|are|'s|'re) not (?:being |yet |even )?\w+ed\b|\b(?:isn't|aren't) (?:being )?\w+ed\b", 2, "not-working"),
    Cue(r"\bno (?:effect|difference|luck|change)\b", 2, "not-working"),
    Cue(r"\bnot \w+ed (?:correctly|properly|right)\b|\bnot (?:showing|rendering|displaying|loading|updating)\b", 3, "not-working"),
    Cue(r"\b(?:broke|broken) (?:again|now)\b|\bnow (?:it's |it is )?(?:broken|worse)\b|\b(?:keeps|again) fail", 3, "not-working"),
    # shades
    Cue(rf"{_OH}actually\b|\bactually,", 1),
    Cue(rf"^(?:{_WELL},? )?but\b(?! (?:why|what|how))|^again\b", 2),
    Cue(rf"^(?:{_WELL},? )?(?:hm+|ugh|i think|i feel|i still)\b|\bbut (?:it|that|this)(?:'s| is| does)(?:n't| not)", 1),
    Cue(r"\b(?:overkill|over-?engineer\w*|over-?complicat\w*)\b", 2),
    Cue(r"\btoo? (?:complex|complicated|much|verbose|long|big|many)\b", 2),
)  # fmt: skip

# Where an order may begin: at the start of a clause, or behind what leads to one.
_ZH_START = (
    r"(?:^|[。！？；,、:!?;\s]|但是?|所以|那|就|请|麻烦|以后|而且|你|都|千万|可以|代码|最好|不对)"
)
_ZH_DO = r"(?:再|直接|乱|随便|擅自|总是?|一直)?"
_ZH_BACK = r"(?:撤销|撤回|回滚|还原|回退)"

# Covered before cues are looked for: words that contain one, choices, and what is no complaint.
_CHINESE_HARMLESS = (
    r"没(?:什么|啥|有)?大?问题|没有?错|没事|没关系|不错|不用谢|不客气|不要紧|不好意思|不谢|不着?急",
    r"(?:别|不用|不要|不必)(?:担心|着急|客气|急|介意|谢|管我|紧张|怕)",
    r"要不要|是不是|对不对|能不能|好不好|行不行|可不可以|会不会|有没有|该不该|需不需要|用不用|要不",
    r"[特分区级类识个告性辨差]别|别(?:的|人|名|处|致)|不(?:管|但|仅|过|同|断|少|久|论|妨|如|得不)",
    r"不对[称齐]|错误|不停|停(?:止|用|机|车|留|顿|服)|必须品|不行的话|(?:如果|要是)不",
    rf"{_ZH_BACK}(?:按钮|功能|操作|机制|逻辑|脚本|方案|接口|流程|命令|策略|点|栈|快捷键|后|时)",
    rf"(?:支持|实现|添加|增加|加个|做个|加一个|做一个|写个|写一个|点击?)(?:一个)?{_ZH_BACK}",
    r"恢复(?:功能|按钮|机制|逻辑|流程|了?正常)|记住(?:密码|我|登录|用户|状态|选择|上次)|没用[过到]",
    r"(?:没有?|看看|哪里?|如果|是否|检查|有什么|有)(?:什么|哪里|地方)?(?:不对|错了|报错)",
    r"我(?:刚才|之前|上次)?(?:写|搞|弄|说|打|看|理解|记)错|改回来了|不是(?:很|特别|不)",
)

_CHINESE = (
    # no, wrong, not what I asked for
    Cue(rf"{_ZH_START}(?:不对|错了|搞错|弄错|不是[这那]|不行)", 4),
    Cue(r"(?:搞|弄|写|理解|做|改|用|放|看)错(?:了|地方)?|[这那你](?:样|么)?[写做改说里个是]?(?:不对|错了)", 4),
    Cue(r"(?<![对是])不对(?:$|[,。!了])|[这那].{1,4}不行", 4),
    Cue(rf"{_ZH_START}停(?:一下|下|$|,|!|。)", 3),
    Cue(rf"{_ZH_START}(?:等等|等一下|慢着|打住)", 1),
    Cue(r"我(?:说|要|想要|指|问|想)的不?是|我是说|我[说要]的|我的?意思是|不是[让叫要]你|谁[让叫]你", 5),
    Cue(r"不是我(?:想?要|说)的|我没有?[让叫说要]", 5),
    Cue(r"(?:应该|应当|得|要|该)[是用放写改叫][^,。？?]{1,30},?而?不[是要该用]", 3),
    # what you did
    Cue(r"你.{0,8}(?:忘了|忘记|漏了|漏掉|弄坏|搞坏|删了|删掉了|误删|改坏)", 4),
    Cue(r"你.{0,4}没有?(?:改|加|做|看|跑|测|按|删|提交|更新|处理|考虑)", 4),
    Cue(r"你又|怎么又|又(?:忘|漏|错|搞|弄错|犯)", 4),
    Cue(r"为什么[要又还没不把你]|干嘛|多此一举|没必要|多余", 2),
    # do not
    Cue(rf"{_ZH_START}先?(?:别|不要|不准|不许|禁止|切勿|请勿|勿|严禁){_ZH_DO}\w", 3),
    Cue(r"^(?!如果|当)[^,。的时后]{1,6}请?(?:不要|别)再?[用放写加改删动]", 3),
    Cue(rf"{_ZH_START}(?:不用|不必|不需要|无需|不应该?|不该|不可以?){_ZH_DO}\w", 3),
    Cue(rf"{_ZH_START}不能{_ZH_DO}(?!用|登录|打开|访问|显示|运行|启动|点|正常|编译|连接|加载|保存)\w", 3),
    # this, not that
    Cue(r"用(?![户例途法量处时心完]).{1,20}?[,、 ]?而?(?:不要|别|不是|不)再?用", 3),
    Cue(r"而不是|不是.{1,24}?,?而?是", 3),
    Cue(r"改成|换成|改为|替换成|改用|换用", 2),
    # take it back
    Cue(r"改回|换回|退回到?|恢复(?:成|到|原|之前|回|刚才|过?来)|重新来", 3, "revert"),
    Cue(rf"(?:{_ZH_START}|把.{{1,12}}|先|全部|帮我|给我|再)(?:{_ZH_BACK}|重做|重来)", 3, "revert"),
    # for all time
    Cue(rf"{_ZH_START}(?:以后|今后|往后|下次|永远|始终)(?!的)|从现在(?:起|开始)|记住|务必|一律", 3, "preference"),
    Cue(r"每次都?(?:要|得|必须)|每次.{1,8}都(?:要|得|必须)|统一(?:用|使用|改|放|成|叫|写|走|返回)", 3, "preference"),
    Cue(rf"{_ZH_START}(?:必须|一定要)|都必须", 3, "preference"),
    Cue(r"尽量|最好(?:是|用|不要|别)|优先(?:用|使用|考虑)", 2, "preference"),
    # it did not help
    Cue(r"(?:还是|仍然|依然|依旧)(?:会|在|有|显示|出现|提示|老|一直)?\s?"
        r"(?:不|报错|没|失败|出错|一样|这样|那样|错|卡|崩|白屏|\d{3}(?!\d))", 3, "not-working"),
    Cue(r"怎么还(?:是|在|有|没)", 3, "not-working"),
    Cue(r"又(?:报错|失败|不行|崩|挂|出错|不能)了?|没有?(?:任何)?(?:效果|反应|变化|生效|作用|解决|修好|用)", 3, "not-working"),
    Cue(r"不(?:起作用|生效|管用|好使)|(?:跑|用|打|编译|运行|启动)不(?:了|起来|通过?|开)", 3, "not-working"),
    Cue(r"不(?:显示|工作)|不能(?:用|登录|打开|访问|显示|运行|启动|正常)", 2, "not-working"),
)  # fmt: skip

CUES = (*_ENGLISH, *_CHINESE)
HARMLESS = (*_ENGLISH_HARMLESS, *_CHINESE_HARMLESS)
