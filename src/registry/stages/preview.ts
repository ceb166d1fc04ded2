// The preview: the call's view with knowledge of the world, before anybody is asked.
import { materialize } from '#json/materialize.ts'
import type { ToolEntry } from '#registry/layer.ts'
import { emit } from '#registry/emit.ts'
import { ToolError } from '#registry/errors.ts'
import { failureFrom } from '#registry/failure.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { ToolCallView } from '#registry/view.ts'
import { type Call, settleWith } from './create.ts'

/** Milliseconds after which the plain call view has to do. */
export const PREVIEW_LIMIT_MS = 2000

const LATE = Symbol('late')

/** Emits the view, or ends the call when the tool already knows that it can't succeed. Never rejects. */
export async function preview(call: Call, entry: ToolEntry): Promise<void> {
  const { definition } = entry
  if (definition.preview === undefined || call.exec.arguments === undefined) return
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>()
  const timer = setTimeout(resolve, PREVIEW_LIMIT_MS, LATE)
  const giveUp = (): void => resolve(LATE)
  call.exec.signal.addEventListener('abort', giveUp, { once: true })
  try {
    const running = Promise.resolve(definition.preview(call.exec.arguments, call.exec))
    running.catch(() => undefined)
    const view: ToolCallView | undefined | typeof LATE = await Promise.race([running, late])
    if (view === LATE) call.core.log('warn', `the preview of ${call.exec.name} gave no answer in time`)
    else if (view !== undefined)
      await emit(call.viewer.layer, call.core.log, 'tools/preview', call.exec, snapshot(view))
  } catch (thrown) {
    if (thrown instanceof ToolError) settleWith(call, failureFrom(thrown), false)
    else call.core.log('warn', `the preview of ${call.exec.name} failed: ${thrownMessage(thrown)}`)
  } finally {
    clearTimeout(timer)
    call.exec.signal.removeEventListener('abort', giveUp)
  }
}

/** Frozen, and plain data: the view is stored. Throws on anything else. */
function snapshot(view: ToolCallView): ToolCallView {
  const copy = materialize(view)
  if (!copy.ok) throw new TypeError('the view is no lossless JSON')
  return copy.value as unknown as ToolCallView
}
