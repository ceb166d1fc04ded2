// argv → command. The only place that may exit the process. An editor's start loads nothing that it does not need.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acp } from '#cli/acp.ts'
import type { Host } from '#cli/host.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const cwd = workingDirectory()
const host: Host = {
  root,
  version,
  env: process.env,
  cwd,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
}
const args = process.argv.slice(2)
const forEditor = args.length === 0 ? !process.stdin.isTTY : args.length === 1 && args[0] === 'acp'

// A reader that went away is no reason to crash; whoever writes a lot listens and stops.
process.stdout.on('error', () => {})

void run()

async function run(): Promise<void> {
  let code = 1
  try {
    code = await (forEditor ? acp(host) : (await import('#cli/commands.ts')).command(host, args))
  } catch (error) {
    process.stderr.write(
      `deckhand: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  }
  process.stdout.write('', () => process.exit(code))
}

/** Ends the process where there is none: nothing can be done from a directory that was deleted. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write('deckhand: the working directory does not exist any more; change to another one\n')
    process.exit(1)
  }
}
