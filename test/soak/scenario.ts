// What the model does in the soak, by the word that a prompt begins with; and how a client treats each.
import type { JsonObject } from '#json/value.ts'
import type { Scenario, ScenarioAction, ScenarioTurn } from '#model/scenario.ts'

const call = (name: string, args: JsonObject): ScenarioAction => ({ call: { name, arguments: args } })
const turn = (word: string, ...first: ScenarioAction[]): ScenarioTurn => ({
  match: `^${word}`,
  steps: [
    { do: first, usage: { inputTokens: 100, outputTokens: 10 } },
    { do: [{ text: `so it is: ${word}` }] },
  ],
})

const PROGRAM = `
const found = await tools.glob({ pattern: '*.txt' })
let sum = 0
for (let n = 0; n < 1000; n++) sum += n
console.log(found.paths.length, sum)
return sum
`

export const SCENARIO: Scenario = {
  name: 'soak',
  turns: [
    { match: '^chat', steps: [{ do: [{ thought: 'Hm. '.repeat(20) }, { text: '{{prompt}}' }] }] },
    { match: '^long', steps: [{ do: [{ text: 'word '.repeat(3000) }] }] },
    { match: '^hang', steps: [{ do: [{ text: 'wait' }, { hang: true }] }] },
    {
      match: '^fails',
      steps: [{ do: [{ text: 'begin' }, { error: { code: 'bad_request', message: 'no' } }] }],
    },
    { match: '^again', steps: [{ do: [{ error: { code: 'overloaded', message: 'busy' } }] }] },
    turn(
      'read',
      call('read', { file_path: 'a.txt' }),
      call('glob', { pattern: '*' }),
      call('grep', { pattern: 'line' }),
    ),
    turn('write', call('write', { file_path: 'new.txt', content: 'new\n'.repeat(200) })),
    turn(
      'edit',
      call('read', { file_path: 'a.txt' }),
      call('edit', { file_path: 'a.txt', old_string: 'line 1\n', new_string: 'line 1\n' }),
    ),
    turn('command', call('bash', { command: 'seq 1 3000; echo done > made.txt' })),
    turn('sleep', call('bash', { command: 'trap "" TERM; sleep 300 & (setsid sleep 300 &) ; wait' })),
    turn('task', call('bash', { command: 'sleep 300', run_in_background: true })),
    turn('flood', call('bash', { command: 'yes | head -c 3000000' })),
    turn(
      'server',
      call('mcp__crash__work', {}),
      call('mcp__crash__work', {}),
      call('mcp__storm__generation_1', {}),
    ),
    turn('program', call('run_code', { code: PROGRAM, description: 'Counts.' })),
    turn('endless', call('run_code', { code: 'for (;;) {}', description: 'Spins.' })),
    turn('todo', call('todo_write', { todos: [{ content: 'a', status: 'pending' }] })),
  ],
}

/** Words that end by themselves, and those that somebody has to cancel. */
export const ENDING = [
  'chat',
  'long',
  'fails',
  'read',
  'write',
  'edit',
  'command',
  'task',
  'flood',
  'server',
  'program',
  'todo',
]
export const ENDLESS = ['hang', 'again', 'sleep', 'endless']
