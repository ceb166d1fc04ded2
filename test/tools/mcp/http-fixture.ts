// A streamable HTTP server in this process, with an authorization server beside it where that is wanted.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Json = Record<string, unknown>
export type Answer = (params: Json, response: ServerResponse) => Json | undefined

export interface HttpFixture {
  url: string
  origin: string
  /** Headers of the requests to the server itself. */
  headers: IncomingMessage['headers'][]
  methods: string[]
  /** Forgets all sessions, as a server does that was started again. */
  forget(): void
  /** Makes the access tokens of now invalid. */
  expire(): void
  /** How often the token endpoint was used, by grant. */
  grants: string[]
  registered: string[]
}

export interface HttpFixtureOptions {
  /** What a call answers; undefined: the function answered by itself. */
  call?: Answer
  /** Whether it wants a token of its authorization server. */
  protect?: boolean
  /** A fixed status for all requests to the server. */
  status?: number
}

export async function startHttpFixture({
  call,
  protect = false,
  status,
}: HttpFixtureOptions = {}): Promise<HttpFixture> {
  const sessions = new Set<string>()
  const oauth = authorizationServer()
  const fixture: HttpFixture = {
    url: '',
    origin: '',
    headers: [],
    methods: [],
    forget: () => sessions.clear(),
    expire: () => oauth.access.clear(),
    grants: oauth.grants,
    registered: oauth.registered,
  }
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', fixture.origin)
      if (url.pathname !== '/mcp') return oauth.handle(url, request, response, fixture.origin)
      fixture.headers.push(request.headers)
      if (status !== undefined) return void response.writeHead(status).end('no')
      const token = request.headers.authorization?.replace('Bearer ', '')
      if (protect && !oauth.access.has(token ?? '')) {
        const where = `${fixture.origin}/.well-known/oauth-protected-resource/mcp`
        return void response
          .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${where}"` })
          .end()
      }
      if (request.method === 'DELETE') fixture.methods.push('DELETE')
      if (request.method !== 'POST') return void response.writeHead(405).end()
      await serve(request, response, sessions, fixture, call)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fixture.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fixture.url = `${fixture.origin}/mcp`
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return fixture
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Set<string>,
  fixture: HttpFixture,
  call: Answer | undefined,
): Promise<void> {
  const {
    id,
    method,
    params = {},
  } = JSON.parse(await readText(request)) as { id?: unknown; method: string; params?: Json }
  fixture.methods.push(method)
  if (id === undefined) return void response.writeHead(202).end()
  if (method !== 'initialize' && !sessions.has(String(request.headers['mcp-session-id'])))
    return void response.writeHead(404).end('no such session')
  const session = randomUUID()
  if (method === 'initialize') sessions.add(session)
  const tools = [
    { name: 'echo', inputSchema: { type: 'object' } },
    { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  ]
  const results: Record<string, () => Json | undefined> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'http', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': () =>
      call
        ? call(params, response)
        : { content: [{ type: 'text', text: JSON.stringify(params['arguments']) }] },
  }
  const result = results[method]?.()
  if (result === undefined) return
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(method === 'initialize' && { 'mcp-session-id': session }),
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

function authorizationServer() {
  const access = new Set<string>()
  const refresh = new Set<string>()
  const codes = new Map<string, { challenge: string; redirect: string }>()
  const grants: string[] = []
  const registered: string[] = []
  const send = (response: ServerResponse, body: Json, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const issue = (response: ServerResponse): void => {
    const [token, again] = [randomUUID(), randomUUID()]
    access.add(token)
    refresh.add(again)
    send(response, { access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: again })
  }
  const takeCode = (form: URLSearchParams): boolean => {
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return known?.challenge === challenge && known.redirect === form.get('redirect_uri')
  }
  const handle = async (
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    origin: string,
  ): Promise<void> => {
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return send(response, { resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (url.pathname.startsWith('/.well-known/oauth-authorization-server'))
      return send(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    if (url.pathname === '/register') {
      const client = JSON.parse(await readText(request)) as Json
      registered.push(String(client['client_name']))
      return send(response, { ...client, client_id: randomUUID() }, 201)
    }
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      const redirect = url.searchParams.get('redirect_uri') ?? ''
      codes.set(code, { challenge: url.searchParams.get('code_challenge') ?? '', redirect })
      const back = new URL(redirect)
      back.search = String(new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }))
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await readText(request))
      grants.push(form.get('grant_type') ?? '')
      const fits =
        form.get('grant_type') === 'refresh_token'
          ? refresh.delete(form.get('refresh_token') ?? '')
          : takeCode(form)
      return fits ? issue(response) : send(response, { error: 'invalid_grant' }, 400)
    }
    return void response.writeHead(404).end()
  }
  return { access, grants, registered, handle }
}
