// Runs the benchmarks, all or those that are named, and prints what each has measured: `npm run bench -- startup tools`.
import { inspect } from 'node:util'

/** Each is loaded when it runs, so that one does not weigh on another's figures. */
const BENCHES: Record<string, () => Promise<unknown>> = {
  startup: async () => (await import('./startup.ts')).measureStartup(),
  pipeline: async () => (await import('./pipeline.ts')).pipelineTable(),
  leaks: async () => (await import('./leaks.ts')).measureLeaks(),
  tools: async () => {
    const { measureTools, toolsReport } = await import('./tools.ts')
    return toolsReport(await measureTools())
  },
  bridge: async () => {
    const { measureLoad, measureStall, measureStream } = await import('./bridge.ts')
    return { stream: await measureStream(), stall: await measureStall(), load: await measureLoad() }
  },
  session: async () => (await import('./session.ts')).measureSession(),
  mcp: async () => (await import('./mcp.ts')).measureMcp(),
  'code-mode': async () => {
    const { measureCounting, measureRun } = await import('./code-mode.ts')
    return { run: await measureRun(), counting: await measureCounting() }
  },
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`)
  process.exitCode = 2
} else {
  for (const [name, run] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue
    const result = await run()
    process.stdout.write(
      `## ${name}\n\n${typeof result === 'string' ? result : inspect(result, { depth: 4, breakLength: 100 })}\n\n`,
    )
  }
}
