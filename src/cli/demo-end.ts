// What the demo says of its own end: the tests, what was rejected, or that it was cancelled.
import type { StopReason } from '@agentclientprotocol/sdk'
import { count, rows } from './draw/frame.ts'
import type { Canvas } from './draw/paint.ts'

/** Without `pass` nobody looked at the tests, because the session was cancelled. */
export interface End {
  stopReason?: StopReason
  pass?: boolean | undefined
  /** Where the project stays. */
  kept: string | undefined
}

/** Rows of a frame. `rejected` is the number of steps that the person rejected. */
export function endingRows(canvas: Canvas, { pass }: End, rejected: number): string[] {
  const steps = `${count(rejected, 'step')} ${rejected === 1 ? 'was' : 'were'} rejected`
  if (pass === undefined) {
    const before = rejected === 0 ? '' : `; before that, ${steps}`
    return rows(canvas, `✖ Cancelled before the end: what came above is all that happened${before}`, 'warn')
  }
  const result = pass
    ? `✔ The sample's tests pass${rejected === 0 ? '' : `, though ${steps}`}`
    : `✖ The sample's tests ${rejected === 0 ? 'fail' : `still fail: ${steps}`}`
  return [
    ...rows(canvas, result, pass ? 'good' : rejected === 0 ? 'bad' : 'warn'),
    ...(rejected === 0
      ? []
      : rows(canvas, 'The model follows a script: its plan and its last words do not know of that.', 'dim')),
    ...rows(canvas, 'Run once more by the demo itself: node --test', 'dim'),
  ]
}
