// The memory's ear and mouth in OpenCode. `twiceshy install` renders this file and repairs it.
// Every event that can matter is one short process; whatever goes wrong with it is silence.
import { spawn } from "node:child_process"

const HOOK = "@LAUNCHER@"
const COMMANDS = "@COMMANDS@"
// The hook ends itself in time, as the user set it; this is for one that cannot.
const ALLOWED = Math.min(Number(process.env.TWICESHY_HOOK_WALL_MS) || 3_500, 60_000)
const PATIENCE = ALLOWED + 1_400
const LARGEST = 8 << 20 // characters; nobody learns anything from a call of that size

// Tools of OpenCode's own about which there is nothing to say beforehand.
const UNASKED = new Set(
  ("glob list lsp todowrite todoread webfetch websearch codesearch question batch invalid plan_enter plan_exit " +
    "list_mcp_resources list_mcp_resource_templates read_mcp_resource").split(" "),
)
const REJECTED = "The user rejected permission to use this specific tool call"
const ABORTED = "User aborted the command"
const INTENT = "One line: what you are about to do with this skill. Notes from earlier sessions are chosen by it."

const parsed = (said) => {
  const answer = JSON.parse(said).hookSpecificOutput
  const text = answer.additionalContext ?? answer.permissionDecisionReason
  const { permissionDecision: ruling = "", updatedInput: changed } = answer
  return { text: typeof text === "string" ? text : "", ruling, changed }
}

const run = (payload) =>
  new Promise((resolve, reject) => {
    const child = spawn(HOOK, ["opencode"], { stdio: ["pipe", "pipe", "ignore"] })
    const late = setTimeout(() => reject(child.kill("SIGKILL")), PATIENCE)
    let said = ""
    child.on("error", reject)
    child.on("close", () => (clearTimeout(late), resolve(said)))
    child.stdout.setEncoding("utf8").on("data", (piece) => (said += piece))
    child.stdin.on("error", () => {}) // it may have ended without listening
    child.stdin.end(payload)
  })

const ask = async (payload) => {
  try {
    const written = JSON.stringify(payload)
    return written.length > LARGEST ? { text: "" } : parsed(await run(written))
  } catch {
    return { text: "" } // most often it had nothing to say
  }
}

const outcome = (tool, args, { output, metadata }) => {
  if (tool === "skill") return ["PostToolUse", { tool_response: { commandName: metadata?.name } }]
  if (tool === "read" && String(args?.filePath).endsWith("SKILL.md")) return ["PostToolUse", {}]
  if (tool !== "bash") return []
  const exit = metadata?.exit // a command that was stopped has null
  const printed = output === "(no output)" ? "" : String(output)
  if (exit === 0 || exit === undefined) return ["PostToolUse", { tool_response: { stdout: printed } }]
  const error = [exit === null ? "" : `Exit code ${exit}`, printed].filter(Boolean).join("\n")
  return ["PostToolUseFailure", { error, is_interrupt: exit === null && printed.includes(ABORTED) }]
}

const append = (output, text) => {
  if (Array.isArray(output.content)) output.content.push({ type: "text", text })
  else output.output += `\n\n${text}`
}

class Refusal extends Error {}

// A hook that throws ends the session; only a call that a rule forbids may end that way.
const harmless = (hook) => async (...given) => {
  try {
    await hook(...given)
  } catch (why) {
    if (why instanceof Refusal) throw why
  }
}

