// What the scripted model does behind the door; nothing of it may change a file, since nobody allows it.
import type { JsonObject } from '#json/value.ts'
import type { Scenario, ScenarioAction } from '#model/scenario.ts'

const call = (name: string, args: JsonObject): ScenarioAction => ({ call: { name, arguments: args } })

export const SCENARIO: Scenario = {
  name: 'fuzz',
  turns: [
    { match: 'hang', steps: [{ do: [{ text: 'wait' }, { hang: true }] }] },
    {
      match: 'write',
      steps: [{ do: [call('write', { file_path: 'written.txt', content: 'x' })] }, { do: [{ text: 'so' }] }],
    },
    {
      match: 'command',
      steps: [{ do: [call('bash', { command: 'touch written.txt' })] }, { do: [{ text: 'so' }] }],
    },
    {
      match: 'read',
      steps: [
        { do: [call('read', { file_path: 'a.txt' }), call('glob', { pattern: '*' })] },
        { do: [{ text: '{{result}}' }] },
      ],
    },
    {
      match: 'plan',
      steps: [
        { do: [call('exit_plan', { plan: 'delete all' }), call('ask_user', { question: 'well?' })] },
        { do: [{ text: 'so' }] },
      ],
    },
    { match: 'fails', steps: [{ do: [{ text: 'begin' }, { error: { code: 'server', message: 'down' } }] }] },
    {
      match: 'odd',
      steps: [
        { do: [{ call: { name: '', raw: '{' } }, call('nope', {}), call('read', { file_path: 5 })] },
        { do: [{ text: 'so' }] },
      ],
    },
    {
      match: 'deep',
      steps: [
        {
          do: [900, 3000, 6500, 100_000].map((depth) => ({
            call: { name: 'read', raw: `{"file_path":${'['.repeat(depth)}${']'.repeat(depth)}}` },
          })),
        },
        { do: [{ text: 'so' }] },
      ],
    },
    { steps: [{ do: [{ thought: 'hm' }, { text: 'all is well: {{prompt}}' }] }] },
  ],
}
