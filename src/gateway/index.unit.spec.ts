/** What the plugin adds to the client: in production no name leads into an inner network. */
import dns from "node:dns"
import { once } from "node:events"
import { createServer, type Server } from "node:tls"
import { portOf } from "../../integration-tests/gateway/scripted-server"
import { systemClock } from "../core/ports"
import { createGateway, eventChannel, type GatewayOptions } from "."

/** Does not wait between two tries. */
const clock = { ...systemClock, sleep: () => Promise.resolve() }

const CREDENTIALS = { clientId: "client", clientSecret: "secret" }

let server: Server
let connections = 0
let baseUrl: string

beforeEach(async () => {
  connections = 0
  server = createServer()
  server.on("connection", (socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  baseUrl = `https://gateway.example:${portOf(server)}`
  const toThisMachine = (_name: string, _options: object, callback: (...said: unknown[]) => void) =>
    callback(null, [{ address: "127.0.0.1", family: 4 }])
  jest.spyOn(dns, "lookup").mockImplementation(toThisMachine as typeof dns.lookup)
})
afterEach(() => {
  jest.restoreAllMocks()
  server.close()
})

async function tokenReason(options: Partial<GatewayOptions> = {}): Promise<string | undefined> {
  const gateway = createGateway({ baseUrl, ...CREDENTIALS, clock, ...options })
  const outcome = await gateway.token.check()
  await gateway.close()
  return outcome.kind === "done" ? undefined : outcome.error.reason
}

const inProduction = () =>
  jest.replaceProperty(process, "env", { ...process.env, NODE_ENV: "production" })

it("[S26] in production a name of this machine gets no connection, and reads as no name", async () => {
  inProduction()
  expect(await tokenReason()).toBe("dns")
  expect(connections).toBe(0)
})

it("outside production it is connected to", async () => {
  expect(await tokenReason()).toBe("tls")
  expect(connections).toBeGreaterThan(0)
})

it("in production a `lookup` of the caller's own decides alone", async () => {
  inProduction()
  expect(await tokenReason({ lookup: dns.lookup })).toBe("tls")
  expect(connections).toBeGreaterThan(0)
})

it("[S26] in production a realtime channel is not opened to this machine", async () => {
  const production = inProduction()
  const closed = eventChannel(baseUrl).subscribe("key", "channel", () => undefined)
  production.restore()
  const connected = once(server, "connection")
  const open = eventChannel(baseUrl).subscribe("key", "channel", () => undefined)
  await connected
  // The first was subscribed earlier, by the same steps.
  expect(jest.mocked(dns.lookup)).toHaveBeenCalledTimes(2)
  expect(connections).toBe(1)
  closed()
  open()
})
