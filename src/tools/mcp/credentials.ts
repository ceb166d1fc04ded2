// Credentials of remote servers: one file a server in the state directory, readable by its owner only.
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { conceal } from '#config/concealed.ts'
import { writePrivateFile } from '#config/private-file.ts'

/** The library checks what is in them; here they only must be objects. */
const Stored = z.object({
  redirectUrl: z.string().optional(),
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
})

export interface StoredCredentials {
  /** The address that the client is registered with. */
  redirectUrl?: string
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
}

export interface Credentials {
  /** What is there; nothing when the file is missing or damaged. */
  load(): Promise<StoredCredentials>
  /** Replaces some of it. */
  save(change: Partial<StoredCredentials>): Promise<void>
  forget(part: keyof StoredCredentials): Promise<void>
}

/** `url`: of the server; another address has other credentials. */
export function credentialsOf(stateDirectory: string, url: string): Credentials {
  const id = createHash('sha256').update(url).digest('hex').slice(0, 32)
  const path = join(stateDirectory, 'mcp-credentials', `${id}.json`)
  const load = async (): Promise<StoredCredentials> => {
    try {
      return concealed(Stored.parse(JSON.parse(await readFile(path, 'utf8'))) as StoredCredentials)
    } catch {
      return {}
    }
  }
  const write = async (all: StoredCredentials): Promise<void> => {
    if (Object.keys(all).length === 0) return rm(path, { force: true })
    await writePrivateFile(path, { url, ...all })
  }
  return {
    load,
    save: async (change) => write({ ...(await load()), ...concealed(change) }),
    forget: async (part) => {
      const { [part]: _gone, ...rest } = await load()
      await write(rest)
    },
  }
}

/** The same, none of which the log will show. */
function concealed<T extends Partial<StoredCredentials>>(credentials: T): T {
  const { client, tokens } = credentials
  for (const value of [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token])
    if (value !== undefined) conceal(value)
  return credentials
}
