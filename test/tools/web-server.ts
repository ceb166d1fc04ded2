// A web server on a port of its own, for tests.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebServer extends AsyncDisposable {
  port: number
  /** `http://127.0.0.1:…`, without a slash at the end. */
  url: string
  requests: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers'] }[]
}

export async function serve(listener: RequestListener): Promise<WebServer> {
  const requests: WebServer['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers })
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
