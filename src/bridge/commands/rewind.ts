// /rewind: undoes the file changes of the last turns, after showing them and asking.
import { firstSnapshots, rewindTargets } from '#agent/file-history.ts'
import type { FileChange } from '#agent/port.ts'
import { displayPath } from '#bridge/cards/path.ts'
import { code } from '#registry/view.ts'
import { DONE, type Command, type CommandContext } from './command.ts'

export const rewind: Command = {
  name: 'rewind',
  description: 'Undo the file changes of the last turn, or of the last turns that changed files; asks first',
  hint: '[number of turns]',
  run: async (context) => {
    const { argument, say } = context
    const turns = argument === '' ? 1 : Number(argument)
    if (Number.isInteger(turns) && turns > 0) await undo(context, turns)
    else say('Write `/rewind`, or `/rewind` and a number of turns.')
    return DONE
  },
}

async function undo({ session, say, confirm, signal }: CommandContext, turns: number): Promise<void> {
  const planned = await plan(session, turns)
  if (planned.length === 0) return say('There is no file change to undo.')
  const noun = turns === 1 ? 'the last turn' : `the last ${turns} turns`
  const answer = await confirm({
    title: `Undo the file changes of ${noun} that changed files`,
    diffs: planned.map(({ path, before, after }) => ({ path, oldText: before, newText: after ?? '' })),
    allow: `Undo ${planned.length === 1 ? 'it' : `all ${planned.length} files`}`,
    work: async () => {
      const { undone, skipped } = await session.rewind(turns)
      return outcome(session, undone, skipped)
    },
  })
  if (!signal.aborted) say(answer ?? 'Nothing was undone.')
}

function outcome(
  { cwd, roots }: CommandContext['session'],
  undone: readonly FileChange[],
  skipped: readonly string[],
): string {
  const short = (path: string): string =>
    code(displayPath(path, { cwd, roots: roots.map((root) => [root, root] as const) }))
  const done = undone.map(({ path, after }) => `- ${short(path)} ${after === null ? 'removed' : 'put back'}`)
  const left = skipped.map((path) => `- ${short(path)} left alone: it was changed by somebody else since`)
  const lines = [...done, ...left].join('\n')
  return lines === '' ? 'The files were as before already.' : `${lines}\n\nThe conversation stays as it is.`
}

/** What is there now, and what would be there. */
async function plan(session: CommandContext['session'], turns: number): Promise<FileChange[]> {
  const events = session.history()
  const found = firstSnapshots(events)
  const changed = new Map((await session.changes()).map((change) => [change.path, change]))
  return [...rewindTargets(events, turns)].flatMap(([path, target]) => {
    // A file that does not differ from how the session found it holds what it held then.
    const change = changed.get(path)
    const current = change ? change.after : (found.get(path) ?? null)
    return current === target ? [] : [{ path, before: current, after: target }]
  })
}
