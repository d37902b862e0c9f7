/** What Medusa's access log holds of an address: asked of the logger that Medusa uses, on Express. */
import { once } from "node:events"
import type { Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import express, { type RequestHandler } from "express"
import middlewares from "../../../src/api/middlewares"

type Morgan = (format: string, options: object) => RequestHandler

const medusaRequire = createRequire(require.resolve("@medusajs/framework/http"))
const morgan = medusaRequire("morgan") as Morgan

const TOKEN = "x".repeat(32)
const lines: string[] = []
let server: Server

beforeAll(async () => {
  const app = express()
  app.use(morgan(":method :url", { stream: { write: (line: string) => lines.push(line.trim()) } }))
  for (const { matcher, middlewares: used = [] } of middlewares.routes ?? []) {
    if (matcher === "/merchant-payments") app.use(matcher, ...(used as RequestHandler[]))
  }
  app.get("/merchant-payments/:page/:token", (request, response) => {
    response.send(request.params.token)
  })
  server = app.listen(0)
  await once(server, "listening")
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

it.each([
  ["receipt/", "receipt/***", TOKEN],
  ["return/", "return/***", TOKEN],
  ["receipt/", "receipt/***", "%20unknown"],
  ["Receipt/", "Receipt/***", TOKEN],
  ["RETURN/", "RETURN/***", TOKEN],
  ["other/", `other/${TOKEN}`, TOKEN],
])("[D10] a visit below /merchant-payments/%s is logged as %s", async (page, logged, token) => {
  lines.length = 0
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/merchant-payments/${page}${token}?lang=en`
  const response = await fetch(url, { headers: { connection: "close" } })
  expect(await response.text()).toBe(decodeURIComponent(token))
  expect(lines).toEqual([`GET /merchant-payments/${logged}?lang=en`])
})
