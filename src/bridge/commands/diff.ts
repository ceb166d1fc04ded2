// /diff: what this session has changed.
import type { FileChange } from '#agent/port.ts'
import { clipText } from '#bridge/cards/clip.ts'
import { countLines, hunksBetween } from '#bridge/cards/patch.ts'
import { displayPath } from '#bridge/cards/path.ts'
import { code, fence } from '#registry/view.ts'
import { DONE, type Command } from './command.ts'

/** Bytes of patches in one answer. */
const LIMIT = 64 * 1024

export const diff: Command = {
  name: 'diff',
  description: 'Show the files that this session has changed',
  run: async ({ session, say }) => {
    const changes = await session.changes()
    if (changes.length === 0) {
      say('This session has changed no file.')
      return DONE
    }
    const place = { cwd: session.cwd, roots: session.roots.map((root) => [root, root] as const) }
    const drawn = changes.map((change) => drawChange(change, displayPath(change.path, place)))
    const list = drawn.map(({ line }) => line).join('\n')
    const patches = drawn.map(({ patch }) => patch).join('')
    say(`${list}\n\n${fence(clipText(patches, LIMIT), 'diff')}`)
    return DONE
  },
}

function drawChange(
  { before, after, path: _path }: FileChange,
  path: string,
): { line: string; patch: string } {
  const hunks = hunksBetween(before ?? '', after ?? '')
  const what = before === null ? 'new' : after === null ? 'deleted' : 'changed'
  const head = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ ${after === null ? '/dev/null' : `b/${path}`}\n`
  if (!hunks) return { line: `- ${code(path)} ${what}`, patch: `${head}(too many changes to show)\n` }
  const bodies = hunks.map(
    (hunk) =>
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@\n${hunk.lines.join('\n')}\n`,
  )
  const counts = `+${countLines(hunks, '+')} −${countLines(hunks, '-')}`
  return { line: `- ${code(path)} ${what}, ${counts}`, patch: head + bodies.join('') }
}
