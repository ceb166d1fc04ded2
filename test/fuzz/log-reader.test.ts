// The log reader: whatever happened to a file, what is whole in it is used, and what was read can be shown and continued.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '#agent/usage.ts'
import { NAMED_PROFILES } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { foldUpdates } from '#bridge/fold.ts'
import { conversationMarkdown } from '#cli/markdown.ts'
import { storedPresenters } from '#compose-presenters.ts'
import { conversationOf } from '#session/conversation.ts'
import type { LoggedEvent } from '#session/event.ts'
import { SessionLog } from '#session/log.ts'
import { readForWriting, readSessionFile, SessionStoreError, type StoredSession } from '#session/read.ts'
import { repairEvents } from '#session/repair.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { checkUpdate } from '../support/validate-message.ts'
import { blowUp, changed, changeWith, type Change, type Json, odd } from './mutate.ts'
import { LONG, scale } from './scale.ts'

const folder = new URL('../../fixtures/sessions/', import.meta.url)
const logs: Buffer[] = []
for (const name of (await readdir(folder)).sort())
  if (name.endsWith('.jsonl')) logs.push(await readFile(new URL(name, folder)))

/** What a disk, a crash or somebody's editor does to a file. */
type Damage =
  | { kind: 'flip'; at: number; bit: number }
  | { kind: 'cut'; at: number }
  | { kind: 'zeros'; at: number; length: number }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'insert'; at: number; text: string }
  /** Lines. */
  | { kind: 'swap' | 'double'; line: number; other: number }
  | { kind: 'change'; line: number; changes: Change[] }
  /** A line of another log. */
  | { kind: 'foreign'; line: number; log: number; other: number }

const at = fc.nat({ max: 200_000 })
const line = fc.nat({ max: 60 })
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant('cut' as const), at }),
  fc.record({ kind: fc.constant('zeros' as const), at, length: fc.nat({ max: 600 }) }),
  fc.record({ kind: fc.constant('remove' as const), at, length: fc.nat({ max: 300 }) }),
  fc.record({
    kind: fc.constant('insert' as const),
    at,
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 9 }),
      fc.constantFrom('\n', '\r\n', '\u2028', '{bad\n', '\ufeff'),
    ),
  }),
  fc.record({ kind: fc.constantFrom('swap' as const, 'double' as const), line, other: line }),
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      line,
      changes: fc.array(changeWith(odd), { minLength: 1, maxLength: 3 }),
    }),
  },
  fc.record({ kind: fc.constant('foreign' as const), line, log: line, other: line }),
)

function damaged(bytes: Buffer, harm: Damage): Buffer {
  if (!('at' in harm)) return Buffer.from(damagedLines(bytes.toString().split('\n'), harm).join('\n'))
  const place = harm.at % (bytes.length + 1)
  const [before, behind] = [bytes.subarray(0, place), bytes.subarray(place)]
  switch (harm.kind) {
    case 'flip': {
      const copy = Buffer.from(bytes)
      if (place < copy.length) copy[place] = (copy[place] as number) ^ (1 << harm.bit)
      return copy
    }
    case 'cut':
      return before
    case 'zeros':
      return Buffer.concat([before, Buffer.alloc(harm.length), behind.subarray(harm.length)])
    case 'remove':
      return Buffer.concat([before, behind.subarray(harm.length)])
    case 'insert':
      return Buffer.concat([before, Buffer.from(harm.text), behind])
  }
}

function damagedLines(lines: string[], harm: Exclude<Damage, { at: number }>): string[] {
  const place = harm.line % lines.length
  switch (harm.kind) {
    case 'swap':
    case 'double': {
      const other = harm.other % lines.length
      const [one = '', two = ''] = [lines[place], lines[other]]
      return lines.map((text, index) =>
        index === other ? one : index === place && harm.kind === 'swap' ? two : text,
      )
    }
    case 'change':
      return lines.map((text, index) => (index === place ? changedLine(text, harm.changes) : text))
    case 'foreign': {
      const other = (logs[harm.log % logs.length] as Buffer).toString().split('\n')
      return [...lines.slice(0, place), other[harm.other % other.length] ?? '', ...lines.slice(place)]
    }
  }
}

function changedLine(text: string, changes: readonly Change[]): string {
  try {
    return blowUp(JSON.stringify(changed(JSON.parse(text) as Json, changes)))
  } catch {
    return text
  }
}

