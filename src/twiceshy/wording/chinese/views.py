"""Chinese messages for views."""

from __future__ import annotations

WORDS = {
    "no view is called {name!r}": "沒有名為 {name!r} 的檢視檔",
    "{count} views are called {name!r}": "有 {count} 個檢視檔名為 {name!r}",
    "one of: {names}": "可選:{names}",
    "nothing is kept here yet": "這裡還沒有保存任何內容",
    "some views could not be written; the reasons are above": "有些檢視檔無法寫入;原因見上",
    "nothing was changed; to apply this, leave out --plan": "尚未執行;拿掉 --plan 才會執行",
    "edited: {notes}": "已修改:{notes}",
    "new: {notes}": "新增:{notes}",
    "retired, undo brings them back: {notes}": "已退役,用 undo 可以復原:{notes}",
    "not taken: {text} ({reason})": "未採用:{text}({reason})",
    "there was a secret in the file; it is taken out, so change it": "檔案裡有機密,已移除;請更換它",
    "not written": "未寫入",
    "written": "已寫入",
    "edited": "有手動修改",
    "set aside": "已擱置",
    "read": "已讀取",
    "unchanged": "沒有變更",
    "nothing to show": "沒有內容",
    "removed, because its notes are gone: {path}": "已移除,因為不再保存其內容:{path}",
    "was there before": "原本就在那裡",
    "import it, then move it away: twiceshy import": "先匯入再移走:twiceshy import",
    "is no JSON any more": "已經不是 JSON",
    "correct it, or move it away": "請修正它,或把它移走",
    "not imported yet, read where they are: notes of {sources}; see: twiceshy import": "尚未匯入,就地讀取:{sources} 的筆記;請見:twiceshy import",
    "has none of the items written to it": "原本的內容全都不見了",
    "to retire them all: twiceshy clear; to have the file again, delete it": "要全部退役:twiceshy clear;要重新產生檔案,請刪除它",
}
