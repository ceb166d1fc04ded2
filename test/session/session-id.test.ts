import { describe, expect, it, vi } from 'vitest'
import { newSessionId } from '#session/session-id.ts'

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe.each([process.platform, 'win32'] as const)('the id of a session on %s', (platform) => {
  it('is a UUID of version 4, another each time, with every bit in use', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
    const ids = Array.from({ length: 2000 }, newSessionId)
    vi.restoreAllMocks()
    expect(ids.filter((id) => !VERSION_4.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    const texts = ids.map((id) =>
      BigInt(`0x${id.replaceAll('-', '')}`)
        .toString(2)
        .padStart(128, '0'),
    )
    const varied = Array.from({ length: 128 }, (_, bit) => new Set(texts.map((text) => text[bit])).size > 1)
    // All but the four bits of the version and the two of the variant.
    expect(varied.filter(Boolean)).toHaveLength(122)
  })
})
