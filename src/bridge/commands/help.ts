// /help: the commands, and what did not work.
import { code } from '#registry/view.ts'
import { DONE, type Command } from './command.ts'

export const help: Command = {
  name: 'help',
  description: 'Show the commands',
  run: ({ commands, problems, say }) => {
    const lines = commands.map(({ name, hint, description }) => {
      const call = hint === undefined ? `/${name}` : `/${name} ${hint}`
      return `- ${code(call)} ${description}`
    })
    const trouble = problems.map((problem) => `- ${problem}`)
    const parts = [lines.join('\n'), ...(trouble.length > 0 ? [`Not working:\n\n${trouble.join('\n')}`] : [])]
    say(parts.join('\n\n'))
    return DONE
  },
}
