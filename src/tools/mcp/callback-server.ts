// The address on this machine to which a browser comes back when a person has authorized.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const PATH = '/callback'
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Deckhand</title><p style="font:16px system-ui;margin:3em">${text}</p>\n`

export interface CallbackServer {
  readonly url: string
  /** The parameters that the browser brought; `state` is checked. Rejects when `signal` aborts. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}

/** Listens on 127.0.0.1. `port` 0: any. Rejects when the port is taken. */
export async function openCallbackServer(port: number): Promise<CallbackServer> {
  let waiting: { state: string; arrived(params: URLSearchParams): void } | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const ours =
      url.pathname === PATH && waiting !== undefined && url.searchParams.get('state') === waiting.state
    const failed = url.searchParams.has('error')
    response.writeHead(ours ? 200 : 404, { 'content-type': 'text/html', connection: 'close' })
    const told = failed ? 'Authorization was refused.' : 'Authorized. You can close this page.'
    response.end(page(ours ? told : 'Nothing is waiting for this.'))
    if (ours) waiting?.arrived(url.searchParams)
  })
  await listen(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    wait: (state, signal) =>
      new Promise((resolve, reject) => {
        waiting = { state, arrived: resolve }
        const giveUp = (): void => reject(new Error('nobody authorized'))
        signal.addEventListener('abort', giveUp, { once: true })
        if (signal.aborted) giveUp()
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  server.unref()
}
