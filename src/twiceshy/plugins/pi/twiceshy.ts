// twiceshy in Pi: tells a hook what happens, and puts what the hook answers before the model.
//
// It imports nothing of Pi's, so it runs under both names of its package, and it has no types, so any
// Node.js reads it. `twiceshy install` puts it beside bin/, where the programs are that it starts: one
// short process an event. Whatever goes wrong there is silence here; a session is never hurt.

import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const FOLDER = dirname(fileURLToPath(import.meta.url))
const HOOK = join(FOLDER, "..", "bin", "hook")
const SERVER = join(FOLDER, "..", "bin", "mcp")
// A hook gives up by itself, by default after 3.5 s; this is for one that cannot.
const HOOK_MS = 1_400 + (Number(process.env.TWICESHY_HOOK_WALL_MS) || 3_500)
const TOOL_MS = 30_000
// runtimes/pi/words.py knows these words again in a transcript
const REFUSED = "The user refused this call."
const NOBODY = "A rule wants the user to be asked first, and nobody is there to ask."
const TOOLS = listed()
const OURS = new Set(TOOLS.map((tool) => tool.name))

/** Read what `make plugins` wrote from the table of our MCP server. */
function listed() {
  try {
    return JSON.parse(readFileSync(join(FOLDER, "tools.json"), "utf8"))
  } catch {
    return []
  }
}

/** Run a program with a text as its input; return what it says in time, or nothing. */
function run(program, words, given, cwd, patience, signal) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd, stdio: ["pipe", "pipe", "ignore"] })
    const pieces = []
    const end = (said) => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", stop)
      resolve(said)
    }
    const stop = () => {
      child.kill("SIGKILL")
      child.stdout.destroy()
      child.unref()
      end("")
    }
    const timer = setTimeout(stop, patience)
    signal?.addEventListener("abort", stop)
    child.on("error", () => end(""))
    child.on("close", () => end(Buffer.concat(pieces).toString("utf8")))
    child.stdin.on("error", () => {}) // it may end without having listened
    child.stdout.on("data", (piece) => pieces.push(piece))
    child.stdin.end(given)
  })
}

function sessionOf(ctx) {
  return ctx.sessionManager.getSessionId().replaceAll(".", "_") // users choose ids; ours have no dots
}

/** Tell the hook of an event; return what it answers, if anything. */
async function tell(event, ctx, more = {}) {
  try {
    const told = {
      hook_event_name: event,
      session_id: sessionOf(ctx),
      cwd: ctx.cwd,
      transcript_path: ctx.sessionManager.getSessionFile() ?? "",
      ...more,
    }
    const said = await run(HOOK, ["pi"], JSON.stringify(told), ctx.cwd, HOOK_MS)
    return (said && JSON.parse(said).hookSpecificOutput) || {}
  } catch {
    return {}
  }
}

function textOf(content) {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
}

function call(event) {
  return { tool_name: event.toolName, tool_use_id: event.toolCallId, tool_input: event.input }
}

/** Say whether something may be learned from a call that did not fail. */
function telling(event) {
  const skill = event.toolName === "read" && String(event.input?.path).endsWith("SKILL.md")
  return skill || event.toolName === "bash"
}

/** Tell how a session begins; Pi calls it a startup when one is continued, too. */
function source(event, ctx) {
  const begun = ctx.sessionManager.getEntries().some((entry) => entry.message?.role === "user")
  return begun || event.reason === "reload" ? "resume" : "startup"
}

/** Put a request behind what is summarised: Pi gives extensions no other way to its summariser. */
function askSummariser(preparation, text) {
  const asked = [preparation?.messagesToSummarize, preparation?.turnPrefixMessages].find((some) => some?.length)
  asked?.push({ role: "user", content: [{ type: "text", text }], timestamp: Date.now() })
}

