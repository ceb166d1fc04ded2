// Other versions of Node, from the packages that the `node` package itself fetches its binaries from.
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
    // Of a few thousand files one is wanted, so that the package is not installed.
    const pack = ['pack', '--silent', '--ignore-scripts', `${packageName()}@${version}`]
    const tarball = (await npm(pack, { cwd: directory })).trim()
    const file = `package/bin/node${windows ? '.exe' : ''}`
    await promisify(execFile)('tar', ['-xzf', tarball, file], { cwd: directory })
    await rename(join(directory, file), binary)
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
