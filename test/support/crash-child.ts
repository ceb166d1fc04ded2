// A process that plays a scripted turn with a real agent until somebody kills it. It prints the number of each event
// once that event has left the process, and the session's id first.
import { readSettings } from '#config/settings.ts'
import { composeAgent } from '#compose-agent.ts'
import type { LoggedEvent } from '#session/event.ts'
import type { LiveSession } from '#agent/live-session.ts'

const [cwd = ''] = process.argv.slice(2)
const agent = composeAgent(readSettings(process.env), process.env, () => undefined)
const session = (await agent.create({ cwd, additionalDirectories: [] })) as LiveSession
process.stdout.write(`${session.id}\n`)
session.subscribe((event) => {
  const { seq } = event as Partial<LoggedEvent>
  if (seq !== undefined) void session.written().then(() => process.stdout.write(`${seq}\n`))
})
const text = [{ type: 'text' as const, text: 'go' }]
for (;;) await session.prompt({ content: text, shown: text })
