// /permissions: what "always" has remembered, and taking it back.
import type { RememberedGrant } from '#agent/port.ts'
import { DONE, type Command, type CommandContext } from './command.ts'

export const permissions: Command = {
  name: 'permissions',
  description: 'Show what is always allowed in this project, and take it back',
  hint: '[revoke <number> | revoke all]',
  run: async (context) => {
    const { session, argument, say } = context
    const grants = await session.grants()
    const revoke = /^revoke\s+(\S.*)$/i.exec(argument)
    if (argument !== '' && !revoke)
      say('Write `/permissions`, `/permissions revoke <number>` or `/permissions revoke all`.')
    else if (revoke) await takeBack(context, grants, revoke[1] ?? '')
    else say(list(grants))
    return DONE
  },
}

function list(grants: readonly RememberedGrant[]): string {
  if (grants.length === 0) return 'Nothing is remembered for this project.'
  const lines = grants.map(({ label }, index) => `${index + 1}. ${label}`)
  return `Remembered for this project:\n\n${lines.join('\n')}\n\n\`/permissions revoke <number>\` takes one back.`
}

async function takeBack(
  { session, say }: CommandContext,
  grants: readonly RememberedGrant[],
  which: string,
): Promise<void> {
  const chosen =
    which.toLowerCase() === 'all'
      ? grants
      : grants.filter(({ id }, index) => id === which || String(index + 1) === which)
  if (chosen.length === 0) return say(`There is no remembered permission ${which}.\n\n${list(grants)}`)
  const gone: string[] = []
  for (const { id, label } of chosen) if (await session.revoke(id)) gone.push(`- ${label}`)
  say(
    gone.length === 0
      ? 'It was taken back already.'
      : `No longer allowed without asking:\n\n${gone.join('\n')}`,
  )
}
