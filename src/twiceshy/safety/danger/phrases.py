"""Dangerous wordings; bounded repetitions keep matching linear."""

from __future__ import annotations

from twiceshy.safety.danger import reasons
from twiceshy.safety.danger.late_pattern import LatePattern

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_PEOPLE = r"(?:user|human|developer|owner|operator|anyone|anybody|them|him|her)"
_AGENTS = r"(?:llms?|(?:ai |coding |llm )(?:agents?|assistants?)|(?:agents|assistants)|claude(?: code)?|codex|copilot|gemini|chatgpt|gpt)"
_FRAMES = (
    r"system-reminder|tool_result|tool_use|function_results?|function_calls?|skill-memory|skill_observations"
    r"|project-memory|twiceshy-note|user-prompt-submit-hook|command-name"
)
# Wordings that the parts of words do not tell: frames, roles, tricks. Patterns for text in lower case
# on one line; a number in braces is how far apart words may stand. Behind each stand words of which every
# match has one: a test derives them from the pattern.
_ENGLISH = (
    (r"\b(?:ignore|disregard|forget) (?:everything|anything|all|what)\b.{0,20}\b(?:above|before|earlier|said|told|previous)", "disregard|forget|ignore"),
    (r"\byou are (?:now (?!ready\b|able\b|working with|using\b|on\b|running\b|at\b|done\b|set\b|logged\b|connected\b|good\b|seeing\b|looking\b|inside\b|left\b|prompted\b|going to see)|no longer (?:a|an|bound|required|restricted|limited|the|claude|codex|subject)\b)", "you are no"),
    (r"\b(?:pretend|behave|respond) (?:to be|that you|as if|as though)\b|\bact as (?:if you|though you|an? (?:admin|root|unrestricted|different))\b", "act as |behave|pretend|respond"),
    (r"\b(?:reveal|print|show|repeat|leak|output|dump|disclose) (?:me )?(?:your|the) (?:\w{1,12} )?(?:system|developer|initial|hidden) (?:prompt|message)s?\b|\byour system prompt\b", "message|prompt|your system prompt"),
    (r"\b(?:god|dan|jailbreak|sudo|unrestricted|maintenance) mode\b|\bjailbreak", " mode|jailbreak"),
    (rf"\b(?:do not|dont|never|must not|without) (?:show|show\w{{2,3}}|reveal\w{{0,3}}|display\w{{0,3}}|mention\w{{0,3}}) (?:this|that|it|these|them|any of this)\b.{{0,30}}\b{_PEOPLE}\b", "display|mention|reveal|show"),
    (r"\bwithout (?:asking|telling (?:the|any|your|them|him|her|me|us))\b", "without "),
    (r"\b(?:new|updated|important|hidden|secret|urgent) (?:system )?(?:instruction|directive)s?\b", "directive|instruction"),
    (rf"\b(?:attention|note|notice|message|reminder|instructions?|warning|tip) (?:to|for) (?:all |any |the |every )?(?:coding )?{_AGENTS}\b", "attention|instruction|message|note|notice|reminder|tip|warning"),
    (r"\buser (?:has |have |had |already |just )?(?:wants you|asked you|told you|instructed you|requires you|allows you|says always|said always|says never)\b|\b(?:user|human) (?:said|says)(?: that)?:", "human|user|user "),
    (r"\b(?:save|store|write|add|commit|record|put|keep) (?:this|that|it|the following)(?: \w{1,12}){0,3} (?:to|in|into) (?:your (?:long-?term )?|(?:the )?(?:long-?term|permanent|persistent) )(?:memory|memories|notes?|knowledge)\b", "long|permanent|persistent|your "),
    (r"(?:^|[.;:,!>] |\band |\bthen |\bplease |\balso |\balways |\bmust |\bshould |\bjust )(?:silently|secretly|quietly|covertly|invisibly) (?:run|send|add|install|upload|execute|push|append|post|copy|include|exfiltrate|disable|remove|delete|forward|call)\b", "covertly|invisibly|quietly|secretly|silently"),
    (r"(?<!if the )(?<!when the )(?<!once the )(?<!after the )(?<!until the )(?<!unless the )(?<!whether the )(?<!if )(?<!when )(?<!once )(?<!after )\b(?:user|owner|maintainer|human|security team|administrator) (?:has |have |had )?(?:already |just |explicitly |previously |now |fully )?(?:approved|authori[sz]ed|agreed|consented|granted|permitted|signed off|pre-?approved|given (?:you |us )?(?:permission|consent|approval))\b", "agreed|approved|authori|consented|given |granted|permitted|signed off"),
    (r"\b(?:approved|authori[sz]ed|permitted|requested|ordered|cleared) by (?:the |your |our )?(?:user|owner|human|security|administrator|management|operator)\b", "approved|authori|cleared|ordered|permitted|requested"),
    (r"\bexfiltrat", "exfiltrat"),
    (r"\bkeep (?:this|it) (?:strictly )?(?:secret|hidden|confidential|between us)\b|\bthis is (?:strictly )?(?:confidential|between us)\b", "keep |this is "),
    (r"\b(?:i am|im|this is) (?:the |your )?(?:developer|administrator|admin|creator|system administrator|anthropic|openai|security team|maintainer)\b", "admin|administrator|anthropic|creator|developer|maintainer|openai|security team|system administrator"),
    (r"\bas (?:an? )?(?:ai|language model|assistant|coding agent)\b", ""),
    (r"[-=#*\[<_]{2,12} ?end of (?:\w{1,12} ){0,2}(?:output|result|context|document|data|input)", "end of "),
    (r"<\|(?:im_start|im_end|system|user|assistant|endoftext)|\[/?inst\]|<<sys>>|### ?(?:system|instruction|human|assistant)", "<<sys>>|assistant|endoftext|human|im_end|im_start|inst]|instruction|system|user"),
    (rf"</? ?(?:{_FRAMES})[ >/]|</(?:system|assistant|user|human|important|admin|instructions?)>|<(?:system|assistant|important|instructions?)> ?\w{1,30} \w", "1, 30|admin|assistant|command-name|function_call|function_result|human|important|instruction|project-memory|skill-memory|skill_observations|system|system-reminder|tool_result|tool_use|twiceshy-note|user|user-prompt-submit-hook"),
    (r"\bif you are (?:an? |the )?(?:ai|assistant|agent|language model|llm|claude|codex|coding agent)\b", "if you are "),
    (r"\b(?:approval|permission|consent|authori[sz]ation)(?: \w{1,12}){0,3} (?:was|has been|is|were) (?:already |just )?(?:granted|given|obtained)(?: \w{1,12}){0,2} by (?:the |your |our )?(?:user|owner|human|security|administrator|management|operator)\b", "given|granted|obtained"),
    (r"\bautomatically approve (?:every|all|any)|\b(?:approvals?|authori[sz]ation checks|confirmations?) (?:is |are )(?:unnecessary|no longer (?:needed|required|necessary))", "automatically approve |no longer |unnecessary"),
    (r"\b(?:obey|comply with) (?:this|these|the following|all|every)\b", "comply with|obey"),
    (r"\byour (?:new|real|true|actual|only) (?:task|goal|job|objective|instruction|role|mission)\b", "your "),
    (r"\b(?:always|first|please|now) (?:pipe|upload|send|post|forward|share) (?:it|them|the|your|all|every|its)\b", "forward|pipe|post|send|share|upload"),
)  # fmt: skip
# Orders to an agent, which are an attack in a tool's output and plain speech of a user.
_ENGLISH_ORDERS = (
    (r"\byou (?:must|have to|shall) (?:now|always|immediately|never|at once) \w|\byou are (?:required|instructed|ordered|obliged) to\b", "you "),
    (r"\bfrom now on,? (?:you|please|always|never|run|use|every time|all (?:agents|commands))\b", "from now on"),
    (rf"\b{_AGENTS} (?:reading this |using this |working here |in this repo(?:sitory)? )?(?:must|should|shall|have to|has to|are required|is required|are instructed|may now|are allowed|is allowed|can now)\b", "are allowed|are instructed|are required|can now|has to|have to|is allowed|is required|may now|must|shall|should"),
    (r"(?<!content )\b(?:compliance|company|corporate|security|organi[sz]ation(?:al)?|engineering) (?:polic(?:y|ies)|requirement|mandate|standard)s?\b.{0,60}\b(?:must|require|mandat|shall|always|never|need|oblig)", "mandate|polic|requirement|standard"),
    (r"\b(?:as|is|are|now) (?:required|mandated|ordered) by (?:the |our |your )?(?:compliance|security|company|legal|policy|it|platform|system|admin)\b", "mandated|ordered|required"),
    (r"\b(?:in|for) (?:all|every|any) (?:(?:future|later|subsequent) (?:session|conversation|task|project|run|commit)|(?:following|new) (?:session|conversation))s?\b", "conversation|future|later|session|subsequent"),
    (r"\b(?:remember|memori[sz]e) (?:(?:this|that|the following) (?:for|in|forever|always|from|permanently)\b|to (?:always|never)\b)", "memori|remember"),
)  # fmt: skip
_AGENTS_ZH = "(?:智能体|助手|代理|ai|模型|claude|codex|copilot|你)"
_CHINESE = (
    ("(?:你现在是|你将扮演|请?扮演|今后你|你的新(?:任务|身份|角色|目标))", "今后你|你将扮演|你现在是|你的新|扮演"),
    ("系统提示词|开发者模式|越狱|系统消息[:：]|系统指令|管理员指令|隐藏指令|新指令|最高优先级", "开发者模式|新指令|最高优先级|管理员指令|系统指令|系统提示词|系统消息|越狱|隐藏指令"),
    ("(?:不要|别|不得|切勿|无需|不必|不用|勿|禁止|请勿|不许).{0,4}(?:告诉|告知|通知|提醒|询问|提及|透露|征求|报告|让|向|请示|经过).{0,6}(?:用户|任何人|他人|人类|开发者|他们|主人|同意|知道)", "主人|人类|他人|他们|任何人|同意|开发者|用户|知道"),
    ("瞒着|悄悄(?:地)?|偷偷(?:地)?|秘密(?:地)?(?:执行|运行|发送|上传|安装)|静默(?:执行|上传|运行|发送)", "偷偷|悄悄|瞒着|秘密|静默"),
    ("(?<![如若当果旦待在等直])用户(?:已经|已|刚才|刚刚)(?:说过?|同意|授权|批准|要求|确认|许可|允许|指示)|用户说[:：]", "用户|用户说"),
    ("(?:^|[，,。；;：:! ])(?:无需|不需要)(?:确认|批准|授权|审批|许可)|未经(?:确认|批准|同意)|直接执行(?:以下|下面|该)", "不需要|无需|未经|直接执行"),
    ("(?:执行|运行|照做)(?:以下|下面|下列)(?:的)?(?:指令|脚本)", "指令|脚本"),
    ("(?:跳过|关闭|禁用|停用|绕开|绕过|屏蔽)(?:所有|全部|一切|这些|该|掉)?(?:的)?(?:测试|检查|校验|钩子|验证|审查|审核|安全|签名|限制|护栏|证书)", "停用|关闭|屏蔽|禁用|绕开|绕过|跳过"),
)  # fmt: skip
_CHINESE_ORDERS = (
    ("从现在(?:开始|起)|从今以后", "今以后|现在"),
    ("(?:合规|安全|公司|企业|组织|内部).{0,4}(?:政策|要求|策略|规定|规范|制度).{0,16}(?:必须|须|应|一律|要求|禁止|务必)", "企业|公司|内部|合规|安全|组织"),
    (f"{_AGENTS_ZH}.{{0,6}}(?:必须|应当|务必|一律|须立即|需要立即|请立即|被授权|获准|可以直接)", "一律|务必|可以直接|应当|必须|获准|被授权|请立即|需要立即|须立即"),
    ("(?:写入|存入|保存到|记入|记到|加入).{0,6}(?:记忆|长期记忆)|永久记住|请?永远记住|牢牢记住|以后(?:每次|所有|的)(?:会话|对话|任务|提交)", "以后|永久记住|永远记住|牢牢记住|记忆|长期记忆"),
    ("(?:所有|每个|今后|以后)的?(?:会话|对话)(?:都|中|里|须|必须)", "会话|对话"),
)  # fmt: skip

