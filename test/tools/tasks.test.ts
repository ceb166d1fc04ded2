import { stat } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject } from '#json/value.ts'
import { textOf } from '#model/content.ts'
import { announceFinishedTasks } from '#tools/bash/announce.ts'
import { type Bench, openBench } from './harness.ts'
import { processesIn } from './processes.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())

async function start(command: string, more: { timeout_ms?: number } = {}): Promise<string> {
  const value = await bench.value('bash', { command, run_in_background: true, ...more })
  if (!isJsonObject(value) || typeof value['taskId'] !== 'string') throw new Error('no task id')
  return value['taskId']
}
const output = (id: string, wait = false) => bench.run('task_output', { id, wait, timeout_ms: 10_000 })

async function outputUntil(id: string, text: string): Promise<string> {
  let seen = ''
  while (!seen.includes(text)) {
    seen += (await output(id)).text.replace(/\n\n\[[^]*$/, '\n')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return seen
}

describe('background tasks', () => {
  it('go on after the call, and give what is new', async () => {
    const id = await start('echo one; sleep 0.4; echo two; exit 3')
    expect(id).toMatch(/^task_[0-9a-f]{24}$/)
    expect(await outputUntil(id, 'one')).toMatch(/^(\(no new output\)\n)*one\n$/)
    const end = await output(id, true)
    expect(end.text).toBe(`two\n\n[${id}: exit code 3]`)
    expect(end.result).toMatchObject({ value: { running: false, exitCode: 3, output: 'two\n' } })
    expect((await output(id)).text).toBe(`(no new output)\n\n[${id}: exit code 3]`)
  })

  it('are told of when they end unseen, once', async () => {
    const [seen, unseen] = [await start('echo a'), await start('sleep 0.1; exit 7')]
    await output(seen, true)
    await bench.workspace.tasks.ended(unseen)
    const messages = announceFinishedTasks(bench.workspace)
    expect(messages.map(({ content }) => textOf(content))).toEqual([
      expect.stringContaining(`${unseen} (sleep 0.1; exit 7) has ended: exit code 7`),
    ])
    expect(messages[0]).toMatchObject({ source: { kind: 'tool', name: 'bash' } })
    expect(announceFinishedTasks(bench.workspace)).toEqual([])
  })

  it('a listener hears of an end, but not of one that was wanted', async () => {
    const heard: string[] = []
    const off = bench.workspace.tasks.onFinished(({ id }) => heard.push(id))
    const [quick, stopped] = [await start('true'), await start('sleep 60')]
    await bench.workspace.tasks.ended(quick)
    await bench.run('task_stop', { id: stopped })
    expect(heard).toEqual([quick])
    off()
  })

  it.runIf(process.platform === 'linux')('are stopped with all that they started', async () => {
    const id = await start('sleep 60 & setsid sleep 60 & echo up; wait')
    await outputUntil(id, 'up')
    expect(processesIn(bench.cwd).length).toBeGreaterThan(1)
    const { text } = await bench.run('task_stop', { id })
    expect(text).toBe(`${id}: stopped; killed by SIGTERM`)
    expect(processesIn(bench.cwd)).toEqual([])
    expect((await bench.run('task_stop', { id })).text).toContain('had ended already')
    expect(announceFinishedTasks(bench.workspace)).toEqual([])
  })

  it.runIf(process.platform === 'linux')('die with the session', async () => {
    await start(`trap '' TERM; while :; do sleep 1; done`)
    const id = await start('echo up; sleep 60')
    await outputUntil(id, 'up')
    const begin = performance.now()
    await bench.workspace.dispose()
    expect(performance.now() - begin).toBeLessThan(15_000)
    expect(processesIn(bench.cwd)).toEqual([])
  })

  it('ten at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => start('sleep 60')))
    const refused = await bench.run('bash', { command: 'true', run_in_background: true })
    expect([refused.code, refused.text]).toEqual(['TASK_LIMIT', expect.stringContaining('task_stop')])
    await bench.run('task_stop', { id: ids[3] ?? '' })
    await start('true')
    const { text } = await bench.run('task_list', {})
    expect(text.split('\n')).toHaveLength(11)
    expect(text).toContain(`${ids[3]}: sleep 60 [stopped; killed by SIGTERM]`)
  })

  it('belong to their session', async () => {
    const id = await start('sleep 60')
    await using other = await openBench()
    for (const tool of ['task_output', 'task_stop']) {
      expect((await other.run(tool, { id })).code).toBe('TASK_NOT_FOUND')
    }
    expect((await other.run('task_list', {})).text).toBe('There are no background tasks.')
    expect(bench.workspace.tasks.get(id)?.end).toBeUndefined()
  })

  it('waiting ends with its time, or when it is cancelled; the task goes on', async () => {
    const id = await start('sleep 60')
    const early = await bench.run('task_output', { id, wait: true, timeout_ms: 50 })
    expect(early.text).toMatch(/^\(no new output\)\n\n\[task_\w+: running for \d+ s\]$/)
    const controller = new AbortController()
    const waiting = bench.run('task_output', { id, wait: true }, controller.signal)
    setTimeout(() => controller.abort(), 50)
    expect((await waiting).code).toBe('ABORTED')
    expect(bench.workspace.tasks.get(id)?.end).toBeUndefined()
  })

  it('a time limit and a shell that does not start are ends like others', async () => {
    const id = await start('sleep 60', { timeout_ms: 100 })
    expect((await output(id, true)).text).toContain('timed out; killed by SIGTERM')
    const value = await bench.value('bash', { command: 'true', workdir: 'gone', run_in_background: true })
    const { text } = await output(isJsonObject(value) ? String(value['taskId']) : '', true)
    expect(text).toContain('not started: the working directory')
  })

  it('long output keeps head and tail of what is new, and is whole in a file', async () => {
    const id = await start('yes 0123456789 | head -n 100000; echo END')
    const { text } = await output(id, true)
    expect(Buffer.byteLength(text)).toBeLessThan(62_000)
    expect(text).toMatch(/bytes left out[^]*END\n\n\[all of its output is in/)
    const file = /its output is in (.*)\]/.exec(text)?.[1] ?? ''
    expect((await stat(file)).size).toBe(1_100_004)
  })

  it('the start is a generic card', () => {
    expect(bench.tool('bash').presentCall?.({ command: 'npm start', run_in_background: true })).toMatchObject(
      {
        card: 'generic',
        kind: 'execute',
        title: 'npm start (in the background)',
      },
    )
  })
})
