"""Words by which the parts of a statement are told apart, in English and Chinese."""

from __future__ import annotations

from twiceshy.language.stem import stem_word
from twiceshy.language.terms import STOP_WORDS

CHINESE = "\u2e80"
TRIMMED = "\"'`“”‘’「」『』[]{}*_.,;:!?()<>"
CLAUSE_ENDS = ",;:!?()，；：。！？（）\n—–"
ABOUT = frozenset(
    "for in on of inside within under at between during when per if behind near around across".split()
)
WITH = frozenset(
    """to into onto with from by via through against towards after before until over than instead without
    not rather unless except like as""".split()
)
# A preposition right after one of these begins the value: "images are in S3".
BARE_VERBS = frozenset(
    """is are was were be being been isn't aren't wasn't go goes went live lives runs sits stays belong belongs
    comes happens starts begins ends lies stands listens depends points moved land lands lived gets""".split()
)
FINITE = frozenset(
    "is are was were must should shall may might can cannot could will would has have stay stays".split()
)
VERBS = BARE_VERBS | frozenset(
    """must should shall may might can cannot can't could will would won't mustn't shouldn't needn't needs need applies holds works exists
    have has had hasn't haven't do does did don't doesn't didn't dont uses used using puts writes makes keeps
    got stores calls sets allows requires wants builds installs sends reads pins adds contains supports
    expects accepts takes holds means manages signs switched raised changed replaced dropped removed migrated
    upgraded bumped moving gave became increased reduced lowered extended resized renamed retired never always""".split()
)
# Verbs where a sentence begins, or after one of the words that ask for a verb; nouns elsewhere.
ORDERS = frozenset(
    """use run put write make keep get store call set allow require build install send read pin add format log
    ask announce pull wrap ignore follow name prefer mock test upgrade manage sign switch raise change replace
    drop remove migrate start stop deploy branch stay come work live go touch commit push merge rebase squash
    cache pass check open close create delete write import export compile generate support contain accept take
    do be have forget skip ditch kill move bump rename retire let want treat mark tag release avoid disable enable""".split()
)
ASKING = frozenset(
    "don't dont not never always please must should shall can could may might will would we you i they to just only and then".split()
)
PRESCRIBING = frozenset(
    "use uses using with via through run from in on into to the a our only is".split()
)
# After one of these, "in" and "on" begin the value: "store sessions in Redis".
PLACING = frozenset("store put write keep host publish save upload".split())
NUMBERED = frozenset(
    "severity sev tier decision pattern mistake principle rule tip hint section article milestone iteration round sprint adr rfc number no version lesson text fact entry row line day week example question round task step phase issue ticket port line section chapter level error code part item case bug pr note status exit".split()
)
HELPING = frozenset(
    map(
        stem_word,
        "can could will would may might do does did don't doesn't didn't never always".split(),
    )
)
IRREGULAR = frozenset(
    "written built rebuilt sent kept held done run put set made paid sold found read cut".split()
)
REMOVED = frozenset(
    "removed gone dropped drops drop remove deleted delete out banned excluded cut".split()
)
# These begin an order, or a name: "Test functions may be longer".
NOUNS = frozenset(
    """test log mock branch cache release build deploy format name commit merge import export tag report support sign mark
    check change call start stop set store contract pass use""".split()
)
BACKWARD = ("it", "they", "he", "she", "one")  # these name what was said before
PRONOUNS = frozenset("we i you it they he she one everyone everybody nobody".split())
REASONS = frozenset("because otherwise else which who where although".split())
LONG_FORMS = {
    "db": "database", "dbs": "database", "prod": "production", "repo": "repository", "env": "environment",
    "config": "configuration", "dev": "development", "docs": "documentation", "doc": "documentation",
    "deps": "dependencies", "k8s": "kubernetes", "postgresql": "postgres", "js": "javascript",
    "ts": "typescript", "info": "information", "max": "maximum", "min": "minimum", "lib": "library",
    "py": "python", "msg": "message", "dir": "directory", "pkg": "package", "stg": "staging", "mins": "minutes",
    "pw": "password", "pr": "pullrequest", "prs": "pullrequest", "golang": "go", "gh": "github",
}  # fmt: skip
LANGUAGES = frozenset(
    "english german french chinese spanish polish dutch japanese russian italian".split()
)
TIMES = "next last first today tomorrow yesterday sprint quarter future meanwhile times once then later"
# Numbers, days and units: what such a word says is an amount, and no place or subject.
AMOUNTS = frozenset(
    map(
        stem_word,
        """two three four five six seven eight nine ten twelve twice daily weekly monthly yearly hourly
        monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
        january february march april june july august september october november december day week month year
        hour minute second ms mb gb kb tb midnight noon""".split(),
    )
)
CHINESE_AMOUNTS = frozenset("一二三四五六七八九十两半百千万周天次点分秒月年晚早午夜卡核")
EMPTY = (
    frozenset(
        """change changed path rule turns turned update updated edit correction recipient written
    located new old everything all every each own other same always never must shall only
    also too now currently please just still again already actually really no not none nothing any more longer
    instead anymore don't dont cannot can't won't doesn't isn't aren't thing things way stuff yes ok okay fine
    right there's it's that's we've we're i've i'm you're they're let's via use uses used using usage default
    defaults set need needs want wants will would see""".split()
    )
    | frozenset(TIMES.split())
    | STOP_WORDS
) - {"us"}
CHINESE_VERBS = (
    "不再 不要 不用 别 必须 一律 统一 全部 全面 禁止 改用 改为 改成 换成 换到 改走 现在 目前 默认 可以 允许 应该 需要 走 用 是 跑 放 在 要 换 改 "
    "只 有 给 到 为 设 存 写 限 由 从 找 发 保留 留够 留 升 提 拆 搬 打 支持 依赖 通过 采用 使用 不 已 都 全 先 再 没 也 会 能 请 返回 低于 最低 最多 最少 开".split()
)
CHINESE_EMPTY = frozenset(
    "的了是在用和与及都也就要把被给对从到为以之其这那里上中下端库日版个件名值们请由所有一律统一全部面默认现目前已新旧老禁止不别许准允可必须字段工具方案服务项直接本次每时间作"
)


