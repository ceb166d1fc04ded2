// npm, run for a test that needs the registry: outside of CI a test is skipped where that can't be reached.
import { execFile } from 'node:child_process'
import type { TestContext } from 'vitest'

export interface NpmOptions {
  cwd: string
  env?: Record<string, string | undefined>
}

const NOT_REACHED =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED)\b/

/** What npm prints. Rejects with `RegistryUnreachable`, or with what npm said. */
export function npm(args: readonly string[], { cwd, env = {} }: NpmOptions): Promise<string> {
  const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1', '--fetch-timeout=30000']
  return new Promise((resolve, reject) => {
    execFile(
      'npm',
      [...args, ...quick],
      { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024, timeout: 150_000 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else if (NOT_REACHED.test(stderr)) reject(new RegistryUnreachable(stderr))
        else reject(new Error(`npm ${args.join(' ')}: ${stderr}${stdout}`, { cause: error }))
      },
    )
  })
}

class RegistryUnreachable extends Error {
  override name = 'RegistryUnreachable'
}

/** What `work` gives. Without the registry the test is skipped, with the reason; in CI it fails. */
export async function orSkip<T>(context: TestContext, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RegistryUnreachable) || process.env['CI'] !== undefined) throw error
    const reason = 'the npm registry can not be reached'
    process.stderr.write(`${context.task.name}: skipped, ${reason}\n`)
    return context.skip(reason)
  }
}
