// A directory and its parents. Node's own `recursive` goes round for ever where a directory takes no entries, as /proc.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '#json/thrown.ts'

/** `mode` is that of each directory that is made. Rejects with the system's error. */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const parent = dirname(path)
  try {
    await make(path, mode)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error
    await makeDirectory(parent, mode)
    await make(path, mode)
  }
}

async function make(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Systems differ in what they say of one that is there.
    const there = await stat(path).catch(() => undefined)
    if (!there?.isDirectory()) throw error
  }
}
