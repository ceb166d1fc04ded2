// What each API refuses, from its published rules: the faults of a request body, empty when it would be accepted.
// Sources: the providers' references for messages, tool use, thinking and function calling.

/* oxlint-disable typescript/no-explicit-any -- bodies are judged field by field */
type Body = any

/** `name`: `provider/model` as in the table of APIs. */
export function faultsOf(name: string, body: Body): string[] {
  if (body.input !== undefined) return responsesFaults(body)
  if (body.contents !== undefined) return geminiFaults(body)
  if (name.startsWith('anthropic/')) return anthropicFaults(body)
  return chatFaults(body, name.startsWith('deepseek/'))
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === ''

function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function unique(ids: readonly string[], what: string): string[] {
  return ids.length === new Set(ids).size ? [] : [`${what} are used twice: ${ids.join(', ')}`]
}

/** OpenAI's Chat Completions. `thinking`: DeepSeek V4 wants its thoughts on every message of the assistant. */
function chatFaults({ messages }: Body, thinking: boolean): string[] {
  const faults: string[] = []
  let due: string[] = []
  const ids: string[] = []
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}] (${message.role})`
    if (message.role === 'tool') {
      if (due[0] !== message.tool_call_id)
        faults.push(`${at}: answers ${message.tool_call_id}, due is ${due[0]}`)
      due = due.slice(1)
      if (isBlank(message.content)) faults.push(`${at}: is empty`)
      continue
    }
    if (due.length > 0) faults.push(`${at}: stands before the results of ${due.join(', ')}`)
    due = []
    if (message.role === 'user' && message.content.length === 0) faults.push(`${at}: is empty`)
    if (message.role === 'system' && index > 0) faults.push(`${at}: is not the first`)
    if (message.role !== 'assistant') continue
    const calls = message.tool_calls ?? []
    if (calls.length === 0 && isBlank(message.content)) faults.push(`${at}: says and calls nothing`)
    if (message.tool_calls?.length === 0) faults.push(`${at}: an empty list of calls`)
    if (thinking && typeof message.reasoning_content !== 'string') faults.push(`${at}: has no thoughts`)
    for (const call of calls) faults.push(...chatCallFaults(call, at))
    due = calls.map((call: Body) => call.id)
    ids.push(...due)
  }
  if (due.length > 0) faults.push(`no results of ${due.join(', ')}`)
  if (!['user', 'tool'].includes(messages.at(-1)?.role)) faults.push('the last message is the own one')
  return [...faults, ...unique(ids, 'call ids')]
}

function chatCallFaults(call: Body, at: string): string[] {
  const faults: string[] = []
  if (!NAME.test(call.function.name)) faults.push(`${at}: the name ${call.function.name}`)
  if (!isObjectText(call.function.arguments)) faults.push(`${at}: arguments ${call.function.arguments}`)
  if (isBlank(call.id) || call.id.length > 40) faults.push(`${at}: the id ${call.id}`)
  return faults
}

function responsesFaults({ input, store }: Body): string[] {
  const faults: string[] = store === false ? [] : ['the answer would be stored']
  const called: string[] = []
  const answered: string[] = []
  for (const [index, item] of input.entries()) {
    const at = `input[${index}] (${item.type ?? item.role})`
    const next = input[index + 1]
    switch (item.type) {
      case 'reasoning':
        if (isBlank(item.encrypted_content)) faults.push(`${at}: nothing encrypted`)
        if (!['reasoning', 'function_call'].includes(next?.type) && next?.role !== 'assistant')
          faults.push(`${at}: is not followed by what it led to`)
        break
      case 'function_call':
        called.push(item.call_id)
        if (item.call_id.length > 64) faults.push(`${at}: the id ${item.call_id}`)
        if (!NAME.test(item.name)) faults.push(`${at}: the name ${item.name}`)
        if (!isObjectText(item.arguments)) faults.push(`${at}: arguments ${item.arguments}`)
        break
      case 'function_call_output':
        if (!called.includes(item.call_id)) faults.push(`${at}: no call ${item.call_id} before it`)
        if (item.output.length === 0) faults.push(`${at}: is empty`)
        answered.push(item.call_id)
        break
      case undefined:
        if (item.content.length === 0) faults.push(`${at}: is empty`)
        break
      default:
        faults.push(`${at}: refers to what is not stored`)
    }
  }
  const open = called.filter((id) => !answered.includes(id))
  if (open.length > 0) faults.push(`no outputs of ${open.join(', ')}`)
  const last = input.at(-1)
  if (last?.role !== 'user' && last?.type !== 'function_call_output')
    faults.push('the last item is the own one')
  return [...faults, ...unique(called, 'call ids'), ...unique(answered, 'outputs')]
}

function anthropicFaults({ messages, system, thinking }: Body): string[] {
  const faults: string[] = []
  const ids: string[] = []
  let due: string[] = []
  if (messages[0]?.role !== 'user') faults.push('the first message is not of the user')
  if (messages.at(-1)?.role !== 'user') faults.push('the last message is not of the user')
  for (const [index, { role, content }] of messages.entries()) {
    const at = `messages[${index}] (${role})`
    if (role === messages[index - 1]?.role) faults.push(`${at}: roles do not alternate`)
    if (content.length === 0) faults.push(`${at}: is empty`)
    const results = content.filter((block: Body) => block.type === 'tool_result')
    const answers = results.map((block: Body) => block.tool_use_id)
    if (answers.join() !== due.join()) faults.push(`${at}: answers ${answers.join()}, due are ${due.join()}`)
    if (content.slice(0, results.length).some((block: Body) => block.type !== 'tool_result'))
      faults.push(`${at}: results do not come first`)
    for (const block of content)
      faults.push(...anthropicBlockFaults(block, role).map((why) => `${at}: ${why}`))
    if (role === 'assistant' && /thinking/.test(content.at(-1)?.type))
      faults.push(`${at}: ends with a thought`)
    due = content.filter((block: Body) => block.type === 'tool_use').map((block: Body) => block.id)
    ids.push(...due)
  }
  const marks = JSON.stringify({ messages, system }).split('"cache_control"').length - 1
  const newest = messages.findLast((message: Body) => message.role === 'assistant')?.content ?? []
  const calls = newest.some((block: Body) => block.type === 'tool_use')
  if (thinking?.type === 'enabled' && calls && !/thinking/.test(newest[0].type))
    faults.push('it shall think, and its newest calls do not follow a thought')
  if (marks > 4) faults.push(`${marks} cache breakpoints`)
  return [...faults, ...unique(ids, 'tool_use ids')]
}

function anthropicBlockFaults(block: Body, role: string): string[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? ['a blank text'] : []
    case 'thinking':
      if (block.cache_control) return ['a thought with a cache breakpoint']
      return isBlank(block.signature) || role !== 'assistant' ? ['a thought without signature'] : []
    case 'redacted_thinking':
      return isBlank(block.data) ? ['a redacted thought without data'] : []
    case 'tool_use':
      return [
        ...(/^[a-zA-Z0-9_-]+$/.test(block.id) ? [] : [`the id ${block.id}`]),
        ...(NAME.test(block.name) ? [] : [`the name ${block.name}`]),
        ...(isObjectText(JSON.stringify(block.input)) ? [] : ['an input that is no object']),
        ...(role === 'assistant' ? [] : ['a call of the user']),
      ]
    case 'tool_result':
      return role === 'user' && block.content.length > 0 ? [] : ['an empty result, or one of the assistant']
    case 'image':
      return /^image\/(png|jpeg|gif|webp)$/.test(block.source.media_type) ? [] : ['an image of another type']
    default:
      return [`a block of the type ${block.type}`]
  }
}

function geminiFaults({ contents }: Body): string[] {
  const faults: string[] = []
  let due: string[] = []
  if (contents[0]?.role !== 'user') faults.push('the first turn is not of the user')
  if (contents.at(-1)?.role !== 'user') faults.push('the last turn is not of the user')
  for (const [index, { role, parts }] of contents.entries()) {
    const at = `contents[${index}] (${role})`
    if (parts.length === 0) faults.push(`${at}: is empty`)
    const answers = parts.flatMap((part: Body) => part.functionResponse?.name ?? [])
    if (answers.join() !== due.join()) faults.push(`${at}: answers ${answers.join()}, due are ${due.join()}`)
    const calls = parts.flatMap((part: Body) => part.functionCall ?? [])
    if (calls.length > 0 && contents[index - 1]?.role !== 'user')
      faults.push(`${at}: calls follow no user turn`)
    for (const part of parts) {
      const kinds = ['text', 'inlineData', 'functionCall', 'functionResponse'].filter((kind) => kind in part)
      if (kinds.length !== 1) faults.push(`${at}: a part of the kinds ${kinds.join()}`)
      if (part.text === '' && part.thoughtSignature === undefined) faults.push(`${at}: an empty text`)
    }
    for (const { name, args } of calls) {
      if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name)) faults.push(`${at}: the name ${name}`)
      if (!isObjectText(JSON.stringify(args))) faults.push(`${at}: arguments that are no object`)
    }
    due = calls.map((call: Body) => call.name)
  }
  return due.length > 0 ? [...faults, `no responses of ${due.join()}`] : faults
}
