// Confinement of commands: writes inside the roots and the temporary directory, network by an allow-list.
import { tmpdir } from 'node:os'
import { thrownMessage } from '#json/thrown.ts'
import { ripgrepProgram } from './ripgrep-program.ts'

export interface ConfinedCommand {
  command: string
  shell: string
  cwd: string
  signal: AbortSignal
}

export interface Sandbox {
  /** A line for sh that runs the command confined. Rejects where that is not possible: then nothing may be run. */
  wrap(command: ConfinedCommand): Promise<string>
  dispose(): Promise<void>
}

export interface SandboxOptions {
  /** Absolute. */
  roots: readonly string[]
  /** Domains that commands may reach, `*.example.org` included. None by default. */
  allowedDomains?: readonly string[]
  /** Where the runtime comes from; the package by default. */
  load?(): Promise<SandboxRuntime>
}

interface RuntimeConfig {
  network: { allowedDomains: string[]; deniedDomains: string[] }
  filesystem: { denyRead: string[]; allowWrite: string[]; denyWrite: string[] }
  ripgrep: { command: string }
}

/** The part of `@anthropic-ai/sandbox-runtime` that is used; its manager is one for the whole process. */
export interface SandboxRuntime {
  SandboxManager: {
    isSupportedPlatform(): boolean
    checkDependencies(ripgrep: { command: string }): { errors: string[] }
    initialize(config: RuntimeConfig): Promise<void>
    wrapWithSandbox(
      command: string,
      shell: string,
      config: Pick<RuntimeConfig, 'network' | 'filesystem'>,
      signal: AbortSignal,
    ): Promise<string>
    reset(): Promise<void>
  }
}

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

const PACKAGE = '@anthropic-ai/sandbox-runtime'
/** Sessions that use a runtime; the last one that ends resets it. */
const users = new Map<SandboxRuntime, number>()

export function createSandbox({ roots, allowedDomains = [], load = loadPackage }: SandboxOptions): Sandbox {
  const config = {
    network: { allowedDomains: [...allowedDomains], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [...new Set([...roots, tmpdir()])], denyWrite: [] },
  }
  let started: Promise<SandboxRuntime> | undefined
  return {
    async wrap({ command, shell, signal }) {
      started ??= start(load, config)
      const { SandboxManager } = await started
      const { network, filesystem } = config
      return SandboxManager.wrapWithSandbox(command, shell, { network, filesystem }, signal)
    },
    async dispose() {
      const runtime = await started?.catch(() => undefined)
      started = undefined
      if (!runtime) return
      const left = (users.get(runtime) ?? 1) - 1
      users.set(runtime, left)
      if (left === 0) await runtime.SandboxManager.reset()
    },
  }
}

/** Why commands can't be confined here; undefined when they can. Starts nothing, never rejects. */
export async function sandboxFault(load = loadPackage): Promise<string | undefined> {
  try {
    await checked(load)
    return undefined
  } catch (error) {
    return thrownMessage(error)
  }
}

async function start(
  load: () => Promise<SandboxRuntime>,
  config: Omit<RuntimeConfig, 'ripgrep'>,
): Promise<SandboxRuntime> {
  const runtime = await checked(load)
  const { file: command } = await ripgrepProgram()
  await runtime.SandboxManager.initialize({ ...config, ripgrep: { command } })
  users.set(runtime, (users.get(runtime) ?? 0) + 1)
  return runtime
}

async function checked(load: () => Promise<SandboxRuntime>): Promise<SandboxRuntime> {
  const runtime = await load()
  const { SandboxManager } = runtime
  if (process.platform === 'win32' || !SandboxManager.isSupportedPlatform()) {
    throw new SandboxError(`confinement is not available on ${process.platform}`)
  }
  const { file: command } = await ripgrepProgram()
  const { errors } = SandboxManager.checkDependencies({ command })
  if (errors.length > 0) throw new SandboxError(errors.join('; '))
  return runtime
}

/** An optional package: the specifier is no literal, so that a build does not look for it. */
async function loadPackage(): Promise<SandboxRuntime> {
  const specifier: string = PACKAGE
  try {
    return (await import(specifier)) as SandboxRuntime
  } catch (cause) {
    throw new SandboxError(`the package ${PACKAGE} is not installed beside Deckhand`, { cause })
  }
}
