// The commands of the command line, one row each; what a command does is loaded when it runs.
import { defineCommand, renderUsage, runCommand, type CommandDef } from 'citty'
import { argumentFault } from './arguments.ts'
import type { Host } from './host.ts'

/** A command resolves with its exit code. */
type Run<Args> = (host: Host, args: Args) => Promise<number>

const acp = defineCommand({
  meta: {
    name: 'acp',
    description: 'The agent on stdio, for editors (the default when stdin is no terminal)',
  },
  run: on(async (host) => (await import('./acp.ts')).acp(host)),
})

const demo = defineCommand({
  meta: { name: 'demo', description: 'Watch a whole editor session in this terminal; no key, no network' },
  args: {
    yes: { type: 'boolean', description: 'Answer permission prompts with "Allow"' },
    keep: { type: 'boolean', description: 'Keep the sample project and say where it is' },
  },
  run: on<{ yes?: boolean; keep?: boolean }>(async (host, args) =>
    (await import('./demo.ts')).demo(host, args),
  ),
})

const replay = defineCommand({
  meta: { name: 'replay', description: 'Draw a stored session the way an editor saw it' },
  args: {
    session: { type: 'positional', description: "A session's id or the path of its log", required: true },
    client: {
      type: 'enum',
      options: ['zed', 'plain', 'fs-only'],
      default: 'zed',
      description: 'What the client can draw',
    },
    json: { type: 'boolean', description: 'Print the updates as they go over the wire, one a line' },
  },
  run: on<{ session: string; client: 'zed' | 'plain' | 'fs-only'; json?: boolean }>(async (host, args) =>
    (await import('./replay.ts')).replay(host, args),
  ),
})

const doctor = defineCommand({
  meta: { name: 'doctor', description: 'Check what Deckhand needs here, and print the editor snippet' },
  run: on(async (host) => (await import('./doctor.ts')).doctor(host)),
})

const sessions = defineCommand({
  meta: { name: 'sessions', description: 'List, show, export (Markdown) or delete stored sessions' },
  args: {
    action: {
      type: 'positional',
      description: 'list (default), show, export or delete',
      default: 'list',
      required: false,
    },
    id: { type: 'positional', description: "A session's id", required: false },
    cwd: { type: 'string', description: 'List only the sessions of this directory' },
  },
  run: on<{ action: string; id?: string; cwd?: string }>(async (host, { action, ...rest }) => {
    const known = (['list', 'show', 'export', 'delete'] as const).find((name) => name === action)
    if (known === undefined) return refuse(host, `unknown action '${action}'`, 'sessions ')
    return (await import('./sessions.ts')).sessions(host, { action: known, ...rest })
  }),
})

const commands: Record<string, CommandDef> = { acp, demo, replay, doctor, sessions } as Record<
  string,
  CommandDef
>

/** Runs `deckhand <args>`. Resolves with the exit code; 2 says that the arguments were wrong, on stderr only. */
export async function command(host: Host, args: string[]): Promise<number> {
  const [name = '--help', ...rest] = args
  const all = root(host.version)
  if (name === '--help' || name === '-h' || name === 'help') return print(host, await renderUsage(all))
  if (name === '--version' || name === '-v') return print(host, host.version)
  const chosen = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!chosen) return refuse(host, `unknown ${name.startsWith('-') ? 'option' : 'command'} '${name}'`, '')
  if (rest.includes('--help') || rest.includes('-h')) return print(host, await renderUsage(chosen, all))
  const fault = argumentFault(await resolved(chosen), rest)
  if (fault) return refuse(host, fault, `${name} `)
  const { result } = await runCommand(chosen, { rawArgs: rest, data: host })
  return typeof result === 'number' ? result : 0
}

function on<Args = unknown>(run: Run<Args>) {
  return ({ data, args }: { data?: Host; args: unknown }) => {
    if (!data) throw new TypeError('a command runs with a host')
    return run(data, args as Args)
  }
}

function root(version: string): CommandDef {
  return defineCommand({
    meta: { name: 'deckhand', version, description: 'A coding agent for editors that speak ACP' },
    subCommands: commands,
  })
}

async function resolved(chosen: CommandDef) {
  return (await (typeof chosen.args === 'function' ? chosen.args() : chosen.args)) ?? {}
}

function print(host: Host, text: string): number {
  host.stdout.write(`${text}\n`)
  return 0
}

function refuse(host: Host, fault: string, scope: string): number {
  host.stderr.write(`deckhand: ${fault}; see deckhand ${scope}--help\n`)
  return 2
}
