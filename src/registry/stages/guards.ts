// Stage 2: guards, only after an allow. They can only deny.
import { silence } from '#registry/emit.ts'
import { abortedBeforeDispatch, failure, failureFrom } from '#registry/failure.ts'
import { type Call, settleWith } from './create.ts'

/** Global guards first, then from the far scope to the near one; the first reason wins. */
export function runGuards(call: Call): void {
  const layers = [...call.viewer.layer.upwards()].toReversed()
  try {
    for (const layer of layers) {
      for (const { guard } of layer.guards) {
        const reason: unknown = guard(call.exec)
        if (typeof reason === 'string') {
          return settleWith(
            call,
            failure({ message: reason || 'a guard of this session denies the call' }),
            false,
          )
        }
        silence(reason)
        if (reason !== undefined)
          throw new TypeError('a guard answered with neither a reason nor nothing; the call was not run')
      }
    }
  } catch (thrown) {
    return settleWith(call, failureFrom(thrown), true)
  }
  if (call.exec.signal.aborted) settleWith(call, abortedBeforeDispatch(), false)
}
