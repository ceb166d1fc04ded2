// Materialization: a deep-frozen, lossless JSON snapshot of a value that nobody vouches for.
import { extendPath, type Path, showPath } from './path.ts'
import type { JsonObject, JsonValue } from './value.ts'

/** Containers inside each other; one more is refused, since `JSON.stringify` itself overflows somewhere above. */
export const MAX_LEVELS = 1000
/** As sentences say it: a number formatted at the start would load the tables of all languages for it. */
export const MAX_LEVELS_TEXT = '1,000'
/** JSON Schema spends two containers on a level: a node and its `properties` or `oneOf`. */
export const MAX_SCHEMA_CONTAINERS = 2 * MAX_LEVELS + 2
/** Bytes of JSON text, approximately. */
export const MAX_BYTES = 16 * 1024 * 1024

export type Fault = 'lossy' | 'array' | 'deep' | 'large'
export interface FaultAt {
  readonly fault: Fault
  readonly path: Path
}
export type Materialized = { ok: true; value: JsonValue } | { ok: false; fault: Fault; path: Path }

/** What is wrong, as a sentence for the model. `label` stands for the root (`arguments`, `value`, …). */
export function faultMessage(fault: Fault, path: Path, label: string): string {
  const place = showPath(path, label)
  switch (fault) {
    case 'lossy':
      return `${place} must be a lossless JSON value`
    case 'array':
      return `${place} must be a dense lossless JSON array`
    case 'deep':
      return `"${label}" must not be nested more than ${MAX_LEVELS_TEXT} levels deep`
    case 'large':
      return `"${label}" must not be larger than ${MAX_BYTES / 1024 / 1024} MiB`
  }
}

/** A container that is being copied, and holds others. */
interface Frame {
  readonly source: object
  /** Own keys; undefined for an array. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  readonly copy: JsonValue[] | JsonObject
  readonly bytesBefore: number
  next: number
  /** Containers inside each other from here down, this one included. */
  levels: number
}

/** A finished copy, with what it adds to whatever contains it. */
interface Finished {
  readonly copy: JsonValue
  readonly bytes: number
  readonly levels: number
}

/** Bytes from which on remembering a snapshot is cheaper than copying it again. */
const WORTH_REMEMBERING = 1024

/** Large snapshots that were handed out: deep-frozen, so that taking one of them again is taking the same. */
const snapshots = new WeakMap<object, Finished>()

interface Walk {
  /** Kept by hand, so that no depth of input can overflow the stack of the caller. */
  readonly frames: Frame[]
  readonly maxLevels: number
  /** Bytes from which on the snapshot is remembered. */
  readonly rememberFrom: number
  /** Finished containers of others, so that shared references stay cheap; null while a container is open. */
  copies: Map<object, Finished | null> | undefined
  /** A container that has held no other one so far: most never need a place among the frames. */
  opening: Frame | undefined
  /** What the innermost frame has come to: a container that has not been looked into. */
  pending: object | undefined
  bytes: number
  fault: Fault
}

const FAILED = Symbol('failed')
const OPENED = Symbol('opened')
type Taken = JsonValue | typeof FAILED | typeof OPENED

/**
 * Copies `input` once, reading every property once; the input is left alone. Own properties that are `undefined`
 * are absent from the copy, as they are from JSON. Total: throwing accessors and proxies are faults.
 */
export function materialize(input: unknown, maxLevels = MAX_LEVELS): Materialized {
  return materializeWith(begin(maxLevels), input)
}

/** A snapshot that is taken again for nothing however small it is; the value itself where it can't be taken. */
export function materializedOnce(value: JsonValue): JsonValue {
  const copy = materializeWith(begin(MAX_LEVELS, 0), value)
  return copy.ok ? copy.value : value
}

function materializeWith(walk: Walk, input: unknown): Materialized {
  const taken = copyAll(walk, input)
  if (taken === FAILED) return { ok: false, fault: walk.fault, path: pathOf(walk) }
  return { ok: true, value: taken }
}

/** The same for reports that name every fault: what can't be copied is null in `value`. */
export function materializeAll(input: unknown, maxLevels: number): { value: JsonValue; faults: FaultAt[] } {
  const walk = begin(maxLevels)
  const faults: FaultAt[] = []
  const value = copyAll(walk, input, faults)
  return { value: value === FAILED ? null : value, faults }
}

function begin(maxLevels: number, rememberFrom = WORTH_REMEMBERING): Walk {
  return {
    frames: [],
    maxLevels,
    rememberFrom,
    copies: undefined,
    opening: undefined,
    pending: undefined,
    bytes: 0,
    fault: 'lossy',
  }
}

function copyAll(walk: Walk, input: unknown, faults?: FaultAt[]): JsonValue | typeof FAILED {
  let taken = guarded(walk, take, input)
  for (;;) {
    if (walk.opening !== undefined) pushFrame(walk, walk.opening)
    const frame = walk.frames.at(-1)
    if (taken === FAILED) {
      faults?.push({ fault: walk.fault, path: pathOf(walk) })
      if (faults === undefined || frame === undefined || walk.fault === 'large') return FAILED
      put(frame, null)
    } else if (taken !== OPENED) {
      if (frame === undefined) return taken
      put(frame, taken)
    }
    taken = guarded(walk, advance, undefined)
  }
}

/** Whatever an accessor or a proxy throws is a fault of the input. */
function guarded(walk: Walk, step: (walk: Walk, value: unknown) => Taken, value: unknown): Taken {
  try {
    return step(walk, value)
  } catch {
    return fail(walk, 'lossy')
  }
}

