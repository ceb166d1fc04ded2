import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPlaces } from '#policy/places.ts'
import { decide, installPolicy } from '#policy/policy.ts'
import { createGrantStore } from '#policy/remembered.ts'
import { compileRules } from '#policy/rules.ts'
import { createRegistry } from '#registry/registry.ts'
import type { ApprovalOutcome, ApprovalRequest } from '#registry/types.ts'
import { firstPartyTools } from '#tools/index.ts'
import { createWorkspace } from '#workspace/workspace.ts'
import { openProject } from './harness.ts'

/** The tools of a session under its policy; the person gives these answers. */
async function openSession(answer: (request: ApprovalRequest) => Promise<ApprovalOutcome>) {
  const { cwd, state } = await openProject()
  const asked: ApprovalRequest[] = []
  const registry = createRegistry({
    approval: {
      request: (request) => {
        asked.push(request)
        return answer(request)
      },
    },
  })
  const scope = registry.scope(undefined, { sessionId: 's', cwd, roots: [cwd] })
  const workspace = createWorkspace({ cwd })
  for (const tool of firstPartyTools(workspace)) scope.register(tool)
  const realPath = (path: string) => workspace.files.realPath(path)
  const rules = compileRules({ deny: ['bash(rm *)'] })
  installPolicy(scope, {
    mode: () => 'ask',
    places: createPlaces({ roots: [cwd], own: [state], resolve: (path) => resolve(cwd, path), realPath }),
    rules: () => rules,
    grants: createGrantStore({ state, project: cwd, realPath, log: () => undefined }),
  })
  let calls = 0
  const run = (name: string, args: object) =>
    registry.execute({
      callId: `c${++calls}`,
      name,
      arguments: args,
      scope,
      signal: new AbortController().signal,
    })
  return { cwd, asked, run }
}

describe('the policy of a session', () => {
  it('asks once for each change, and what is rejected does not happen (B48)', async () => {
    const { cwd, asked, run } = await openSession(async () => 'rejected')
    const results = [
      await run('write', { file_path: 'f', content: 'x' }),
      await run('bash', { command: 'touch g' }),
      await run('bash', { command: 'echo x > h' }),
    ]
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true])
    expect(asked.map(({ toolName }) => toolName)).toEqual(['write', 'bash', 'bash'])
    expect(['f', 'g', 'h'].map((name) => existsSync(join(cwd, name)))).toEqual([false, false, false])
  })

  it('runs what only looks, and denies by rule, without asking', async () => {
    const { cwd, asked, run } = await openSession(async () => 'rejected')
    expect(await run('bash', { command: 'cat a.txt && ls src' })).toMatchObject({ isError: false })
    const denied = await run('bash', { command: 'true; nohup rm a.txt' })
    expect(denied).toMatchObject({ isError: true, error: { message: expect.stringContaining('bash(rm *)') } })
    expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
    expect(asked).toEqual([])
  })

  it('remembers what the person lets it remember', async () => {
    const { cwd, asked, run } = await openSession(async ({ grant }) => {
      await grant?.remember()
      return 'allowed-once'
    })
    for (const times of [1, 2, 3]) {
      await run('bash', { command: 'echo x >> log' })
      expect(await readFile(join(cwd, 'log'), 'utf8')).toBe('x\n'.repeat(times))
    }
    expect(asked.map(({ grant }) => grant?.label)).toEqual(['Always allow `echo x >> log` in this project'])
  })

  it.each([
    ['write', { file_path: 'sub/new', content: 'x' }],
    ['delete', { path: 'sub/victim' }],
    ['move', { from: 'a', to: 'sub/moved' }],
  ])('%s refuses a place that has become a link outward while the person was asked', async (name, args) => {
    const outside = await mkdtemp(join(tmpdir(), 'deckhand-outside-'))
    onTestFinished(() => rm(outside, { recursive: true }))
    await writeFile(join(outside, 'victim'), 'precious')
    const session = await openSession(async () => {
      await rename(join(session.cwd, 'sub'), join(session.cwd, 'old'))
      await symlink(outside, join(session.cwd, 'sub'))
      return 'allowed-once'
    })
    await mkdir(join(session.cwd, 'sub'), { recursive: true })
    await writeFile(join(session.cwd, 'sub', 'victim'), 'mine')
    await writeFile(join(session.cwd, 'a'), 'a')
    const result = await session.run(name, args)
    expect(result).toMatchObject({
      isError: true,
      error: { message: expect.stringContaining('nothing was done') },
    })
    expect(await readdir(outside)).toEqual(['victim'])
    expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('precious')
  })
})

describe('a deny rule for paths, in a mode that never asks', () => {
  it.each([
    'cat k.pem',
    'cat *.pem',
    'cat {k,x}.pem',
    'cat $PWD/k.pem',
    'cp k.pem q; cat q',
    'tool --in ./k.pem',
    'for f in *.pem; do cat "$f"; done',
  ])('%s does not pass', async (command) => {
    const { cwd, state } = await openProject()
    await writeFile(join(cwd, 'k.pem'), 'secret')
    const realPath = async (path: string) => path
    const places = createPlaces({
      roots: [cwd],
      own: [state],
      resolve: (path) => resolve(cwd, path),
      realPath,
    })
    const rules = compileRules({ deny: ['read(*.pem)'] })
    const call = { name: 'bash', arguments: { command } }
    expect((await decide(call, { mode: () => 'bypass', places, rules: () => rules })).kind).not.toBe('allow')
    const other = { name: 'bash', arguments: { command: 'cat a.txt && npm test' } }
    expect(await decide(other, { mode: () => 'bypass', places, rules: () => rules })).toEqual({
      kind: 'allow',
    })
  })
})
