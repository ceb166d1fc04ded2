// What a client may say: parameters by the book, for each method. `§…§` are marks that `fill` replaces.

export const SESSIONS = ['§s0§', '§s1§', '§s2§']

const [s0, s1, s2] = SESSIONS as [string, string, string]
const text = (words: string) => [{ type: 'text', text: words }]
const prompt = (sessionId: string, words: string) => ({ sessionId, prompt: text(words) })
const server = (more: object) => ({ name: 'x', command: '/nonexistent/server', args: [], env: [], ...more })

/** Keys that begin with `$` or end on `cancel` are notifications. */
export const METHODS: Readonly<Record<string, readonly unknown[]>> = {
  initialize: [
    { protocolVersion: 1, clientCapabilities: {} },
    {
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        elicitation: { form: {} },
        session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
        _meta: { terminal_output: true, 'deckhand/card': true },
      },
      clientInfo: { name: 'fuzz', title: 'Fuzz', version: '1' },
    },
    { protocolVersion: 99 },
  ],
  authenticate: [{ methodId: 'api-key' }],
  logout: [{}],
  'session/new': [
    { cwd: '§cwd§', mcpServers: [] },
    {
      cwd: '§cwd§',
      mcpServers: [
        server({}),
        server({ command: 'true' }),
        server({ name: 'y', env: [{ name: 'A', value: 'b' }] }),
      ],
    },
    {
      cwd: '§cwd§',
      mcpServers: [
        { type: 'http', name: 'h', url: 'http://127.0.0.1:9/mcp', headers: [{ name: 'a', value: 'b' }] },
      ],
    },
    { cwd: '§cwd§', additionalDirectories: ['§root§', '/nonexistent'], mcpServers: [] },
  ],
  'session/load': [
    { sessionId: s0, cwd: '§cwd§', mcpServers: [] },
    { sessionId: s1, cwd: '§cwd§', mcpServers: [server({})] },
  ],
  'session/resume': [
    { sessionId: s0, cwd: '§cwd§', mcpServers: [] },
    { sessionId: s2, cwd: '§cwd§', mcpServers: [] },
  ],
  'session/list': [{}, { cwd: '§cwd§' }, { cursor: 'MjAyNi0wMS0wMVQwMDowMDowMC4wMDBaIGE' }],
  'session/close': [{ sessionId: s2 }],
  'session/delete': [{ sessionId: s2 }],
  'session/set_mode': [
    { sessionId: s0, modeId: 'plan' },
    { sessionId: s1, modeId: 'ask' },
  ],
  'session/set_config_option': [
    { sessionId: s0, configId: 'mode', value: 'ask' },
    { sessionId: s1, configId: 'model', value: 'scripted/fuzz' },
  ],
  '_session/steering': [
    prompt(s0, 'more'),
    { ...prompt(s1, 'more'), _meta: { steering: { idleBehavior: 'promptRequired' } } },
  ],
  'session/prompt': [
    prompt(s0, 'fine'),
    prompt(s1, 'fine'),
    prompt(s2, 'fine'),
    prompt(s0, 'hang'),
    prompt(s1, 'write'),
    prompt(s2, 'command'),
    prompt(s1, 'read'),
    prompt(s0, 'plan'),
    prompt(s1, 'fails'),
    prompt(s0, 'odd'),
    prompt(s2, 'deep'),
    prompt(s0, '/help'),
    prompt(s1, '/compact'),
    prompt(s0, '/rewind 1'),
    prompt(s1, '/permissions'),
    prompt(s2, '/diff'),
    prompt(s0, '/usage'),
    prompt(s1, '/mcp'),
    prompt(s2, '/model nope'),
    {
      sessionId: s0,
      prompt: [
        ...text('fine'),
        { type: 'resource_link', uri: 'file:///tmp/a%20b.ts', name: 'a b.ts' },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///x', text: 'fine' } },
        { type: 'resource', resource: { uri: 'file:///x', blob: 'AAAA' } },
      ],
    },
  ],
  'session/cancel': [{ sessionId: s0 }, { sessionId: s1 }, { sessionId: s2 }],
  '$/cancel_request': [{ requestId: 1 }, { requestId: 'a' }, { requestId: null }],
  '$/unknown': [{}],
}
