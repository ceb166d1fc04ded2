// A prompt file as a command: its text goes to the model.
import type { Command, PromptFile } from './command.ts'

const ARGUMENTS = '$ARGUMENTS'

export function promptCommand({ name, description, hint, text }: PromptFile): Command {
  return {
    name,
    description,
    ...(hint !== undefined && { hint }),
    run: ({ argument }) => ({ kind: 'prompt', text: fill(text, argument) }),
  }
}

/** Where the file has no place for them, arguments stand at its end. */
function fill(text: string, argument: string): string {
  if (text.includes(ARGUMENTS)) return text.replaceAll(ARGUMENTS, () => argument)
  return argument === '' ? text : `${text}\n\n${argument}`
}
