// Reads and checks a scenario file.
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { systemCode } from '#json/thrown.ts'
import { MODEL_ERROR_CODES, ModelError } from './error.ts'
import { FINISH_REASONS } from './port.ts'
import type { Scenario } from './scenario.ts'

const tokens = z.int().nonnegative()
const milliseconds = z.number().nonnegative()
const id = z.string().min(1).optional()

const call = z
  .strictObject({
    id,
    name: z.string(),
    arguments: z.record(z.string(), z.json()).optional(),
    raw: z.string().optional(),
  })
  .refine(
    (value) => (value.arguments === undefined) !== (value.raw === undefined),
    'needs either arguments or raw',
  )

const action = z
  .strictObject({
    thought: z.string().optional(),
    text: z.string().optional(),
    call: call.optional(),
    delayMs: milliseconds.optional(),
    error: z
      .strictObject({ code: z.enum(MODEL_ERROR_CODES), message: z.string(), status: z.int().optional() })
      .optional(),
    hang: z.literal(true).optional(),
  })
  .refine(
    (value) => Object.keys(value).length === 1,
    'needs exactly one of thought, text, call, delayMs, error, hang',
  )

const step = z.strictObject({
  do: z.array(action),
  finish: z.enum(FINISH_REASONS).optional(),
  usage: z
    .strictObject({
      inputTokens: tokens.optional(),
      outputTokens: tokens.optional(),
      cachedInputTokens: tokens.optional(),
      cost: z.strictObject({ amount: z.number().nonnegative(), currency: z.string() }).optional(),
    })
    .optional(),
})

const scenario = z.strictObject({
  $schema: z.string().optional(),
  name: z.string(),
  contextWindow: z.int().positive().optional(),
  chunkMs: milliseconds.optional(),
  turns: z
    .array(
      z.strictObject({
        match: z.string().refine(isExpression, 'is no regular expression').optional(),
        steps: z.array(step),
      }),
    )
    .min(1),
})

function isExpression(source: string): boolean {
  try {
    RegExp(source)
    return true
  } catch {
    return false
  }
}

/** Throws `ModelError('config')`, which names the file and the place in it. A byte order mark is accepted. */
export async function readScenario(path: string): Promise<Scenario> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = systemCode(error) ?? 'unreadable'
    throw new ModelError('config', `The scenario ${path} can't be read (${code}).`, { cause: error })
  })
  return parseScenario(text.replace(/^\uFEFF/, ''), path)
}

/** `path` is only named in errors. Throws `ModelError('config')`. */
export function parseScenario(text: string, path: string): Scenario {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ModelError('config', `The scenario ${path} is no JSON: ${String(error)}.`, { cause: error })
  }
  const checked = scenario.safeParse(value)
  // Exactly one of the optional members of an action is there: that is what the type says as a union.
  if (checked.success) return checked.data as Scenario
  const [issue] = checked.error.issues
  const place = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.')
  throw new ModelError('config', `The scenario ${path} is wrong at ${place}: ${issue?.message ?? 'unknown'}.`)
}
