// Working directories that clients name.
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { systemCode } from '#json/thrown.ts'
import type { Log } from '#registry/types.ts'
import { invalidParams } from './wire-error.ts'

/** Throws -32602 with the reason unless `cwd` is the absolute path of an existing directory. */
export async function requireDirectory(cwd: string): Promise<void> {
  requireAbsolute(cwd)
  const reason = await whyNotDirectory(cwd)
  if (reason) throw invalidParams(`cwd ${JSON.stringify(cwd)} ${reason}`)
}

export function requireAbsolute(cwd: string): void {
  if (!isAbsolute(cwd)) throw invalidParams(`cwd must be an absolute path, not ${JSON.stringify(cwd)}`)
}

/** The usable ones among additional directories; the others are logged. */
export async function usableDirectories(paths: readonly string[], log: Log): Promise<string[]> {
  const checked = await Promise.all(
    paths.map(async (path) => {
      const reason = isAbsolute(path) ? await whyNotDirectory(path) : 'is not absolute'
      if (reason) log('warn', `additional directory ${JSON.stringify(path)} ${reason}: ignored`)
      return reason ? [] : [path]
    }),
  )
  return checked.flat()
}

async function whyNotDirectory(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : 'is not a directory'
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? 'does not exist'
      : `can't be opened (${String(code ?? error)})`
  }
}
