// The commands of the command line, one row each; what a command does is loaded when it runs.
import { PROFILE_NAMES, type ProfileName } from '#bridge/profile.ts'
import { nearestName } from '#json/nearest.ts'
import { defineCommand, runCommand, type CommandDef } from 'citty'
import { argumentFault } from './arguments.ts'
import { canvasFor } from './draw/paint.ts'
import { FLAGS, type FlagArgs, flagsOf } from './flags.ts'
import { commandPage, helpText, type HelpPage, type HelpPart } from './help.ts'
import type { Host } from './host.ts'

/** A command resolves with its exit code. */
type Run<Args> = (host: Host, args: Args) => Promise<number>

const acp = defineCommand({
  meta: {
    name: 'acp',
    description: 'The agent on stdio, for editors (the default when stdin is no terminal)',
  },
  args: FLAGS,
  run: on<FlagArgs>(async (host, args) => {
    const flags = flagsOf(args)
    if (typeof flags === 'string') return refuse(host, flags, 'acp ')
    return (await import('./acp.ts')).acp(host, flags)
  }),
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
    session: {
      type: 'positional',
      description: "A session's id, its beginning, or the path of a log",
      required: true,
    },
    client: {
      type: 'enum',
      options: PROFILE_NAMES,
      default: 'zed',
      description: 'What the client can draw',
    },
    json: { type: 'boolean', description: 'Print the updates as they go over the wire, one a line' },
    html: {
      type: 'string',
      valueHint: 'file',
      description: 'Write one self-contained page to this file instead',
    },
  },
  run: on<{ session: string; client: ProfileName; json?: boolean; html?: string }>(async (host, args) => {
    if (args.json && args.html !== undefined)
      return refuse(host, '--json and --html contradict each other', 'replay ')
    return (await import('./replay.ts')).replay(host, args)
  }),
})

const cards = defineCommand({
  meta: {
    name: 'cards',
    description: 'Write the gallery of all cards, on all clients, to one self-contained page',
  },
  args: { html: { type: 'string', valueHint: 'file', description: 'The file to write' } },
  run: on<{ html?: string }>(async (host, { html }) => {
    if (html === undefined) return refuse(host, 'missing option --html <file>', 'cards ')
    return (await import('./cards.ts')).cards(host, { html })
  }),
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
    id: { type: 'positional', description: "A session's id, or its beginning", required: false },
    cwd: { type: 'string', valueHint: 'directory', description: 'List only the sessions of this directory' },
  },
  run: on<{ action: string; id?: string; cwd?: string }>(async (host, { action, ...rest }) => {
    const known = (['list', 'show', 'export', 'delete'] as const).find((name) => name === action)
    if (known === undefined) return refuse(host, `unknown action '${action}'`, 'sessions ')
    if (known === 'list' && rest.id !== undefined)
      return refuse(host, `unexpected argument '${rest.id}'`, 'sessions ')
    if (known !== 'list' && rest.cwd !== undefined)
      return refuse(host, `--cwd goes with list, not with ${known}`, 'sessions ')
    return (await import('./sessions.ts')).sessions(host, { action: known, ...rest })
  }),
})

const run = defineCommand({
  meta: {
    name: 'run',
    description: 'Run one prompt here, without an editor; the exit code tells how it ended',
  },
  args: {
    prompt: { type: 'positional', description: 'What to do; - reads it from stdin', required: true },
    json: { type: 'boolean', description: 'Print the updates as they go over the wire, one a line' },
    ...FLAGS,
  },
  run: on<FlagArgs & { prompt: string; json?: boolean }>(async (host, args) => {
    const flags = flagsOf(args)
    if (typeof flags === 'string') return refuse(host, flags, 'run ')
    const { prompt, json } = args
    return (await import('./run.ts')).run(host, { prompt, flags, ...(json && { json }) })
  }),
})

const EXAMPLES: HelpPart = {
  heading: 'EXAMPLES',
  rows: [
    ['deckhand run "why does the test fail?"'],
    ['deckhand run --allow "bash(npm test *), edit" "fix the test"'],
    ['deckhand run --mode plan - < task.txt'],
  ],
}

const RUN_ENDS: HelpPart = {
  heading: 'EXIT CODES',
  rows: [
    ['0 end of the turn, 1 error, 2 wrong arguments, 3 refusal, 4 max tokens, 5 max requests, 130 cancelled'],
  ],
}

const tools = defineCommand({
  meta: {
    name: 'tools',
    description: 'List the tools that the model is offered in this directory, and where each comes from',
  },
  args: {
    json: { type: 'boolean', description: 'Print them with their schemas, as JSON' },
    code: { type: 'boolean', description: 'Print the declarations that programs of Code Mode see' },
  },
  run: on<{ json?: boolean; code?: boolean }>(async (host, args) => {
    if (args.json && args.code) return refuse(host, '--json and --code contradict each other', 'tools ')
    return (await import('./tools.ts')).tools(host, args)
  }),
})

