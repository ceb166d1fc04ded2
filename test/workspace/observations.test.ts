import { describe, expect, it } from 'vitest'
import { createObservations, seesWhole, versionOf } from '#workspace/observations.ts'

describe('observations', () => {
  it('unites windows of one version', () => {
    const observations = createObservations()
    observations.note({ path: '/f', version: 'v', lines: [5, 6] })
    observations.note({ path: '/f', version: 'v', lines: [1, 2] })
    expect(observations.see('/f')).toEqual({
      version: 'v',
      lines: [
        [1, 2],
        [5, 6],
      ],
    })
    observations.note({ path: '/f', version: 'v', lines: [2, 4] })
    const seen = observations.see('/f')
    expect(seen).toEqual({ version: 'v', lines: [[1, 6]] })
    expect(seen && [seesWhole(seen, 6), seesWhole(seen, 7)]).toEqual([true, false])
  })

  it('forgets an older version', () => {
    const observations = createObservations()
    observations.note({ path: '/f', version: 'v1', lines: 'all' })
    observations.note({ path: '/f', version: 'v2', lines: [1, 1] })
    expect(observations.see('/f')).toEqual({ version: 'v2', lines: [[1, 1]] })
    expect(observations.see('/g')).toBeUndefined()
  })

  it('is refilled in the order of the log', () => {
    const observations = createObservations()
    observations.restore([
      { path: '/f', version: 'v1', lines: [1, 1] },
      { path: '/f', version: 'v2', lines: 'all' },
    ])
    expect(observations.see('/f')).toEqual({ version: 'v2', lines: 'all' })
  })

  it('has versions of content', () => {
    expect(versionOf(Buffer.from('a'))).toBe(versionOf(Uint8Array.of(0x61)))
    expect(versionOf(Buffer.from('a'))).not.toBe(versionOf(Buffer.from('b')))
  })
})
