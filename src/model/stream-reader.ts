// The AI SDK's stream parts → our events.
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart as Part,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Prices } from '#config/settings.ts'
import { CallAssembly } from './call-assembly.ts'
import { ModelError } from './error.ts'
import { toFinishReason, toUsage } from './from-finish.ts'
import type { ModelEvent } from './port.ts'
import { type Origin, tagData } from './provider-data.ts'

type Metadata = Record<string, object>
type Kind = 'text' | 'thought'
type Finish = LanguageModelV4FinishReason & { usage: LanguageModelV4Usage }

/** What carries nothing for us: frames of the stream, and what nobody here asks a provider for. */
const IGNORED = [
  'stream-start',
  'response-metadata',
  'ping',
  'raw',
  'custom',
  'source',
  'file',
  'reasoning-file',
  'tool-input-end',
  'tool-result',
  'tool-approval-request',
] as const satisfies Part['type'][]
type Ignored = Extract<Part, { type: (typeof IGNORED)[number] }>
const ignoredTypes: ReadonlySet<string> = new Set(IGNORED)

/** The provider and model tag opaque data. */
export interface StreamOrigin extends Origin {
  /** As people call the provider. */
  title: string
  /** Call ids that the history holds; asked for when the first call comes. */
  usedCallIds(): Set<string>
  prices?: Prices
}

function isIgnored(part: Part): part is Ignored {
  return ignoredTypes.has(part.type)
}

/** Providers' code makes up a finish for a stream that ends early: it has no word of the endpoint and says nothing certain. */
function isMadeUp({ unified: reason, raw }: Finish): boolean {
  return raw === undefined && (reason === 'other' || reason === 'interrupted' || reason === 'error')
}

/** Reads one answer part by part; every part gives its events. */
export class StreamReader {
  readonly #origin: StreamOrigin
  readonly #calls: CallAssembly
  #open: { kind: Kind; metadata: Metadata | undefined } | undefined
  #spoke = false
  #finish: Finish | undefined

  constructor(origin: StreamOrigin) {
    this.#origin = origin
    this.#calls = new CallAssembly(origin, () => origin.usedCallIds())
  }

  /** Throws the error of an error part as it is. */
  read(part: Part): ModelEvent[] {
    if (isIgnored(part)) return []
    switch (part.type) {
      case 'text-start':
        return this.#openPart('text', part.providerMetadata)
      case 'reasoning-start':
        return this.#openPart('thought', part.providerMetadata)
      case 'text-delta':
        return this.#grow('text', part.delta, part.providerMetadata)
      case 'reasoning-delta':
        return this.#grow('thought', part.delta, part.providerMetadata)
      case 'text-end':
        return this.#closePart('text', part.providerMetadata)
      case 'reasoning-end':
        return this.#closePart('thought', part.providerMetadata)
      case 'tool-input-start':
        return [...this.#closeOpen(), ...this.#calls.start(part.id, part.toolName)]
      case 'tool-input-delta':
        return this.#calls.grow(part.id, part.delta)
      case 'tool-call':
        return [...this.#closeOpen(), ...this.#calls.finish(part)]
      case 'finish':
        this.#finish = { ...part.finishReason, usage: part.usage }
        return []
      case 'error':
        throw part.error
      default:
        // A kind that a newer provider has brought along: the types say that there is none.
        return []
    }
  }

  /** Closes what is open; then throws `ModelError` (`transport`, `protocol`) when the stream has ended without a finish or without an answer. */
  *end(): Generator<ModelEvent> {
    yield* this.#closeOpen()
    const { title } = this.#origin
    const finish = this.#finish
    if (finish === undefined || isMadeUp(finish)) {
      throw new ModelError('transport', `The answer of ${title} broke off before its end; try again.`)
    }
    if (finish.unified === 'error' && !this.#calls.called) {
      throw new ModelError('server', `${title} gave up its answer (${finish.raw}); try again.`)
    }
    if (finish.unified === 'tool-calls' && !this.#calls.called) yield* this.#namelessCall()
    const reason = toFinishReason(finish.unified, this.#calls.called)
    if (!this.#spoke && (reason === 'stop' || reason === 'other')) {
      throw new ModelError('protocol', `${title} gave an empty answer; try again or choose another model.`)
    }
    const usage = toUsage(finish.usage, this.#origin.prices)
    yield { type: 'finish', reason, ...(usage !== undefined && { usage }) }
  }

  /** The SDK drops calls with a blank name, but the finish tells of them: the registry will say that there is no such tool. */
  #namelessCall(): ModelEvent[] {
    return this.#calls.finish({ toolCallId: '', toolName: '', input: {} })
  }

  #openPart(kind: Kind, metadata: Metadata | undefined): ModelEvent[] {
    const closed = this.#closeOpen()
    this.#open = { kind, metadata }
    return closed
  }

  #grow(kind: Kind, text: string, metadata: Metadata | undefined): ModelEvent[] {
    const open = this.#open?.kind === kind
    if (!open && text === '') return []
    const events = open ? [] : this.#openPart(kind, undefined)
    this.#addMetadata(metadata)
    if (text === '') return events
    this.#spoke = true
    return [...events, { type: kind, text }]
  }

  #closePart(kind: Kind, metadata: Metadata | undefined): ModelEvent[] {
    if (this.#open?.kind !== kind) return []
    this.#addMetadata(metadata)
    return this.#closeOpen()
  }

  #addMetadata(metadata: Metadata | undefined): void {
    if (metadata === undefined || this.#open === undefined) return
    const merged: Metadata = { ...this.#open.metadata }
    for (const [name, value] of Object.entries(metadata)) merged[name] = { ...merged[name], ...value }
    this.#open.metadata = merged
  }

  #closeOpen(): ModelEvent[] {
    const open = this.#open
    if (open === undefined) return []
    this.#open = undefined
    const tagged = open.kind === 'thought' || open.metadata !== undefined
    const provider = tagged ? { provider: tagData(this.#origin, open.metadata) } : {}
    return [{ type: 'part_end', part: open.kind, ...provider }]
  }
}
