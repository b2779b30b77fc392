"""Chinese messages for compress and retention."""

WORDS = {
    "nothing was changed; this would be done:": "尚未變更任何內容,將會執行:",
    "there is nothing to compress": "沒有需要壓縮的內容",
    "{count} summaries of sessions into {archives} archives": "{count} 份工作階段摘要已歸入 {archives} 個封存檔",
    "{count} archives whose time is over removed": "已移除 {count} 個過期的封存檔",
    "{count} rows pruned: {tables}": "已清除 {count} 筆紀錄:{tables}",
    "{count} files removed: {named}": "已移除 {count} 個檔案:{named}",
    "{count} kilobytes given back": "已釋出 {count} KB",
    "no episodes": "沒有任何工作紀錄",
    "kept in {path} for {days} days": "已存入 {path},保留 {days} 天",
}
