// Stands in for OpenCode: loads the plugin, calls the hooks it is told to, and prints what became of them.
//
// node host.mjs PLUGIN, with the steps as JSON on stdin: {"hook", "input", "output"}; a step may be a list,
// whose calls are begun together. Answers one line of JSON: every output as the hook left it, or why it threw.
import { writeSync } from "node:fs"
import { pathToFileURL } from "node:url"

const pieces = []
for await (const piece of process.stdin) pieces.push(piece)
const { sessions, steps } = JSON.parse(Buffer.concat(pieces).toString())

const loaded = await import(pathToFileURL(process.argv[2]))
const client = {
  session: {
    get: async ({ path }) => {
      if (!(path.id in sessions)) throw new Error("no such session")
      return { data: { id: path.id, ...sessions[path.id] } }
    },
  },
}
const hooks = await loaded.default({ client, directory: process.cwd() })

const call = async ({ hook, input, output }) => {
  try {
    await hooks[hook](input, output)
    return output ?? null
  } catch (why) {
    return { threw: why.message }
  }
}
const results = []
for (const step of steps) {
  if (Array.isArray(step)) results.push(await Promise.all(step.map(call)))
  else results.push(await call(step))
}
writeSync(1, JSON.stringify({ exports: Object.keys(loaded), hooks: Object.keys(hooks), results }))
process.exit() // OpenCode waits for nobody either
