// The embedded scenario of `scripted/demo`: what the model says and does in `deckhand demo`, on the sample in demo/cart.
import type { JsonObject } from '#json/value.ts'
import type { Scenario } from './scenario.ts'

const STEPS = [
  'Read the test and the code',
  'See the test fail',
  'Fix the rounding',
  'See the test pass',
] as const

/** The plan with `done` steps behind it and the next one under way. */
function plan(done: number): { call: { name: string; arguments: JsonObject } } {
  const todos = STEPS.map((content, index) => ({
    content,
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
    priority: 'medium',
  }))
  return { call: { name: 'todo_write', arguments: { todos } } }
}

const runTests = {
  call: {
    name: 'bash',
    arguments: { command: 'node --test --test-reporter=spec', description: "Run the project's tests" },
  },
}

const EDIT = {
  file_path: 'cart.js',
  old_string: `export function tax(items, rate) {
  const taxes = items.map((item) => Math.round(price(item) * rate))
  return taxes.reduce((sum, cents) => sum + cents, 0)
}`,
  new_string: `export function tax(items, rate) {
  return Math.round(subtotal(items) * rate)
}`,
}

/** Works for any prompt, and makes sense when the person rejects a step: the last run shows how things stand. */
export const demoScenario: Scenario = {
  name: 'demo',
  contextWindow: 200_000,
  chunkMs: 15,
  turns: [
    {
      steps: [
        {
          do: [
            {
              thought: 'Before I change anything I want to see what the test expects and what the code does.',
            },
            { text: "I'll start with the test and the code it checks." },
            plan(0),
            { call: { name: 'read', arguments: { file_path: 'cart.test.js' } } },
            { call: { name: 'read', arguments: { file_path: 'cart.js' } } },
          ],
          usage: { inputTokens: 2140, outputTokens: 118 },
        },
        {
          do: [{ text: 'Both are short. Now I run the tests to see the failure myself.' }, plan(1), runTests],
          usage: { inputTokens: 2890, outputTokens: 64 },
        },
        {
          do: [
            {
              thought:
                'Expected 71, got 72. Each line is rounded on its own: 33.5 + 29.8 + 7.5 become 34 + 30 + 8. The whole bill is 708, its tax 70.8, so 71.',
            },
            {
              text: 'The cause is in `tax`: it rounds **every line**, and the halves add up to one cent too much. The tax has to be rounded once, on the whole bill.',
            },
            plan(2),
            { call: { name: 'edit', arguments: EDIT } },
          ],
          usage: { inputTokens: 3420, outputTokens: 201 },
        },
        {
          do: [{ text: 'And once more:' }, plan(3), runTests],
          usage: { inputTokens: 3710, outputTokens: 58 },
        },
        { do: [plan(4)], usage: { inputTokens: 4020, outputTokens: 40 } },
        {
          do: [
            {
              text: '**What was wrong:** `tax` rounded each line of the cart, so half cents piled up.\n\n**What I did:** `tax` now rounds once, on `subtotal(items) * rate`. The tests stay as they were; the last run above shows where they stand.',
            },
          ],
          usage: { inputTokens: 4110, outputTokens: 77 },
        },
      ],
    },
  ],
}
