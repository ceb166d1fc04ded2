// The person of a session, as its equipment reaches them: their mode, their forms, and leave for their plans.
import type { AskForm } from '#registry/form.ts'
import type { SessionInput } from './options.ts'
import type { AgentSession, PlanAnswer, PlanAsker, PlanQuestion } from './port.ts'

type Session = Pick<AgentSession, 'modeId' | 'setMode' | 'subscribe'>

export class Person {
  /** The last set wins. */
  planAsker: PlanAsker | undefined
  readonly #session: Session
  readonly #listeners = new Set<(form: AskForm | undefined) => void>()
  #form: AskForm | undefined

  constructor(session: Session) {
    this.#session = session
  }

  setForm(form: AskForm | undefined): void {
    if (form === this.#form) return
    this.#form = form
    for (const listener of this.#listeners) listener(form)
  }

  forEquipment(): Pick<SessionInput, 'modeId' | 'onMode' | 'askPlan' | 'onForm'> {
    const session = this.#session
    return {
      modeId: () => session.modeId,
      onMode: (listener) => {
        session.subscribe((event) => event.type === 'mode' && listener(event.modeId))
        listener(session.modeId)
      },
      askPlan: (question) => this.#askPlan(question),
      onForm: (listener) => {
        this.#listeners.add(listener)
        listener(this.#form)
      },
    }
  }

  async #askPlan(question: PlanQuestion): Promise<PlanAnswer> {
    const { signal } = question
    if (signal.aborted) return { kind: 'cancelled' }
    if (this.planAsker === undefined) throw new Error('nobody can be asked about the plan; plan mode stays')
    try {
      const answer = await this.planAsker(question)
      if (signal.aborted) return { kind: 'cancelled' }
      if (answer.kind === 'approved') this.#session.setMode(answer.mode)
      return answer
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' }
      throw error
    }
  }
}
