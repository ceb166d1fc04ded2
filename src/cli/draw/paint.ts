// Colours by meaning. A canvas says how many the terminal has.
import { WriteStream } from 'node:tty'

export type Depth = 'none' | 'basic' | 'full'
export interface Canvas {
  /** Columns that a line may use, at least 40. */
  readonly width: number
  readonly paint: Paint
}
export type Style =
  | 'plain'
  | 'strong'
  | 'dim'
  | 'frame'
  | 'accent'
  | 'good'
  | 'bad'
  | 'warn'
  | 'code'
  | 'thought'
  | 'added'
  | 'removed'
  | 'chosen'
export type Paint = (style: Style, text: string) => string

const BASIC: Record<Style, string> = {
  plain: '',
  strong: '1',
  dim: '2',
  frame: '90',
  accent: '36',
  good: '32',
  bad: '31',
  warn: '33',
  code: '36',
  thought: '2;3',
  added: '32',
  removed: '31',
  chosen: '1;7',
}
const FULL: Record<Style, string> = {
  plain: '',
  strong: '1',
  dim: '38;2;139;148;158',
  frame: '38;2;88;96;105',
  accent: '38;2;88;166;255',
  good: '38;2;86;211;100',
  bad: '38;2;255;123;114',
  warn: '38;2;227;179;65',
  code: '38;2;121;192;255',
  thought: '3;38;2;139;148;158',
  added: '38;2;210;255;220;48;2;18;56;34',
  removed: '38;2;255;220;215;48;2;73;24;28',
  chosen: '1;38;2;255;255;255;48;2;31;79;140',
}

export function painter(depth: Depth): Paint {
  if (depth === 'none') return (_style, text) => text
  const table = depth === 'full' ? FULL : BASIC
  return (style, text) =>
    text === '' || table[style] === '' ? text : `\u001b[${table[style]}m${text}\u001b[0m`
}

/** What the environment asks for (NO_COLOR, FORCE_COLOR), else what the stream is: no colours where it is no terminal. */
export function depthOf(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Depth {
  if (env['NO_COLOR']) return 'none'
  if (!stream.isTTY && !env['FORCE_COLOR']) return 'none'
  const bits = WriteStream.prototype.getColorDepth.call(stream, env)
  if (bits <= 1) return 'none'
  return bits >= 24 ? 'full' : 'basic'
}

/** A canvas for the stream: as wide as the terminal, between 40 and 100 columns. */
export function canvasFor(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv): Canvas {
  const columns = stream.columns ?? Number(env['COLUMNS'] ?? 88)
  const width = Math.max(40, Math.min(100, Number.isFinite(columns) ? columns : 88))
  return { width, paint: painter(depthOf(stream, env)) }
}
