"""Sentences of ``forget``: what was erased, what is left, and what is not reached."""

WORDS = {
    "Text to erase": "要清除的文字",
    "{text!r} is too short to be erased everywhere": "{text!r} 太短,無法從所有地方清除",
    "give at least {count} characters": "請至少給 {count} 個字元",
    "taking in edits of views …": "正在讀入檢視檔的修改 …",
    "erasing from the store and its files …": "正在從資料庫與檔案中清除 …",
    "writing views …": "正在寫入檢視檔 …",
    "older commits of your remote hold it until you run: twiceshy backup --purge": "遠端的舊提交仍含有它,直到你執行:twiceshy backup --purge",
    "a git server may keep unreachable objects for a while after that; only its owner can delete them": "之後 git 伺服器可能還會保留無法存取的物件一段時間;只有伺服器的管理者能刪除",
    "your other devices keep an erased text: run the same command there": "你的其他裝置仍保有這段文字:請在那裡執行同樣的指令",
    "your other devices ask at their next sync, and erase it when you agree there": "你的其他裝置會在下次同步時詢問,你在那裡同意後便會清除",
    "exports and bundles that you wrote elsewhere are not known here: delete those that hold it": "你寫到別處的匯出檔與 bundle 這裡無從得知:請刪除含有它的檔案",
    "the transcripts of your coding agents belong to them: delete the session there if they hold it": "程式代理的對話紀錄屬於它們自己:如果其中含有它,請在那裡刪除該工作階段",
    "forgotten": "已清除",
    "would be erased or cleaned: {places}": "將會清除或改寫:{places}",
    "erased or cleaned: {places}": "已清除或改寫:{places}",
    " and {count} more": " 以及另外 {count} 個",
    "these quote it and lose the quoting sentences, or go: {names}": "以下內容引用了它,會刪去引用的句子,或整個清除:{names}",
    "lines of your own in {path} hold it; they stay": "{path} 中你自己寫的行含有它;這些行會保留",
    "{path} may still hold it; the next command tries again": "{path} 可能仍含有它;下一個指令會再試一次",
    "not reached: {what}": "未能處理:{what}",
}
