// The commands that are built in, and finding the one that a prompt begins with.
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { AgentSession, PromptInput } from '#agent/port.ts'
import type { ContentBlock } from '#model/content.ts'
import type { Command, PromptFiles } from './command.ts'
import { compact } from './compact.ts'
import { diff } from './diff.ts'
import { help } from './help.ts'
import { init } from './init.ts'
import { mcp } from './mcp.ts'
import { mode } from './mode.ts'
import { model } from './model.ts'
import { permissions } from './permissions.ts'
import { promptCommand } from './prompt-command.ts'
import { readPromptFiles } from './prompt-files.ts'
import { rewind } from './rewind.ts'
import { serverCommand } from './server-command.ts'
import { trust } from './trust.ts'
import { usage } from './usage.ts'

/** In the order in which clients list them. */
export const BUILT_IN: readonly Command[] = [
  help,
  mode,
  model,
  compact,
  init,
  mcp,
  permissions,
  trust,
  usage,
  diff,
  rewind,
]

export interface CommandLine {
  /** The number of the block in the prompt. */
  at: number
  name: string
  /** Trimmed. */
  argument: string
}

export interface FoundCommand {
  command: Command
  /** Trimmed. */
  argument: string
  commands: readonly Command[]
  /** The prompt with other blocks in place of the command; what the person sees stays. */
  expand(blocks: readonly ContentBlock[]): PromptInput
}

/** The name and argument that the first text of a prompt begins with, whether there is such a command or not. */
export function commandLine({ content }: PromptInput): CommandLine | undefined {
  const at = content.findIndex((block) => block.type === 'text')
  const block = content[at]
  const parts = block?.type === 'text' ? /^\s*\/([A-Za-z0-9][\w:-]*)(?:\s+([^]*))?$/.exec(block.text) : null
  return parts?.[1] === undefined ? undefined : { at, name: parts[1], argument: (parts[2] ?? '').trim() }
}

export function findCommand(
  { at, name, argument }: CommandLine,
  { content, shown }: PromptInput,
  commands: readonly Command[],
): FoundCommand | undefined {
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) return undefined
  return {
    command,
    argument,
    commands,
    expand: (blocks) => ({ content: content.toSpliced(at, 1, ...blocks), shown }),
  }
}

/** All commands of a session; neither a prompt file nor a server can take the name of one of ours. */
export async function commandsOf(
  { promptFiles = readPromptFiles }: { promptFiles?: PromptFiles | undefined },
  { cwd, servers }: Pick<AgentSession, 'cwd' | 'servers'>,
): Promise<Command[]> {
  const taken = new Set(BUILT_IN.map((command) => command.name))
  const files = await promptFiles(cwd)
  const more = [...files.map(promptCommand), ...(servers?.commands() ?? []).map(serverCommand)]
  return [...BUILT_IN, ...more.filter(({ name }) => !taken.has(name))]
}

/** As the client lists them. */
export function availableCommands(commands: readonly Command[]): { availableCommands: AvailableCommand[] } {
  return {
    availableCommands: commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    })),
  }
}