# Words that hold a character which is a verb elsewhere.
CHINESE_NOUNS = """用户 开发 发布 打包 提交 设计 存储 有效 请求 会员 权限 限流 限制 在线 应用 使用 调用 引用 通用 发票 发版 打印 写入 读写 开关
    设置 设备 升级 能力 功能 会话 提示 提醒 改动 换行 全局 全量 全文 从库 跑批 留存 开源 推送 出发 触发 并发 转发 分发 开头 到期 到货 作为 行为 不同
    放行 有序 设施 存量 打点 打分 提供 找回 限额 写法 用例 用量 用途 给付 要素 在途 走势 是否 换算 改造 拆分 升序 搬运""".split()
WHO = 4  # characters of who says so, at most
CHINESE_LEADS = "更正 更新 修正 纠正 其实 另外 现在 目前 以后 今后 之后 上周 昨天 今天 这周 下周 最近 已经 由于 因为 所以 为了 关于 我们 咱们 大家 记得 注意 请 从现在起 即日起 之前 新的 新 全部 所有 不要 别 可以 禁止 不允许 允许 必须".split()
CHINESE_PLACES = """端 后台 前台 模块 模组 环境 集群 服务 机房 目录 分支 项目 任务 那台 镜像 系统 平台 页面 页 团队 账号
    阶段 部分 环节 小程序 容器 指标 例外 仓库""".split()


ENVIRONMENTS = frozenset(
    """production prod staging sandbox demo preview local locally ci ios android windows linux mac macos frontend
    backend mobile desktop eu""".split()
)
CHINESE_ENVIRONMENTS = """线上 本地 测试环境 测试库 生产 预发 灰度 开发环境 前端 后端 客户端 服务端 移动端 管理端 用户端 商户 安卓 桌面 小程序 内部 外部 海外
    国内 华东 华北 华南 西南 内网 外网 公网 老系统 新系统 个人 紧急 备用 离线 实时""".split()
