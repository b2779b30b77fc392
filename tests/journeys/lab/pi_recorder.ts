// An extension that writes down every event, as it was told, and changes nothing.
import { appendFileSync } from "node:fs"

const LOG = "__LOG__"
const EVENTS = [
  "agent_end",
  "agent_start",
  "before_agent_start",
  "input",
  "message_end",
  "model_select",
  "resources_discover",
  "session_before_compact",
  "session_before_fork",
  "session_before_switch",
  "session_compact",
  "session_shutdown",
  "session_start",
  "tool_call",
  "tool_execution_end",
  "tool_execution_start",
  "tool_result",
  "turn_end",
  "turn_start",
  "user_bash",
]

// The old Pi takes the context away once a session was compacted at its end.
const place = (context: any) => {
  try {
    return { cwd: context.cwd, session: context.sessionManager.getSessionFile() }
  } catch {
    return {}
  }
}

export default function (pi: any) {
  for (const name of EVENTS)
    pi.on(name, async (event: any, context: any) => {
      appendFileSync(LOG, JSON.stringify({ event, context: place(context) }) + "\n")
    })
}