const mcp = defineCommand({
  meta: {
    name: 'mcp',
    description: 'Start the configured MCP servers and print their tools, errors and timings',
  },
  args: { json: { type: 'boolean', description: 'Print what is known of each, as JSON' } },
  run: on<{ json?: boolean }>(async (host, args) => (await import('./mcp.ts')).mcp(host, args)),
})

const provider = { type: 'positional', description: 'Such as anthropic or openai', required: false } as const

const login = defineCommand({
  meta: { name: 'login', description: "Ask for a provider's key, check it and store it" },
  args: { provider },
  run: on<{ provider?: string }>(async (host, args) => (await import('./login.ts')).login(host, args)),
})

const logout = defineCommand({
  meta: { name: 'logout', description: 'Forget a stored key, or all of them' },
  args: { provider },
  run: on<{ provider?: string }>(async (host, args) => (await import('./logout.ts')).logout(host, args)),
})

const commands = { acp, demo, run, replay, cards, sessions, tools, mcp, doctor, login, logout } as Record<
  string,
  CommandDef
>

/** Runs `deckhand <args>`. Resolves with the exit code; 2 says that the arguments were wrong, on stderr only. */
export async function command(host: Host, args: string[]): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--help' || name === '-h') return help(host, rootPage(host.version))
  if (name === 'help') return helpOn(host, rest)
  if (name === '--version' || name === '-v') return print(host, host.version)
  const chosen = commandOf(name)
  if (!chosen) return refuse(host, unknown(name), '')
  if (asksForHelp(rest)) return help(host, pageOf(name, chosen))
  const fault = argumentFault(await resolved(chosen), rest)
  if (fault) return refuse(host, fault, `${name} `)
  const { result } = await runCommand(chosen, { rawArgs: rest, data: host })
  return typeof result === 'number' ? result : 0
}

/** `deckhand help <command>` is `deckhand <command> --help`. */
function helpOn(host: Host, args: readonly string[]): number {
  const [name, extra] = args.filter((arg) => !asksForHelp([arg]))
  if (extra !== undefined) return refuse(host, `unexpected argument '${extra}'`, '')
  if (name === undefined || name === 'help') return help(host, rootPage(host.version))
  const chosen = commandOf(name)
  return chosen ? help(host, pageOf(name, chosen)) : refuse(host, unknown(name), '')
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

function commandOf(name: string): CommandDef | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

function pageOf(name: string, chosen: CommandDef): HelpPage {
  return commandPage(name, chosen, chosen === run ? [EXAMPLES, RUN_ENDS] : [])
}

function on<Args = unknown>(run: Run<Args>) {
  return ({ data, args }: { data?: Host; args: unknown }) => {
    if (!data) throw new TypeError('a command runs with a host')
    return run(data, args as Args)
  }
}

function rootPage(version: string): HelpPage {
  const rows = Object.entries(commands).map(
    ([name, { meta }]) => [name, (meta as { description?: string }).description ?? ''] as const,
  )
  return {
    summary: `Deckhand ${version}: a coding agent that your editor launches over the Agent Client Protocol`,
    usage: '<command> [options]',
    parts: [
      { heading: 'COMMANDS', rows },
      {
        heading: 'TO BEGIN',
        rows: [
          ['deckhand demo', 'A session to watch, without a model'],
          ['deckhand doctor', 'What is missing here, and what to put into your editor'],
          ['deckhand login', 'Stores a key; DECKHAND_MODEL=provider/model says which model'],
          ['deckhand <command> --help'],
        ],
      },
    ],
  }
}

function unknown(name: string): string {
  if (name.startsWith('-')) return `unknown option '${name}'`
  const meant = nearestName(name, [...Object.keys(commands), 'help'])
  return `unknown command '${name}'${meant === undefined ? '' : `; is '${meant}' meant?`}`
}

async function resolved(chosen: CommandDef) {
  return (await (typeof chosen.args === 'function' ? chosen.args() : chosen.args)) ?? {}
}

function print(host: Host, text: string): number {
  host.stdout.write(`${text}\n`)
  return 0
}

function help(host: Host, page: HelpPage): number {
  return print(host, helpText(canvasFor(host.stdout, host.env), page))
}

function refuse(host: Host, fault: string, scope: string): number {
  host.stderr.write(`deckhand: ${fault}${fault.endsWith('?') ? '' : ';'} see deckhand ${scope}--help\n`)
  return 2
}
