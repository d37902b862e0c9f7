/**
 * Lines that the store's processes use instead of the services themselves, so that a test can cut
 * them: one for raw connections, and one before the gateway that remembers what was asked.
 */
import http from "node:http"
import net, { type AddressInfo } from "node:net"
import { once } from "node:events"

export type Line = {
  /** The service's address, over this line. */
  readonly url: string
  /** Cuts every connection and takes no new one for so long. */
  cut(forMs: number): Promise<void>
  /** Leads to another server from now on. */
  turnTo(serviceUrl: string): void
  close(): Promise<void>
}

export async function openLine(serviceUrl: string, usualPort: number): Promise<Line> {
  let target = new URL(serviceUrl)
  const sockets = new Set<net.Socket>()
  let isCut = false
  const server = net.createServer((client) => {
    const service = net.connect(Number(target.port || usualPort), target.hostname)
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one)
      one.on("error", () => one.destroy())
      one.on("close", () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    if (isCut) return void client.destroy()
    client.pipe(service).pipe(client)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(serviceUrl)
  url.hostname = "127.0.0.1"
  url.port = String((server.address() as AddressInfo).port)
  const end = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: url.href,
    async cut(forMs) {
      isCut = true
      end()
      await new Promise((resolve) => setTimeout(resolve, forMs))
      isCut = false
    },
    turnTo(nextUrl) {
      target = new URL(nextUrl)
      end()
    },
    async close() {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A call to the gateway, as it passed by. */
type Asked = { readonly atMs: number; readonly method: string; readonly path: string }

export type GatewayLine = {
  readonly url: string
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

export async function openGatewayLine(gatewayUrl: string): Promise<GatewayLine> {
  const { hostname, port } = new URL(gatewayUrl)
  const asked: Asked[] = []
  const server = http.createServer((request, response) => {
    const { method = "", url: path = "", headers } = request
    asked.push({ atMs: performance.now(), method, path })
    const onward = http.request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    request.on("error", () => onward.destroy())
    request.pipe(onward)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
