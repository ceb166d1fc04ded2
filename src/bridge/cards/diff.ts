// The diff card: one block per entry, and the places that change.
import type { DiffCallView, DiffResultView, FileDiff, FileLocation } from '#registry/view.ts'
import { textContent, type CallCard, type CardContext, type ResultCard, type ResultInput } from './card.ts'
import { diffContent } from './clip.ts'
import { shown } from './generic.ts'
import { absolutePath, wireLocations } from './path.ts'
import { cardTitle, resultTitle } from './title.ts'

/** Kinds that change a file as a whole: without hunks they have changed something all the same. */
const WHOLE_FILES: ReadonlySet<unknown> = new Set(['delete', 'move'])

export function diffCall(view: DiffCallView, ctx: CardContext): CallCard {
  const places = [...new Set(view.diffs.map((diff) => diff.path))]
  return {
    title: cardTitle(view.title, pathsOf(view.diffs, view.locations), ctx),
    kind: view.kind ?? 'edit',
    content: blocks(view.diffs, ctx),
    locations: locationsOf(view, ctx),
    rawInput: { paths: places.length > 0 ? places : (view.locations ?? []).map((location) => location.path) },
  }
}

export function diffResult(view: DiffResultView, input: ResultInput, ctx: CardContext): ResultCard {
  return {
    ...resultTitle(view.title, input, ctx, pathsOf(view.diffs, view.locations)),
    ...((view.locations ?? view.diffs).length > 0 && { locations: locationsOf(view, ctx) }),
    content: resultContent(view, input, ctx),
  }
}

function resultContent(view: DiffResultView, input: ResultInput, ctx: CardContext): CallCard['content'] {
  const changed = view.diffs.filter((diff) => diff.oldText !== diff.newText)
  if (input.isError) return [...blocks(view.diffs, ctx), ...shown(input.content)]
  if (changed.length > 0) return blocks(changed, ctx)
  const elsewhere = input.call.card === 'diff' && WHOLE_FILES.has(input.call.kind)
  return elsewhere ? shown(input.content) : [textContent('Nothing changed.')]
}

function blocks(diffs: readonly FileDiff[], ctx: CardContext): CallCard['content'] {
  return diffContent(diffs, (path) => absolutePath(path, ctx.cwd))
}

function pathsOf(diffs: readonly FileDiff[], locations: readonly FileLocation[] = []): string[] {
  return [...diffs, ...locations].map((entry) => entry.path)
}

function locationsOf(view: DiffCallView | DiffResultView, ctx: CardContext): CallCard['locations'] {
  return wireLocations(view.locations ?? view.diffs.map(({ path }) => ({ path })), ctx.cwd)
}
