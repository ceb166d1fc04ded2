// A command from its start to the end of everything that it started.
import { setTimeout as sleep } from 'node:timers/promises'
import type { execa as Execa } from 'execa'
import { collectOutput } from './command-output.ts'
import type { ProcessTree } from './process-tree.ts'
import { type ShellCommand, type ShellResult, ShellStartError } from './command.ts'
import type { Program } from './shell-program.ts'

const KILL_AFTER_MS = 2_000
/** How long output is read on when the shell is gone and a child holds the pipe. */
const LINGER_MS = 250
/** How long what is about to end anyway may take. */
const EXITING_MS = 100
/** How long what the shell left behind has to end. */
const LEFT_BEHIND_MS = 500
/** How long a killed shell may take to be reported gone. */
const REAP_MS = 1_000

/** Rejects with `ShellStartError` only. */
export async function followCommand(
  program: Program,
  env: NodeJS.ProcessEnv,
  tree: ProcessTree,
  command: ShellCommand,
): Promise<ShellResult> {
  const { execa } = await import('execa')
  const spawned = spawn(execa, program, env, command.cwd)
  const { pid, stdout, nodeChildProcess } = spawned
  const settled = spawned.then((result) => result)
  if (pid === undefined) {
    throw new ShellStartError((await settled).originalMessage ?? 'the shell did not start')
  }
  tree.adopt(pid)
  const exited = new Promise<void>((resolve) => nodeChildProcess.once('exit', () => resolve()))
  const collected = collectOutput(command)
  const read = collected.read(stdout)
  const stop = watch(tree, command)
  await Promise.race([exited, stop.ended.then(() => sleep(REAP_MS, undefined, { ref: false }))])
  stop.release()
  await linger(read, collected.consumed)
  collected.close()
  stdout.destroy()
  const leftBehind = await stop.finish()
  await read
  const { exitCode, signalCode } = nodeChildProcess
  return { exitCode, signal: signalCode, ...stop.causes(), leftBehind, ...(await collected.result()) }
}

function spawn(execa: typeof Execa, { file, args }: Program, env: NodeJS.ProcessEnv, cwd: string) {
  return execa(file, args, {
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

/** Ends everything on timeout or abort, whichever comes first. */
function watch(tree: ProcessTree, { timeoutMs, signal }: ShellCommand) {
  const causes = { timedOut: false, aborted: false }
  const ended = Promise.withResolvers<void>()
  let ending: Promise<number> | undefined
  const end = (cause: keyof typeof causes): void => {
    if (ending) return
    causes[cause] = true
    ending = tree.end(KILL_AFTER_MS)
    void ending.then(() => ended.resolve())
  }
  const onAbort = (): void => end('aborted')
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timedOut'), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    ended: ended.promise,
    causes: () => causes,
    release() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
    /** Ends what the shell left behind; gives how many processes that were, none where all had to end anyway. */
    async finish(): Promise<number> {
      if (!ending) {
        await tree.settle(EXITING_MS)
        return tree.end(LEFT_BEHIND_MS)
      }
      await ending
      return 0
    },
  }
}
