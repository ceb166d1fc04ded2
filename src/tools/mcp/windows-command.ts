// Starting commands on Windows without a shell: `npx` and its like are batch files, which the system can't run itself.
import { win32 } from 'node:path'

/** What is known of the machine; paths are Windows paths. */
export interface WindowsMachine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The text of a file; undefined when there is none. */
  read(path: string): string | undefined
  exists(path: string): boolean
}

export interface Launch {
  file: string
  args: string[]
  /** The arguments are one command line already (`windowsVerbatimArguments`). */
  verbatim: boolean
}

const SCRIPT = /\.[cm]?js$/i
/** A quoted argument of a batch file can't hold these: they end it, or are replaced in it. */
const UNQUOTABLE = /["%\r\n]/

/**
 * What to start for a command and its arguments, which the program gets unchanged. A batch file that npm or a
 * sibling of it wrote is replaced by the Node program behind it; any other is run by the command interpreter with
 * quoted arguments. Throws when that could change an argument.
 */
export function windowsLaunch(command: string, args: readonly string[], machine: WindowsMachine): Launch {
  const found = find(command, machine)
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found)) {
    return { file: found ?? command, args: [...args], verbatim: false }
  }
  const script = scriptOf(found, machine)
  if (script !== undefined) {
    return { file: nodeBeside(found, machine), args: [script, ...args], verbatim: false }
  }
  const bad = args.find((arg) => UNQUOTABLE.test(arg))
  if (bad !== undefined) {
    throw new Error(
      `${found} is a batch file, and the argument ${JSON.stringify(bad)} can't be given to one unchanged: name the program that it runs instead`,
    )
  }
  const line = [found, ...args].map((part) => `"${part}"`).join(' ')
  const shell = variable(machine, 'ComSpec') ?? 'cmd.exe'
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

/** The file that the system would start: by path, or on PATH, with the extensions of PATHEXT. */
function find(command: string, machine: WindowsMachine): string | undefined {
  const extensions = (variable(machine, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  const known = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()))
  const names = known ? [command] : extensions.map((extension) => command + extension.toLowerCase())
  const folders = /[\\/]/.test(command)
    ? [machine.cwd]
    : (variable(machine, 'PATH') ?? '').split(';').map((folder) => folder.replaceAll('"', ''))
  for (const folder of folders.filter(Boolean)) {
    for (const name of names) {
      const path = win32.resolve(machine.cwd, folder, name)
      if (machine.exists(path)) return path
    }
  }
  return undefined
}

/** The script that a batch file hands its arguments to, when it does nothing else. */
function scriptOf(batch: string, machine: WindowsMachine): string | undefined {
  const text = machine.read(batch) ?? ''
  const last = text.split(/\r?\n/).findLast((line) => line.includes('%*'))
  if (last === undefined) return undefined
  const values = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(/^\s*@?SET\s+"?(\w+)=([^"\r\n]*)"?/gim)) {
    if (!values.has(name.toUpperCase())) values.set(name.toUpperCase(), value)
  }
  const folder = `${win32.dirname(batch)}\\`
  const expand = (part: string): string =>
    part
      .replaceAll(/%~dp0\\?|%dp0%\\?/gi, () => folder)
      .replaceAll(/%(\w+)%/g, (whole, name: string) => {
        const value = values.get(name.toUpperCase())
        return value === undefined ? whole : value.replaceAll(/%~dp0\\?/gi, () => folder)
      })
  const parts = [...last.matchAll(/"([^"]*)"/g)].map(([, part = '']) => win32.normalize(expand(part)))
  const script = parts.findLast((part) => SCRIPT.test(part))
  return script !== undefined && machine.exists(script) ? script : undefined
}

function nodeBeside(batch: string, machine: WindowsMachine): string {
  const beside = win32.join(win32.dirname(batch), 'node.exe')
  return machine.exists(beside) ? beside : (find('node.exe', machine) ?? 'node.exe')
}

function variable({ env }: WindowsMachine, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase())
  return key === undefined ? undefined : env[key]
}
