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
  /** How many requests have come and are left without an end. */
  hanging(): number
  /** By the end of method and path; the last one that fits answers. */
  on(request: string, answer: Answer): void
  close(): Promise<void>
}

export async function scriptedStore(): Promise<ScriptedStore> {
  const answers: (readonly [string, Answer])[] = []
  const asked: string[] = []
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    open.add(response)
    response.once("close", () => void open.delete(response))
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
    hanging: () => open.size,
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

/** What a bad line makes of an answer; each but the first two leaves the caller waiting. */
export const DISTURBANCES: Readonly<Record<string, Answer>> = {
  "cut off": (_request, response) => response.destroy(),
  "answered by a proxy": (_request, response) => response.writeHead(502).end("Bad gateway"),
  "never answered": () => undefined,
  "answered with headers alone": (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders()
  },
  "answered by half": (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"payment":{"id":"a",')
  },
  "refused without an end": (_request, response) => {
    response.writeHead(503, { "content-type": "application/json" }).write('{"code":"store_un')
  },
  "answered by a silent stream": (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
  },
}

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
