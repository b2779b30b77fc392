// A plugin that writes down every hook it is called for, as it was called, and changes nothing.
import { appendFileSync } from "node:fs"

const LOG = "__LOG__"
const HOOKS = [
  "chat.message",
  "command.execute.before",
  "experimental.compaction.autocontinue",
  "experimental.session.compacting",
  "experimental.text.complete",
  "permission.ask",
  "shell.env",
  "tool.execute.after",
  "tool.execute.before",
]

const record = (hook, input, output) =>
  appendFileSync(LOG, JSON.stringify({ hook, input, output }) + "\n")

export const Recorder = async ({ directory, worktree, project }) => {
  record("init", { directory, worktree, project })
  const hooks = { dispose: async () => record("dispose") }
  hooks.event = async ({ event }) => record(`event ${event.type}`, event)
  for (const hook of HOOKS) hooks[hook] = async (input, output) => record(hook, input, output)
  return hooks
}
