"""Judge a sentence of the user: a standing order, a preference for later, or neither.

A preference has a modal or an imperative and makes sense to a stranger: nothing in it points
at the conversation ("this", "here", "the one above"). A question, a report, a thought aloud, a
piece of a sentence and an order for now are none. A standing order also says that it holds
for good ("always", "we don't", "on purpose", 一律, 不要再).
"""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.language.contrast import find_contrast
from twiceshy.language.general_order import judge_general, strip_scope
from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.language.general_order import Force
    from twiceshy.language.own_words import Sentence

LONGEST = 300  # characters; who needs more explains something
_FEW_WORDS = 2  # telling ones; of one nobody can say what it is about
_MOST_WORDS = 45
_CHINESE = r"[\u4e00-\u9fff]"

# Where a clause may begin.
_START = (
    r"(?:^|[,:;(–—] ?|- |\b(?:and|but|so|please|pls|no|nope|ok|okay|yes|because|also|actually|wait|remember|note)[,:]? "
    r"|\bremember that |\bnow on,? |\bforward,? |\bfuture,? |\bagain,? )"
)
_WE = r"(?:we|i|you|one|everyone|agents?)"
_MUST = r"(?:should|must|will|shall|have to|need to|please)"
# What a rule about the work speaks of; "the modal must not close" is about the product.
_WORK = (
    r"\b(?:we|you|i|one|everyone|nobody|agents?|claude|codex|(?:unit |integration |e2e )?tests?|code|commits?|commit messages?|branches|prs?"
    r"|pull requests?|migrations?|functions?|modules?|classes|files?|imports?|comments?|scripts?|mocks?|secrets?|logs?)"
)
# verbs that an order begins with, behind "whenever you …,"
_DO = (
    r"(?:please |always |never |also |then |you (?:must|should|have to) |don't |do not )*(?:run|use|check|update|regenerate|rebuild|add|ask|write|commit"
    r"|make|build|test|lint|format|restart|bump|keep|put|read|look|tell|create|do|document|review|sync|note|log|save|push|open|verify|validate|ensure|include|call|start)\b"
)
_ADVERB = r"(?:really |also |just |explicitly |definitely |absolutely |certainly |generally |usually |normally |still )*"
_NOT = r"(?:don't|dont|do not)"
_NO_VERB = (  # what follows "never" or "always" in a description
    r"(?:be |been |have |had |has |is |are |was |were |the |a |an |in |on |at |to |mind\b|again\b|[a-z]+ed\b|shown|seen|done|written|made|found"
    r"|(?:good|nice|great|happy|glad|fun|bad|hard|funny|interesting|possible|better|best|worse|easier|welcome|sure|true|right|wrong|ready|more|less|so|too|like"
    r"|love|thought|wonder|a problem)\b|(?:got|did|said|saw|went|came|knew|took|gave|thought|heard|worked|ran|met|built|sent|lost)\b"
    r"|(?!pass|process|focus|discuss|express|access|address|compress|miss|cross|press|guess|bypass|use )[a-z]+s\b)"
)
_NO_ORDER = (  # "we don't see it" tells how things are
    r"(?:know|think|see|seem|have|need|get|care|understand|recall|remember|mind|really|even|yet|always|necessarily|believe|expect|like|trust)\b"
)
_STANDING_ENGLISH = (
    rf"{_START}(?:we |{_WE} {_MUST} |please )?(?:always|never)(?: ever)? (?!{_NO_VERB})[a-z]+",
    rf"{_START}(?:we|i) (?:always|never) want\b",
    rf"{_WORK}(?: (?!that |which )\w+){{0,3}} (?:must|should|shall|may) (?:always|never)\b|{_WORK}(?: (?!that |which )\w+){{0,3}} must(?:n't| not)\b",
    rf"{_START}we {_ADVERB}(?:{_NOT}|never) (?!{_NO_ORDER}|{_NO_VERB})[a-z]+",
    rf"{_START}(?:we|i) (?:explicitly|definitely|absolutely|certainly|really) (?:{_NOT}|never) want\b",
    r"\b(?:we|i|was|were|is|are|been)\b[^,?]{0,60}\b(?<!not )(?:on purpose|deliberately|intentionally|intentional|by design|for a reason)\b",
    rf"{_START}we(?:'ve| have)? (?:\w+ )?(?:decided|agreed) (?:to|not|on|against|that)\b",
    r"\bfrom (?:now|here) on\b|\bgoing forward\b|\bas a (?:general )?rule\b|\b(?:don't|dont|do not) ever\b",
    r"\b(?:should|must)(?:n't| not)\b.{1,60}\bever\b",
    rf"{_START}(?:in (?:the )?future|next time),? (?!{_WE} (?:might|could|may|can)\b)[a-z]+",
    r"\b(?:should|must|use|using|need to|have to|prefer) .{1,80}\b(?:wherever (?:we|you|possible)|whenever (?:we|you|possible)|every time|at all times)\b",
    rf"^(?:whenever|every time|each time|before|after) (?:you|we)\b.{{3,80}}, ?{_DO}",
    r"^(?:every|all|each|any|no)\b (?!of )[^,]{2,60}?\bmust\b",
    rf"{_START}prefer (?!to see)[a-z·]+",
    r"\bi (?:generally |always |usually |strongly )(?:prefer|want)\b",
)
_HOLDS_FOR_GOOD = (
    r"\b(?:always|never|from (?:now|here) on|going forward|as a (?:general )?rule|ever|in (?:the )?future|next time)\b"
    r"|\b(?:before|after|for|on|in|with) (?:every|each) [a-z]+"
    r"|一律|永远|始终|以后|今后|从现在|不要再|别再|每次|务必"
)
# How an order for a piece of work begins; it may still say that something holds for good.
_TASK = (
    r"^(?:(?:and|then|also|please|ok|okay|so|no|yes|can you),? )*(?:add|implement|create|fix|change|update|remove|delete|rename|move|show|display|hide"
    r"|build|generate|refactor|replace|convert|extract|merge|rebase|mention|align|apply|set|finish|check|look|review|try|investigate|ensure|make|find)\b"
    r"|^(?:请|先|再|然后|帮)?(?:加|添加|增加|实现|做[一个]|写[一个]|新建|创建|修复|修一|把|改一)"
)
_ZH_WORK = r"(?:提交|改完?|修改|写|发布|部署|合并|推送|新增|运行|跑|更新|开始|结束|重构|完成|测试|代码|函数|接口|文件|模块|分支|注释|变量|类|组件|依赖|迁移)"
_STANDING_CHINESE = (
    r"一律|永远(?:不|别|要|用|使用|先|只|从)|始终(?:要|用|使用|保持|先)|绝不|绝对不|不要再|别再|不许再|再也不|统一(?:用|使用|放|成|叫|写|走|返回|采用)",
    r"(?:^|[,。;!\s])(?:请|那)?(?:以后|今后|往后|下次|从今以后)(?!的|再说|再做|再看|再改)|从现在(?:起|开始)",
    rf"每次{_ZH_WORK}.{{0,12}}(?:都要|都得|[^需]要|得|必须|先)|凡是.{{1,20}}[都须要]|(?:所有|任何|每个){_ZH_WORK}.{{0,20}}(?:都要|都必须|必须|不得|都不|不能|不准)",
    r"(?:不准|不许|禁止|严禁)(?!用户|游客|访客|他)|切勿|请勿|务必|(?:^|[,。;!\s])(?:请|要)?记住(?!密码|我|登录|用户|状态|选择|上次)",
    r"我们(?:这里|项目)?(?:从来)?(?:不用|不写|不做|不提交|不允许|不接受|不支持|不想要|不要|不会用|只用|都用|一般用|不在)",
    r"(?:故意|特意|有意|刻意)(?:把|去掉|删|移除|不|没|这样|这么|保留|留|拿掉|去除|设计)",
)
_STANDING = (*_STANDING_ENGLISH, *_STANDING_CHINESE)
# A modal or an imperative, which alone makes no standing order.
_IMPERATIVE = (
    rf"{_START}(?:{_NOT}|never) (?!{_NO_ORDER}|{_NO_VERB}|worry|hesitate|bother|panic)[a-z]+",
    rf"{_START}(?:avoid|stop) [a-z]+ing\b",
    rf"{_START}(?:remember to|make sure (?:to|you|that)|be sure to|ensure (?:that )?)\b",
)
_MODAL = (
    rf"{_START}{_WE} {_ADVERB}(?:{_NOT}|never) (?:want|like)\b",
    r"\b(?:should|must|shall)(?:n't| not)\b|\bshould be using\b",
    rf"{_START}(?:(?:i|we)(?:'d| would)?) (?:much |strongly |personally |really )?(?:prefer|rather)\b",
    rf"{_START}we {_ADVERB}want (?!me\b|you\b|to (?:see|know|merge|check|try|have a look|understand|discuss)\b)[a-z]+",
    r"\b(?:must|should|shall) (?:always|never)\b|^(?:every|all|each|any|no)\b (?!of |tests? should pass)[^,]{2,60}?\b(?:should|shall|needs? to|has to|have to)\b",
    r"\b(?:is|are) (?:not allowed|forbidden|off limits|never allowed)\b|\b(?:use|using) .{1,60}\b(?:everywhere|throughout)\b",
    r"\b(?:needs?|has|have) to (?:always |never )?(?:be|stay|remain|go|live|use|have|work|run|pass)\b",
)
_MODAL_ZH = r"不要|不允许|不可以|别(?!的|人)|不能|不该|不应|不用|必须|一定要|应该|应当|最好|尽量|优先|要先|得先|改用|而不是|只能|只用|只要用"
_CONTRAST_VERB = (
    rf"{_START}(?:let's |lets |we (?:should |want to |must )?|you (?:should |must )?|i (?:want|'d like) .{{1,40}}|should )?"
    r"(?:use|using|be using|run|call|name|put|write|keep|take|go with|pick|prefer|want|be)\b"
)