/** The session, or why there is none: the header is not as it was. */
async function read(path: string, bytes: Buffer, original: Buffer): Promise<StoredSession | undefined> {
  await writeFile(path, bytes)
  try {
    return await readSessionFile(path)
  } catch (error) {
    expect(error).toBeInstanceOf(SessionStoreError)
    const header = original.subarray(0, original.indexOf(0x0a) + 1)
    expect(bytes.subarray(0, header.length).equals(header)).toBe(false)
    return undefined
  }
}

/** Nothing that is made of a log may fail over what stands in it. */
function useAll({ header, events }: StoredSession): void {
  const options = {
    cwd: header.cwd,
    roots: header.roots.map((root): [string, string] => [root, root]),
    profile: NAMED_PROFILES.zed,
    presenters: storedPresenters(header, {}),
    log: () => undefined,
  }
  const updates = replayUpdates(options, events)
  for (const update of updates) {
    expect(checkUpdate(update)).toEqual([])
    expect(JSON.stringify(update)).toBeTypeOf('string')
  }
  for (const message of conversationOf(events)) expect(['user', 'assistant', 'tool']).toContain(message.role)
  usageOf(events)
  expect(conversationMarkdown(foldUpdates(updates), header)).toBeTypeOf('string')
}

/** The number of each line of a log that nothing has happened to. */
const numbers = new Map(
  logs.map((log) => {
    const lines = log.toString().split('\n').slice(1, -1)
    return [log, new Map(lines.map((text) => [text, (JSON.parse(text) as LoggedEvent).seq]))] as const
  }),
)

/** Lines that are as they were must be there. */
function expectWhole({ events }: StoredSession, bytes: Buffer, original: Buffer): void {
  const seqs = new Set(events.map(({ seq }) => seq))
  const whole = bytes.toString().split('\n').slice(1)
  const lost = whole
    .map((text) => numbers.get(original)?.get(text))
    .filter((seq) => seq !== undefined && !seqs.has(seq))
  expect(lost).toEqual([])
}

describe('the log reader', () => {
  it(
    'uses what is whole of any damaged log, and nothing chokes on it',
    { timeout: LONG ? 0 : 60_000 },
    async () => {
      const directory = await temporaryDirectory()
      const path = join(directory, 'a.jsonl')
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.array(damage, { minLength: 1, maxLength: 3 }), async (which, harms) => {
          const original = logs[which % logs.length] as Buffer
          const bytes = harms.reduce(damaged, original)
          const stored = await read(path, bytes, original)
          if (stored === undefined) return
          expectWhole(stored, bytes, original)
          useAll(stored)
        }),
        scale('log reader', { short: 120, long: 60_000 }),
      )
    },
  )

  it('uses what is whole of a log that is cut anywhere', { timeout: LONG ? 0 : 60_000 }, async () => {
    const directory = await temporaryDirectory()
    const path = join(directory, 'a.jsonl')
    const { seed } = scale('cut logs', { short: 1, long: logs.length })
    for (const [index, original] of logs.entries()) {
      if (!LONG && index !== seed % logs.length) continue
      const stride = LONG ? 1 : Math.ceil(original.length / 150)
      for (let cut = LONG ? 0 : seed % stride; cut <= original.length; cut += stride) {
        const bytes = original.subarray(0, cut)
        const stored = await read(path, bytes, original)
        if (stored === undefined) continue
        expectWhole(stored, bytes, original)
        // At most the line that was cut is lost.
        expect(stored.warnings.length).toBeLessThanOrEqual(1)
      }
    }
  })

  it(
    'goes on behind any damage: what is appended is read again',
    { timeout: LONG ? 0 : 60_000 },
    async () => {
      const directory = await temporaryDirectory()
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.array(damage, { minLength: 1, maxLength: 3 }), async (which, harms) => {
          const original = logs[which % logs.length] as Buffer
          const bytes = harms.reduce(damaged, original)
          await mkdir(join(directory, String(++run)))
          const path = join(directory, String(run), 'a.jsonl')
          await writeFile(path, bytes)
          const stored = await readForWriting(path).catch(() => undefined)
          if (stored === undefined || stored.readOnly !== undefined) return
          const log = new SessionLog(stored, (error) => expect.unreachable(error.message))
          const repaired = repairEvents(stored.events)
          for (const event of repaired) log.append(event)
          log.append({ type: 'title', title: 'behind it' })
          await log.close()
          const again = await readSessionFile(path)
          expect(again.events.slice(0, stored.events.length)).toEqual(stored.events)
          expect(again.events.at(-1)).toMatchObject({ type: 'title', title: 'behind it' })
          expect(again.events).toHaveLength(stored.events.length + repaired.length + 1)
          expect(repairEvents(again.events)).toEqual([])
        }),
        scale('log writer', { short: 60, long: 8000 }),
      )
    },
  )
})
