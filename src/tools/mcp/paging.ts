// Lists in pages, of servers that may never stop.
import { isJsonObject, type JsonObject } from '#json/value.ts'
import type { Connection, ListName } from './connection.ts'

const MAX_PAGES = 200
const MAX_ITEMS = 20_000

export interface Listed {
  items: unknown[]
  /** Why the list may not be whole. */
  cut: string | undefined
}

/** All pages of `<list>/list`. A page that was there already, or too many, end it. Rejects as `request` does. */
export async function listAll(
  connection: Connection,
  list: ListName | 'resources/templates',
  timeoutMs: number,
): Promise<Listed> {
  const key = list === 'resources/templates' ? 'resourceTemplates' : list
  const items: unknown[] = []
  const cursors = new Set<string>()
  let params: JsonObject = {}
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const result = await connection.request(`${list}/list`, params, { timeoutMs })
    if (!isJsonObject(result) || !Array.isArray(result[key]))
      throw new Error(`the answer to ${list}/list has no list of ${key}`)
    items.push(...result[key])
    const cursor = result['nextCursor']
    if (typeof cursor !== 'string' || cursor === '') return { items, cut: undefined }
    if (cursors.has(cursor)) return { items, cut: `its list of ${key} goes round in a circle: cut` }
    if (items.length >= MAX_ITEMS) break
    cursors.add(cursor)
    params = { cursor }
  }
  return { items, cut: `its list of ${key} does not end: cut after ${items.length}` }
}