# What points at the conversation, a place in it, or what just happened.
_POINTING = (
    r"\b(?:this|these|those|here|he|she|above|below|aforementioned)\b"
    r"|\bthe (?:other|first|second|third|last|next|latter|former|same (?:one|thing|error|issue|problem|as)|current|previous|right|wrong|actual|rest)\b"
    r"|\b(?:the|other|which|that) (?:\w+ )?(?:ones?|things?|bit|stuff)\b|\bboth\b|\bsuch\b"
    r"|\b(?:option|step|item|point|phase|case|number|pr|issue|lines?|rows?|columns?|pages?|branch|task) ?#?(?:\d+|[a-d])\b|#\d+|\b\d+\.(?: |$)|\b[0-9a-f]{8,}\b"
    r"|(?<!ask )\b(?:for|with|to|in|on|of|about) it[.!]*$|\bthere\b(?! (?:is|are|must|should|has|on purpose|by design|for a))|\bso far\b|\bback\b|\binstead$|^instead\b"
    r"|\b(?:i|we|you) (?:\w+ ){0,2}(?:said|meant|mean|told|asked|saw|noticed|mentioned)\b|\bwhat (?:i|we|you)\b"
    r"|\byou(?:'ve| have)? (?:just |also |again |still )?(?:forgot|missed|broke|removed|deleted|did|didn't|have|added|changed|made|were|wrote|put)\b"
)
_THAT = (
    r"(?:^|[,;:(] ?|\b(?:do|does|did|like|with|for|of|in|to|use|after|before|and|but|not|on|about|by|than|as|prefer|all|at|from|because|is|are"
    r"|handle|make|want|need|keep|avoid|without|change|add|remove|run|call) )that\b|\bthat(?:'s| is| was)?\W*$|\bthat's\b"
)
_PRONOUN = r"\b(?:it|its|it's|they|they're|them|their|theirs)\b"
_BEHIND = 24  # characters, in which the thing has its name
_BOUND = (
    r"^(?:every|each|all|no|nobody|no one|everyone|everybody)\b"  # a pronoun behind means this
)
_ZH_POINTING = r"这|那(?!么|就)|它|他们|上面|下面|刚才|刚刚|前面|另一?个|此处|同上|第 ?[一二三四五六七八九十\d]|(?<![\d过于到])(?<![过于到] )\d+ ?行|我说的|我要的|你又|你(?:忘|漏)|你(?:删|改)(?:了|掉|的|错|坏|过)"
_NOW = (
    r"\b(?:for now|right now|now(?! on)|today|tonight|tomorrow|at the moment|currently|for the moment|at this point|yet"
    r"|(?<!dont )(?<!don't )just (?:let|tell|give|check|commit|push|validate|focus)|go ahead|proceed|continue|follow[- ]up|wait (?:for|until|till))\b|\b(?:should|must)(?:n't| not| never)? (?:never )?have \w+(?:ed|en|ne|wn)\b"
    r"|^(?:no,? )?(?:don't|do not|dont) .*, (?:only|just) (?:the|its?)\b"
)
# of the moment, unless the sentence says that it holds for good: "always run the tests first"
_MOMENT = r"\b(?:first|one more|quickly|another|again|once|already)\b"
_ZH_NOW = r"现在(?!起|开始)|目前|暂时|今天|这次|本次|稍后|待会|马上|刚好|继续|一下|先(?:不|别)|^(?:你|请|那|就)?先|还没|慢慢来"
# what was just tried, and what calms or reminds
_ZH_TRIED = (
    r"(?:不要|别|不用)再?(?:重试|尝试|试|问|说|弄|搞|折腾|等|解释|猜|看|急|慌|怕|担心|客气|忘|管|紧|谢)"
    r"|(?:不要|别)再(?:跑|运行|执行|改|动)(?:了|[,。!！]|$)|(?:不要|别)(?:改|动|删)(?!任何|掉任何)"
)
_HEDGE = (
    r"\b(?:i think|i guess|i feel|i wonder|wondering|maybe|perhaps|probably|not sure|might|i believe|it seems|seems|could be|i suppose"
    r"|kind of|would be (?:nice|great|good|cool)|i hope|in theory|ideally|consider|how about|what about|i wish|afaik|iirc|looks like)\b"
)
_ZH_HEDGE = r"可能|也许|我觉得|我想|大概|好像|似乎|考虑|或许|不确定|感觉"
_ASKS = (
    r"[?？]|^(?:(?:and|but|so|ok|hm+|also|wait|then|well|hey|no),? )*(?:what|how|where|which|who|why|is|are|does|did|do (?:we|you|i|they)|was|were|can|could"
    r"|would|will|shall|has|have (?:we|you)|should (?:we|i|you|it|all|the)|any (?:idea|chance|news|reason|way|luck|thoughts?|updates?|progress|other|more|objections?)|isn't|aren't|doesn't|don't (?:we|you|they)|didn't)\b"
    r"|,? (?:right|or|yeah|no|correct|hey|ok)\W*$|\b(?:can|could|would|will) (?:you|we)\b|\btell me\b|\blet me\b"
)
_ZH_ASKS = r"[?？]|[吗呢么](?:[。!！\s]|$)|是不是|能不能|要不要|可不可以|有没有|为什么|怎么|什么|哪[个里些]|帮我"
# a report: what somebody or something did, or does
_REPORT = (
    r"^(?:(?:and|but|so|ok|no|oh|hm+|well|hmm|ah|yes|also),? )*(?:i (?:was|am|'m|got|did|do|had|have|just|see|tried|ran|found|still|can|could|noticed|tested)\b"
    r"|i've|i'm|it |its |it's |there (?!must|should)|they |he |she )"
    r"|\b(?:error|exception|warning|stderr|stdout)s? ?:|\b(?:traceback|stack trace|failed with|exit (?:code|status)|errors? out)\b"
    r"|\b(?:an?|the|same|following|new|get|got|getting|gives?|see|throws?|shows?) (?:\w+ )?(?:error|exception)s?(?=[.,;!]|$| (?:again|when|in|on|at|from|about|is|was|with|after|for)\b)"
    r"|https?://|\bfile://|\b[\w./-]+:\d+\b|->|=>|→|\blocalhost\b"
)
# asks to leave a decision alone; the thing is named before
_IT = r"(?:it|that|them|those)"
_LEAVE = (
    rf"(?:[,;–—-] ?| (?=so |and ))(?:and |so |please )*(?:(?:don't|dont|do not|never) (?:ever )?[\w-]+ {_IT}(?: back)?(?: in)?"
    rf"|(?:leave|keep) {_IT} (?:like that|that way|as (?:it|they) (?:is|are)|out|alone))(?: again| please)*(?=[.!]*$)"
)
_ADDED = r"^(?:and|also|then|plus|or)\b"  # to what was said before
_LISTED = r"^(?:\d{1,2}[.):]|[a-z]\)|#+|[-*•])\s"
_DANGLING = (
    r"(?:[,:;(\[{–—…-]|\.\.\.|\b(?:and|or|but|the|an?|to|of|with|because|that|which|for|in|on|if|when|is|are|was|by|from|as|than|not|should|must"
    r"|my|our|your|their|its|also|like|about|into|onto|e\.g\.?|i\.e\.?))$|(?:和|或|但是?|因为|所以|如果|以及|跟|与|把|被)$"
)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("（", "）"), ("「", "」"), ("“", "”"))
_PIECE = r"^(?:because|which|since|although|so that|where|while|whereas|than|as well|or|nor|of|into)\b|^[,;:.)]"
_REVIEW_ITEM = r"^(?:the|a|an) [\w·.()]+ (?:function|field|method|comment|test|regex|code|handler|file|class|suite)\b"


