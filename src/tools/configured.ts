// What the configuration says about the tools, as they take it.
import { conceal } from '#config/concealed.ts'
import type { Configuration } from '#config/configuration.ts'
import { variable } from '#config/variable.ts'
import type { ToolOptions } from './index.ts'
import type { SearchEndpoint } from './web/search-endpoint.ts'

/** Where a key is looked for unless the configuration names another variable. */
const KEYS = { brave: 'BRAVE_API_KEY', tavily: 'TAVILY_API_KEY' } as const

/** `web_fetch` is always there; `web_search` where its endpoint is whole. `warn` gets a sentence where it is not. */
export function configuredTools(
  { web, limits }: Partial<Pick<Configuration, 'web' | 'limits'>>,
  env: NodeJS.ProcessEnv,
  warn: (sentence: string) => void,
): Pick<ToolOptions, 'bashTimeoutMs' | 'web'> {
  const search = web?.search && searchEndpoint(web.search, env, warn)
  return {
    ...(limits?.bashTimeoutMs !== undefined && { bashTimeoutMs: limits.bashTimeoutMs }),
    web: { allowedAddresses: web?.allowHosts ?? [], environment: env, ...(search && { search }) },
  }
}

/** Whether the configuration leaves a built-in tool visible. */
export function isWanted({ tools: { allow, deny } }: Configuration): (toolName: string) => boolean {
  return (name) => (allow === undefined || allow.includes(name)) && !deny.includes(name)
}

function searchEndpoint(
  { kind, url, apiKeyEnv }: NonNullable<Configuration['web']['search']>,
  env: NodeJS.ProcessEnv,
  warn: (sentence: string) => void,
): SearchEndpoint | undefined {
  if (kind === 'searxng') {
    if (url !== undefined) return { kind, url }
    warn('web.search needs the url of a SearXNG instance; there is no web search.')
    return undefined
  }
  const name = apiKeyEnv ?? KEYS[kind]
  const key = variable(env, name)?.trim()
  if (key) conceal(key)
  if (key) return { kind, key, ...(url !== undefined && { url }) }
  warn(`web.search needs a key in ${name}, which is not set; there is no web search.`)
  return undefined
}
