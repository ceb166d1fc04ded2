// A project on disk with links that lead out, and a policy over it.
import { readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createPlaces } from '#policy/places.ts'
import { decide, type Mode, type PolicyOptions } from '#policy/policy.ts'
import { createGrantStore, type GrantStore } from '#policy/remembered.ts'
import { compileRules, type PermissionRules } from '#policy/rules.ts'
import type { JsonValue } from '#json/value.ts'
import { realPathNow } from '#workspace/disk-looks.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { temporaryDirectory } from '../support/temporary.ts'

export interface Project {
  cwd: string
  outside: string
  state: string
  grants: GrantStore
  /** What was logged. */
  logged: string[]
  policy(rules?: PermissionRules, mode?: Mode, more?: Partial<PolicyOptions>): Policy
}

export interface Policy {
  call(name: string, args: JsonValue): ReturnType<typeof decide>
  bash(command: string, workdir?: string): ReturnType<typeof decide>
}

/** `roots` are further directories of the session, below the temporary one. */
export async function openProject(...roots: string[]): Promise<Project> {
  const base = await temporaryDirectory()
  const [cwd, outside, state] = [join(base, 'w'), join(base, 'outside'), join(base, 'state')]
  for (const directory of [cwd, outside, state, ...roots.map((root) => join(base, root))])
    await mkdir(directory, { recursive: true })
  for (const directory of ['src', 'links', 'x', '.git/hooks', 'sub', '.ssh'])
    await mkdir(join(cwd, directory), { recursive: true })
  for (const file of ['a.txt', 'b.txt', 'src/a.ts', 'src/b.ts', 'sub/c.txt', 'links/in.txt', '.env'])
    await writeFile(join(cwd, file), `${file}\n`)
  await writeFile(join(outside, 'secret'), 'secret\n')
  await symlink(join(outside, 'secret'), join(cwd, 'link-out'))
  await symlink(join(outside, 'secret'), join(cwd, 'links/out'))
  await symlink(outside, join(cwd, 'link-out-dir'))
  const { realPath } = createFileSystem()
  const logged: string[] = []
  const grants = createGrantStore({
    state,
    project: cwd,
    realPath,
    log: (_level, message) => void logged.push(message),
  })
  const places = createPlaces({
    roots: [cwd, ...roots.map((root) => join(base, root))],
    own: [state],
    resolve: (path) => resolve(cwd, path),
    realPath,
    ownRealPath: realPathNow,
  })
  return {
    cwd,
    outside,
    state,
    grants,
    logged,
    policy(rules = {}, mode = 'ask', more = {}) {
      const compiled = compileRules(rules)
      const options: PolicyOptions = {
        mode: () => mode,
        places,
        rules: () => compiled,
        grants,
        commandLanguage: 'bash',
        ...more,
      }
      const call: Policy['call'] = (name, args) => decide({ name, arguments: args }, options)
      return {
        call,
        bash: (command, workdir) => call('bash', { command, ...(workdir !== undefined && { workdir }) }),
      }
    },
  }
}

export interface Row {
  line: string
  why?: string
  command?: string
  decision?: 'allow' | 'ask' | 'deny'
}

/** Rows of a table in `fixtures/bash-rules`: one more row is one more case. */
export function table(name: string): Row[] {
  return JSON.parse(
    readFileSync(new URL(`../../fixtures/bash-rules/${name}.json`, import.meta.url), 'utf8'),
  ) as Row[]
}

/** As a title of a test. */
export function shown(line: string): string {
  return JSON.stringify(line)
}
