import { expect, it } from 'vitest'
import { configuredTools } from '#tools/configured.ts'

function options(web: Parameters<typeof configuredTools>[0]['web'], env: NodeJS.ProcessEnv = {}) {
  const warnings: string[] = []
  const found = configuredTools({ ...(web && { web }) }, env, (sentence) => warnings.push(sentence))
  return { search: found.web?.search, allowed: found.web?.allowedAddresses, warnings }
}

it('web_fetch needs no configuration', () => {
  expect(options(undefined)).toEqual({ search: undefined, allowed: [], warnings: [] })
  expect(configuredTools({ limits: { bashTimeoutMs: 5 } }, {}, () => undefined)).toMatchObject({
    bashTimeoutMs: 5,
  })
})

it('keys come from the environment', () => {
  const allowHosts = ['wiki.internal']
  expect(options({ allowHosts, search: { kind: 'searxng', url: 'http://s' } })).toMatchObject({
    search: { kind: 'searxng', url: 'http://s' },
    allowed: allowHosts,
  })
  const brave = options({ allowHosts, search: { kind: 'brave' } }, { BRAVE_API_KEY: ' k ' })
  expect(brave.search).toEqual({ kind: 'brave', key: 'k' })
  const tavily = options(
    { allowHosts, search: { kind: 'tavily', apiKeyEnv: 'MINE', url: 'http://t' } },
    { MINE: 'k' },
  )
  expect(tavily.search).toEqual({ kind: 'tavily', key: 'k', url: 'http://t' })
})

it('says what is missing', () => {
  const { search, warnings } = options({ allowHosts: [], search: { kind: 'tavily', apiKeyEnv: 'MINE' } }, {})
  expect([search, warnings]).toEqual([undefined, [expect.stringContaining('MINE')]])
})
