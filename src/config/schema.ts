// The configuration file: its shape, as checked and as published for editors. Loaded only when there is a file.
import * as z from 'zod'
import { API_IDS, CODE_MODES, isEndpoint, MODE_IDS, MODEL_NAME } from './settings.ts'
import { THOUGHT_LEVELS } from './thought-level.ts'

const name = z.string().regex(MODEL_NAME, 'expected provider/model, for example anthropic/claude-sonnet-5-5')
const address = z
  .string()
  .regex(/^https?:\/\//, 'expected an http or https address')
  .refine(isEndpoint, 'expected an http or https address')
const words = z.array(z.string().min(1))
const count = z.int().positive()
const price = z.number().nonnegative()
const texts = z.record(z.string(), z.string())
const rules = z.union([words, z.string().transform((rule) => [rule])])

const prices = z
  .strictObject({
    input: price,
    output: price,
    cachedInput: price.optional(),
    cacheWrite: price.optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'expected a code such as USD')
      .optional(),
  })
  .describe('What a million tokens cost.')

const model = z.strictObject({
  label: z.string().optional(),
  contextWindow: count.optional(),
  images: z.boolean().optional(),
  thoughtLevels: z.array(z.enum(THOUGHT_LEVELS)).optional(),
  prices: prices.optional(),
})

const provider = z.strictObject({
  api: z.enum(API_IDS).optional().describe('The wire API; needed for a provider that is not built in.'),
  label: z.string().optional(),
  baseURL: address.optional(),
  apiKeyEnv: z.string().min(1).optional().describe('The environment variable that holds the key.'),
  headers: texts.optional().describe('Sent with every request; ${NAME} is read from the environment.'),
  models: z.union([words, z.record(z.string(), model)]).optional(),
  contextWindow: count.optional(),
  images: z.boolean().optional(),
})

const server = z
  .strictObject({
    type: z.enum(['stdio', 'http', 'sse']).optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().optional(),
    url: address.optional(),
    headers: texts.optional(),
    trust: z.boolean().optional().describe('Calls of its tools do not ask.'),
    sampling: z.boolean().optional().describe('The server may ask the selected model, at your cost.'),
    disabled: z.boolean().optional(),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    'expected either command or url',
  )

const search = z
  .strictObject({
    kind: z.enum(['searxng', 'brave', 'tavily']),
    url: address.optional(),
    apiKeyEnv: z.string().optional(),
  })
  .refine(
    ({ kind, url }) => kind !== 'searxng' || url !== undefined,
    'expected url: SearXNG has no address of its own',
  )

const limits = z.strictObject({
  modelRequests: count.optional().describe('Model requests a turn.'),
  parallel: count.optional().describe('Calls of tools at a time.'),
  retries: z.int().nonnegative().optional().describe('Tries of a failed model request.'),
  idleTimeoutMs: count.optional().describe('The longest silence of a provider.'),
  bashTimeoutMs: count.optional(),
  codeTimeoutMs: count.optional().describe('Busy time of a run_code.'),
  codeWallMs: count.optional(),
  codeMemoryMiB: count.optional(),
  codeOutputBytes: count.optional(),
  codeCalls: count.optional(),
})

const days = z.int().nonnegative()

export const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  model: name.optional().describe('provider/model'),
  smallModel: name.optional().describe('provider/model for small work such as titles.'),
  providers: z.record(z.string().regex(/^[^/\s]+$/), provider).optional(),
  mode: z.enum(MODE_IDS).optional(),
  permissions: z
    .strictObject({ allow: rules.optional(), ask: rules.optional(), deny: rules.optional() })
    .optional()
    .describe('Rules such as bash(npm test *), edit(src/**), mcp(github/*).'),
  mcpServers: z.record(z.string().min(1), server).optional(),
  tools: z
    .strictObject({ allow: words.optional(), deny: words.optional() })
    .optional()
    .describe('Hides built-in tools: all but the allowed ones, and the denied ones.'),
  codeMode: z.enum(CODE_MODES).optional(),
  files: z
    .enum(['editor', 'disk'])
    .optional()
    .describe('disk: files are not read and written through the editor.'),
  sandbox: z
    .union([
      z.enum(['off', 'workspace']),
      z.strictObject({ writes: z.literal('workspace'), allowHosts: words.optional() }),
    ])
    .optional(),
  env: z
    .strictObject({ pass: words.optional() })
    .optional()
    .describe('Variables that commands get although they look secret.'),
  web: z.strictObject({ search: search.optional(), allowHosts: words.optional() }).optional(),
  limits: limits.optional(),
  retention: z
    .strictObject({
      sessionDays: days.optional(),
      snapshotDays: days.optional(),
      outputDays: days.optional(),
    })
    .optional()
    .describe('Days; 0 keeps for ever.'),
  plugins: words.optional(),
  instructions: words.optional().describe('Further files of instructions for the model.'),
  askReason: z
    .boolean()
    .optional()
    .describe('Whether a rejection may be followed by a question for the reason.'),
})

/** What a file says, checked. */
export type FileSettings = z.infer<typeof fileSchema>
export type ServerEntry = z.infer<typeof server>

/** The JSON Schema that editors use for completion. */
export function jsonSchema(): object {
  const schema = z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7' })
  return { ...schema, title: 'Deckhand configuration', allowComments: true, allowTrailingCommas: true }
}
