// A document → settings: a bad field costs that field and is told; what must not be half there goes as a whole.
import type { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { nearestName } from '#json/nearest.ts'
import type { Document, JsonPath } from './document.ts'
import { type FileSettings, fileSchema } from './schema.ts'

export interface Checked {
  settings: FileSettings
  problems: readonly string[]
  /** Providers whose entry was wrong: without it, their requests would go elsewhere. */
  faultyProviders: Readonly<Record<string, string>>
}

/** A server without its arguments, or a provider without its address, would be another one. */
const WHOLE = new Set(['mcpServers', 'providers'])

/** Never throws. */
export function checkDocument(document: Document): Checked {
  const removed = new Set<string>()
  const problems: string[] = []
  const faultyProviders: Record<string, string> = {}
  for (;;) {
    const pruned = new Pruned(document.value, removed)
    const result = fileSchema.safeParse(pruned.value)
    if (result.success) return { settings: closed(result.data, removed), problems, faultyProviders }
    const gone = new Set(removed)
    for (const [issuePath, text] of result.error.issues.flatMap(faults)) {
      const path = pruned.original(issuePath)
      const cost = costOf(path, document.value, gone)
      if (removed.has(key(cost))) continue
      const problem = `${document.locate(path)}: ${dotted(path)}: ${text}; ${consequence(cost)}.`
      problems.push(problem)
      removed.add(key(cost))
      if (cost[0] === 'providers' && cost.length === 2) faultyProviders[String(cost[1])] = problem
    }
    // Each pass takes something away, at the latest the whole section.
    if (removed.size === gone.size)
      return { settings: {}, problems: [...problems, `${document.file}: it is ignored.`], faultyProviders }
  }
}

/** A sandbox that can't be read is the strictest. */
function closed(settings: FileSettings, removed: ReadonlySet<string>): FileSettings {
  const lost = [...removed].some((path) => path === '["sandbox"]' || path.startsWith('["sandbox",'))
  return lost ? { ...settings, sandbox: 'workspace' } : settings
}

function consequence(cost: JsonPath): string {
  if (cost[0] === 'sandbox') return 'commands are confined to the workspace'
  if (cost[0] === 'mode') return 'the mode is ask'
  if (cost.length === 2 && WHOLE.has(String(cost[0]))) return `"${String(cost[1])}" is not used`
  return 'it is ignored'
}

/** What goes because of a fault at a path: a missing member costs what lacks it, as does one that is gone already. */
function costOf(path: JsonPath, root: JsonObject, gone: ReadonlySet<string>): JsonPath {
  if (WHOLE.has(String(path[0])) && path.length > 2) return path.slice(0, 2)
  let cost = path
  while (cost.length > 1 && (valueAt(root, cost) === undefined || gone.has(key(cost))))
    cost = cost.slice(0, -1)
  return cost
}

type Issue = z.core.$ZodIssue

/** An unknown key is a fault at that key. */
function faults(issue: Issue): [JsonPath, string][] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => [[...path, name], unknownKey(path, name)])
  }
  if (issue.code === 'invalid_union') {
    const [branch] = issue.errors.toSorted((a, b) => depth(b) - depth(a))
    if (branch !== undefined && depth(branch) > 0)
      return branch.flatMap((each) => faults({ ...each, path: [...issue.path, ...each.path] } as Issue))
    const expected = issue.errors.flatMap(([each]) => (each === undefined ? [] : [message(each)]))
    return [[path, [...new Set(expected)].join(', or ').replaceAll(', or expected', ', or')]]
  }
  return [[path, message(issue)]]
}

/** How far a branch of a union came before it failed. */
function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length))
}

function message(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return `expected ${issue.origin === 'string' ? 'a text that is not empty' : `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`}`
    default:
      return issue.message
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
}

function unknownKey(path: JsonPath, name: string): string {
  if (path[0] === 'providers' && /^api_?key$/i.test(name)) {
    return 'keys do not belong into this file; name a variable with apiKeyEnv, or run "deckhand login"'
  }
  const known = path.length === 0 ? nearestName(name, Object.keys(fileSchema.shape)) : undefined
  return `there is no such setting${known === undefined ? '' : `; is "${known}" meant?`}`
}

function dotted(path: JsonPath): string {
  return path.length === 0 ? 'the file' : path.join('.')
}

function key(path: JsonPath): string {
  return JSON.stringify(path)
}

function valueAt(root: JsonValue, path: JsonPath): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const step of path) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined
  }
  return value
}

/** A copy without what was removed, and the way back from its paths to those of the document. */
class Pruned {
  readonly value: JsonValue
  readonly #indices = new Map<string, number[]>()

  constructor(root: JsonObject, removed: ReadonlySet<string>) {
    this.value = this.#copy(root, [], removed)
  }

  original(path: JsonPath): JsonPath {
    const out: (string | number)[] = []
    for (const step of path) {
      const indices = this.#indices.get(key(out))
      out.push(typeof step === 'number' && indices !== undefined ? (indices[step] ?? step) : step)
    }
    return out
  }

  #copy(value: JsonValue, path: JsonPath, removed: ReadonlySet<string>): JsonValue {
    if (Array.isArray(value)) {
      const kept = [...value.keys()].filter((index) => !removed.has(key([...path, index])))
      this.#indices.set(key(path), kept)
      return kept.map((index) => this.#copy(value[index] ?? null, [...path, index], removed))
    }
    if (!isJsonObject(value)) return value
    const kept = Object.entries(value).filter(([name]) => !removed.has(key([...path, name])))
    return Object.fromEntries(kept.map(([name, item]) => [name, this.#copy(item, [...path, name], removed)]))
  }
}
