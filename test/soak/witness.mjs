// Preloaded into the agent under test: tells, when it is asked, what the process holds. Run with --expose-gc and an IPC channel.
let unhandled = 0
const warnings = []
process.on('unhandledRejection', () => (unhandled += 1))
process.on('uncaughtExceptionMonitor', () => (unhandled += 1))
process.on('warning', (warning) => warnings.push(`${warning.name}: ${warning.message}`))

function counts(names) {
  const found = {}
  for (const name of names) found[name] = (found[name] ?? 0) + 1
  return found
}

async function look() {
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc()
  }
  const { heapUsed, rss, external, arrayBuffers } = process.memoryUsage()
  const listeners = {}
  for (const [name, emitter] of [
    ['process', process],
    ['stdin', process.stdin],
    ['stdout', process.stdout],
  ])
    for (const event of emitter.eventNames())
      listeners[`${name} ${String(event)}`] = emitter.listenerCount(event)
  const resources = counts(process.getActiveResourcesInfo())
  process.send({ heapUsed, rss, external, arrayBuffers, listeners, resources, unhandled, warnings })
}

process.on('message', (message) => {
  if (message === 'look') void look()
})
process.channel.unref()
