/**
 * The line between a worker and its database, which can be cut around one statement: before the
 * database has heard of it, or after it has committed, with its answer lost. It stands in the
 * worker's own process, so that a cut is set in the very moment. New connections are whole again.
 */
import net from "node:net"
import { once } from "node:events"

export type Cut = "before" | "after"

export type DatabaseLine = {
  readonly url: string
  /** Cuts the line at the next statement of this process. */
  cutNext(when: Cut): void
}

/** `ReadyForQuery`, idle: the statement before it is committed and all of its answer is sent. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

export async function openLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl)
  let next: Cut | null = null
  const server = net.createServer((client) => {
    const database = net.connect(Number(target.port), target.hostname)
    let isAnswerLost = false
    const cut = () => {
      client.destroy()
      database.destroy()
    }
    client.on("data", (chunk) => {
      const mine = next
      next = null
      if (mine === "before") return cut()
      isAnswerLost ||= mine === "after"
      database.write(chunk)
    })
    database.on("data", (chunk) => {
      if (!isAnswerLost) return void client.write(chunk)
      if (chunk.subarray(-READY.length).equals(READY)) cut()
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on("error", cut)
      one.on("close", () => other.destroy())
    }
  })
  server.listen(0, "localhost")
  // What holds the line open is its client, not this.
  server.unref()
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the line has no port")
  const url = new URL(databaseUrl)
  url.port = String(address.port)
  return { url: url.href, cutNext: (when) => void (next = when) }
}
