// Showing and changing one option of a session, for the commands that do.
import { AgentError } from '#agent/error.ts'
import type { SessionOption } from '#agent/port.ts'
import { code } from '#registry/view.ts'
import type { CommandContext } from './command.ts'

/** Without an argument the choices are listed; with one it is chosen, by value or name. */
export function choose({ session, argument, say }: CommandContext, id: SessionOption['id']): void {
  const option = session.options().find((candidate) => candidate.id === id)
  if (!option) return say(`This session has no ${id} to choose.`)
  if (argument === '') return say(list(option))
  const wanted = argument.toLowerCase()
  const choice = option.choices.find(
    ({ value, name }) => value.toLowerCase() === wanted || name.toLowerCase() === wanted,
  )
  try {
    // What is not listed may still be known: a provider serves more models than it names.
    session.setOption(id, choice?.value ?? argument)
    say(`${option.name}: ${code(choice?.value ?? argument)}`)
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'invalid') throw error
    say(`There is no ${option.name.toLowerCase()} ${code(argument)}.\n\n${list(option)}`)
  }
}

function list({ name, current, choices }: SessionOption): string {
  const lines = choices.map(({ value, description }) => {
    const mark = value === current ? ' (now)' : ''
    return `- ${code(value)}${mark}${description ? ` ${description}` : ''}`
  })
  return `${name}:\n\n${lines.join('\n')}`
}
