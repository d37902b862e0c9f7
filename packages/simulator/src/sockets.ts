/**
 * The listening sockets. They can be closed and opened again at the same port while the simulator
 * runs: while closed, every connection is cut and a new one meets the operating system's own
 * "connection refused".
 *
 * `localhost` stands for two addresses on most machines; both are served.
 */
import { lookup } from "node:dns/promises"
import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"

export type Connections = {
  /**
   * Cuts every connection, also those with a call under way, and refuses new ones.
   *
   * @param forMs real time until it accepts again by itself; without it until `accept()`
   */
  refuse(forMs?: number): Promise<void>
  /** Listens again at the same port; does nothing if it already listens. */
  accept(): Promise<void>
}

export type Sockets = Connections & {
  /**
   * Listens and returns the port; 0 takes any free one. Rejects with a sentence if the port is
   * taken.
   */
  open(port: number): Promise<number>
  /** Closes for good. */
  close(): Promise<void>
}

/** Longer than the pauses of a client that keeps its connections open. */
const KEEP_ALIVE_MS = 72_000

type Listener = { server: Server; address: string }

export function createSockets(serve: RequestListener, host: string): Sockets {
  const listeners: Listener[] = []
  let boundPort = 0
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  let last: Promise<void> = Promise.resolve()

  /** Runs steps one after another: a socket can't be opened while it is being closed. */
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
        // The name's second address may be missing or taken on this machine; the first one is
        // enough.
        if (await isDone(listening(other, boundPort))) listeners.push(other)
      }
      return boundPort
    },
    refuse(forMs) {
      stopTimer()
      // A call that was under way when the sockets closed may still meet this fault.
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
