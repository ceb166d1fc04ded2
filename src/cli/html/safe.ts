// Pieces of HTML that are escaped where they are put together, by hono.
import { html as template, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString

/** A template whose values are escaped, unless they are HTML already. Values are strings, numbers and `Html`. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html)[]): Html {
  // Only promises among the values make the result one.
  return template(parts, ...values) as Html
}

export function join(pieces: readonly Html[], between = ''): Html {
  return raw(pieces.join(between)) as Html
}

export const NOTHING: Html = raw('') as Html

/** Text of ours that is HTML, style or script as it stands. */
export function safe(text: string): Html {
  return raw(text) as Html
}
