// Whether git would find a repository that is no `.git` directory: files of the project that configure what git runs.
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** From the directory up to the nearest `.git`. Never rejects. */
export async function madeUpRepository(directory: string): Promise<boolean> {
  for (let at = directory; ; at = dirname(at)) {
    const [head, ...rest] = await Promise.all(
      ['HEAD', 'objects', 'refs', 'commondir'].map((name) => exists(join(at, name))),
    )
    if (head && rest.includes(true)) return true
    if ((await exists(join(at, '.git'))) || dirname(at) === at) return false
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
