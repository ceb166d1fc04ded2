// What a file may do that nobody trusts yet, and what trusting it would mean. Pure.
import type { FileSettings, ServerEntry } from './schema.ts'

/** Only what forbids, asks and hides. */
export function tightening({ permissions, tools }: FileSettings): FileSettings {
  const { ask, deny } = permissions ?? {}
  return {
    ...((ask ?? deny) && { permissions: { ...(ask && { ask }), ...(deny && { deny }) } }),
    ...(tools?.deny && { tools: { deny: tools.deny } }),
  }
}

/** What is left of a file that can't be read as a whole: what tightens, and the sandbox, without what it lets through. */
export function strictest(file: FileSettings): FileSettings {
  const confined = file.sandbox !== undefined && file.sandbox !== 'off'
  return { ...tightening(file), ...(confined && { sandbox: 'workspace' as const }) }
}

/** What the file does beyond tightening, one line for a person each; empty when it does nothing else. */
export function describeEffects(file: FileSettings): string[] {
  return [
    ...Object.entries(file.mcpServers ?? {}).map(([name, server]) => serverEffect(name, server)),
    ...(file.plugins ?? []).map((path) => `loads and runs the plug-in ${path}`),
    ...(file.permissions?.allow ?? []).map((rule) => `allows without asking: ${rule}`),
    ...Object.entries(file.providers ?? {}).map(([id, { baseURL, headers }]) => {
      const to = baseURL === undefined ? '' : `, and sends your prompts and its key to ${baseURL}`
      return `sets the provider ${id}${headers === undefined ? '' : ' with headers of its own'}${to}`
    }),
    ...(file.instructions ?? []).map((path) => `gives the model the instructions in ${path}`),
    ...(file.env?.pass ?? []).map((name) => `shows the variable ${name} to commands`),
    ...(file.web?.allowHosts ?? []).map((host) => `lets web tools reach ${host}`),
    ...(file.web?.search ? [`searches the web with ${file.web.search.url ?? file.web.search.kind}`] : []),
    ...plainEffects(file),
  ]
}

function serverEffect(name: string, { command, args = [], url = '', trust, sampling }: ServerEntry): string {
  const what =
    command === undefined
      ? `connects to the MCP server ${name}: ${url}`
      : `starts the MCP server ${name}: ${[command, ...args].join(' ')}`
  return `${what}${trust ? '; its tools do not ask' : ''}${sampling ? '; it may ask your model' : ''}`
}

/** One setting, one line. */
function plainEffects(file: FileSettings): string[] {
  const one = <Key extends keyof FileSettings>(
    key: Key,
    say: (value: NonNullable<FileSettings[Key]>) => string,
  ) => {
    const value = file[key]
    return value === undefined || value === null ? [] : [say(value)]
  }
  return [
    ...one('mode', (mode) => `sets the mode to ${mode}`),
    ...one('sandbox', (sandbox) => `sets the sandbox to ${JSON.stringify(sandbox)}`),
    ...one('model', (model) => `uses the model ${model}`),
    ...one('smallModel', (model) => `uses the model ${model} for small work`),
    ...one('codeMode', (mode) => `sets the code mode to ${mode}`),
    ...one(
      'files',
      (files) => `reads and writes files through ${files === 'disk' ? 'the disk' : 'the editor'}`,
    ),
    ...one('limits', (limits) => `sets limits: ${JSON.stringify(limits)}`),
    ...one('retention', (retention) => `sets how long sessions are kept: ${JSON.stringify(retention)}`),
    ...one('askReason', (ask) => `${ask ? 'asks' : 'does not ask'} for the reason of a rejection`),
    ...(file.tools?.allow ? [`shows no tools but ${file.tools.allow.join(', ')}`] : []),
  ]
}
