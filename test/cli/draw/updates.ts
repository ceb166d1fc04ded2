// A session as a client receives it: every kind of card that the terminal draws.
import type { SessionUpdate } from '@agentclientprotocol/sdk'

const text = (value: string) => ({
  type: 'content' as const,
  content: { type: 'text' as const, text: value },
})
const chunk = (
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  value: string,
) => ({ sessionUpdate, content: { type: 'text', text: value } }) satisfies SessionUpdate
const terminal = (id: string, data: string) => ({ terminal_output: { terminal_id: id, data } })

const plan = (...status: ('pending' | 'in_progress' | 'completed')[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: status.map((one, index) => ({ content: `Step ${index + 1}`, priority: 'medium', status: one })),
})

export const updates: SessionUpdate[] = [
  chunk('user_message_chunk', 'Fix the tax, please.'),
  chunk('agent_thought_chunk', 'Look first, '),
  chunk('agent_thought_chunk', 'then leap.'),
  chunk(
    'agent_message_chunk',
    'I will:\n\n- read `cart.js` and every other file that has to do with **tax**\n- fix it',
  ),
  plan('in_progress', 'pending'),
  { sessionUpdate: 'tool_call', toolCallId: 'r', title: 'Read `cart.js`', kind: 'read', status: 'pending' },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'r',
    status: 'completed',
    content: [text('```js\n1  // 日本語\n2  const tax = `${rate}`\n```')],
  },
  plan('completed', 'in_progress'),
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'e',
    title: 'Edit cart.js',
    kind: 'edit',
    status: 'pending',
    locations: [{ path: '/w/cart.js', line: 12 }],
    content: [{ type: 'diff', path: '/w/cart.js', oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n' }],
  },
  { sessionUpdate: 'tool_call_update', toolCallId: 'e', status: 'completed' },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'w',
    title: 'Write notes.md',
    kind: 'edit',
    status: 'pending',
    content: [{ type: 'diff', path: '/w/notes.md', newText: '# Notes\n' }],
  },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'w',
    status: 'failed',
    content: [
      { type: 'diff', path: '/w/notes.md', newText: '# Notes\n' },
      text('The person rejected this call.'),
    ],
  },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'npm test',
    kind: 'execute',
    status: 'pending',
    content: [{ type: 'terminal', terminalId: 't' }],
  },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress' },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 't',
    _meta: terminal('t', '1 of 2\r2 of 2\n\u001b[31mred\u001b[0m '),
  },
  { sessionUpdate: 'tool_call_update', toolCallId: 't', _meta: terminal('t', 'line\nno newline') },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 't',
    status: 'completed',
    _meta: { terminal_exit: { terminal_id: 't', exit_code: 3, signal: null } },
  },
  { sessionUpdate: 'tool_call', toolCallId: 's', title: 'Grep `tax`', kind: 'search', status: 'pending' },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 's',
    status: 'completed',
    content: [text('cart.js\n```\n 9  tax\n```')],
  },
  { sessionUpdate: 'tool_call', toolCallId: 'x', title: 'Wait', kind: 'other', status: 'pending' },
  { sessionUpdate: 'tool_call_update', toolCallId: 'x', status: 'completed', content: [text('done')] },
  plan('completed', 'completed'),
  chunk('agent_message_chunk', 'Done: the tax is right now.'),
]
