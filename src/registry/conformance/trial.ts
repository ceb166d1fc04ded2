// Trials of a pure function: it must not throw, not touch its input, and say the same twice and on replay.
import { isDeepStrictEqual } from 'node:util'
import { materialize } from '#json/materialize.ts'
import { thrownMessage } from '#json/thrown.ts'

export type Complain = (problem: string) => void

/** The answer for `inputs`, or undefined when it threw; complains about whatever a pure function does not do. */
export function tryPure<I extends readonly unknown[], R>(
  run: (...inputs: I) => R,
  inputs: I,
  complain: Complain,
): R | undefined {
  const before = structuredClone(inputs)
  let first: R
  try {
    first = run(...inputs)
    if (!isDeepStrictEqual(inputs, before)) complain('it changes its input')
    const second = run(...(structuredClone(before) as unknown as I))
    if (!isDeepStrictEqual(first, second)) complain('it answers differently when it is asked again')
  } catch (thrown) {
    complain(`it throws: ${thrownMessage(thrown)}`)
    return undefined
  }
  tryFrozen(run, before as unknown as I, first, complain)
  return first
}

/** Replay hands over what came back from a log: equal data, not the same objects. */
function tryFrozen<I extends readonly unknown[], R>(
  run: (...inputs: I) => R,
  inputs: I,
  first: R,
  complain: Complain,
): void {
  try {
    const replayed = inputs.map((given) => {
      const copy = materialize(given)
      return copy.ok ? copy.value : given
    }) as unknown as I
    if (!isDeepStrictEqual(run(...replayed), first)) complain('it answers differently on replay')
  } catch (thrown) {
    complain(`it throws on frozen input: ${thrownMessage(thrown)}`)
  }
}

/** Only whether it throws. */
export function tryTotal(run: () => void, complain: Complain): void {
  try {
    run()
  } catch (thrown) {
    complain(`it throws: ${thrownMessage(thrown)}`)
  }
}
