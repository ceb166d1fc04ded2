// The providers, one row each.
import type { ApiId } from '#config/settings.ts'
import type { Api, ProviderRow } from '#model/provider.ts'
import { anthropic } from './anthropic.ts'
import { deepseek } from './deepseek.ts'
import { google } from './google.ts'
import { openai, openaiChat, openaiResponses } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'

/** In the order in which keys are looked for. */
export const PROVIDERS: readonly ProviderRow[] = [anthropic, openai, google, deepseek, openaiCompatible]

/** By the word of the configuration. */
export const APIS: Readonly<Record<ApiId, Api>> = {
  anthropic,
  openai,
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  google,
  deepseek,
  'openai-compatible': openaiCompatible,
}
