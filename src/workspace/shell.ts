// Commands: one fresh shell each, in its own process group, with one ordered stream of output.
import { thrownMessage } from '#json/thrown.ts'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type ShellCommand, type ShellResult, ShellStartError } from './command.ts'
import { createProcessTree, type ProcessTree } from './process-tree.ts'
import { followCommand } from './running-command.ts'
import type { Sandbox } from './sandbox.ts'
import { commandEnvironment } from './shell-environment.ts'
import {
  type Program,
  shellCandidates,
  type ShellName,
  shellProgram,
  wrappedProgram,
} from './shell-program.ts'

export interface Shell {
  /** Rejects with `ShellStartError` only; settles when nothing that the command started runs any more. */
  run(command: ShellCommand): Promise<ShellResult>
  /** Ends what runs, faster than an abort does, and settles when that is gone. Nothing starts any more. */
  dispose(): Promise<void>
}

export interface ShellOptions {
  environment?: NodeJS.ProcessEnv
  /** Names that look secret and are passed on nevertheless. */
  keepEnvironment?: readonly string[]
  /** Confines every command; where it can't, commands are refused. */
  sandbox?: Sandbox
}

/** How long processes have between being asked to end and being killed when the session ends. */
const SHUTDOWN_MS = 500

export function createShell({
  environment = process.env,
  keepEnvironment = [],
  sandbox,
}: ShellOptions = {}): Shell {
  const running = new Map<ProcessTree, Promise<unknown>>()
  let disposed = false
  return {
    async run(command) {
      if (disposed) throw new ShellStartError('the session has ended')
      const env = commandEnvironment(environment, keepEnvironment)
      await requireDirectory(command.cwd)
      const program = await programFor(command, env, sandbox)
      if (disposed) throw new ShellStartError('the session has ended')
      const tree = createProcessTree()
      const result = followCommand(program, { ...env, ...tree.environment }, tree, command)
      running.set(tree, result)
      try {
        return await result
      } finally {
        running.delete(tree)
      }
    },
    async dispose() {
      disposed = true
      const ends = [...running].flatMap(([tree, result]) => [
        tree.end(SHUTDOWN_MS),
        result.catch(() => undefined),
      ])
      await Promise.all(ends)
    },
  }
}

async function programFor(
  { command, cwd, signal }: ShellCommand,
  env: NodeJS.ProcessEnv,
  sandbox: Sandbox | undefined,
): Promise<Program> {
  const shell = await shellName(env['PATH'] ?? env['Path'] ?? '')
  if (!sandbox) return shellProgram(shell, command)
  const line = await sandbox.wrap({ command, shell, cwd, signal }).catch((cause: unknown) => {
    const reason = thrownMessage(cause)
    throw new ShellStartError(`the configured sandbox can't start: ${reason}`, { cause })
  })
  return wrappedProgram(line)
}

async function requireDirectory(cwd: string): Promise<void> {
  await access(cwd, constants.X_OK).catch((cause: unknown) => {
    throw new ShellStartError(`the working directory ${cwd} can't be entered`, { cause })
  })
}

/** The first that is on the path; the last where none is, so that starting it says what is missing. */
async function shellName(path: string): Promise<ShellName> {
  const candidates = shellCandidates(process.platform)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  for (const name of candidates) {
    for (const directory of path.split(delimiter)) {
      const found = await access(join(directory, name + suffix), constants.X_OK).then(
        () => true,
        () => false,
      )
      if (found) return name
    }
  }
  return candidates.at(-1) ?? 'sh'
}
