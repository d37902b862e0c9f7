/** The simulator behind a server that can answer in its place, as a firewall or a proxy does. */
import { createServer } from "node:http"
import type { Simulator } from "../../packages/simulator/src"
import { portOf, TOKEN_PATH, type Answer } from "../gateway/scripted-server"

export type CallPart = "token" | "call"

export type GatewayFront = {
  readonly url: string
  /** Answers all token calls, or all other calls, from now on. */
  answer(part: CallPart, answer: Answer): void
  clear(): void
  close(): Promise<void>
}

export async function startGatewayFront(behind: Pick<Simulator, "url">): Promise<GatewayFront> {
  const answers = new Map<CallPart, Answer>()
  const server = createServer((message, response) => {
    let body = ""
    message.setEncoding("utf8")
    message.on("data", (piece: string) => (body += piece))
    message.on("end", () => {
      const { method = "", url = "", headers } = message
      const answer = answers.get(url === TOKEN_PATH ? "token" : "call")
      if (answer) return answer(response, { method, path: url, headers, body })
      const { authorization = "" } = headers
      void fetch(`${behind.url}${url}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body !== "" && { body }),
      }).then(async (passed) => {
        response.writeHead(passed.status, { "content-type": "application/json" })
        response.end(await passed.text())
      })
    })
  })
  server.on("connection", (socket) => socket.on("error", () => undefined))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    answer: (part, answer) => void answers.set(part, answer),
    clear: () => answers.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
