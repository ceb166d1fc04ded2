// Commands: one fresh shell each, in its own process group, with one ordered stream of output.
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { collectOutput } from './command-output.ts'
import { endProcessGroup } from './process-group.ts'
import { commandEnvironment } from './shell-environment.ts'

export interface ShellCommand {
  command: string
  /** Absolute. */
  cwd: string
  /** From the start until the whole group is asked to end. */
  timeoutMs: number
  /** Ends the command the same way. */
  signal: AbortSignal
  /** Output as it comes, escapes kept, whole characters only. Awaited: a slow consumer slows the command. */
  onOutput?(data: string): void | Promise<void>
}

/** How the command ended: independent facts. */
export interface ShellResult {
  /** null when a signal ended the shell. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  aborted: boolean
  /** Clean text: head and tail (`INLINE_OUTPUT`). */
  output: string
  /** Bytes of clean text between head and tail that were let go. */
  omitted: number
}

/** The shell could not be started. */
export class ShellStartError extends Error {
  override readonly name = 'ShellStartError'
}

export interface Shell {
  /** Rejects with `ShellStartError` only; settles when nothing that it owns runs any more, background children excepted. */
  run(command: ShellCommand): Promise<ShellResult>
}

const KILL_AFTER_MS = 2_000
/** How long output is read on when the shell is gone and a child holds the pipe. */
const LINGER_MS = 250
/** How long a killed shell may take to be reported gone. */
const REAP_MS = 1_000

export interface ShellOptions {
  environment?: NodeJS.ProcessEnv
  /** Names that look secret and are passed on nevertheless. */
  keepEnvironment?: readonly string[]
}

export function createShell({ environment = process.env, keepEnvironment = [] }: ShellOptions = {}): Shell {
  return {
    async run(command) {
      const env = commandEnvironment(environment, keepEnvironment)
      await requireDirectory(command.cwd)
      return follow(spawnShell(command, env, await shellName(env['PATH'] ?? '')), command)
    },
  }
}

// The outer sh joins both streams into one pipe and becomes the shell proper; the command stays one argument.
function spawnShell({ command, cwd }: ShellCommand, env: NodeJS.ProcessEnv, shell: string) {
  return execa('sh', ['-c', 'exec "$@" 2>&1', 'sh', shell, '-c', command], {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    buffer: false,
    encoding: 'buffer',
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: false,
  })
}

type Spawned = ReturnType<typeof spawnShell>

async function follow(spawned: Spawned, command: ShellCommand): Promise<ShellResult> {
  const { pid, stdout, nodeChildProcess } = spawned
  const settled = spawned.then((result) => result)
  if (pid === undefined)
    throw new ShellStartError((await settled).originalMessage ?? 'the shell did not start')
  const exited = new Promise<void>((resolve) => nodeChildProcess.once('exit', () => resolve()))
  const collected = collectOutput(command.onOutput)
  const read = collected.read(stdout)
  const stop = watch(pid, command)
  await Promise.race([exited, stop.ended.then(() => sleep(REAP_MS, undefined, { ref: false }))])
  stop.release()
  await linger(read, collected.consumed)
  collected.close()
  stdout.destroy()
  await stop.finished()
  await read
  const { exitCode, signalCode } = nodeChildProcess
  return { exitCode, signal: signalCode, ...stop.causes(), ...collected.result() }
}

/** Waits for the end of the stream, but not for a child that holds it; the consumer's time does not count. */
async function linger(read: Promise<void>, consumed: () => number): Promise<void> {
  let over = false
  void read.then(() => (over = true))
  let left = LINGER_MS
  while (!over && left > 0) {
    const start = performance.now() - consumed()
    await Promise.race([read, sleep(left)])
    left -= Math.max(1, performance.now() - consumed() - start)
  }
}

/** Ends the group on timeout or abort, whichever comes first. */
function watch(pid: number, { timeoutMs, signal }: ShellCommand) {
  const causes = { timedOut: false, aborted: false }
  const ended = Promise.withResolvers<void>()
  let ending: Promise<void> | undefined
  const end = (cause: keyof typeof causes): void => {
    if (ending) return
    causes[cause] = true
    ending = endProcessGroup(pid, KILL_AFTER_MS)
    void ending.then(ended.resolve)
  }
  const onAbort = (): void => end('aborted')
  const timer = setTimeout(() => end('timedOut'), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    ended: ended.promise,
    causes: () => causes,
    release() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
    finished: () => ending ?? Promise.resolve(),
  }
}

async function requireDirectory(cwd: string): Promise<void> {
  await access(cwd, constants.X_OK).catch((cause: unknown) => {
    throw new ShellStartError(`the working directory ${cwd} can't be entered`, { cause })
  })
}

async function shellName(path: string): Promise<string> {
  for (const directory of path.split(delimiter)) {
    const found = await access(join(directory, 'bash'), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return 'bash'
  }
  return 'sh'
}
