// The output limit: a post-execute listener that cuts a long text to head and tail and keeps all of it in a file.
import { type ContentBlock, textOf } from '#model/content.ts'
import type { Disposer, ToolHost } from '#registry/scope.ts'
import type { PostToolDecision, ToolExecution, ToolExecutionResult } from '#registry/types.ts'
import { keepOutput } from '#workspace/kept-output.ts'
import type { OutputFiles } from '#workspace/output-files.ts'

/** Bytes of text in a result that are left alone. */
export const OUTPUT_LIMIT = 64 * 1024
const SHOWN = { head: 20 * 1024, tail: 40 * 1024 }
/** They have limits of their own. */
const EXEMPT: ReadonlySet<string> = new Set(['read', 'bash'])

/** Nested calls and failures pass; so does a result whose value a listener replaced, which is rendered afterwards. */
export function installOutputLimit(host: ToolHost, files: OutputFiles): Disposer {
  return host.on('tools/post-execute', async (exec, result, next) => {
    const decision = await next()
    const content = limitable(exec, result, decision)
    if (!content) return decision
    return {
      ...decision,
      kind: 'accept',
      content: await limited(exec.name, content, files),
    } as PostToolDecision
  })
}

function limitable(
  exec: ToolExecution,
  result: ToolExecutionResult,
  decision: PostToolDecision,
): readonly ContentBlock[] | undefined {
  if (exec.parent !== undefined || EXEMPT.has(exec.name) || result.isError) return undefined
  if (decision.kind !== 'accept' || decision.value !== undefined) return undefined
  const content = decision.content ?? result.content
  return Buffer.byteLength(textOf(content)) > OUTPUT_LIMIT ? content : undefined
}

/** One text stands for all of them, in the place of the first; what is no text stays. */
async function limited(
  name: string,
  content: readonly ContentBlock[],
  files: OutputFiles,
): Promise<ContentBlock[]> {
  const whole = textOf(content)
  const file = await files.save(name.replaceAll(/[^\w-]/g, '_').slice(0, 40), whole).catch(() => undefined)
  const where = file === undefined ? 'and could not be kept in a file' : `all of it is in ${file}`
  const { text, omitted } = keepOutput(whole, SHOWN)
  const first = content.findIndex((block) => block.type === 'text')
  return content.flatMap((block, at): ContentBlock[] => {
    if (at === first)
      return [{ type: 'text', text: `${text}\n\n[${omitted} bytes were left out in the middle; ${where}]` }]
    return block.type === 'text' ? [] : [block]
  })
}
