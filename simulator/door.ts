/**
 * The sockets that listen. They can be shut and opened again at the same port while the simulator
 * goes on: while shut, every connection is cut and a new one meets the true "connection refused" of
 * the operating system.
 *
 * `localhost` stands for two addresses on most machines, and both are served.
 */
import { lookup } from "node:dns/promises"
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"

export type Connections = {
  /**
   * Cuts every connection, also those with a call on the way, and lets nobody in.
   *
   * @param forMs real time until it accepts again by itself; without it until `accept()`
   */
  refuse(forMs?: number): Promise<void>
  /** Listens again, at the same port. Nothing happens when it does already. */
  accept(): Promise<void>
}

export type Door = Connections & {
  /** Listens. Rejects with a sentence when the port is taken; 0 takes any free one. */
  open(port: number): Promise<number>
  /** Shuts for good. */
  close(): Promise<void>
}

/** Longer than the pauses of a caller that keeps its connections. */
const KEEP_ALIVE_MS = 72_000

type Listener = { server: Server; address: string }

export function createDoor(serve: RequestListener, host: string): Door {
  const listeners: Listener[] = []
  let boundPort = 0
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  let last: Promise<void> = Promise.resolve()

  /** One after the other: a socket that is being shut cannot be opened. */
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    last = last.then(step, step)
    return last
  }
  const stopTimer = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const shut = () => inTurn(async () => void (await Promise.all(listeners.map(closed))))
  const accept = () => {
    stopTimer()
    return inTurn(async () => {
      if (isClosed) return
      const idle = listeners.filter(({ server }) => !server.listening)
      await Promise.all(idle.map((listener) => listening(listener, boundPort)))
    })
  }

  return {
    async open(port) {
      const [first = host, ...others] = await addressesOf(host)
      const main = listenerAt(first, serve)
      await listening(main, port)
      listeners.push(main)
      const bound = main.server.address()
      if (bound === null || typeof bound === "string") throw new Error("No TCP address.")
      boundPort = bound.port
      for (const address of others) {
        const other = listenerAt(address, serve)
        // The name's second address may be missing here, or taken; the first one is what counts.
        if (await isDone(listening(other, boundPort))) listeners.push(other)
      }
      return boundPort
    },
    refuse(forMs) {
      stopTimer()
      // A call that was on the way when the door was closed may still meet this fault.
      if (forMs !== undefined && !isClosed) timer = setTimeout(() => void accept(), forMs)
      return shut()
    },
    accept,
    async close() {
      isClosed = true
      stopTimer()
      await shut()
    },
  }
}

async function addressesOf(host: string): Promise<string[]> {
  if (host !== "localhost") return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

function listenerAt(address: string, serve: RequestListener): Listener {
  const server = createServer(serve)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return { server, address }
}

async function listening({ server, address }: Listener, port: number): Promise<void> {
  try {
    server.listen({ port, host: address })
    await once(server, "listening")
  } catch (error) {
    if (typeof error === "object" && error && "code" in error && error.code === "EADDRINUSE") {
      throw new Error(`Port ${port} is taken: the gateway simulator cannot listen on it.`, {
        cause: error,
      })
    }
    throw error
  }
}

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

async function closed({ server }: Listener): Promise<void> {
  if (!server.listening) return
  const isClosed = once(server, "close")
  server.close()
  server.closeAllConnections()
  await isClosed
}
