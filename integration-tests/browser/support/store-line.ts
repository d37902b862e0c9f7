/**
 * The line between a browser and the store, which can be cut with its open streams. Chromium's own
 * offline mode leaves a stream alone that is open already.
 */
import { once } from "node:events"
import net from "node:net"

export type StoreLine = {
  /** The store at the other end of the line. */
  readonly url: string
  /** Until it is restored, no connection is taken. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

export async function storeLine(storeUrl: string): Promise<StoreLine> {
  const { hostname, port } = new URL(storeUrl)
  const open = new Set<net.Socket>()
  let isCut = false
  const server = net.createServer((browser) => {
    if (isCut) return void browser.destroy()
    const store = net.connect(Number(port), hostname)
    for (const [one, other] of [
      [browser, store],
      [store, browser],
    ] as const) {
      open.add(one)
      one.on("error", () => other.destroy())
      one.on("close", () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, "localhost")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the line has no port")
  const url = new URL(storeUrl)
  url.port = String(address.port)
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    url: url.origin,
    cut,
    restore: () => void (isCut = false),
    async close() {
      cut()
      server.close()
      await once(server, "close")
    },
  }
}
