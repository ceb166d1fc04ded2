// Runs `yes` for three seconds with everything that a session has, and prints by how many bytes this process grew.
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
const before = process.memoryUsage().rss
let most = before
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 20)
const { omitted } = await run('yes', 3_000)
clearInterval(timer)
await workspace.dispose()
await rm(cwd, { recursive: true })
process.stdout.write(JSON.stringify({ grown: most - before, omitted }))
