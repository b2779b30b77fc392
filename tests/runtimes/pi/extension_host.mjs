// Stands in for Pi: loads the extension, lets events happen to it, and writes down what it returns.
// Given on stdin: {extension, context, agrees, entries, acts: [{event, told} | {tool, given}]}
// An act that is ``beside`` is not waited for before the next one.
const told = JSON.parse(await new Response(process.stdin).text())
const handlers = new Map()
const tools = new Map()
const questions = []
const ctx = {
  ...told.context,
  ui: {
    async confirm(...question) {
      questions.push(question)
      return told.agrees
    },
  },
  sessionManager: {
    getSessionId: () => told.context.session,
    getSessionFile: () => told.context.transcript,
    getEntries: () => told.entries,
  },
}

const { default: extension } = await import(told.extension)
extension({
  on: (event, handler) => handlers.set(event, handler),
  registerTool: (tool) => tools.set(tool.name, tool),
})

async function happen(act) {
  try {
    const said = act.tool
      ? tools.get(act.tool).execute("call_1", act.given, undefined, undefined, ctx)
      : handlers.get(act.event)?.(act.told, ctx)
    return { returned: (await said) ?? null }
  } catch (error) {
    return { thrown: error.message }
  }
}

const results = []
for (const act of told.acts) {
  results.push(happen(act))
  if (!act.beside) await results.at(-1)
}
const listed = [...tools.values()].map(({ name, label, description, parameters }) => ({
  name, label, description, parameters,
}))
const played = {
  results: await Promise.all(results),
  questions,
  tools: listed,
  events: [...handlers.keys()],
}
process.stdout.write(JSON.stringify(played))
