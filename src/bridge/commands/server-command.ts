// A prompt of a server as a command: what the server makes of it goes to the model.
import type { SessionCommand } from '#agent/port.ts'
import type { Command } from './command.ts'

export function serverCommand({ name, description, hint, run }: SessionCommand): Command {
  return {
    name,
    description,
    ...(hint !== undefined && { hint }),
    run: async ({ argument, signal }) => ({ kind: 'content', content: await run(argument, signal) }),
  }
}
