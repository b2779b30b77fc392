"""Chinese messages for sharing notes between devices."""

WORDS = {
    "everything is the same on both sides": "兩邊內容一致",
    "{note} was edited on two devices: the later wording stands, the other waits in: twiceshy review": "{note} 在兩台裝置上都改過:以較晚的文字為準,另一個版本在此待定:twiceshy review",
    "left out {name}: {why}": "略過 {name}:{why}",
    "rules from other devices wait for you: twiceshy review --accept-all rules": "其他裝置的規則等待核准:twiceshy review --accept-all rules",
    "nothing was changed": "沒有任何變更",
    "to take back what arrived: twiceshy undo": "要收回帶入的內容:twiceshy undo",
    "Rewrite the history of the remote?": "要改寫遠端的歷史嗎?",
}
