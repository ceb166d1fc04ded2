// The recorded sessions: what the model does, and what the person does. A new one is a row here, and a recording.
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { Scenario, ScenarioAction } from '#model/scenario.ts'
import { CANCEL_RECIPES } from './cancel-recipes.ts'
import { CODE_RECIPES } from './code-recipes.ts'

export interface Stage {
  /** Prompts and waits for the end of the turn, however it ends. */
  say(text: string): Promise<void>
  request(method: string, params: object): Promise<unknown>
  cancel(): Promise<void>
  /** Waits for an update (its kind and JSON), or for `permission <call id>`. */
  until(pattern: RegExp): Promise<void>
  kill(): void
  /** The option chosen for a question; `never` leaves it open. */
  answer: (request: RequestPermissionRequest) => string
}

export interface Recipe {
  name: string
  turns: Scenario['turns']
  /** Tokens. */
  contextWindow?: number
  files?: Record<string, string>
  mode?: 'bypass' | 'accept-edits' | 'plan'
  /** The session is opened once more, which repairs what a crash left. */
  reopen?: true
  play(stage: Stage): Promise<void>
}

export const call = (id: string, name: string, args: Record<string, never> | object): ScenarioAction => ({
  call: { id, name, arguments: args as never },
})

const USAGE = { inputTokens: 1200, outputTokens: 80 }
const NOTES = { 'notes.md': '# Notes\n\none\ntwo\nthree\n', 'src/a.ts': 'export const a = 1\n' }

/** One batch of calls and a closing sentence. */
function once(name: string, calls: ScenarioAction[], more: Partial<Recipe> = {}): Recipe {
  return {
    name,
    files: NOTES,
    mode: 'bypass',
    turns: [
      {
        steps: [
          { do: [{ thought: 'Let me see.' }, { text: 'I start.' }, ...calls], usage: USAGE },
          { do: [{ text: 'Done.' }], usage: { ...USAGE, cachedInputTokens: 1000 } },
        ],
      },
    ],
    play: (stage) => stage.say('Please go on.'),
    ...more,
  }
}

const reading = call('r', 'read', { file_path: 'notes.md' })

export const RECIPES: Recipe[] = [
  once('read', [reading, call('r2', 'read', { file_path: 'notes.md', offset: 3, limit: 1 })]),
  once('read-missing', [call('r', 'read', { file_path: 'nothing.txt' })]),
  once('write', [call('w', 'write', { file_path: 'src/new.ts', content: 'export const b = 2\n' })]),
  once('edit', [
    reading,
    call('e', 'edit', { file_path: 'notes.md', old_string: 'two', new_string: 'zwei' }),
    call('e2', 'edit', { file_path: 'notes.md', old_string: 'four', new_string: 'vier' }),
  ]),
  once('delete-and-move', [
    reading,
    call('m', 'move', { from: 'src/a.ts', to: 'src/moved.ts' }),
    call('d', 'delete', { path: 'notes.md' }),
  ]),
  once('glob', [call('g', 'glob', { pattern: '**/*.md' }), call('g2', 'glob', { pattern: '*.rs' })]),
  once('grep', [
    call('g', 'grep', { pattern: 'export|one' }),
    call('g2', 'grep', { pattern: '(' }),
    call('g3', 'grep', { pattern: 'two', path: 'notes.md' }),
  ]),
  once('bash', [
    call('b', 'bash', { command: 'printf "one\\ntwo\\n"', description: 'Count to two' }),
    call('b2', 'bash', { command: 'echo oops >&2; exit 3' }),
    call('b3', 'bash', { command: 'kill -TERM $$' }),
  ]),
  once('todo', [
    call('t', 'todo_write', {
      todos: [
        { content: 'Look around', status: 'completed' },
        { content: 'Change it', status: 'in_progress', priority: 'high' },
        { content: 'Test it', status: 'pending' },
      ],
    }),
  ]),
  once('parallel-batch', [
    reading,
    call('r2', 'read', { file_path: 'src/a.ts' }),
    call('g', 'glob', { pattern: 'src/*' }),
    call('b', 'bash', { command: 'echo alone' }),
    call('r3', 'read', { file_path: 'src/a.ts' }),
  ]),
  once('bad-calls', [
    call('u', 'no_such_tool', { x: 1 }),
    call('r', 'read', { file_path: 5 }),
    { call: { id: 'm', name: 'write', raw: '{"file_path": "x.txt", "content": "half' } },
  ]),
  once('asked-and-allowed', [call('w', 'write', { file_path: 'new.txt', content: 'new\n' })], {
    mode: undefined,
  }),
  once(
    'rejected',
    [
      reading,
      call('e', 'edit', { file_path: 'notes.md', old_string: 'two', new_string: 'zwei' }),
      call('b', 'bash', { command: 'touch marker' }),
    ],
    {
      mode: undefined,
      play: async (stage) => {
        stage.answer = () => 'reject-once'
        await stage.say('Change it.')
      },
    },
  ),
  once('plan-mode', [call('w', 'write', { file_path: 'new.txt', content: 'new\n' })], {
    mode: undefined,
    play: async (stage) => {
      await stage.request('session/set_mode', { modeId: 'plan' })
      await stage.say('Plan it.')
    },
  }),
  {
    ...once('retry', []),
    turns: [
      {
        steps: [
          { do: [{ error: { code: 'overloaded', message: 'Overloaded.', status: 529 } }] },
          { do: [{ text: 'Now it works.' }], usage: USAGE },
        ],
      },
    ],
  },
  {
    ...once('provider-error', []),
    turns: [
      {
        steps: [
          { do: [{ text: 'Half a' }, { error: { code: 'bad_request', message: 'No.', status: 400 } }] },
        ],
      },
    ],
  },
  {
    ...once('output-cut', []),
    turns: [
      {
        steps: [
          {
            do: [
              { text: 'Much.' },
              { call: { id: 'w', name: 'write', raw: '{"file_path": "long.txt", "content": "and' } },
            ],
            finish: 'length',
          },
          { do: [{ text: 'In parts, then.' }] },
        ],
      },
    ],
  },
  {
    ...once('compaction', []),
    contextWindow: 20_000,
    turns: [
      ...Array.from({ length: 6 }, (_, index) => ({
        match: `^Tell ${index}`,
        steps: [{ do: [{ text: `${index}: ${'a long story, '.repeat(400)}` }], usage: USAGE }],
      })),
      { match: 'And now', steps: [{ do: [{ text: 'Nothing more.' }], usage: USAGE }] },
      { steps: [{ do: [{ text: 'The person asked for six stories, and got them.' }], usage: USAGE }] },
    ],
    play: async (stage) => {
      for (let index = 0; index < 6; index++) await stage.say(`Tell ${index}`)
      await stage.say('/compact')
      await stage.say('And now?')
    },
  },
  ...[...CANCEL_RECIPES, ...CODE_RECIPES].map((more) => ({ ...once(more.name, []), ...more })),
]
