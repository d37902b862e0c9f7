/**
 * A server that gives every read the same answer at once, in a process of its own. It is no gateway
 * and hardly reads what it is asked: were it slower than the clients, their speeds would look
 * alike. Nobody sends it two requests on a connection at once, so each piece that comes is one
 * request.
 */
import net from "node:net"
import { answerQuestions, startAsked, type AskedProcess } from "./asked-process"
import { EXECUTION, TOKEN } from "./one-answer"

export type FixedGateway = {
  readonly url: string
  /** Connections that were open at the same time, at most. */
  openMost(): Promise<number>
  stop(): Promise<void>
}

const POST = Buffer.from("POST")

type Question = { readonly about: "url" | "openMost" }

export async function startFixedGateway(): Promise<FixedGateway> {
  const server: AskedProcess<Question, string | number> = startAsked(__filename)
  const url = String(await server.ask({ about: "url" }))
  return {
    url,
    openMost: async () => Number(await server.ask({ about: "openMost" })),
    stop: () => server.stop(),
  }
}

function serve(): void {
  const token = response({ access_token: TOKEN, expires_in: 60 })
  const execution = response(EXECUTION)
  let open = 0
  let openMost = 0
  const server = net.createServer({ noDelay: true }, (socket) => {
    open += 1
    openMost = Math.max(openMost, open)
    socket.on("close", () => (open -= 1))
    // A client that goes away is no concern of this server.
    socket.on("error", () => undefined)
    socket.on("data", (piece) =>
      socket.write(piece.subarray(0, 4).equals(POST) ? token : execution),
    )
  })
  const listening = new Promise<string>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
    })
  })
  answerQuestions<Question, string | number>(async ({ about }) =>
    about === "url" ? listening : openMost,
  )
}

function response(body: object): Buffer {
  const text = JSON.stringify(body)
  const head = [
    "HTTP/1.1 200 OK",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: keep-alive",
  ]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`)
}

if (require.main === module) serve()
