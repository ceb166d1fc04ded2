// The host of a command that runs in this process: a terminal, or a pipe, that a test types into and reads.
import { PassThrough } from 'node:stream'
import type { Host } from '#cli/host.ts'

export interface FakeHost extends Host {
  /** Types, as a terminal or a pipe would deliver it. */
  type(text: string): void
  shown: { stdout: string; stderr: string }
  /** What was asked of the terminal: `true` and `false` for raw mode. */
  raw: boolean[]
}

export function fakeHost(options: {
  env?: NodeJS.ProcessEnv
  cwd?: string
  terminal?: boolean
  root?: string
}): FakeHost {
  const shown = { stdout: '', stderr: '' }
  const raw: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: options.terminal === true,
    setRawMode: (on: boolean) => void raw.push(on),
  })
  const out = (name: 'stdout' | 'stderr') => {
    const stream = new PassThrough()
    stream.on('data', (chunk: Buffer) => {
      shown[name] += chunk.toString('utf8')
    })
    return Object.assign(stream, { isTTY: false, columns: 100 })
  }
  return {
    root: options.root ?? process.cwd(),
    version: '0.0.0',
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: out('stdout') as unknown as NodeJS.WriteStream,
    stderr: out('stderr') as unknown as NodeJS.WriteStream,
    type: (text) => void stdin.write(text),
    shown,
    raw,
  }
}
