// Runs a command that writes 128 MiB with everything that a session has, and prints by how many bytes this process grew.
// Wants `--expose-gc`: how much garbage lies about on a busy machine is not what is measured.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from '#workspace/workspace.ts'

const cwd = await mkdtemp(join(tmpdir(), 'deckhand-endless-'))
const workspace = createWorkspace({ cwd })
const run = (command: string, timeoutMs: number) =>
  workspace.shell.run({
    command,
    cwd,
    timeoutMs,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    openFile: () => workspace.outputs.create('command'),
  })
await run('echo warm', 5_000)
const size = (): number => {
  gc?.()
  return process.memoryUsage().rss
}
const before = size()
let most = before
const timer = setInterval(() => {
  most = Math.max(most, size())
}, 50)
const { omitted } = await run('yes | head -c 134217728', 120_000)
clearInterval(timer)
await workspace.dispose()
await rm(cwd, { recursive: true })
process.stdout.write(JSON.stringify({ grown: most - before, omitted }))
