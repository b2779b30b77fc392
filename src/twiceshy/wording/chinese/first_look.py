"""Chinese messages of the first screen and of the help page."""

WORDS = {
    "Every day": "日常",
    "Set up": "安裝與設定",
    "Proof": "成效",
    "Move": "搬移",
    "More": "其他",
    "All commands, older names too: twiceshy help --all": "全部指令(包括舊名稱):twiceshy help --all",
    "twiceshy remembers nothing yet: no agent is connected.": "twiceshy 還沒有任何記憶:尚未連接代理。",
    "twiceshy remembers nothing yet; the next session of your agent begins.": "twiceshy 還沒有任何記憶;從代理的下一個工作階段開始。",
    "help:      twiceshy help": "說明:     twiceshy help",
    "{project}: notes: {note}, rules: {rule}, open tasks: {task}, pages: {page}": "{project}:筆記 {note}、規則 {rule}、待辦 {task}、頁面 {page}",
    "agents:    {agents}": "代理:     {agents}",
    "none": "無",
    "last week: told {told} times, heeded {heeded} (before the mistake {prevented}, at the error {repaired}), stopped {stopped} calls, learned {learned}": "最近一週:提示 {told} 次,採納 {heeded} 次(犯錯前 {prevented}、出錯時 {repaired}),攔下 {stopped} 次呼叫,學到 {learned} 則",
    "waiting:   {count} for your review": "待審核:   {count} 則",
    "next:      twiceshy install --plan   shows how agents are connected": "下一步:   twiceshy install --plan   看看會怎麼連接代理",
    "next:      twiceshy project join     if this checkout is yours": "下一步:   twiceshy project join     如果這份 checkout 是你的",
    "next:      twiceshy review           decide about what waits": "下一步:   twiceshy review           決定待審核的內容",
    "next:      twiceshy list             read what your agents are told": "下一步:   twiceshy list             看看代理會讀到什麼",
    "next:      twiceshy replay           what memory would have saved you": "下一步:   twiceshy replay           看看記憶本來能替你省下什麼",
}
