// Checks messages of the agent against the protocol's published schema.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'

interface Definition {
  'x-method'?: string
  'x-side'?: string
}

const require = createRequire(import.meta.url)
const path = require.resolve('@agentclientprotocol/sdk').replace(/dist[\\/].*$/, 'schema/v1/schema.json')
const schema = JSON.parse(readFileSync(path, 'utf8')) as { $defs: Record<string, Definition> }
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(schema, 'acp')

function check(definition: string, value: unknown): string[] {
  const validate = ajv.getSchema(`acp#/$defs/${definition}`)
  if (!validate) throw new Error(`no definition ${definition}`)
  if (validate(value)) return []
  return (validate.errors ?? []).map((error) => `${definition}${error.instancePath} ${error.message}`)
}

function definitionOf(method: string, suffix: RegExp): string | undefined {
  return Object.entries(schema.$defs).find(
    ([name, def]) => def['x-method'] === method && suffix.test(name),
  )?.[0]
}

export interface Message {
  jsonrpc?: unknown
  id?: string | number | null
  method?: string
  params?: unknown
  result?: unknown
  error?: unknown
}

/** Violations of one `session/update`. */
export function checkUpdate(update: unknown): string[] {
  return check('SessionNotification', { sessionId: 's', update })
}

/** Violations of a message that the agent sent; `asked` is the method that a response answers. */
export function checkMessage(message: Message, asked?: string): string[] {
  const envelope = message.jsonrpc === '2.0' ? [] : ['jsonrpc is not "2.0"']
  if (message.method !== undefined) {
    const definition = definitionOf(message.method, message.id === undefined ? /Notification$/ : /Request$/)
    if (!definition) return [...envelope, `unknown method ${message.method}`]
    return [...envelope, ...check(definition, message.params)]
  }
  if ((message.result === undefined) === (message.error === undefined))
    return [...envelope, 'not exactly one of result and error']
  if (message.error !== undefined) return [...envelope, ...check('Error', message.error)]
  if (asked?.startsWith('_')) return envelope
  const definition = asked === undefined ? undefined : definitionOf(asked, /Response$/)
  return [
    ...envelope,
    ...(definition ? check(definition, message.result) : [`no response definition for ${asked}`]),
  ]
}
