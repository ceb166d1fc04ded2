// Choices: mode, model, thought level and Code Mode of a session, restored from its log and changed by the person.
import type { Disposer, Scope } from '#registry/scope.ts'
import type { CodeMode } from '#registry/types.ts'
import { THOUGHT_LEVELS, type ThoughtLevel } from '#config/thought-level.ts'
import type { ModelListing, ModelSource } from '#model/port.ts'
import type { SessionEvent } from '#session/event.ts'
import { AgentError } from './error.ts'
import { MODES } from './modes.ts'
import type { SessionOption } from './port.ts'

const LEVEL_NAMES: Record<ThoughtLevel, string> = { off: 'Off', low: 'Low', medium: 'Medium', high: 'High' }

const CODE_MODES: { value: CodeMode; name: string; description: string }[] = [
  { value: 'native', name: 'Off', description: 'The model calls each tool by itself.' },
  { value: 'code', name: 'On', description: 'The model writes programs that call the tools.' },
  { value: 'both', name: 'Both', description: 'The model chooses between calls and programs.' },
]

export interface ChoicesInit {
  models: ModelSource
  modeId: string
  /** Of new sessions; undefined where there is no Code Mode to choose. */
  codeMode: CodeMode | undefined
  /** Logs a choice. */
  record(event: SessionEvent): void
}

export class Choices {
  #modeId: string
  #model: string | undefined
  #thoughtLevel: ThoughtLevel | undefined
  #codeMode: CodeMode | undefined
  #scope: Scope | undefined
  #presented: Disposer | undefined
  readonly #init: ChoicesInit

  constructor(init: ChoicesInit, events: readonly SessionEvent[]) {
    this.#init = init
    this.#modeId = init.modeId
    this.#codeMode = init.codeMode
    for (const event of events) {
      if (event.type === 'mode') this.#modeId = event.modeId
      else if (event.type === 'model') this.#model = event.model
      else if (event.type === 'thought_level') this.#thoughtLevel = event.level as ThoughtLevel
      else if (event.type === 'code_mode' && init.codeMode !== undefined) this.#codeMode = event.mode
    }
  }

  get modeId(): string {
    return this.#modeId
  }

  /** `provider/model`; undefined when nothing usable is configured. A stored choice that is gone falls back. */
  get model(): string | undefined {
    const { models } = this.#init
    return this.#listing(this.#model)?.name ?? models.selected
  }

  /** What was chosen, if the model knows it. */
  get thoughtLevel(): ThoughtLevel | undefined {
    const level = this.#thoughtLevel
    return level !== undefined && this.#listing(this.model)?.thoughtLevels.includes(level) ? level : undefined
  }

  /** From now on the tools of this scope are presented to the model as the Code Mode says. */
  presentIn(scope: Scope): void {
    this.#scope = scope
    this.#present()
  }

  #present(): void {
    this.#presented?.()
    if (this.#codeMode !== undefined) this.#presented = this.#scope?.presentAs(this.#codeMode)
  }

  options(): SessionOption[] {
    return [...this.#modelOptions(), ...this.#codeOptions()]
  }

  #codeOptions(): SessionOption[] {
    const current = this.#codeMode
    if (current === undefined) return []
    return [{ id: 'code_mode', name: 'Code Mode', category: 'model_config', current, choices: CODE_MODES }]
  }

  #modelOptions(): SessionOption[] {
    const options: SessionOption[] = [
      {
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        current: this.#modeId,
        choices: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
      },
    ]
    const { model } = this
    if (model === undefined) return options
    const listings = this.#init.models.models()
    const known = listings.some((listing) => listing.name === model)
    const choices = listings.map(({ name, label }) => ({ value: name, name: label }))
    options.push({
      id: 'model',
      name: 'Model',
      category: 'model',
      current: model,
      choices: known ? choices : [{ value: model, name: model }, ...choices],
    })
    const levels = this.#listing(model)?.thoughtLevels ?? []
    if (levels.length > 0) options.push(levelOption(levels, this.thoughtLevel))
    return options
  }

  /** Throws `AgentError('invalid')`. */
  set(id: string, value: string): void {
    const option = this.options().find((candidate) => candidate.id === id)
    if (option === undefined) throw new AgentError('invalid', `there is no option ${JSON.stringify(id)}`)
    if (!option.choices.some((choice) => choice.value === value)) {
      const known = option.choices.map((choice) => choice.value).join(', ')
      throw new AgentError(
        'invalid',
        `${JSON.stringify(value)} is no ${option.name.toLowerCase()}: choose one of ${known}`,
      )
    }
    if (value === option.current) return
    if (option.category === 'mode') this.#set({ type: 'mode', modeId: (this.#modeId = value) })
    else if (option.category === 'model') this.#set({ type: 'model', model: (this.#model = value) })
    else if (option.category === 'model_config') this.#setCodeMode(value)
    else this.#setLevel(value)
  }

  #setCodeMode(value: string): void {
    const mode = CODE_MODES.find((choice) => choice.value === value)?.value ?? 'native'
    this.#codeMode = mode
    this.#present()
    this.#set({ type: 'code_mode', mode })
  }

  #setLevel(value: string): void {
    const level = THOUGHT_LEVELS.find((known) => known === value)
    this.#thoughtLevel = level
    this.#set({ type: 'thought_level', level: value })
  }

  #set(event: SessionEvent): void {
    this.#init.record(event)
  }

  #listing(name: string | undefined): ModelListing | undefined {
    return this.#init.models.models().find((listing) => listing.name === name)
  }
}

function levelOption(levels: readonly ThoughtLevel[], current: ThoughtLevel | undefined): SessionOption {
  const choices = levels.map((level) => ({ value: level as string, name: LEVEL_NAMES[level] }))
  return {
    id: 'thought_level',
    name: 'Thinking',
    category: 'thought_level',
    current: current ?? 'default',
    choices: [{ value: 'default', name: 'Default' }, ...choices],
  }
}
