// The demo's sample project: a copy in a temporary directory, and whether its tests really pass.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Sample {
  /** The copy of the project, absolute. */
  readonly project: string
  /** An empty directory for the agent's state. */
  readonly home: string
  /** Runs the project's tests in a process of our own. */
  testsPass(): Promise<boolean>
  remove(): Promise<void>
}

export async function copySample(packageRoot: string): Promise<Sample> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'deckhand-demo-'))
  const project = join(folder, 'cart')
  const home = join(folder, 'home')
  await cp(join(packageRoot, 'demo', 'cart'), project, { recursive: true })
  await mkdir(home)
  return {
    project,
    home,
    testsPass: () => testsPass(project),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function testsPass(cwd: string): Promise<boolean> {
  // Under a test runner this variable would make the child report to it instead of running by itself.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test'], { cwd, env, timeout: 30_000 }, (error) => resolve(error === null))
  })
}
