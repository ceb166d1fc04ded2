// Decisions about command lines.
import { relative } from 'node:path'
import type { PreToolDecision } from '#registry/types.ts'
import { contains } from '#workspace/path-inside.ts'
import {
  checkRedirection,
  type CommandCase,
  conditionFails,
  namesOutside,
  openCase,
  type RedirectionCheck,
} from './command-case.ts'
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
import { allowsPath, type Touched } from './ruling.ts'
import { type Allowance, allowanceOf, type Allowed, NOTHING_ALLOWED } from './shell/allowance.ts'
import { canonicalText } from './shell/canonical.ts'
import type { SimpleCommand } from './shell/facts.ts'
import { readLine, unreadableLine } from './shell/line.ts'

/** What commands are written in: only bash can be judged. */
export type CommandLanguage = 'bash' | 'other'

export async function decideCommand(
  effect: Extract<Effect, { kind: 'command' }>,
  language: CommandLanguage,
  context: Context,
): Promise<PreToolDecision> {
  const line =
    language === 'bash' ? readLine(effect.command) : unreadableLine(effect.command, 'only bash can be judged')
  const at = await openCase(line, effect, context)
  const first = decideFirst(context, at.subject)
  if (first) return first
  if (context.mode === 'plan') {
    const finding = await examine(at, NOTHING_ALLOWED, context)
    if (finding.problems.length > 0 || !at.directory.inside) return { kind: 'deny', reason: PLANNING }
  }
  const guarded = at.subject.touched.find(({ access, place }) =>
    access === 'write' ? place.protected : place.secret,
  )
  if (guarded) return ask(protectedReason(guarded.place))
  const asked = decideByAskRules(context, at.subject)
  if (asked) return asked
  if (!at.directory.inside) return ask(outsideReason(at.directory))
  const finding = await examine(at, await allowedIn(at, context), context)
  const [problem] = finding.problems
  if (problem === undefined) return ALLOW
  return askWithGrant(
    context.grants,
    await grantable(at, finding, context),
    problem === UNLISTED ? undefined : problem,
  )
}

const UNLISTED = 'no rule allows it'

async function allowedIn({ directory, project }: CommandCase, { rules, grants }: Context): Promise<Allowed> {
  const known = (await grants?.list()) ?? []
  const here = contains(project, directory.path) ? relative(project, directory.path) : undefined
  const entries = known.map(({ entry }) => entry)
  return {
    rules: rules.allow.flatMap((rule) => (rule.kind === 'command' ? [rule.tokens] : [])),
    commands: new Set(
      entries.flatMap((entry) =>
        entry.kind === 'command' && entry.directory === here ? [entry.command] : [],
      ),
    ),
    lines: new Set(
      entries.flatMap((entry) => (entry.kind === 'line' && entry.directory === here ? [entry.line] : [])),
    ),
  }
}

interface Finding extends Allowance {
  problems: string[]
  /** Nothing but consent is missing; what is missing can be remembered. */
  grantable: boolean
  /** Commands whose redirections nothing allows; undefined stands for a compound one. */
  redirecting: (SimpleCommand | undefined)[]
}

async function examine(at: CommandCase, allowed: Allowed, context: Context): Promise<Finding> {
  const allowance = allowanceOf(at.line, allowed)
  const conditions = await Promise.all(
    allowance.onCondition.map((need) => conditionFails(need, at, mayRead(context), context)),
  )
  const opened = await Promise.all(
    allowance.opened.map((open) => checkRedirection(open, allowance.moves, at, mayOpen(context), context)),
  )
  const told = [...allowance.cautions, ...conditions, ...opened.map(({ problem }) => problem)]
  const problems = told.filter((problem) => problem !== undefined)
  if (allowance.unlisted.length > 0) problems.push(UNLISTED)
  const failed = (check: RedirectionCheck | undefined): boolean => check?.problem !== undefined
  return {
    ...allowance,
    problems,
    grantable:
      allowance.cautions.length === 0 &&
      conditions.every((problem) => problem === undefined) &&
      opened.every((check) => check.grantable),
    redirecting: allowance.opened.flatMap(({ command }, index) => (failed(opened[index]) ? [command] : [])),
  }
}

function mayRead({ rules }: Context): (place: Place) => boolean {
  return (place) =>
    (place.inside && !place.secret) || allowsPath(rules.allow, { access: 'read', place, deep: false }, 'bash')
}

function mayOpen({ rules, mode }: Context): (touched: Touched) => boolean {
  return (touched) => {
    const { access, place } = touched
    if (mode === 'plan') return access === 'read' && place.inside && !place.secret
    if (place.inside && !place.protected && !place.secret && (access === 'read' || mode === 'accept-edits'))
      return true
    return allowsPath(rules.allow, touched, 'bash')
  }
}

/** The simple commands that nothing allows yet, or the line as a whole where they mean little on their own. */
async function grantable(at: CommandCase, finding: Finding, context: Context): Promise<GrantEntry[]> {
  const { line, directory, project } = at
  if (!finding.grantable || !contains(project, directory.path) || (await namesOutside(at, context))) return []
  const here = relative(project, directory.path)
  const wanted = new Set([...finding.unlisted, ...finding.redirecting])
  const texts = [...wanted].map((command) => (command === undefined ? undefined : canonicalText(command)))
  const whole = finding.moves || texts.includes(undefined)
  const source = line.source.trim()
  if (whole) return /\n/.test(source) || leaves(at) ? [] : [{ kind: 'line', line: source, directory: here }]
  const commands = [...new Set(texts as string[])]
  return commands.some((text) => text.includes('\n'))
    ? []
    : commands.map((command) => ({ kind: 'command', command, directory: here }))
}

/** It changes to a directory that the line does not name. */
function leaves({ line }: CommandCase): boolean {
  return line.commands.some(({ words: [first, ...rest] }) => {
    const moves = first?.kind === 'static' && /^(?:cd|pushd|popd)$/.test(first.value)
    return moves && (rest.length !== 1 || rest[0]?.kind !== 'static' || rest[0].value.startsWith('-'))
  })
}
