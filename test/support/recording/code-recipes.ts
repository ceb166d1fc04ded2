// Sessions of Code Mode: programs, the calls inside them, and what a person answers for those.
import type { Recipe, Stage } from './recipes.ts'

const run = (id: string, code: string, description: string) => ({
  call: { id, name: 'run_code', arguments: { code, description } },
})

const PROGRAM = `const { paths } = await tools.glob({ pattern: '**/*.{md,ts}' })
console.log(paths.length, 'files')
const notes = await tools.read({ file_path: 'notes.md' })
await tools.edit({ file_path: 'notes.md', old_string: 'two', new_string: 'zwei' })
const { output } = await tools.bash({ command: 'echo counted', description: 'Say so' })
try {
  await tools.read({ file_path: 'nothing.txt' })
} catch (error) {
  console.log(error.name, error.toolName)
}
return { lines: 'lines' in notes ? notes.lines.length : 0, output }`

const FAILING = `console.log('before')
interface Point { x: number }
const point: Point | undefined = undefined
return point.x`

const chosen = async (stage: Stage): Promise<void> => {
  await stage.request('session/set_config_option', { configId: 'code_mode', value: 'both' })
}

export const CODE_RECIPES: (Pick<Recipe, 'name' | 'turns' | 'play'> & Partial<Recipe>)[] = [
  {
    name: 'run-code',
    turns: [
      {
        steps: [
          { do: [run('p', PROGRAM, 'Count and correct'), run('f', FAILING, 'Fail')] },
          { do: [{ text: 'Done.' }] },
        ],
      },
    ],
    play: async (stage) => {
      await chosen(stage)
      await stage.say('Count.')
    },
  },
  {
    name: 'run-code-asked',
    mode: undefined,
    turns: [
      {
        steps: [
          {
            do: [
              run(
                'p',
                `for (const name of ['a.txt', 'b.txt']) {
  await tools.write({ file_path: name, content: name + '\\n' }).catch((error) => console.log(error.message))
}`,
                'Write two files',
              ),
            ],
          },
          { do: [{ text: 'Done.' }] },
        ],
      },
    ],
    play: async (stage) => {
      await chosen(stage)
      stage.answer = ({ toolCall }) => (toolCall.toolCallId.endsWith(':1') ? 'reject-once' : 'allow-once')
      await stage.say('Write.')
    },
  },
]
