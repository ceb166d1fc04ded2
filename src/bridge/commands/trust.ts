// /trust: what the project's own configuration would do, and trusting this very content of it.
import type { ProjectFile } from '#agent/port.ts'
import { code } from '#registry/view.ts'
import { DONE, type Command } from './command.ts'

export const trust: Command = {
  name: 'trust',
  description: 'Show what the project’s own configuration would do, and trust it',
  hint: '[yes | revoke]',
  run: async ({ session, argument, say }) => {
    const file = await session.projectTrust.file()
    const wish = argument.toLowerCase()
    if (file === undefined) say('This project has no configuration of its own (`.deckhand/config.jsonc`).')
    else if (wish === '') say(describe(file))
    else if (wish !== 'yes' && wish !== 'revoke') say('Write `/trust`, `/trust yes` or `/trust revoke`.')
    else if (!(await session.projectTrust.decide(file.hash, wish === 'yes')))
      say('The file has just changed: look at it again.')
    else
      say(
        wish === 'yes'
          ? trusted(file)
          : `\`${file.path}\` is no longer trusted; what it forbids still counts.`,
      )
    return DONE
  },
}

function trusted(file: ProjectFile): string {
  return `This content of ${named(file)} is trusted. Rules count from the next turn on, everything else in the next session.`
}

/** The file, and what it has run. */
function named({ path, files }: ProjectFile): string {
  return [path, ...files].map((one) => code(one)).join(', ')
}

function describe(file: ProjectFile): string {
  const { path, trusted: isTrusted, effects } = file
  if (effects.length === 0) return `\`${path}\` only forbids; there is nothing to trust.`
  const what = effects.map((effect) => `- ${effect}`).join('\n')
  return isTrusted
    ? `This content of ${named(file)} is trusted. It has these effects:\n\n${what}\n\n\`/trust revoke\` takes that back.`
    : `\`${path}\` is not trusted, so it may only forbid. Trusted, it would have these effects:\n\n${what}\n\n\`/trust yes\` trusts this very content of ${named(file)}.`
}
