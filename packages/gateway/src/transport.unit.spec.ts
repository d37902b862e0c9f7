import { createServer as createTcpServer } from "node:net"
import type { Socket } from "node:net"
import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { gzipSync } from "node:zlib"
import { LIMITS } from "./terms/limits"
import type { Happened } from "./classify"
import { ConnectFailure } from "./connector"
import { Exchange } from "./exchange"
import { bench, closeBenches } from "../../../integration-tests/gateway/bench"
import { CERTIFICATE, KEY } from "../../../integration-tests/gateway/certificate"
import { callOf } from "../../../integration-tests/gateway/calls"
import {
  hang,
  json,
  raw,
  stall,
  portOf,
  startScriptedServer,
} from "../../../integration-tests/gateway/scripted-server"
import { createTransport } from "./transport"

afterEach(closeBenches)

const GET = { method: "GET", path: "/", deadlineMs: 5_000 } as const

describe("connecting", () => {
  it("[N02] a connection that is never finished is given up at the connect deadline", async () => {
    const sockets: Socket[] = []
    // Accepts the connection and stays silent, so the TLS handshake can't end.
    const server = createTcpServer(
      (socket) => void sockets.push(socket.on("error", () => undefined)),
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const port = portOf(server)
    const transport = createTransport(`https://127.0.0.1:${port}`, { connectDeadlineMs: 100 })
    expect(await transport.send(GET)).toMatchObject({
      what: "never_sent",
      reason: "connect_timeout",
    })
    await transport.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  it("[N01] an untrusted certificate is never accepted, and nothing was sent", async () => {
    let requests = 0
    const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, () => (requests += 1))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const port = portOf(server)
    const transport = createTransport(`https://localhost:${port}`)
    expect(await transport.send(GET)).toMatchObject({ what: "never_sent", reason: "tls" })
    await transport.close()
    await new Promise((resolve) => server.close(resolve))
    expect(requests).toBe(0)
  })

  it("[N01] a handshake that is cut was never sent", async () => {
    const server = createTcpServer((socket) => void socket.resetAndDestroy())
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const port = portOf(server)
    const transport = createTransport(`https://127.0.0.1:${port}`)
    expect(await transport.send(GET)).toMatchObject({ what: "never_sent", reason: "tls" })
    await transport.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it("[N01] a name that does not exist was never sent", async () => {
    // A label of 64 characters is invalid, so this machine answers, with or without a network.
    const transport = createTransport(`http://${"a".repeat(64)}.invalid`)
    expect(await transport.send(GET)).toMatchObject({ what: "never_sent", reason: "dns" })
    await transport.close()
  })
})

describe("a request", () => {
  const controllerThatCounts = () => {
    const aborts: Error[] = []
    const controller = {
      aborted: false,
      paused: false,
      reason: null,
      abort: (reason: Error) => void aborts.push(reason),
      pause: () => undefined,
      resume: () => undefined,
    }
    return { aborts, controller }
  }

  it("that was written once is never called unsent, also when a later connection fails", () => {
    const happened: Happened[] = []
    const exchange = new Exchange(1_024, (what) => void happened.push(what))
    const { controller } = controllerThatCounts()
    exchange.onRequestStart(controller)
    exchange.onResponseError(controller, new ConnectFailure("connection_refused", undefined))
    expect(happened).toMatchObject([{ what: "lost", reason: "connection_lost" }])
  })

  it("is not written a second time, whatever the pool tries", () => {
    const exchange = new Exchange(1_024, () => undefined)
    const [first, second] = [controllerThatCounts(), controllerThatCounts()]
    exchange.onRequestStart(first.controller)
    exchange.onRequestStart(second.controller)
    expect(first.aborts).toHaveLength(0)
    expect(second.aborts).toHaveLength(1)
  })
})

describe("the head of an answer", () => {
  it("[N03] has its own deadline, shorter than that of the whole call", async () => {
    const server = await startScriptedServer({ answers: [hang] })
    const transport = createTransport(server.url, { headDeadlineMs: 100 })
    expect(await transport.send({ ...GET, deadlineMs: 600_000 })).toMatchObject({
      what: "lost",
      reason: "deadline",
    })
    await transport.close()
    await server.close()
  })
})

describe("a body", () => {
  it("[N08] that stops halfway is given up before the whole deadline", async () => {
    const server = await startScriptedServer({ answers: [stall] })
    const transport = createTransport(server.url, { bodyPauseDeadlineMs: 100 })
    expect(await transport.send(GET)).toMatchObject({ what: "lost", reason: "stalled_body" })
    await transport.close()
    await server.close()
  })

  it.each([
    '"__proto__":{"polluted":true}',
    '"nested":{"\\u005f_proto__":{"polluted":true}}',
    '"__pr\\u006Fto__":{"polluted":true}',
    '"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":{"polluted":true}',
  ])("[S09] never brings a __proto__ along, as %s", async (pollution) => {
    const call = callOf("status.source")
    const text = JSON.stringify(call.body).replace("{", `{${pollution},`)
    const { gateway } = await bench({
      answers: [raw(200, text, { "content-type": "application/json" })],
    })
    const outcome = await call.run(gateway)
    expect(JSON.stringify(outcome.kind === "done" && outcome.value, bigintsAsText)).not.toContain(
      "polluted",
    )
  })

  it("is read in any pieces and under any content type but a page's", async () => {
    const call = callOf("predictions.mmoProviderInfo")
    const bytes = Buffer.from(JSON.stringify({ ...call.body, carrier: "Opérateur №1" }))
    const { gateway } = await bench({
      answers: [
        (response) => {
          response.writeHead(200, { "content-type": "text/plain" })
          for (const byte of bytes) response.write(Buffer.from([byte]))
          response.end()
        },
      ],
    })
    expect(await call.run(gateway)).toMatchObject({
      kind: "done",
      value: { carrier: "Opérateur №1" },
    })
  })
})

describe("a packed body", () => {
  it("is not asked for, and one that comes all the same is no answer", async () => {
    const call = callOf("executions.collection")
    const { server, gateway } = await bench({
      answers: [
        (response) => {
          response.writeHead(200, { "content-encoding": "gzip" })
          response.end(gzipSync(JSON.stringify(call.body)))
        },
      ],
    })
    expect(await call.run(gateway)).toMatchObject({
      kind: "unknown",
      error: { reason: "not_json" },
    })
    expect(server.calls[0]?.headers["accept-encoding"]).toBe("identity")
  })
})

describe("closing", () => {
  it("waits for the exchange that opened everything", async () => {
    const server = await startScriptedServer({ answers: [json(200, { is: "whole" })] })
    const transport = createTransport(server.url)
    const sent = transport.send(GET)
    await transport.close()
    expect(await sent).toMatchObject({ what: "answered", body: { is: "whole" } })
    expect(await transport.send(GET)).toMatchObject({ what: "never_sent", reason: "closed" })
    await server.close()
  })

  it("before the first exchange lets nothing out", async () => {
    const server = await startScriptedServer({ answers: [json(200, {})] })
    const transport = createTransport(server.url)
    await transport.close()
    expect(await transport.send(GET)).toMatchObject({ what: "never_sent", reason: "closed" })
    expect(server.calls).toHaveLength(0)
    await transport.close()
    await server.close()
  })
})

function bigintsAsText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}

it.each([200, 302, 404, 500])(
  "[D7] an answer of %p without an end is cut at its limit, and its connection closed",
  async (status) => {
    let written = 0
    const closed = new Promise<void>((settle) => {
      const server = createServer((_request, response) => {
        response.writeHead(status, { "content-type": "application/json" })
        const piece = Buffer.alloc(65_536, "x")
        const write = () => {
          while (!response.destroyed && response.write(piece)) written += piece.length
        }
        response.on("drain", write).on("close", () => {
          server.close()
          settle()
        })
        write()
      })
      server.listen(0, "localhost", () => {
        const transport = createTransport(`http://localhost:${portOf(server)}`)
        void transport.send({ ...GET, deadlineMs: 60_000 }).then(async (happened) => {
          expect(happened).toMatchObject({ status })
          await transport.close()
        })
      })
    })
    await closed
    expect(written).toBeLessThan(64 * LIMITS.bodyLimitBytes)
  },
)