export default async ({ client, directory }) => {
  const rooms = new Map() // one for every session, those of subagents too
  const busy = new Set() // what nobody waits for before the client goes
  const unheard = new Set() // failing calls that are told already, or were refused by a rule

  const open = ({ id, parentID, title }, begins) => {
    const root = parentID ? (rooms.get(parentID)?.root ?? parentID) : id
    // a fork has the whole conversation of another session before its eyes
    if (/ \(fork #\d+\)$/.test(title ?? "")) begins = "fork"
    const room = { root, agent: parentID ? id : "", begins, before: new Map(), kept: [], failing: null }
    rooms.set(id, room)
    return room
  }
  const enter = async (id) => {
    if (rooms.has(id)) return rooms.get(id)
    // nobody told us that it was created, so it is an old one
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE).unref())
    const found = await Promise.race([client.session.get({ path: { id } }), late]).catch(() => {})
    return rooms.get(id) ?? open({ ...found?.data, id }, "resume")
  }
  const tell = (room, hook_event_name, rest = {}) =>
    ask({ hook_event_name, session_id: room.root, cwd: directory, agent_id: room.agent || undefined, ...rest })
  const call = (tool, args, id) => ({ tool_name: tool, tool_use_id: id, tool_input: args })
  const aside = (work) => {
    const done = work.catch(() => {}).finally(() => busy.delete(done))
    busy.add(done)
    return done
  }

  // What a conversation is told when it begins, or has lost its memory in a compaction.
  const start = async (room) => {
    const source = room.begins
    room.begins = ""
    if (!source || (room.agent && source === "resume")) return ""
    const said = room.agent ? tell(room, "SubagentStart") : tell(room, "SessionStart", { source })
    return (await said).text
  }
  // What could not be said where it belongs: OpenCode lets nobody add to the result of a tool that throws.
  const waiting = async (room, { message }) => {
    await room.failing
    return [...room.kept.splice(0), message || room.begins === "compact" ? await start(room) : ""]
  }
  const failed = async (room, { tool, callID, state }) => {
    room.kept.push(room.before.get(callID))
    room.before.delete(callID)
    const is_interrupt = state.metadata?.interrupted === true || state.error.startsWith(REJECTED)
    const rest = { ...call(tool, state.input, callID), error: state.error, is_interrupt }
    room.kept.push((await tell(room, "PostToolUseFailure", rest)).text)
  }

  const heard = async (type, { sessionID, info, part }) => {
    if (type === "session.created" && !rooms.has(info.id)) open(info, "startup")
    const room = rooms.get(sessionID ?? part?.sessionID ?? info?.id)
    if (!room) return
    if (type === "message.updated" && info.summary === true) room.summing = info.id
    if (part?.type === "text" && part.messageID === room.summing) room.summary = part.text
    if (part?.state?.status === "error" && !unheard.has(part.callID)) {
      unheard.add(part.callID)
      room.failing = aside(failed(room, part))
    }
    if (type === "session.compacted") {
      room.begins = "compact"
      if (!room.agent) aside(tell(room, "PostCompact", { compact_summary: room.summary }))
    }
    if (type === "session.idle" && !room.agent) aside(tell(room, "Stop"))
    if (type === "session.deleted") {
      rooms.delete(info.id)
      if (!room.agent) aside(tell(room, "SessionEnd", { reason: "deleted" }))
    }
  }

  const hooks = {
    // What the user calls the same is the user's.
    config: async (config) => {
      config.command = { ...COMMANDS, ...config.command }
    },

    event: ({ event }) => heard(event.type, event.properties),

    "tool.definition": async ({ toolID }, output) => {
      const known = Object.keys(output.parameters?.fields ?? {})
      const described = output.jsonSchema ?? {
        type: "object",
        properties: { name: { type: "string", description: "The name of the skill from available_skills" } },
        required: ["name"],
      }
      // Only `jsonSchema` may be set; a skill tool that takes something else is left as it is.
      if (toolID !== "skill" || known.join() !== "name" || described.properties?.intent) return
      const intent = { type: "string", description: INTENT }
      output.jsonSchema = { ...described, properties: { ...described.properties, intent } }
    },

    "command.execute.before": async ({ command, arguments: words, sessionID }) => {
      const room = await enter(sessionID)
      room.command = { command_name: command, command_args: words, prompt: `/${command} ${words}`.trim() }
    },

    "chat.message": async ({ sessionID }, { parts }) => {
      const room = await enter(sessionID)
      const given = room.command
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
      const prompt = given?.prompt ?? typed.map((part) => part.text).join("\n")
      room.command = undefined
      // A command's text is nobody's words; whoever reads the transcript later must know.
      for (const part of given ? typed : []) part.metadata = { ...part.metadata, twiceshy: given }
      const told = await waiting(room, { message: true })
      // What a subagent is asked was written by an agent.
      if (!room.agent && prompt.trim()) told.push((await tell(room, "UserPromptSubmit", { prompt })).text)
      if (!room.agent && given) told.push((await tell(room, "UserPromptExpansion", given)).text)
      room.spoken = true
      const text = told.filter(Boolean).join("\n\n")
      const last = parts.at(-1)
      if (!text || !last) return void (text && room.kept.push(text))
      // Parts are kept in the order of their ids.
      const { messageID } = last
      parts.push({ id: `${last.id}twiceshy`, sessionID, messageID, type: "text", text, synthetic: true })
    },

    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (UNASKED.has(tool)) return
      const room = await enter(sessionID)
      const { text, ruling, changed } = await tell(room, "PreToolUse", call(tool, args, callID))
      if (ruling === "deny") {
        unheard.add(callID)
        throw new Refusal(text) // the model gets it as the result of the call
      }
      if (typeof changed?.command === "string") args.command = changed.command
      // Nothing can be put before the model now: it comes with the result.
      if (text) room.before.set(callID, text)
    },

    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const room = await enter(sessionID)
      const [event, rest] = outcome(tool, args, output)
      const told = [room.before.get(callID)]
      room.before.delete(callID)
      if (event) told.push((await tell(room, event, { ...call(tool, args, callID), ...rest })).text)
      told.push(...(await waiting(room, { message: false })))
      const text = told.filter(Boolean).join("\n\n")
      if (text) append(output, text)
    },

    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      const room = await enter(sessionID)
      const { text } = room.agent ? { text: "" } : await tell(room, "PreCompact")
      if (text) context.push(text)
    },

    dispose: async () => {
      const over = [...rooms.values()].filter((room) => !room.agent && room.spoken)
      for (const room of over) aside(tell(room, "SessionEnd", { reason: "other" }))
      await Promise.all(busy)
    },
  }
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, harmless(hook)]))
}