function pathOf(walk: Walk): Path {
  return walk.frames.reduce<Path>((parent, frame) => extendPath(parent, keyOf(frame)), undefined)
}

/** The key that is being copied. */
function keyOf(frame: Frame): string | number {
  return frame.keys?.[frame.next - 1] ?? frame.next - 1
}

function fail(walk: Walk, fault: Fault): typeof FAILED {
  walk.fault = fault
  return FAILED
}

function charge(walk: Walk, bytes: number): boolean {
  walk.bytes += bytes
  if (walk.bytes <= MAX_BYTES) return true
  walk.fault = 'large'
  return false
}

function take(walk: Walk, value: unknown): Taken {
  switch (typeof value) {
    case 'string':
      return charge(walk, 3 + (value.length > 256 ? Buffer.byteLength(value) : value.length)) ? value : FAILED
    case 'number':
      if (!Number.isFinite(value) || Object.is(value, -0)) return fail(walk, 'lossy')
      return charge(walk, Math.abs(value) < 1000 && Number.isInteger(value) ? 3 : 10) ? value : FAILED
    case 'boolean':
      return charge(walk, 5) ? value : FAILED
    case 'object':
      if (value !== null) return takeContainer(walk, value)
      return charge(walk, 5) ? null : FAILED
    default:
      return fail(walk, 'lossy')
  }
}

function takeContainer(walk: Walk, source: object): Taken {
  let known = walk.copies?.get(source)
  if (known === undefined && !Object.isExtensible(source)) known = snapshots.get(source)
  if (known === null) return fail(walk, 'lossy')
  const levels = walk.frames.length + (known?.levels ?? 1)
  if (levels > walk.maxLevels) return fail(walk, 'deep')
  if (known !== undefined) {
    deepen(walk, known.levels)
    return charge(walk, known.bytes) ? known.copy : FAILED
  }
  return Array.isArray(source) ? openArray(walk, source) : openObject(walk, source)
}

function openArray(walk: Walk, source: unknown[]): Taken {
  if (Object.getPrototypeOf(source) !== Array.prototype) return fail(walk, 'array')
  const { length } = source
  if (length > MAX_BYTES / 2) return fail(walk, 'large')
  // A dense array has exactly its indexes and `length`; anything more is decoration, anything less a hole.
  if (Reflect.ownKeys(source).length !== length + 1 || Object.keys(source).length !== length)
    return fail(walk, 'array')
  return open(walk, source, undefined, length)
}

function openObject(walk: Walk, source: object): Taken {
  const prototype: unknown = Object.getPrototypeOf(source)
  if (prototype !== Object.prototype && prototype !== null) return fail(walk, 'lossy')
  const keys = Object.keys(source)
  if (Reflect.ownKeys(source).length !== keys.length) return fail(walk, 'lossy')
  return open(walk, source, keys, keys.length)
}

/** Copies it at once as far as it holds no others. */
function open(walk: Walk, source: object, keys: Frame['keys'], length: number): Taken {
  const bytesBefore = walk.bytes
  if (!charge(walk, 2)) return FAILED
  const copy = keys === undefined ? [] : {}
  walk.opening = { source, keys, length, copy, bytesBefore, next: 0, levels: 1 }
  return fill(walk, walk.opening)
}

function pushFrame(walk: Walk, frame: Frame): void {
  walk.opening = undefined
  walk.copies ??= new Map()
  walk.copies.set(frame.source, null)
  walk.frames.push(frame)
}

/** Goes on with what is pending, else with the innermost frame. */
function advance(walk: Walk): Taken {
  const { pending } = walk
  walk.pending = undefined
  return pending === undefined ? fill(walk, walk.frames.at(-1) as Frame) : takeContainer(walk, pending)
}

/** Copies into a container until another one opens, or until it is complete. */
function fill(walk: Walk, frame: Frame): Taken {
  const { source, keys, length } = frame
  while (frame.next < length) {
    frame.next += 1
    const key = keyOf(frame)
    const value = (source as Record<string | number, unknown>)[key]
    if (keys !== undefined) {
      if (value === undefined) continue
      if (!charge(walk, (key as string).length + 4)) return FAILED
    }
    if (walk.opening === frame && typeof value === 'object' && value !== null) {
      walk.pending = value
      return OPENED
    }
    const taken = take(walk, value)
    if (taken === OPENED || taken === FAILED) return taken
    put(frame, taken)
  }
  return close(walk, frame)
}

function close(walk: Walk, frame: Frame): JsonValue {
  const { copy, levels } = frame
  Object.freeze(copy)
  const finished: Finished = { copy, bytes: walk.bytes - frame.bytesBefore, levels }
  if (walk.opening === frame) walk.opening = undefined
  else walk.frames.pop()
  if (walk.frames.length > 0) {
    walk.copies?.set(frame.source, finished)
    deepen(walk, levels)
  } else if (finished.bytes >= walk.rememberFrom) snapshots.set(copy, finished)
  return copy
}

/** The innermost frame holds something that is so deep. */
function deepen(walk: Walk, levels: number): void {
  const outer = walk.frames.at(-1)
  if (outer !== undefined) outer.levels = Math.max(outer.levels, levels + 1)
}

function put(frame: Frame, value: JsonValue): void {
  if (frame.keys === undefined) (frame.copy as JsonValue[]).push(value)
  else setOwn(frame.copy as JsonObject, keyOf(frame) as string, value)
}

/** Sets an own property whatever its name: `__proto__` is ordinary data here. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}
