// Runs the built command the way a shell does.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const BIN = fileURLToPath(new URL('../../bin/deckhand.js', import.meta.url))

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** stdin is empty and closed. Variables that would change colours or the model are not inherited. */
export function runBin(
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; node?: string[]; bin?: string } = {},
): Promise<Ran> {
  const {
    NO_COLOR: _no,
    FORCE_COLOR: _force,
    DECKHAND_MODEL: _model,
    DECKHAND_HOME: _home,
    ...inherited
  } = process.env
  const env = { ...inherited, ...options.env }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...(options.node ?? []), options.bin ?? BIN, ...args],
      { env, cwd: options.cwd },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr })
      },
    )
    child.stdin?.end()
  })
}

/** As the help names them. */
export async function commandNames(): Promise<string[]> {
  const { stdout } = await runBin(['--help'])
  const [, section = ''] = /\nCOMMANDS\n\n([\s\S]*?)\n\n/.exec(stdout) ?? []
  return [...section.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name = '']) => name)
}
