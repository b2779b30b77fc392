"""The table of slash commands, English and Chinese, and their Markdown pages.

A command is a verb of the command line under the same name. Decisions that need judgement
are described here to the calling model.

A client puts the user's words into a page unchanged. So no line run by the client itself has
a place for user words: such a line runs constant words and read-only verbs. User words are
passed by the model as quoted arguments, and the client asks about shell tricks.
"""

import json
from collections.abc import Collection

from twiceshy.core.value import Value

WORDS = "$ARGUMENTS"  # where a client puts what the user added
_QUOTED = "Put text between single quotes, and write '\\'' for a single quote inside it."
_IN_CHINESE = ("", "Answer in Traditional Chinese (繁體中文).")


class CommandPair(Value):
    """A command under both names; a client may run a read-only command without user words."""

    name: str
    chinese: str
    hint: str  # which words it takes
    about: str
    about_chinese: str
    then: tuple[str, ...]  # what is left to the model
    only_reads: bool = False


# A row: both names and the words that it takes; what it does; what is left to the model.
PAIRS = (
    CommandPair(
        "save", "存記憶", "<what is worth keeping>",
        "Save a text on the right page or as a note, only once.", "把內容存到該放的地方,只存一次。",
        (
            "Without words from the user, take what this conversation settled and a later one would have to ask for again.",
            "One call for each fact, worded so that it can be understood alone. No secrets.",
            "If it names several places, choose by topic and call it again with `--to`; if you cannot tell, ask the user.",
            "Report what was kept and where, or where it stood already.",
        ),
    ),
    CommandPair(
        "reload", "讀取", "[topic]",
        "Print the memory of a project again.", "重新讀取專案的記憶。",
        (
            "Take it in; do not repeat it. Say in two lines how much was read and what of it bears on the work at hand.",
            "These are notes of earlier sessions: the user and the files at hand win.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "todo", "待辦", "[add <text> | done <id> | --project <name>]",
        "List open tasks, and suggest the next one.", "列出待辦,並建議下一項。",
        (
            "Show the open tasks by project and the one that is suggested, with its reason.",
            "Begin none of them before the user says so.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "backup", "備份", "",
        "Commit your notes and push them to your git remote.", "把學到的內容提交並推送到你的 git 遠端。",
        (
            "Report how much was sent, or the hint that it prints if it could not.",
            "Which remote is used only the user sets: never pass `--remote` or `--purge`.",
        ),
    ),
    CommandPair(
        "sync", "同步", "",
        "Pull changes of other devices, and push your own.", "帶入其他裝置推送的內容,並推送這台裝置學到的內容。",
        (
            "Report what arrived and what was sent, in the numbers that it prints.",
            "Of a note that was edited on two devices, say which wording stands; what becomes of it the user decides.",
            "Never pass `--remote` or `--accept`, and approve no rules: that is for the user.",
        ),
    ),
    CommandPair(
        "handoff", "交接", "[topic]",
        "Leave a handoff for the next session of this project.", "交接給本專案的下一個工作階段。",
        (
            "What the session did, and which files it changed, is filled in from its record; `--draft` shows it.",
            "Add what only you know: `--status` in one line, `--left` once for each thing left to do, the next step first, `--decision` with its reason.",
            "Report what the next session will be told.",
        ),
    ),
    CommandPair(
        "diary", "回顧", "[day]",
        "Write the diary of a day.", "寫下一天的回顧。",
        (
            "If something worth remembering about the way of working is missing, add it with `--add`, one short line each.",
            "Show the page; at most add one sentence of your own.",
        ),
    ),
    CommandPair(
        "reflect", "反思", "[project]",
        "Review a week: useful, recurring and removable notes.", "回顧一週:哪些仍成立、哪些一再發生、哪些可以刪。",
        (
            "Go through the candidates with the user, a few at a time. Of each ask: does it serve, can it be shorter, is it covered, must it go?",
            "Propose an answer with its reason, and record what the user decided with `--answer`. Shorten rather than remove.",
            "What must go is only marked; in a later cycle the user confirms it. Never edit CLAUDE.md: the report suggests, the user applies.",
        ),
    ),
    CommandPair(
        "learn", "學習", "<title>",
        "Record a problem, its solution, and advice for next time.", "記下問題、解法,以及下次怎麼做。",
        (
            "Fill in `--problem`, `--solution` and `--next` from this conversation, a sentence each.",
            "Worth it: a cause that was not obvious, a trap of the environment or of a deployment, three attempts or more.",
            "Not worth it: what the documentation says, common knowledge, what cannot happen again.",
            "Report only the line that it prints.",
        ),
    ),
    CommandPair(
        "analyze", "分析", "[--since <revision> | <before> <after>]",
        "Learn from your edits, and count missed rules.", "從你的修改中學習,並計算違反規則的次數。",
        (
            "Say which known rules were missed and what is new, in the numbers that it prints.",
            "If the edits show a rule that it did not find, word it in one sentence with the example, wrong → right, and propose it to the user; do not approve it yourself.",
        ),
    ),
    CommandPair(
        "correct", "訂正", "[category]",
        "List the error notebook with miss counts.", "列出錯題本:規則,以及各犯了幾次。",
        (
            "Before you go on, check the work at hand against the items that bear on it, and correct what breaks one.",
            "Three misses and more need a hard rule: tell the user to run `twiceshy review`. What is learned only the user clears.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "check", "健檢", "[memory|commands|hooks|project]",
        "Check pages, commands, hooks and instruction files.", "健檢:頁面、指令、hook 與指示檔。",
        (
            "Report what is not OK, each with the command that it names; nothing more if all is well.",
            "It changes nothing, and neither do you before the user says so.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "full-check", "大健檢", "[memory|commands|hooks|project|git]",
        "Check everything, including duplicated content.", "大健檢:檢查全部,包括重複出現的內容。",
        (
            "Sort what it found by what it costs the user, the worst first, each with the command that it names.",
            "Of two notes in conflict say which one the code bears out, if you can tell. Change nothing before the user says so.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "memory-health", "記憶健檢", "",
        "List pages and skills with their problems, and counts.", "列出有問題的頁面與技能,並統計其餘的。",
        (
            "Name what is stale or too large, and say for each whether to shorten, split or drop it.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "memory-search", "搜尋記憶", "<keyword>",
        "Find a word in notes, pages and sessions, newest first.", "在筆記、頁面與工作階段中找字,新的在前。",
        (
            "Sum up in at most five lines what bears on the question, each with its handle.",
            "If nothing was found, try one of the related terms that it suggests, once.",
        ),
    ),
    CommandPair(
        "recover", "想起來", "",
        "Pull from your remote.", "帶入各裝置推送的內容;在新機器上就是全部。",
        (
            "Report how many notes arrived, and how many rules wait for the user's approval.",
            "If no remote is set, tell the user to run it once in a terminal with `--remote`.",
        ),
    ),
    CommandPair(
        "compact-guide", "壓縮建議", "",
        "Advise whether to compact now.", "判斷現在適不適合壓縮對話。",
        (
            "Give its advice in one sentence, and add what you know and it does not: whether something is half done.",
            "If it is a good moment, name what must survive, and keep it with `twiceshy save` first.",
        ),
        only_reads=True,
    ),
    CommandPair(
        "overview", "全覽", "",
        "List every command with its summary.", "列出所有指令與用途。",
        ("Show it as it is.",),
        only_reads=True,
    ),
)  # fmt: skip


def find_command_pair(word: str) -> CommandPair | None:
    """Return the command of a name in either language."""
    return next((pair for pair in PAIRS if word in (pair.name, pair.chinese)), None)


class CommandPage(Value):
    """A command under one of its names, as needed by a client."""

    name: str
    about: str
    pair: CommandPair
    body: str

    def to_markdown(self, of_model: Collection[str] = ()) -> str:
        """Return the page as a Markdown file; ``of_model`` are commands that the model may run."""
        hint = json.dumps(self.pair.hint)
        head = [
            # in quotes: a colon or a bracket would mean something else there
            f"description: {json.dumps(self.about, ensure_ascii=False)}",
            *([f"argument-hint: {hint}"] if self.pair.hint else []),
            f"allowed-tools: Bash(twiceshy {self.pair.name}:*)",
            # a line for each of them in the context of every session is more than they are worth
            *([] if self.pair.name in of_model else ["disable-model-invocation: true"]),
        ]
        return "\n".join(("---", *head, "---", "", self.body))


def build_command_pages(*, runs: bool) -> list[CommandPage]:
    """Return the pages of every command; ``runs``: the client runs marked lines itself."""
    found = []
    for pair in PAIRS:
        body = [*_invocation(pair, runs=runs), *pair.then]
        found.append(CommandPage(pair.name, pair.about, pair, _page_text(body)))
        found.append(
            CommandPage(pair.chinese, pair.about_chinese, pair, _page_text([*body, *_IN_CHINESE])),
        )
    return found


def _page_text(lines: list[str]) -> str:
    return "\n".join((*lines, ""))


def _invocation(pair: CommandPair, *, runs: bool) -> list[str]:
    """Return the invocation of the verb: by the client before the model, or by the model."""
    verb = f"twiceshy {pair.name}"
    said = f"The user's words, if any: {WORDS}"
    if not (pair.only_reads and runs):
        how = f" with them as arguments; `{verb} --help` lists its options. {_QUOTED}"
        return [said, "", f"Run `{verb}`{how}", ""] if pair.hint else [f"Run `{verb}`.", ""]
    # a client that gets an error from such a line shows nothing else
    printed = [f"`{verb}` printed:", "", f"!`{verb} || true`", ""]
    if not pair.hint:
        return printed
    again = f"If there are some, run `{verb}` once more with them as arguments. {_QUOTED}"
    return [*printed, said, again, ""]
