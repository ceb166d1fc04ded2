// /usage: tokens and cost of the session.
import { DONE, type Command } from './command.ts'

export const usage: Command = {
  name: 'usage',
  description: 'Show the tokens and the cost of this session',
  run: ({ session, say }) => {
    const { requests, uncounted, inputTokens, outputTokens, cachedInputTokens, context, cost } =
      session.usage()
    if (requests === 0) {
      say('No model request has been made in this session yet.')
      return DONE
    }
    if (requests === uncounted) {
      say(`- model requests: ${count(requests)}\n- tokens: the provider reports none`)
      return DONE
    }
    const unknown = uncounted > 0 ? `, ${count(uncounted)} of them without reported tokens` : ''
    const share = context ? ` (${Math.round((context.used / context.size) * 100)} %)` : ''
    const lines = [
      `- model requests: ${count(requests)}${unknown}`,
      `- input tokens: ${count(inputTokens)}${cachedInputTokens > 0 ? `, ${count(cachedInputTokens)} of them cached` : ''}`,
      `- output tokens: ${count(outputTokens)}`,
      ...(context ? [`- context: ${count(context.used)} of ${count(context.size)} tokens${share}`] : []),
      ...(cost ? [`- cost: ${cost.amount.toFixed(4)} ${cost.currency}`] : []),
    ]
    say(lines.join('\n'))
    return DONE
  },
}

function count(value: number): string {
  return value.toLocaleString('en')
}
