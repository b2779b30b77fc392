"""Judge sentences about how work is done in general: duties, customs, orders for every case.

Such a sentence speaks of a kind of thing ("every PR", "commits", 所有接口) and not of the thing at
hand ("the button"), and has a modal, "always", "never" or a negation; or it orders something for
the whole project.
"""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    # ``general`` waits for review, ``waiting`` does so only in a correction
    Force = Literal["", "waiting", "general", "standing"]

_WHOLE = r"(?:repo|repository|project|code ?base|code base|monorepo|workspace)"
# A scope, which points at no place in the conversation.
_SCOPE = (
    rf",? ?\b(?:in|for|within|across|throughout|of) (?:this|our|the(?: whole| entire)?) {_WHOLE}\b,? ?"
    rf"|(?:在)?(?:这个|本|整个|咱们?的?|我们的?)(?:项目|仓库|代码库|工程)(?:里面?|中|内|下)?(?!的)(?:面)?,?"
)
_LEAD = (
    r"^(?:(?:no|ok|okay|and|also|but|so|please|pls|note|remember|fyi|well|actually|yes|btw|because|since)[,:]? "
    r"|(?:remember|note|keep in mind|be aware) that )*"
)
# Words that begin a noun phrase about a thing at hand, or no noun phrase at all.
_AT_HAND = (
    r"(?!(?:the|this|that|these|those|it|its|it's|they|he|she|i|i'm|i'd|we|you|my|your|our|his|her|their|there|here|what|how|who|why|when|where"
    r"|which|if|is|are|was|were|do|does|did|don't|can|could|should|would|will|must|let|let's|lets|a|an|one|two|three|some|many|most|several|few|both"
    r"|such|same|other|another|now|then|only|just|not|never|always|maybe|today|still|\d+)\b)"
)
_WORD = r"[\w·./'’-]+"
_UNIVERSAL = (
    rf"(?:every|each|all|any|no|new) (?!of |the |three |two |four |\d){_WORD}(?: {_WORD}){{0,4}}?"
)
_THINGS = (
    r"(?:commits?|messages?|branch(?:es)?|prs?|pull requests?|merge requests?|migrations?|functions?|methods?|modules?|class(?:es)?|files?|imports?|exports?"
    r"|comments?|docstrings?|scripts?|mocks?|fixtures?|tests?|specs?|secrets?|credentials?|logs?|endpoints?|routes?|handlers?|controllers?|services?|repositories"
    r"|components?|hooks?|variables?|constants?|dependenc(?:y|ies)|packages?|librar(?:y|ies)|types?|interfaces?|errors?|exceptions?|timestamps?|dates?|times"
    r"|amounts?|quer(?:y|ies)|schemas?|docs?|documentation|changelogs?|changelog entries|releases?|tags?|versions?|identifiers?|ids?|configs?|configuration"
    r"|env(?:ironment)? vars?|environment variables?|flags?|jobs?|workflows?|stubs?|snapshots?|apis?|code|changes|features?|bug ?fixes|fixes|todos?|enums?|structs?"
    r"|traits?|models?|serializers?|selectors?|styles?|templates?|assets?|translations?|strings?|paths?|urls?|helpers?|adapters?|clients?|workers?|layers?|wrappers?|plugins?|parsers?|stores?|reducers?|containers?|pipelines?|crates?|utils|utilities|benchmarks?|charts?|(?:test|file|branch|variable|function|class|column|table|field|package|method|module) names?)"
)
_OF_WORK = rf"(?:an? )?{_AT_HAND}(?:{_WORD} ){{0,3}}?{_THINGS}(?: (?:in|of|for|on|under|with|at|from|to) (?!this|that|these|those){_WORD}(?: {_WORD}){{0,2}}?)?"
_KIND = rf"{_AT_HAND}{_WORD}(?: {_WORD}){{0,3}}?"
_DUTY = r"(?:must(?:n't)?|requires? an?|shall|needs? (?:to|an?|its|their)|ha(?:s|ve) to|may (?:not|never|only)|cannot|can't|can (?:never|only))"
_MILD_DUTY = (
    r"(?:should(?:n't)?|ought to|(?:is|are) (?:not |never )?(?:allowed|permitted|forbidden|banned)|goes? (?:in|into|under|to)"
    r"|belongs? (?:in|to)|lives? in)\b"
)
_COMPLAINT = (
    r"\b(?:broken|failed|failing|red|slow|flaky|missing|wrong|empty|stuck|lost|ignored|skipped|cancelled|canceled|problem|issue|pain|mess|pleasure|surprise|bug"
    r"|risk|challenge|shame|since|for some reason|for no reason|when i|when you)\b"
    r"|\bneeds? an? (?:second|new|closer|better|quick|bit|look|fix|rewrite|refactor|rebase|update|bump|clean-?up|hand)\b"
    r"|\b(?:needs?|ha(?:s|ve)) to be (?:\w+er|more|less|a bit)\b"
)
# who uses the product: what these may or must is a feature; or who would be told what to do
_PEOPLE = rf"{_LEAD}(?:(?:every|each|all|any|no|new) )?(?:{_WORD} )?(?:users?|customers?|visitors?|people|admins?|players?|members?|guests?|patients?|buyers?|sellers?|agents?|assistants?)\b"
_TAKE_PART = (
    r"(?:push|commit|merge|edit|write|touch|deploy|change|add|install|release|modif|delete|create|run|review|approve|sign|tag|publish|rebase|use|test|format)"
    r"(?:e?s|ies)?"
)
_AT_WORK = r"(?:got|get|have|had|see|saw|found|ran|need|know|think|tried|are|were|can|could|should|will|did|do|might)\b"
_DEPLOYED = (
    r"(?:support|use|ship|allow|accept|publish|maintain|write|keep|build|test|deploy|run|target)"
)
_MEASURE = (
    r"(?:under|below|within|shorter than|smaller than|less than|at most|no longer than|free (?:of|from)|out of|independent of|small|short|tiny|minimal|to a minimum|lean|pure|sorted"
    r"|stateless|flat|in sync|up[ -]to[ -]date|alphabetical|backwards?[ -]compatible|ascii|deterministic|reproducible)\b"
)
_ASK = r"(?:ask|(?:ask|check with|consult|tell|warn|notify|confirm with) (?:me|us|first|the team|somebody|someone))\b"
_STANDING_ENGLISH = (
    rf"{_LEAD}(?:{_UNIVERSAL}|{_OF_WORK}) {_DUTY}",
    rf"{_LEAD}(?:{_UNIVERSAL}|{_OF_WORK}) (?:(?:is|are) (?:always|never|only)|(?:always|never|only) (?:use|go|live|stay|start|end|come)s?) ",
    rf"{_LEAD}(?:{_UNIVERSAL}|{_KIND}) (?:is|are) [^,;:]{{3,60}}[,;] (?:and )?never ",
    rf"{_LEAD}no {_WORD}(?: {_WORD}){{0,3}}? (?:may|can|gets|goes) ",
    rf"{_LEAD}we (?:always )?(?!{_AT_WORK})\w+ [^,]{{2,60}} (?:for|in|on|before|after|with) (?:every|each) ",
    rf"{_LEAD}we (?!{_AT_WORK})\w+ [^,;]{{3,60}}[,;] (?:and )?never ",
    rf"{_LEAD}only \w+ (?:may|can|should|{_TAKE_PART}) ",
    rf"{_LEAD}(?:nobody|no one|everyone|everybody) {_TAKE_PART} ",
    rf"{_LEAD}we (?:no longer {_DEPLOYED}|stopped \w+ing) (?!it\b|them\b)",
    rf"{_LEAD}(?:i want you to |i'd like you to |you (?:must|should|have to|need to) |always )*{_ASK}.{{0,40}}"
    r"\b(?:before (?!you (?:start|begin|go|do)\b)(?:you \w+|\w+ing|every|each|any)|whenever|every time|each time)\b",
    rf"{_LEAD}(?:i want you to|i'd like you to|i expect you to) .{{3,60}}\b(?:before|whenever|every time|each time|after) (?:you |every |each |any |\w+ing )",
    rf"{_LEAD}keep {_OF_WORK} {_MEASURE}",
    rf"{_LEAD}\w+ .{{2,60}}\b(?:before|after|for|on|in|with) (?:every|each) (?:commit|push|release|merge|change|pr|pull request|deploy(?:ment)?|migration|feature|bug ?fix)\b",
    rf"{_LEAD}(?:do not|don't|never) .{{3,60}}\b(?:without (?:asking|telling|checking|approval|permission|my|a)|unless (?:i|we|you|asked|told))\b",
)  # fmt: skip
_GENERAL_ENGLISH = (
    rf"{_LEAD}(?:{_UNIVERSAL}|{_OF_WORK}) {_MILD_DUTY}",
    rf"{_LEAD}we (?!{_AT_WORK})\w+ [^,;]{{3,60}}[,;] (?:and )?not ",
    rf"{_LEAD}(?:{_UNIVERSAL}|{_OF_WORK}) (?:is|are) [^,;:]{{3,60}} only[.!]*$",
    rf"{_LEAD}{_KIND} (?:must|are (?:not |never )allowed|may not|(?:is|are) (?:forbidden|banned))\b",
    rf"{_LEAD}(?:{_UNIVERSAL}|{_OF_WORK}) (?:is|are) [^,;:]{{3,60}}[,;] not ",
    rf"{_LEAD}{_UNIVERSAL} [^,;:]{{3,60}}[,;] (?:and )?(?:never|not) ",
    rf"{_LEAD}keep (?:the )?[\w· -]{{2,40}}? (?:free (?:of|from)|out of|independent of|in sync|(?:under|below) \d|backwards?[ -]compatible)",
    rf"{_LEAD}(?:use|write|put|name|store|document|wrap|prefix|log|return|run) (?!the |that )[^,]{{2,50}} (?:in|for|on|with|around|into) (?:all|every|each|any)"
    r" (?!the |of |three |two |four |\d)",
    rf"{_LEAD}avoid {_AT_HAND}[\w·-]+",
    rf"{_LEAD}(?:do not|don't|never) (?:use|write|commit|mock|import|edit|create|introduce|push|log|hard-?code) {_AT_HAND}{_WORD} (?:{_WORD} )?{_THINGS}\b",
    rf"{_LEAD}(?:i|we) prefer {_AT_HAND}[^,]{{3,60}} (?:over|to|rather than) \S",
)  # fmt: skip
# Orders that hold for the whole project if the sentence says so.
_SCOPED = (
    rf"{_LEAD}(?:do not|don't|never|avoid|prefer|always|only|stop) \S",
    rf"{_LEAD}(?:use|write|name|put|keep|store|format|log|run|call|stick to|follow|respect|reuse|target|declare|define|import|throw|raise|mock|place) (?:the )?{_AT_HAND}\S",
    rf"{_LEAD}we (?:\w+ )?(?:use|write|keep|prefer|follow|don't|do not|never|always|only) \S",
    r"不要|别|不用|不许|不准|禁止|不能|必须|一律|只用|只能|要用|使用|统一|都用|优先|尽量|^用",
)
_ZH_THING = (
    r"(?:提交信息|提交|代码|函数|方法|接口|返回值|字段|文件|模块|分支|注释|变量|常量|类型|组件|依赖|迁移|测试|用例|脚本|文档|日志|配置|密钥|错误|异常|时间|日期|金额"
    r"|表结构|表名|数据表|样式|命名|版本|服务|路由|端点|查询|改动|功能|类|包|库)"
)
_ZH_ALL = (
    rf"(?:所有|任何|每个|每一个|每条|每张|凡是|一切)[^,。;!]{{0,8}}?{_ZH_THING}[^,。;!]{{0,10}}?"
)
_STANDING_CHINESE = (
    rf"{_ZH_ALL}(?:都(?:要|必须|得|应该?|需要?|用|使用|采用|遵循|以|按|写|放|存|走|叫|不(?:得|准|许|能用|用))|必须|不得|不准|不许|一定要)",
    rf"{_ZH_THING}[^,。;!]{{0,8}}(?:不要|不能|不得|不可|别)?(?:不?超过|少于|多于) ?\d",
    rf"{_ZH_THING}[^,。;!]{{0,6}}(?:必须|不得|不准|不许|禁止|严禁|永远|从不|始终)",
    r"(?:提交|推送|发布|合并|部署|上线|新增|删除|修改|重构|升级|安装)[^,。;!]{0,10}前[,]?(?:请|要|必须|都|一定|得)+先",
    r"统一(?!一下|了|的|[,。]|$)",
    r"(?:之前|以前|前)[,]?(?:都|要|必须|一定|得|请|应该?)*先(?:问|征求|跟我|和我|经过|得到|告诉|通知)",
    r"我(?:希望|要求|要|想要)你.{0,24}(?:每次|之前|以前|前都?|一律|都要|都得|时都)",
    r"我们(?:这里|这边|项目|团队|组)?(?:从来|一直|一般|通常|都|早就|已经|绝|从)?都?不(?:再)?(?:用(?!管|担心|急)|写|做|提交|允许|接受|支持|引入|直接|手动|手写|在|把|给|依赖|保留|维护|发布|推送|合并|改|碰|存|放|混用|拷贝|复制)",
    r"我们(?:这里|项目|团队)?只(?:支持|写|接受|允许|保留|维护|发布|依赖)",
    r"每次(?:发版|上线|升级|改接口|改库|建表|引入|新增|删除)[^,。;!]{0,8}(?:都要|都得|都必须|必须)",
    r"(?:项目|仓库|代码库|团队)(?:从来)?(?:不用|不允许|只用|统一|一律|不接受)",
)  # fmt: skip
_GENERAL_CHINESE = (
    r"(?:所有|任何|每个|凡是)[^,。;!]{1,16}?(?:都(?:要|必须|得|用|写|放|存)|必须|不得|不准|不许)",
    rf"{_ZH_THING}[^,。;!]{{0,6}}(?:只能|只允许|只许|不能|不可以|不应该?)(?!用|登录|打开|访问|显示|运行|启动|点|正常|编译|连接|加载|保存|工作)",
    r"^[^,。;!我你他她它这那]{2,10}(?:不允许|严禁|禁止|不得)",
)
_DONE = r"了[。!！~]*$|[到完]了"


def strip_scope(plain: str) -> tuple[str, bool]:
    """Return a sentence without "in this project", and whether that stood there."""
    bare, found = compile_pattern(_SCOPE).subn(" ", plain)
    return " ".join(bare.split()), bool(found)


def judge_general(plain: str, *, scoped: bool) -> Force:
    """Return the force of a general statement; ``scoped``: it is said to hold for the project."""
    if _has_any((_COMPLAINT, _PEOPLE, _DONE), plain):
        return ""
    if _has_any((*_STANDING_ENGLISH, *_STANDING_CHINESE), plain):
        return "standing"
    if scoped and _has_any(_SCOPED, plain):
        return "standing"
    return "general" if _has_any((*_GENERAL_ENGLISH, *_GENERAL_CHINESE), plain) else ""


def _has_any(sources: tuple[str, ...], plain: str) -> bool:
    return any(compile_pattern(source).search(plain) for source in sources)
