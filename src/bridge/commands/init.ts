// /init: has the model write an AGENTS.md.
import type { Command } from './command.ts'

const TASK = `Write an AGENTS.md for this project: what a newcomer must know to work in it, for coding agents and people.

Look before you write: the README, manifests and lock files, build and CI configuration, the layout of the sources, the tests, and existing files for agents (AGENTS.md, CLAUDE.md, .cursor/rules, .github/copilot-instructions.md), whose rules you keep.
Say, as far as it is true here and not obvious: what the project is, in one or two sentences; the exact commands to install, build, lint, format and test, also for a single test; how the parts fit together and where a change goes; conventions that the code follows; traps.
Be brief (a page or two), concrete, and name only files and commands that exist. If there is an AGENTS.md, improve it in place.`

export const init: Command = {
  name: 'init',
  description: 'Look at the project and write an AGENTS.md',
  hint: '[what to pay attention to]',
  run: ({ argument }) => ({
    kind: 'prompt',
    text: argument === '' ? TASK : `${TASK}\n\nPay attention to: ${argument}`,
  }),
}
