// A proxy on 127.0.0.1 that tunnels, and remembers what it was asked for.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

export interface Proxy extends AsyncDisposable {
  url: string
  /** `host:port` of each tunnel, and the credentials that were sent with it. */
  tunnels: { to: string; credentials: string | undefined }[]
}

/** Tunnels everything to one port, whatever host was asked for. */
export async function startProxy(port: number): Promise<Proxy> {
  const tunnels: Proxy['tunnels'] = []
  const sockets: { destroy(): void }[] = []
  const server = createServer()
  server.on('connect', (request, socket, head: Buffer) => {
    tunnels.push({ to: request.url ?? '', credentials: request.headers['proxy-authorization'] })
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
    sockets.push(socket, target)
  })
  const url = await listening(server)
  const end = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await stop(server)
  }
  return { url, tunnels, [Symbol.asyncDispose]: end }
}

/** Resolves with its address. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