export default function twiceshy(pi) {
  const before = new Map() // a call's id → what was said about it before it was made
  let waiting = [] // what goes with the next prompt or result, whichever comes first
  let compacted = Promise.resolve() // the old release goes on before this is told

  const keep = (answer) => answer.additionalContext && waiting.push(answer.additionalContext)
  const take = (...first) => {
    const said = [...first, ...waiting].filter(Boolean).join("\n")
    waiting = []
    return said
  }

  pi.on("session_start", async (event, ctx) => {
    waiting = []
    keep(await tell("SessionStart", ctx, { source: source(event, ctx) }))
  })

  pi.on("input", async (event, ctx) => {
    if (event.source === "extension") return // no person said it
    keep(await tell("UserPromptSubmit", ctx, { prompt: event.text }))
  })

  pi.on("before_agent_start", async () => {
    await compacted
    const content = take()
    return content ? { message: { customType: "twiceshy", content, display: false } } : undefined
  })

  pi.on("tool_call", async (event, ctx) => {
    if (OURS.has(event.toolName)) return
    const answer = await tell("PreToolUse", ctx, call(event))
    if (!answer.permissionDecision) {
      const changed = answer.updatedInput?.command
      if (typeof changed === "string") event.input.command = changed
      if (answer.additionalContext) before.set(event.toolCallId, answer.additionalContext)
      return
    }
    const rule = answer.permissionDecisionReason
    if (answer.permissionDecision !== "ask") return { block: true, reason: rule }
    if (!ctx.hasUI) return { block: true, reason: `${NOBODY}\n${rule}` }
    if (await ctx.ui.confirm(`May ${event.toolName} run?`, rule)) return
    return { block: true, reason: `${REFUSED}\n${rule}` }
  })

  pi.on("tool_result", async (event, ctx) => {
    let answer = {}
    if (event.isError && !OURS.has(event.toolName)) {
      answer = await tell("PostToolUseFailure", ctx, { ...call(event), error: textOf(event.content) })
    } else if (telling(event)) {
      answer = await tell("PostToolUse", ctx, { ...call(event), tool_response: textOf(event.content) })
    }
    const text = take(before.get(event.toolCallId), answer.additionalContext)
    before.delete(event.toolCallId)
    return text ? { content: [...event.content, { type: "text", text }] } : undefined
  })

  pi.on("session_before_compact", async (event, ctx) => {
    const automatic = ["threshold", "overflow"].includes(event.reason)
    const { additionalContext } = await tell("PreCompact", ctx, { trigger: automatic ? "auto" : "manual" })
    if (additionalContext) askSummariser(event.preparation, additionalContext)
  })

  const beginAnew = async (ctx) => keep(await tell("SessionStart", ctx, { source: "compact" }))

  pi.on("session_compact", (event, ctx) => {
    const told = tell("PostCompact", ctx, { compact_summary: event.compactionEntry?.summary })
    compacted = told.then(() => beginAnew(ctx))
    return compacted.then(() => undefined)
  })

  // The user went back in the conversation, and what was said behind that place is gone.
  pi.on("session_tree", async (_event, ctx) => {
    await beginAnew(ctx)
  })

  pi.on("agent_end", async (_event, ctx) => {
    await tell("Stop", ctx)
  })

  pi.on("session_shutdown", async (event, ctx) => {
    await compacted
    if (event.reason !== "reload") await tell("SessionEnd", ctx, { reason: event.reason })
  })

  for (const tool of TOOLS) {
    pi.registerTool({
      ...tool,
      async execute(_id, given, signal, _update, ctx) {
        const words = ["--call", tool.name, "--client", "pi", "--session", sessionOf(ctx)]
        const said = await run(SERVER, words, JSON.stringify(given), ctx.cwd, TOOL_MS, signal)
        if (!said) throw new Error("twiceshy did not answer\nhint: run: twiceshy doctor")
        const { text, isError } = JSON.parse(said)
        if (isError) throw new Error(text)
        return { content: [{ type: "text", text }], details: {} }
      },
    })
  }
}
