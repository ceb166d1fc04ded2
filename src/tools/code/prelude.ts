// The guest's side of the boundary, in the guest's language: console, tools, and lossless encoding of what leaves.

/** The name of the program in stacks. */
export const PROGRAM_FILE = 'program.ts'

/**
 * An expression: a function of `host { call, log, done, invalid, fail }` and the tool names, that returns a function
 * which runs a program. Whatever the program does to the globals of its heap changes nothing here but itself.
 */
export const PRELUDE = String.raw`(function (host, names) {
'use strict'
const { stringify, parse } = JSON
const { getPrototypeOf, getOwnPropertyDescriptor, freeze, defineProperty, is } = Object
const { ownKeys } = Reflect
const { isArray } = Array
const { isFinite } = Number
const ObjectPrototype = Object.prototype, ArrayPrototype = Array.prototype
const BaseError = Error, Text = String, List = Array
const MapType = Map, SetType = Set
const Opened = Set
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

class ToolCallError extends Error {
  constructor(toolName, message) {
    super(message)
    this.toolName = toolName
  }
  get name() { return 'ToolCallError' }
}

const below = (path, key) => typeof key === 'number' ? path + '[' + key + ']'
  : IDENTIFIER.test(key) ? (path === '' ? key : path + '.' + key) : path + '[' + stringify(key) + ']'
const refuse = (frames, why) => {
  let path = ''
  for (let index = 0; index < frames.length; index += 1) path = below(path, frames[index].at)
  throw new BaseError((path === '' ? 'the value' : '"' + path + '"') + ' ' + why)
}
const LOSSY = 'must be a lossless JSON value'

/** JSON text of a value that loses nothing in it. Walks without recursion: no depth may overflow the stack. */
function lossless(root) {
  const frames = [], opened = new Opened()
  check(root, frames, opened)
  let frame
  while ((frame = frames[frames.length - 1]) !== undefined) {
    if (frame.next === frame.length) {
      opened.delete(frame.value)
      frames.length -= 1
      continue
    }
    const key = frame.at = frame.keys === undefined ? frame.next : frame.keys[frame.next]
    frame.next += 1
    const described = typeof key === 'symbol' ? undefined : getOwnPropertyDescriptor(frame.value, key)
    if (described === undefined || !described.enumerable) refuse(frames, LOSSY + ': it has a hole, or a symbol or hidden key')
    const member = frame.value[key]
    if (member !== undefined || frame.keys === undefined) check(member, frames, opened)
  }
  return stringify(root)
}
function check(value, frames, opened) {
  switch (typeof value) {
    case 'string': case 'boolean': return
    case 'number':
      if (!isFinite(value) || is(value, -0)) refuse(frames, LOSSY + ', not ' + (is(value, -0) ? '-0' : Text(value)))
      return
    case 'object': return value === null ? undefined : enter(value, frames, opened)
    default: refuse(frames, LOSSY + ', not ' + (typeof value === 'undefined' ? 'undefined' : 'a ' + typeof value))
  }
}
function enter(value, frames, opened) {
  if (frames.length >= 1000) throw new BaseError('the value must not be nested more than 1,000 levels deep')
  if (opened.has(value)) refuse(frames, 'must not contain itself')
  opened.add(value)
  const prototype = getPrototypeOf(value), list = isArray(value)
  if (list && (prototype !== ArrayPrototype || ownKeys(value).length !== value.length + 1)) refuse(frames, 'must be a dense lossless JSON array')
  if (!list && prototype !== ObjectPrototype && prototype !== null) refuse(frames, LOSSY + ', not an instance of a class')
  const keys = list ? undefined : ownKeys(value)
  frames[frames.length] = { value, keys, length: list ? value.length : keys.length, next: 0, at: '' }
}

function describe(thrown) {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const { name, message, stack } = thrown
      if (typeof message === 'string') return {
        text: (typeof name === 'string' && name !== '' ? name + ': ' : '') + message,
        stack: typeof stack === 'string' ? stack : '',
      }
      return { text: show(thrown), stack: '' }
    }
    return { text: Text(thrown), stack: '' }
  } catch {
    return { text: 'an error that could not be printed', stack: '' }
  }
}

function show(value) {
  try {
    if (typeof value === 'string') return value
    if (typeof value === 'bigint') return Text(value) + 'n'
    if (typeof value === 'function') return '[function ' + (value.name || 'anonymous') + ']'
    if (typeof value !== 'object' || value === null) return Text(value)
    if (value instanceof BaseError) return describe(value).text
    if (value instanceof MapType) return 'Map ' + show(List.from(value))
    if (value instanceof SetType) return 'Set ' + show(List.from(value))
    const text = stringify(value, (_key, member) =>
      typeof member === 'bigint' || typeof member === 'function' || typeof member === 'symbol' ? show(member)
        : member instanceof BaseError || member instanceof MapType || member instanceof SetType ? show(member) : member)
    return text === undefined ? Text(value) : text
  } catch {
    return '[a value that could not be printed]'
  }
}

const print = (...values) => {
  let line = ''
  for (let index = 0; index < values.length; index += 1) line += (index === 0 ? '' : ' ') + show(values[index])
  host.log(line)
}
const console = freeze({ log: print, info: print, debug: print, warn: print, error: print, dir: print, table: print, trace: print })

async function answerOf(pending, error) {
  const answer = await pending
  const text = answer.slice(1)
  if (answer[0] === '+') return parse(text)
  error.message = text
  throw error
}
function callerOf(name) {
  return (...given) => {
    // Made here, so that its stack names the line of the call.
    const error = new ToolCallError(name, '')
    let json
    try {
      json = given.length === 0 || given[0] === undefined ? '{}' : lossless(given[0])
    } catch (refused) {
      error.message = 'invalid arguments: ' + describe(refused).text.replace(/^Error: /, '')
      return (async () => { throw error })()
    }
    return answerOf(host.call(name, json), error)
  }
}
const own = Object.create(null)
for (const name of names) defineProperty(own, name, { value: callerOf(name), enumerable: true })
freeze(own)
const tools = new Proxy(own, {
  get: (target, name) => {
    if (typeof name === 'symbol') return undefined
    const known = target[name]
    return known !== undefined || name === 'then' || name === 'toJSON' ? known : callerOf(name)
  },
})

return async (main) => {
  let result
  try {
    result = await main(tools, console, ToolCallError)
  } catch (thrown) {
    const { text, stack } = describe(thrown)
    return host.fail(text, stack)
  }
  if (result === undefined) return host.done()
  let json
  try {
    json = lossless(result)
  } catch (refused) {
    return host.invalid(describe(refused).text.replace(/^Error: /, ''))
  }
  return host.done(json)
}
})`