_DOWNLOADS = r"(?:curl|wget|fetch|base64|xxd|openssl|iwr|irm)"
_PHRASES = {
    reasons.RUNS: (
        (rf"(?:\b(?:eval|exec|source|iex)|-c)[ (]{{0,2}}[\"']?(?:\$\(|<\(|`) ?{_DOWNLOADS}\b", "base64|curl|fetch|irm|iwr|openssl|wget|xxd"),
        (rf"<<< ?[\"']?\$\( ?{_DOWNLOADS}\b", "<<<"),
        (r"(?:\b(?:perl|ruby|python[23]?|node|php|lua|bun) (?:-\w{1,12} ){0,2}-\w{0,6}[ecr]|\b[gmn]?awk)\b.{0,100}\b(?:system|exec|popen|qx|child_process|subprocess|execsync|passthru|shell_exec|proc_open|os\.execute|spawnsync)\b", "child_process|exec|passthru|popen|proc_open|qx|subprocess|system|spawnsync"),
        (r"\| ?(?:at|batch) (?:-m )?(?:now|noon|midnight|teatime|tomorrow|\d)|\bat (?:now|noon|midnight|teatime|tomorrow)\b[^.;|]{0,30}<", ""),
        (r"downloadstring ?\(|\bexec ?\(.{0,60}(?:urlopen|requests\.get|b64decode|decompress|fromhex)", "b64decode|decompress|downloadstring|fromhex|requests.get|urlopen"),
        (r"\beval ?\(.{0,60}(?:atob|buffer\.from|fetch|b64decode)", "eval"),
        (r"\bpip\w{1,3} .{0,40}\b(?:to|into|through) (?:a )?(?:ba|z)?sh(?:ell)?\b", "pip"),
        (rf"\b{_DOWNLOADS}\b.{{0,120}}\b(?:and|then) (?:run|execute) (?:it|the (?:script|result|output))", "and|then"),
        (r"socket.{0,160}connect ?\(.{0,160}(?:dup2|subprocess|\bpty\b|/bin/|\bexec)|\buse socket;|\btcpsocket\b|\bfsockopen ?\(", "socket|fsockopen"),
        (r": ?(?:\( ?\) ?)?\{ ?: ?\|", ""),
    ),
    reasons.CREDENTIALS: (
        (r"\bprocess\.env\b.{0,30}(?:json\.stringify|fetch|post)|(?:json\.stringify|fetch ?\().{0,30}\bprocess\.env\b(?!\.)", "process.env"),
        (r"\bos\.environ\b.{0,40}(?:requests\.|urlopen|post ?\()", "os.environ"),
    ),
    reasons.HOOKS: (
        (r"\bhusky(?:_skip_hooks)?=[01]\b|\blefthook=(?:0|false)\b|\bpre_commit_allow_no_config=", "husky|lefthook=|pre_commit_allow_no_config="),
        (r"(?:^|[\s;&|`(\"'])skip=[\w,-]{1,60}", "skip="),
        (r"\bcore\.hookspath\b|\bcommit\.gpgsign[ =]{1,3}(?:false|0|no)\b", "mmit.gpgsign|re.hookspath"),
        (r"\b(?:skip|disable|bypass|turn off|switch off|remove|without)\w{0,3} (?:the |all |any )?(?:git |pre-?commit |pre-?push |commit )?hooks?\b", "hook"),
    ),
    reasons.TLS: (
        (r"\bverify ?= ?false\b|\bnode_tls_reject_unauthorized=|\bgit_ssl_no_verify=|\bpythonhttpsverify=0", "git_ssl_no_verify=|node_tls_reject_unauthorized=|pythonhttpsverify=0|verify"),
        (r"\bhttp\.sslverify[ =\"']{1,3}(?:false|0|no)\b|\bstrict-ssl[ =]{1,3}false|\bstricthostkeychecking[ =]{1,3}(?:no|accept-new)\b", "http.sslverify|strict-ssl|stricthostkeychecking"),
        (r"\brejectunauthorized[\"']? ?: ?false|\binsecureskipverify\b|_create_unverified_context|\bcert_none\b|ssl_verifypeer|\bssl\.insecure=true", "_create_unverified_context|cert_none|insecureskipverify|rejectunauthorized|ssl.insecure=true|ssl_verifypeer"),
        (r"\bgoinsecure=|\bgonosumdb=|\bgoflags=-insecure|\bgosumdb=off", "flags=-insecure|insecure=|nosumdb=|sumdb=off"),
        (r"\b(?:skip|disable|bypass|turn off|switch off|ignore)\w{0,3} (?:the |all |any )?(?:tls|ssl|https|certificate) (?:\w{1,12} )?(?:verif|check|valid|error|warning)", "check|error|valid|verif|warning"),
    ),
    reasons.DESTROYS: (
        (r"\bdrop (?:table|database|schema|view|index|user|role|column)\b|\btruncate (?:table )?[\w.\"]{1,60} ?(?:;|$|cascade|restart)|\btruncate table\b", "drop |truncate |truncate table"),
        (r"\bdelete from [\w.\"`]{1,80}(?! ?(?:as \w{1,20} )?\bwhere\b|\w|\.)(?! where\b)", "delete from "),
        (r"\bdropdatabase ?\(|\.drop ?\( ?\)|\bdb:(?:drop|reset)\b|\bflushall\b", ".drop|drop|dropdatabase|flushall|reset"),
        (r"> ?/dev/(?:sd[a-z]|nvme|disk)", "/dev/"),
    ),
    reasons.RIGHTS: (
        (r"\bas (?:root|administrator)\b(?! (?:element|component|node|dir|folder|path))|\brun as admin|nopasswd|security_opt|--cap-add|-v ?/:/", "--cap-add|/:/|administrator|nopasswd|root|run as admin|security_opt"),
        (r"\bdefaultmode[\"': ]{1,4}bypasspermissions|\bbypasspermissions\b|\bauto-?approve\b", "approve|bypasspermissions|defaultmode"),
    ),
    reasons.CHECKS: (
        (r"-dskiptests|-dmaven\.test\.skip|--passwithnotests\b|\bcontinue-on-error\b[\"': ]{1,3}true", "--passwithnotests|-dmaven.test.skip|-dskiptests|continue-on-error"),
        (r"\beslint-disable|\bbiome-ignore|@ts-ignore\b|@ts-nocheck\b|#\s?noqa(?!:\s?[a-z]{1,4}\d)|\b(?:flake8|ruff): ?noqa\b|\bpylint: ?disable|//\s?nolint\b(?!:)|#\s?type: ?ignore(?!\[)|\bprettier-ignore\b|\bnosec\b", "@ts-ignore|@ts-nocheck|biome-ignore|eslint-disable|nolint|noqa|nosec|prettier-ignore|pylint:|type:"),
        (r"\b(?:it|test|describe|context|suite)\.(?:skip|todo|only)\b|\bx(?:it|describe) ?\(|\bpytest\.(?:mark\.)?(?:skip|xfail)|\bmark\.xfail\b|\bxfail\b|\bt\.skip(?:now)? ?\(|#\[ignore\]|@disabled\b|@ignore\b|@unittest\.skip", ""),
        (r"-k[ =]?[\"']{0,2}not \w|\[(?:skip ci|ci skip|no ci)\]|\bfailonerror[ =:\"']{1,4}false\b|\btestfailureignore=true", "ci skip|failonerror|no ci|not |skip ci|testfailureignore=true"),
        (r"\b(?:skip|disable|bypass|comment out|turn off|switch off|delete|remove|silence|suppress)\w{0,3} (?:the |all |any |failing |flaky |broken |these |those |that |this |unit |integration |type |security |ci ){0,3}(?:tests?|lint(?:er|ing|s)?|checks|type ?checks?|type ?checking|assertions|verification|ci)\b", "bypass|comment out|delete|disable|remove|silence|skip|suppress|switch off|turn off"),
    ),
    reasons.SETTINGS: (
        (r"\b(?:add|append|write|put|insert|paste|copy)\b.{0,80}\b(?:to|into|in) (?:your |the |my |~/)?(?:\S{0,60}/)?(?:claude\.md|agents\.md|gemini\.md|settings\.json|\.mcp\.json|\.bashrc|\.zshrc|\.profile|crontab|cron)\b", ".bashrc|.mcp.json|.profile|.zshrc|agents.md|claude.md|cron|crontab|gemini.md|settings.json"),
        (r"\bmcpservers\b|\ballowedtools\b|\bcron job\b.{0,40}\bthat\b", "allowedtools|cron job|mcpservers"),
    ),
    reasons.FORCE: (
        (r"\bforce[- ]push", "force"),
        (r"\bshutil\.rmtree ?\( ?[\"']?[/~]|\bfs\.rmsync ?\( ?[\"']?[/~]", "fs.rmsync|shutil.rmtree"),
    ),
}  # fmt: skip

ATTACKS = [LatePattern(*each) for each in (*_ENGLISH, *_CHINESE)]
ORDERS = [LatePattern(*each) for each in (*_ENGLISH_ORDERS, *_CHINESE_ORDERS)]
PHRASES = {
    reason: [LatePattern(*each) for each in patterns] for reason, patterns in _PHRASES.items()
}


def instructs_agent(text: str) -> bool:
    """True if a folded text addresses an agent instead of describing work."""
    flat = " ".join(text.lower().split())
    return any(pattern.search(flat) for pattern in (*ATTACKS, *ORDERS))


def attacks_agent(text: str) -> bool:
    """True if a folded text tries to turn an agent against its user."""
    flat = " ".join(text.lower().split())
    return any(pattern.search(flat) for pattern in ATTACKS)


def find_phrase_dangers(text: str) -> Iterator[str]:
    """Yield reasons for review by wording; messages and searches are removed before."""
    flat = " ".join(text.lower().split())
    for reason, patterns in PHRASES.items():
        if any(pattern.search(flat) for pattern in patterns):
            yield reason
