// `deckhand doctor`: what Deckhand needs and finds here, line by line, and the snippet for the editor.
import { thrownMessage } from '#json/thrown.ts'
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory } from '#config/make-directory.ts'
import type { Configuration } from '#config/configuration.ts'
import { readStoredKeys } from '#config/keys.ts'
import { loadConfiguration } from '#config/load.ts'
import type { Settings } from '#config/settings.ts'
import { createModelSource } from '#model/source.ts'
import { compileRules } from '#policy/rules.ts'
import { RIPGREP_MISSING, ripgrepProgram } from '#workspace/ripgrep-program.ts'
import { sandboxFault } from '#workspace/sandbox.ts'
import { canvasFor, type Canvas } from './draw/paint.ts'
import type { Host } from './host.ts'

export interface Finding {
  /** `bad` is something that keeps Deckhand from working. */
  state: 'good' | 'warn' | 'bad'
  what: string
  detail: string
}

/** Prints the findings. Resolves with 1 when one of them is bad, else 0. */
export async function doctor(host: Host): Promise<number> {
  const findings = await examine(host)
  host.stdout.write(
    `\n${report(canvasFor(host.stdout, host.env), findings).join('\n')}\n\n${snippet(host)}\n`,
  )
  return findings.some((finding) => finding.state === 'bad') ? 1 : 0
}

export async function examine(host: Host): Promise<Finding[]> {
  const configuration = await loadConfiguration({ env: host.env, cwd: host.cwd })
  const [search, bash, folder, confinement] = await Promise.all([
    ripgrep(),
    shell(),
    state(configuration),
    sandbox(configuration),
  ])
  const chosen = model(configuration)
  return [
    nodeVersion(),
    search,
    bash,
    folder,
    files(configuration),
    ...confinement,
    chosen,
    keys(configuration, chosen.state === 'good'),
    ...warnings(configuration),
  ]
}

/** One line a finding. */
export function report({ paint }: Canvas, findings: readonly Finding[]): string[] {
  const marks = { good: '✔', warn: '!', bad: '✖' } as const
  const width = Math.max(...findings.map((finding) => finding.what.length))
  return findings.map(
    ({ state: how, what, detail }) =>
      `${paint(how, marks[how])} ${paint('strong', what.padEnd(width))}  ${paint(how === 'good' ? 'plain' : how, detail)}`,
  )
}

function nodeVersion(): Finding {
  return { state: 'good', what: 'Node', detail: `${process.versions.node} (${process.execPath})` }
}

async function ripgrep(): Promise<Finding> {
  const { file, missing } = await ripgrepProgram()
  try {
    const detail = await firstLineOf(file, ['--version'])
    return { state: 'good', what: 'ripgrep', detail: missing === undefined ? detail : `${detail}, from PATH` }
  } catch (error) {
    const reason = missing === undefined ? `ripgrep does not start: ${thrownMessage(error)}` : RIPGREP_MISSING
    return { state: 'bad', what: 'ripgrep', detail: `glob and grep will fail: ${reason}` }
  }
}

async function shell(): Promise<Finding> {
  const [name, fallback] = process.platform === 'win32' ? ['powershell', 'none'] : ['bash', 'sh']
  try {
    const args =
      process.platform === 'win32'
        ? ['-NoProfile', '-Command', '$PSVersionTable.PSVersion.ToString()']
        : ['--version']
    return { state: 'good', what: 'shell', detail: await firstLineOf(name ?? 'bash', args) }
  } catch {
    return { state: 'warn', what: 'shell', detail: `${name} is not on PATH; ${fallback} is used instead` }
  }
}

async function state({ paths }: Settings): Promise<Finding> {
  const probe = join(paths.state, `.doctor-${process.pid}`)
  try {
    await makeDirectory(paths.state)
    await writeFile(probe, '')
    await rm(probe)
    return { state: 'good', what: 'state', detail: `${paths.state} is writable` }
  } catch (error) {
    return { state: 'bad', what: 'state', detail: `${paths.state} is not writable: ${thrownMessage(error)}` }
  }
}

/** Which files count here; a project's file that is not trusted may only forbid. */
function files({ sources, project }: Configuration): Finding {
  const untrusted = project !== undefined && !project.trusted && project.effects.length > 0
  const detail = sources.length === 0 ? 'no file; the environment alone' : sources.join(', ')
  if (!untrusted) return { state: 'good', what: 'configuration', detail }
  return {
    state: 'warn',
    what: 'configuration',
    detail: `${detail}; ${project.path} is not trusted (see /trust)`,
  }
}

/** Only where one is configured: without what it needs every command is refused. */
async function sandbox({ sandbox: configured }: Configuration): Promise<Finding[]> {
  if (configured === undefined) return []
  const fault = await sandboxFault()
  if (fault === undefined) return [{ state: 'good', what: 'sandbox', detail: 'commands are confined' }]
  return [{ state: 'bad', what: 'sandbox', detail: `every command will be refused: ${fault}` }]
}

/** A model that is chosen and has what it needs, or the reason why not. Nothing is sent to it. */
function model(settings: Settings): Finding {
  const storedKeys = (): ReturnType<typeof readStoredKeys> => readStoredKeys(settings.paths.state)
  const { selected, problem } = createModelSource(settings, { storedKeys })
  if (problem !== undefined) return { state: 'warn', what: 'model', detail: problem }
  return { state: 'good', what: 'model', detail: selected ?? 'none' }
}

/** Which keys are there; never what they are. `usable`: the model that is chosen has what it needs. */
function keys({ providers, chosen, paths }: Settings, usable: boolean): Finding {
  const found = Object.keys(providers).filter((id) => providers[id]?.apiKey !== undefined)
  if (chosen.apiKey) found.unshift('DECKHAND_API_KEY')
  found.push(...Object.keys(readStoredKeys(paths.state)).map((id) => `${id} (stored by login)`))
  if (found.length > 0) return { state: 'good', what: 'keys', detail: `present: ${found.join(', ')}` }
  const none = 'none in the environment, none stored'
  return usable
    ? { state: 'good', what: 'keys', detail: `${none}; the model needs none` }
    : { state: 'warn', what: 'keys', detail: none }
}

/** Rules that can't be read included. */
function warnings({ warnings: said, permissions }: Configuration): Finding[] {
  return [...said, ...compileRules(permissions).problems].map((detail) => ({
    state: 'warn',
    what: 'setting',
    detail,
  }))
}

async function firstLineOf(file: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { timeout: 10_000 })
  return stdout.split('\n')[0]?.trim() ?? ''
}

function snippet(host: Host): string {
  const server = {
    type: 'custom',
    command: process.execPath,
    args: [join(host.root, 'bin', 'deckhand.js'), 'acp'],
  }
  const entry = JSON.stringify({ agent_servers: { Deckhand: { ...server, env: {} } } }, null, 2)
  return `For Zed (settings.json); JetBrains (~/.jetbrains/acp.json) takes the same without "type":\n\n${entry}`
}
