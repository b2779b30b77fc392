"""Chinese messages for the rescue of a damaged store."""

from __future__ import annotations

WORDS = {
    "the store was damaged; it is set aside in {path}": "資料庫已損壞,原檔移至 {path}",
    "hint: {count} notes could be read; see: twiceshy doctor": "提示:救回 {count} 則筆記;請執行 twiceshy doctor",
}
