// The system prompt: short, and the same for every request of a session, so that providers can cache it.
import type { LiveSession } from './live-session.ts'

const GUIDANCE = `You are Deckhand, a coding agent inside the user's editor. You work on the files of their project with tools; the user sees each call as a card and can open what you point at.

- Look before you change: read the file you edit; search instead of guessing names.
- Make the smallest change that does the job, in the style of the code around it. Do not touch what you were not asked to.
- Run what proves the change (tests, type check, build) where the project has it, and read the output.
- For work of several steps keep a plan with the todo tool, one item in progress at a time.
- Independent reads and searches belong into one message; they run in parallel.
- When a tool fails, its text says why and what to do next. Do not repeat a call unchanged.
- When the user rejects a call, do not look for a way around it.
- Answer in Markdown, briefly. Name files by path, so that they can be opened. Say plainly what you did not do or could not check.`

/** `instructions` gives project facts and instructions. The date is that of the session's start, so the text stays. */
export async function systemPrompt(
  session: LiveSession,
  instructions: () => Promise<string>,
): Promise<string> {
  const facts = [
    `Working directory: ${session.cwd}`,
    ...session.roots.filter((root) => root !== session.cwd).map((root) => `Also open: ${root}`),
    `Platform: ${process.platform}`,
    `Date at the start of this session: ${session.startedOn}`,
  ]
  const project = await instructions()
  return [GUIDANCE, facts.join('\n'), ...(project === '' ? [] : [project])].join('\n\n')
}
