/**
 * A gateway on a real socket that answers as a test scripts it, faults included. Token calls have a
 * script of their own and succeed by default; every other call takes the next entry of `answers`,
 * and the last one is repeated.
 */
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Server } from "node:net"

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Answer = (response: ServerResponse, request: Received) => void

export type ScriptedServer = {
  readonly url: string
  /** Everything but the token calls, in order. */
  readonly calls: readonly Received[]
  readonly tokenCalls: readonly Received[]
  readonly openSockets: () => number
  /** The highest number of sockets open at once. */
  readonly mostSockets: () => number
  /** Closes the idle connections, as a restarting gateway does. */
  readonly cutIdleConnections: () => void
  close(): Promise<void>
}

export const TOKEN_PATH = "/v1/jwt/client/obtain/token"

export async function startScriptedServer(script: {
  answers?: readonly Answer[]
  tokens?: readonly Answer[]
}): Promise<ScriptedServer> {
  const { answers = [], tokens = [] } = script
  const calls: Received[] = []
  const tokenCalls: Received[] = []
  let sockets = 0
  let mostSockets = 0
  const server = createServer((message, response) => {
    // The server sends no date; a test that needs one sets the header.
    response.sendDate = false
    let body = ""
    message.setEncoding("utf8")
    message.on("data", (piece: string) => (body += piece))
    message.on("end", () => {
      const { method = "", url = "", headers } = message
      const received: Received = { method, path: url, headers, body }
      const isToken = url === TOKEN_PATH
      const seen = isToken ? tokenCalls : calls
      const list = isToken ? tokens : answers
      seen.push(received)
      const otherwise = isToken ? token(`token-${seen.length}`) : json(500, {})
      const answer = list[Math.min(seen.length, list.length) - 1] ?? otherwise
      answer(response, received)
    })
  })
  server.on("connection", (socket) => {
    sockets += 1
    mostSockets = Math.max(mostSockets, sockets)
    socket.on("close", () => (sockets -= 1))
    socket.on("error", () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    calls,
    tokenCalls,
    openSockets: () => sockets,
    mostSockets: () => mostSockets,
    cutIdleConnections: () => server.closeIdleConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The port that the system assigned. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("It does not listen.")
  return address.port
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(body))
  }
}

export const token = (text: string, expiresIn: unknown = 60): Answer =>
  json(200, { access_token: text, expires_in: expiresIn })

export const raw = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): Answer => {
  return (response) => {
    response.writeHead(status, headers)
    response.end(body)
  }
}

/** Resets the connection after the request was read, before a byte of an answer. */
export const reset: Answer = (response) => {
  response.socket?.resetAndDestroy()
}

/** Sends half a body under the length of the whole, then ends the connection. */
export const cutWithLength = (body: unknown): Answer => {
  return (response) => {
    const text = JSON.stringify(body)
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
  }
}

/** Sends half a body without a length and ends in order: to HTTP it is complete. */
export const cutWithoutLength = (body: unknown): Answer => {
  return (response) => {
    const text = JSON.stringify(body)
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
    response.socket?.end(`${head}${text.slice(0, text.length / 2)}`)
  }
}

/** Sends the head of an answer and nothing after it. */
export const stall: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write("{")
}

/** Sends nothing at all. */
export const hang: Answer = () => undefined

/** Sends one space after another, without end. */
export const drip: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}

export const html: Answer = raw(200, "<html><body>Please log in</body></html>", {
  "content-type": "text/html; charset=utf-8",
})

/** What a proxy says while the gateway behind it is away. */
export const maintenance: Answer = raw(404, "<html><body>Back soon</body></html>", {
  "content-type": "text/html; charset=utf-8",
})

/** Sends a body of two megabytes, or of the given size, with or without a length. */
export const huge = (hasLength: boolean, bytes = 2_097_152): Answer => {
  return (response) => {
    const text = JSON.stringify({ padding: "x".repeat(bytes) })
    const length = hasLength ? { "content-length": String(text.length) } : undefined
    response.on("error", () => undefined)
    response.writeHead(200, { "content-type": "application/json", ...length })
    response.end(text)
  }
}

export const redirect: Answer = raw(307, "", { location: "http://127.0.0.1:1/elsewhere" })
