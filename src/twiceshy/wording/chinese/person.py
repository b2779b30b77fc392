"""Chinese messages for acts that only a person may do."""

WORDS = {
    "only a person may {act}": "只有使用者本人可以{act}",
    "only a person at a terminal may {act}": "只有使用者本人在終端機前可以{act}",
    "only a person may {act}; {client} runs this command": "只有使用者本人可以{act};這個指令由 {client} 執行",
    "run this command yourself, in a terminal of your own": "請自己在終端機執行這個指令",
    "run it in a terminal of your own, outside of the agent": "請在代理程式之外、自己的終端機執行",
    "To {act}, type {code} and press Enter: ": "要{act},請輸入 {code} 並按 Enter: ",
    "that was not {code}; nothing was changed": "輸入的不是 {code};沒有任何變更",
    "approve a rule": "核准規則",
    "decide about what waits": "決定待處理的項目",
    "change or hide an approved rule": "變更或隱藏已核准的規則",
    "erase for good": "永久刪除",
    "take back a decision of a person": "收回使用者的決定",
    "join projects": "合併專案",
    "approve rules of a bundle": "核准 bundle 裡的規則",
    "choose with whom notes are shared": "選擇與誰共用筆記",
    "change a setting that protects you": "變更保護你的設定",
    "change what a person wrote or pinned": "變更使用者寫下或釘選的內容",
    "write or pin for every project": "為所有專案寫入或釘選",
}
