// Decisions about tools that look at files or change them.
import { dirname } from 'node:path'
import type { PreToolDecision } from '#registry/types.ts'
import { contains } from '#workspace/path-inside.ts'
import {
  ALLOW,
  ask,
  askWithGrant,
  type Context,
  decideByAskRules,
  decideFirst,
  outsideReason,
  PLANNING,
  protectedReason,
} from './decision.ts'
import type { Effect } from './effects.ts'
import type { GrantEntry } from './grants.ts'
import type { Place } from './places.ts'
import { allows, type Subject } from './ruling.ts'

type FileEffect = Extract<Effect, { kind: 'read' | 'write' }>

export async function decideFiles(
  tool: string,
  effect: FileEffect,
  context: Context,
): Promise<PreToolDecision> {
  const { kind: access, deep } = effect
  const judge = ENTRY_TOOLS.has(tool) ? judgeEntry : judgeFile
  const places = await Promise.all(effect.paths.map((path) => judge(path, context)))
  const subject: Subject = { tool, kind: 'path', touched: places.map((place) => ({ access, place, deep })) }
  const first = decideFirst(context, subject)
  if (first) return first
  if (access === 'write' && context.mode === 'plan') return { kind: 'deny', reason: PLANNING }
  const guarded = places.find((place) => (access === 'write' ? place.protected : place.secret))
  if (guarded) return ask(protectedReason(guarded))
  const asked = decideByAskRules(context, subject)
  if (asked) return asked
  if (effect.kind === 'write' && effect.recursive) return ask('it deletes a directory with all that is in it')
  const outside = places.find((place) => !place.inside && !(access === 'read' && place.output))
  if (outside === undefined && (access === 'read' || context.mode === 'accept-edits')) return ALLOW
  if (allows(context.rules.allow, subject)) return ALLOW
  if (outside) return ask(outsideReason(outside))
  return askToChange(tool, places, context)
}

/** Tools that act on a link, not on what it leads to. */
const ENTRY_TOOLS: ReadonlySet<string> = new Set(['delete', 'move'])

function judgeFile(path: string, { places }: Context): Promise<Place> {
  return places.judge(path)
}

/** Inside are both what the entry leads to and the directory that it stands in. */
async function judgeEntry(path: string, { places }: Context): Promise<Place> {
  const place = await places.judge(path)
  const parent = await places.judge(dirname(place.literal))
  return parent.inside ? place : { ...place, path: place.literal, inside: false }
}

/** All places are inside and unprotected. */
async function askToChange(
  tool: string,
  places: readonly Place[],
  { grants, places: judge }: Context,
): Promise<PreToolDecision> {
  const project = (await judge.judge('.')).path
  const known = (await grants?.list()) ?? []
  const granted = places.every((place) =>
    known.some(({ entry }) => {
      if (entry.kind === 'files') return entry.tool === tool && contains(project, place.path)
      return entry.kind === 'file' && entry.tool === tool && entry.path === place.path
    }),
  )
  if (granted && places.length > 0) return ALLOW
  return askWithGrant(grants, grantable(tool, places, project))
}

/** Changes of contents for the whole project; deletions file by file; moves never. */
function grantable(tool: string, places: readonly Place[], project: string): GrantEntry[] {
  if (tool === 'move' || places.length === 0) return []
  const whole = tool !== 'delete' && places.every(({ path }) => contains(project, path))
  if (whole) return [{ kind: 'files', tool }]
  return places.map(({ path }) => ({ kind: 'file', tool, path }))
}
