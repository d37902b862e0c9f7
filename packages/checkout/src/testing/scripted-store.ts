/** For tests: a store over real HTTP that answers what the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import type { Status } from "../status.js"

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

export type ScriptedStore = {
  readonly url: string
  /** As `POST /sessions/a/start`, in the order they came. */
  readonly asked: string[]
  /** By the end of method and path; the last one that fits answers. */
  on(request: string, answer: Answer): void
  close(): Promise<void>
}

export async function scriptedStore(): Promise<ScriptedStore> {
  const answers: (readonly [string, Answer])[] = []
  const asked: string[] = []
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const [path = ""] = (request.url ?? "").split("?")
      const name = `${request.method ?? ""} ${path}`
      asked.push(name.replace("/store/merchant-payments", ""))
      const [, answer] = [...answers].reverse().find(([end]) => fits(name, end)) ?? []
      if (answer) answer(request, response, body)
      else json(response, 404, { code: "session_not_found", message: "There is none." })
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    on: (request, answer) => void answers.push([request, answer]),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

export function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

export const says =
  (status: Partial<Status>): Answer =>
  (_request, response) =>
    json(response, 200, { payment: { id: "a", flow: "push", ...status } })

export function event(id: string, status: Partial<Status>): string {
  return `event: status\nid: ${id}\ndata: ${JSON.stringify({ id: "a", flow: "push", ...status })}\n\n`
}

function fits(name: string, wanted: string): boolean {
  const [method = "", end = ""] = wanted.split(" ")
  return name.startsWith(`${method} `) && name.endsWith(end)
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}
