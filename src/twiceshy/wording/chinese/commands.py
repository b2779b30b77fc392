"""Chinese messages for the command overview and for the counter of memory-keeper."""

from __future__ import annotations

WORDS = {
    "Commands for you and, as /twiceshy:NAME, for your agent:": "你可以直接下的指令;在代理裡用 /twiceshy:名稱:",
    "\nMore, on the command line:": "\n命令列上還有:",
    "{count} of {interval} tool uses": "工具使用次數 {count}/{interval}",
    "the counter of this project begins anew": "本專案的計數器已歸零",
}
