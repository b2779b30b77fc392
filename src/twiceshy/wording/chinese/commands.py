"""Chinese messages for the command overview, projects, the rescue of a store, and memory-keeper's counter."""

WORDS = {
    "stopped; {count} new notes were written before; the rest is read the next time": "已停止;先前已寫入 {count} 則新筆記,其餘下次再讀",
    "cannot write the output: {why}": "無法寫出結果:{why}",
    "the disk is full; what was done before that stays": "磁碟已滿;先前完成的部分保留",
    "make room, and run it again": "請清出空間後再執行一次",
    "Commands for you and, as /twiceshy:NAME, for your agent:": "你可以直接下的指令;在代理裡用 /twiceshy:名稱:",
    "\nMore, on the command line:": "\n命令列上還有:",
    "{count} of {interval} tool uses": "工具使用次數 {count}/{interval}",
    "the counter of this project begins anew": "本專案的計數器已歸零",
    "the store was damaged; it is set aside in {path}": "資料庫已損壞,原檔移至 {path}",
    "hint: {count} notes could be read; see: twiceshy doctor": "提示:救回 {count} 則筆記;請執行 twiceshy doctor",
    "{name}: notes {notes}, sessions {sessions}, last seen {day}": "{name}:筆記 {notes}、工作階段 {sessions},最近一次 {day}",
    "{path} (gone)": "{path}(已不存在)",
    "no projects are known yet": "目前還沒有已知的專案",
    "if a folder moved: twiceshy project alias NEWPATH OLDPATH": "如果資料夾搬走了:twiceshy project alias 新路徑 舊路徑",
    "the project is known by that name already": "這個專案已經有這個名稱",
    "{count} notes moved": "已移動 {count} 則筆記",
    "{count} of them were known there; the older stays": "其中 {count} 則那裡已經有了,保留較早的一則",
    "{count} pages have a new name": "{count} 個頁面換了新名稱",
    "{notes} notes in {files} files, as {title} has them, in {folder}": "已將 {notes} 則筆記寫成 {files} 個 {title} 格式的檔案,放在 {folder}",
    "no place there for: {kinds}; a bundle holds them all": "那裡放不下:{kinds};bundle 可以保存全部",
}
