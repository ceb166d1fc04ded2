// Other versions of Node, from the packages that the `node` package itself fetches its binaries from.
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../cli/run-bin.ts'
import { npm } from './npm.ts'

const CACHE = join(ROOT, 'node_modules', '.cache', 'deckhand-node')

/** The path of that Node's binary; fetched once for a checkout. Rejects like `npm`. */
export async function nodeBinary(version: string): Promise<string> {
  const windows = process.platform === 'win32'
  const binary = join(CACHE, `node-${version}${windows ? '.exe' : ''}`)
  if (await exists(binary)) return binary
  await mkdir(CACHE, { recursive: true })
  const directory = await mkdtemp(join(CACHE, 'fetching-'))
  try {
    await writeFile(join(directory, 'package.json'), '{ "private": true }')
    await npm(['install', '--ignore-scripts', '--no-package-lock', `${packageName()}@${version}`], {
      cwd: directory,
    })
    const bin = join('bin', windows ? 'node.exe' : 'node')
    await rename(join(directory, 'node_modules', packageName(), bin), binary)
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  return binary
}

function packageName(): string {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