def judge_sentence(sentence: Sentence) -> Force:
    """Return the force of a sentence; empty if it is no preference."""
    text = sentence.text
    plain, scoped = strip_scope(compile_pattern(_LEAVE).sub("", sentence.plain))
    if not _is_whole(text, sentence.plain) or _is_momentary(plain):
        return ""
    if _matches_any((_TASK, _MOMENT), plain) and not _matches(_HOLDS_FOR_GOOD, plain):
        return ""
    listed = _matches(_LISTED, plain)
    named = _matches(_BOUND, plain) or not _matches(_PRONOUN, plain[:_BEHIND])
    if named and _matches_any(_STANDING, plain):
        return "waiting" if listed else "standing"
    if listed or not named:
        return ""
    return judge_general(plain, scoped=scoped) or ("waiting" if _is_order(text, plain) else "")


def _is_whole(text: str, plain: str) -> bool:
    """True for a complete sentence of a size that a note may have."""
    if len(text) > LONGEST or len(plain.split()) > _MOST_WORDS or _matches(_DANGLING, plain):
        return False
    if any(text.count(left) != text.count(right) for left, right in _BRACKETS):
        return False
    if text.count("`") % 2 or text.count('"') % 2:
        return False
    return len(telling_terms_of(text)) >= _FEW_WORDS


def _is_momentary(plain: str) -> bool:
    """True if a sentence asks, reports, doubts, points, or is about now."""
    if compile_pattern(_CHINESE).search(plain):
        sources: tuple[str, ...] = (_ZH_POINTING, _ZH_NOW, _ZH_TRIED, _ZH_HEDGE, _ZH_ASKS)
    else:
        sources = (_POINTING, _NOW, _HEDGE, _ASKS, _REPORT, _PIECE, _REVIEW_ITEM)
    return _matches_any((*sources, _THAT), plain)


def _is_order(text: str, plain: str) -> bool:
    """True if a sentence has a modal, or an imperative with the thing to avoid."""
    if _matches(_ADDED, plain):
        return False
    if _matches_any((*_IMPERATIVE, _MODAL_ZH), plain):
        return True
    if _matches(_PRONOUN, plain):
        return False
    named = _matches(_CONTRAST_VERB, plain) and all(find_contrast(text.rstrip(".;。；!！ ")))
    return named or _matches_any(_MODAL, plain)


def _matches_any(sources: Iterable[str], plain: str) -> bool:
    return any(_matches(source, plain) for source in sources)


def _matches(source: str, plain: str) -> bool:
    return bool(compile_pattern(source).search(plain))
