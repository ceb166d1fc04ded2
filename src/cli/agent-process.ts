// Deckhand launched as an editor launches it: a child process that speaks ACP on stdio.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk'

export interface AgentProcess {
  readonly stream: Stream
  readonly pid: number | undefined
  /** Rejects when the process could not be started or ended by itself before `end()`. */
  readonly failed: Promise<never>
  /** Closes its stdin and waits; kills it when it is still there after 3 s. Resolves with what it wrote to stderr. */
  end(): Promise<string>
}

export function launchAgent(options: { root: string; cwd: string; env: NodeJS.ProcessEnv }): AgentProcess {
  const child = spawn(process.execPath, [join(options.root, 'bin', 'deckhand.js'), 'acp'], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a group of its own, a Ctrl-C on our terminal reaches only us, and the turn is cancelled in an orderly way.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-8192)
  })
  child.stdin.on('error', () => {})
  const exited = once(child, 'exit').catch(() => {})
  let ending = false
  const failed = new Promise<never>((_resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (!ending)
        reject(new Error(`the agent ended by itself (${signal ?? `exit ${code}`})\n${errors.trim()}`))
    })
  })
  failed.catch(() => {})
  const end = async (): Promise<string> => {
    ending = true
    child.stdin.end()
    await reap(child, exited)
    return errors
  }
  return {
    stream: ndJsonStream(
      Writable.toWeb(child.stdin),
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ),
    pid: child.pid,
    failed,
    end,
  }
}

async function reap(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await exited
  clearTimeout(timer)
}
