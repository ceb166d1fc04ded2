// The stored copy of a nested result: listeners may reshape it; the program and the model are unaffected.
import type { ContentBlock } from '#model/content.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { Core } from './core.ts'
import { checkContent } from './stages/project.ts'
import type { CodeDispatchLog } from './types.ts'
import { runWaterfall } from './waterfall.ts'

/** What to store for a nested call. A listener that throws, or answers with no content, is logged and ignored. */
export async function storedContent(core: Core, dispatch: CodeDispatchLog): Promise<ContentBlock[]> {
  try {
    const original = checkContent(dispatch.name, dispatch.content)
    const seen = Object.freeze({ ...dispatch, content: original })
    const listeners = core.layerOf(dispatch.scope ?? dispatch.exec.scope).chain('tools/code-dispatch-log')
    return checkContent(dispatch.name, await runWaterfall(listeners, [seen], async () => original))
  } catch (thrown) {
    core.log('error', `a listener of tools/code-dispatch-log failed: ${thrownMessage(thrown)}`)
    return dispatch.content
  }
}
