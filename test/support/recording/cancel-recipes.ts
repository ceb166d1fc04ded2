// Sessions that are cut: a cancel in every phase, and a crash.
import type { Recipe } from './recipes.ts'

const call = (id: string, name: string, args: object) => ({ call: { id, name, arguments: args as never } })
const sleep = call('b', 'bash', { command: 'echo begun; sleep 30', description: 'Wait' })

export const CANCEL_RECIPES: (Pick<Recipe, 'name' | 'turns' | 'play'> & Partial<Recipe>)[] = [
  {
    name: 'cancelled-while-it-spoke',
    turns: [{ steps: [{ do: [{ thought: 'Hm.' }, { text: 'I begin to' }, { hang: true }] }] }],
    play: async (stage) => {
      const over = stage.say('Speak.')
      await stage.until(/agent_message_chunk/)
      await stage.cancel()
      await over
    },
  },
  {
    name: 'cancelled-while-a-call-streamed',
    turns: [
      {
        steps: [
          {
            do: [
              { text: 'Reading.' },
              call('r', 'read', { file_path: 'src/a.ts' }),
              call('r2', 'read', { file_path: 'notes.md' }),
              { hang: true },
            ],
          },
        ],
      },
    ],
    play: async (stage) => {
      const over = stage.say('Read.')
      await stage.until(/tool_call .*src\/a\.ts/)
      await stage.cancel()
      await over
    },
  },
  {
    name: 'cancelled-while-a-command-ran',
    turns: [{ steps: [{ do: [sleep, call('r', 'read', { file_path: 'notes.md' })] }] }],
    play: async (stage) => {
      const over = stage.say('Wait.')
      await stage.until(/begun\\n/)
      await stage.cancel()
      await over
    },
  },
  {
    name: 'cancelled-while-it-asked',
    mode: undefined,
    turns: [{ steps: [{ do: [call('w', 'write', { file_path: 'new.txt', content: 'new\n' }), sleep] }] }],
    play: async (stage) => {
      stage.answer = () => 'never'
      const over = stage.say('Write.')
      await stage.until(/permission w/)
      await stage.cancel()
      await over
    },
  },
  {
    name: 'cancelled-between-steps',
    turns: [
      {
        steps: [
          { do: [call('r', 'read', { file_path: 'notes.md' })] },
          { do: [{ delayMs: 30_000 }, { text: 'Late.' }] },
        ],
      },
    ],
    play: async (stage) => {
      const over = stage.say('Read.')
      await stage.until(/"toolCallId":"r".*"completed"/)
      await stage.cancel()
      await over
    },
  },
  {
    name: 'crash-repair',
    reopen: true,
    turns: [{ steps: [{ do: [{ text: 'Waiting.' }, sleep, call('r', 'read', { file_path: 'notes.md' })] }] }],
    play: async (stage) => {
      const over = stage.say('Wait.')
      await stage.until(/begun\\n/)
      stage.kill()
      await over
    },
  },
]
