"""Chinese messages for analyze and correct."""

WORDS = {
    "not looked at, no text: {file}": "略過,不是文字檔:{file}",
    "hint: not shown until you approve: twiceshy review": "提示:核准之前不會顯示給代理:twiceshy review",
    "[y]es, from now on; [n]o, never; [l]ater": "[y] 從現在起採用;[n] 永不採用;[l] 以後再說",
    "{corrections} corrections, {known} known, {new} new": "共 {corrections} 處訂正,已知 {known},新增 {new}",
    "waits for you: {rule}": "等你決定:{rule}",
    "cleared, but missed again: {rule}": "已結案,但又犯了:{rule}",
    "your edit does the opposite of {rule}; if it holds no longer: twiceshy correct --clear {id}": (
        "你的修改與規則相反:{rule};若已不適用,請執行 twiceshy correct --clear {id}"
    ),
    "missed too often, proposed as a hard rule: {rule}": "一再違反,已提議列為硬性規則:{rule}",
    "missed: {rule} ({fresh} more, {total} in all; {files})": (
        "又犯了:{rule}(這次 {fresh},累計 {total};{files})"
    ),
    "new, {category}: {rule} (places: {times}; {files})": "新規則,{category}:{rule}(共 {times} 處;{files})",
    "the notebook is empty; `twiceshy analyze` fills it from what you edit": (
        "錯題本是空的;`twiceshy analyze` 會從你的修改中學習"
    ),
    "broken: {times}": "違反 {times} 次",
    "broken: {times}, last on {day}": "違反 {times} 次,最近一次 {day}",
    "not broken since {day}": "{day} 以來沒有違反",
    "{count} rules wait for you: twiceshy review": "{count} 條規則等你決定:twiceshy review",
    "cleared": "已結案",
    "not approved": "尚未核准",
    "hard rule {id}": "硬性規則 {id}",
    "hard rule {id} waits for you": "硬性規則 {id} 等你決定",
    "needs hard rule": "需要硬性規則",
    "done; `twiceshy undo` takes it back": "完成;`twiceshy undo` 可以復原",
}
