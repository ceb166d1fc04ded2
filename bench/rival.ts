// The package that the pipeline is compared with, installed outside of the repository and used through its face only.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const RIVAL = '@deepseek-ai/dsh-tools@0.1.0-rc.8'

/** Runs in the temporary project: argv are the bytes of the arguments and the calls. Prints calls per second. */
const DRIVER = `
import { Context } from '@deepseek-ai/cordis'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { defineTool } from '@deepseek-ai/dsh-tools'
const [bytes, calls] = process.argv.slice(2).map(Number)
const root = new Context()
await root.plugin(SystemPrompt, {})
await root.plugin(ToolRuntime, { mode: 'native' })
root.inject(['tools'], async (ctx) => {
  ctx.tools.register(defineTool({
    name: 'noop', description: 'd', parameters: { items: { type: 'array', required: true, items: { type: 'string' } } },
    output: { schema: { type: 'null' }, render: () => [] }, execute: async () => null,
  }))
  const { signal } = new AbortController()
  const text = JSON.stringify({ items: Array.from({ length: Math.max(1, Math.round(bytes / 100)) }, () => 'x'.repeat(86)) })
  const run = async (count) => {
    for (let n = 0; n < count; n += 1) {
      const result = await ctx.tools.execute({ callId: 'c' + n, name: 'noop', arguments: JSON.parse(text), signal })
      if (result.isError) throw new Error(result.error.message)
    }
  }
  await run(Math.ceil(calls / 10))
  const start = performance.now()
  await run(calls)
  process.stdout.write(String(calls / (performance.now() - start) * 1000))
  process.exit(0)
})
`

/** Calls per second with arguments of these sizes in bytes; undefined when the package can't be installed. */
export function measureRival(sizes: readonly { bytes: number; calls: number }[]): number[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-rival-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    writeFileSync(join(folder, 'drive.js'), DRIVER)
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', RIVAL], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 120_000,
    })
    return sizes.map(({ bytes, calls }) =>
      Number(
        execFileSync(process.execPath, ['drive.js', String(bytes), String(calls)], {
          cwd: folder,
          encoding: 'utf8',
          timeout: 120_000,
        }),
      ),
    )
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
