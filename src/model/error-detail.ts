// What a provider said about its error, fit to be shown: short, one line, no markup, no key.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

const LONGEST = 300

export interface ErrorDetail {
  message?: string
  /** The error object of the body, when there is one. */
  error?: JsonObject
}

/** Reads the usual shapes of error bodies: `{error:{message}}`, `{error:"…"}`, `{message}`, `{detail}`. */
export function detailOf(body: string | undefined): ErrorDetail {
  const value = parsed(body)
  const root = Array.isArray(value) ? value[0] : value
  if (root === undefined || !isJsonObject(root)) return {}
  const inner = root['error']
  if (typeof inner === 'string') return { message: inner, error: { message: inner } }
  if (inner !== undefined && isJsonObject(inner)) {
    return { error: inner, ...(typeof inner['message'] === 'string' && { message: inner['message'] }) }
  }
  const message = root['message'] ?? root['detail']
  return typeof message === 'string' ? { message } : {}
}

function parsed(body: string | undefined): JsonValue | undefined {
  try {
    return body === undefined ? undefined : JSON.parse(body)
  } catch {
    return undefined
  }
}

/** `secrets`: keys that were sent; patterns of keys and passwords in addresses are covered too. */
export function presentable(text: string, secrets: readonly string[]): string {
  let out = text
  for (const secret of secrets) if (secret.length >= 4) out = out.replaceAll(secret, '[key]')
  out = out
    .replace(/\b(sk|pk|gsk|xai|key)-[\w*.-]{4,}/gi, '[key]')
    .replace(/\bAIza[\w-]{10,}/g, '[key]')
    .replace(/\bBearer\s+[^\s"']+/gi, 'Bearer [key]')
    .replace(/\/\/[^/@\s]+@/g, '//')
    .replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return out.length > LONGEST ? `${out.slice(0, LONGEST).toWellFormed()}…` : out
}
