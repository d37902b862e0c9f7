/** What ends a request body: its end, its limit, or its time. On real sockets; the time is driven. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { LIMITS } from "../core/limits"
import { jsonBody } from "./json-body"

const heads: unknown[] = []
let server: Server

/** Express's part of a response, as far as a refusal needs it. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = Object.assign(response, {
      status: (code: number) => Object.assign(answer, { statusCode: code }),
      json: (body: unknown) => answer.end(JSON.stringify(body)),
    })
    void jsonBody(request as MedusaRequest, answer as unknown as MedusaResponse, () => {
      heads.push((request as MedusaRequest).body)
      response.end("{}")
    })
  })
  server.listen(0, "localhost")
  await once(server, "listening")
})
afterAll(() => server.close())

function posting(): { socket: Socket; said: () => string } {
  const socket = connect((server.address() as AddressInfo).port, "localhost")
  let text = ""
  socket.on("data", (chunk) => (text += chunk.toString()))
  socket.on("error", () => undefined)
  socket.write(
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
  )
  return { socket, said: () => text }
}

/** Not by `once` of node:events, which rejects where the connection is reset. */
const endOf = (socket: Socket) => new Promise((settle) => socket.once("close", settle))
const drainOf = (socket: Socket) => new Promise((settle) => socket.once("drain", settle))

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

describe("[D7] a request body", () => {
  it("without an end is cut at its limit", async () => {
    const { socket } = posting()
    const closed = endOf(socket)
    const piece = chunk("x".repeat(65_536))
    let sentBytes = 0
    while (!socket.destroyed && sentBytes < 64 * LIMITS.requestBodyReadBytes) {
      sentBytes += piece.length
      if (!socket.write(piece)) await Promise.race([drainOf(socket), closed])
    }
    await closed
    expect(sentBytes).toBeLessThan(64 * LIMITS.requestBodyReadBytes)
  })

  it("that stands still is cut in time, and said to be incomplete", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] })
    const { socket, said } = posting()
    const asked = once(server, "request")
    socket.write(chunk('{"phone":'))
    await asked
    jest.advanceTimersByTime(LIMITS.requestBodyMs + 1)
    await endOf(socket)
    jest.useRealTimers()
    expect(said()).toContain("400 Bad Request")
    expect(said()).toContain("invalid_request.json")
  })

  it("that is somewhat too long is read, and refused in words", async () => {
    const { socket, said } = posting()
    socket.write(`${chunk("x".repeat(LIMITS.requestBodyBytes * 2))}0\r\n\r\n`)
    while (!said().includes("}")) await once(socket, "data")
    expect(said()).toContain("invalid_request.at_most")
    socket.destroy()
  })

  it("that ends is read", async () => {
    const { socket, said } = posting()
    socket.write(`${chunk('{"phone":')}${chunk('"1"}')}0\r\n\r\n`)
    while (!said().includes("{}")) await once(socket, "data")
    expect(heads).toEqual([{ phone: "1" }])
    socket.destroy()
  })
})
