/**
 * What "Test connection" says: one line for each thing that a merchant can do something about, whatever
 * stands at the address. The gateway is the simulator with its faults, or whatever else may answer there.
 */
import { createServer } from "node:https"
import net, { type AddressInfo } from "node:net"
import { once } from "node:events"
import type { AccountBody } from "../../src/core/account-answers"
import { LIMITS } from "../../src/core/limits"
import { systemClock } from "../../src/core/ports"
import type { AccountDeps } from "../../src/flows/accounts/deps"
import { testConnection } from "../../src/flows/accounts/test-connection"
import { createGateway } from "../../src/gateway"
import { CERTIFICATE, KEY } from "../../src/gateway/testing/certificate"
import { secretBoxOf } from "../../src/modules/merchant-payments/secrets/secret-box"
import {
  startSimulator,
  type FaultEntry,
  type Simulator,
  type SimulatorOptions,
} from "../../simulator"
import { startFlowsWorld, type FlowsWorld } from "../support/flows-world"

let world: FlowsWorld
const open: Simulator[] = []

beforeAll(async () => {
  world = await startFlowsWorld()
})

afterEach(async () => {
  world.simulator.faults.clear()
  for (const simulator of open.splice(0)) await simulator.close()
})

afterAll(() => world.stop())

const depsOf = (clock = systemClock): AccountDeps => ({
  ...world.deps,
  clock,
  box: secretBoxOf({}),
  setup: {
    read: () => Promise.reject(new Error("not asked")),
    setRegionProviders: () => Promise.resolve(),
    locking: null,
    workflowEngine: null,
  },
  environment: { id: "mpacc_env", account: undefined, clientId: null, sources: {} },
  openGateway: (client, onDate) => createGateway({ ...client, onDate }),
  openEnvironmentGateway: () => undefined,
})

const typed = (body: AccountBody = {}): AccountBody => ({
  base_url: world.simulator.url,
  client_id: "simulator-client",
  client_secret: "simulator-secret",
  currencies: ["USD"],
  ...body,
})

/** The lines by name, as `status: sentence`. */
async function tested(body: AccountBody = {}, deps = depsOf()): Promise<Record<string, string>> {
  const { lines } = await testConnection(deps, "new", typed(body))
  return Object.fromEntries(
    lines.map(({ name, status, message }) => [name, `${status}: ${message}`]),
  )
}

async function another(options: SimulatorOptions): Promise<string> {
  const simulator = await startSimulator({ port: 0, seed: "2", ...options })
  open.push(simulator)
  return simulator.url
}

/** Of each try of a call, however often it is made. */
const always = (operation: string, fault: FaultEntry) =>
  world.simulator.faults.script(operation, Array<FaultEntry>(20).fill(fault))

it("where all is well says so, in each line", async () => {
  expect(await tested()).toMatchObject({
    reachable: expect.stringMatching(/^ok: The gateway answers at localhost:\d+\.$/),
    credentials: "ok: Client id and client secret are right.",
    token_lifetime: "ok: A token lives 60 minutes and is renewed in time.",
    clock: "ok: This server's clock and the gateway's agree.",
    verified: "ok: Nothing is held back: the merchant is verified.",
    fees: expect.stringMatching(/^ok: The fees can be read \(\d+ fee plans\)\.$/),
    "operator:OPERATOR1_MOMO_LBR": "ok: Operator 1 Mobile Money (LR) takes USD.",
  })
})

it("a merchant that is not verified is told what is refused until it is", async () => {
  always("getPaymentLink", "403")
  expect(await tested()).toMatchObject({
    credentials: expect.stringContaining("ok"),
    verified: expect.stringMatching(/^warning: .*not verified.*403.*merchant portal/),
    fees: expect.stringContaining("ok"),
  })
})

it("fees that are not shown are no reason not to take payments", async () => {
  always("listFeeTiers", "403")
  expect((await tested())["fees"]).toMatch(/^warning: .*403.*Payments work\.$/)
})

it("an operator that the gateway does not know under its name is named, with what to do", async () => {
  const names = { OPERATOR1_MOMO_LBR: "LIVE_NAME_OF_OPERATOR1" }
  const lines = await tested({ wire_names: names })
  expect(lines["operator:LIVE_NAME_OF_OPERATOR1"]).toMatch(
    /^failed: .*not known to the gateway as LIVE_NAME_OF_OPERATOR1.*names on the wire/,
  )
  expect(lines["operator:OPERATOR2_MONEY_LBR"]).toMatch(/^ok/)
})

it("a token that lives shortly is a warning, and works", async () => {
  const base_url = await another({ tokenLifeMinutes: 3 })
  const lines = await tested({ base_url })
  expect(lines["token_lifetime"]).toMatch(/^warning: A token lives 3 minutes only/)
  expect(lines["fees"]).toMatch(/^ok/)
})

it.each([
  [90_000, "90 seconds ahead of"],
  [-90_000, "90 seconds behind"],
])("a clock that is off by %d ms is told, and which way", async (byMs, words) => {
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + byMs) }
  const line = (await tested({}, depsOf(clock)))["clock"] ?? ""
  expect(line.replace(/8[89]|9[01]/, "90")).toContain(`warning: This server's clock is ${words}`)
  expect(line).toContain("NTP")
})

it.each([
  ["401", /^failed: The gateway does not know this client id/],
  ["403", /^failed: .*does not let it in \(403\)/],
  ["429:60", /^warning: .*pause \(429\)/],
] as const)(
  "a token call that answers %s was reached, and the rest is not guessed",
  async (fault, says) => {
    always("clientObtainToken", fault)
    const lines = await tested()
    expect(lines["reachable"]).toMatch(/^ok/)
    expect(lines["credentials"]).toMatch(says)
    expect([lines["verified"], lines["fees"]]).toEqual([
      "skipped: Not asked, because of what is above.",
      "skipped: Not asked, because of what is above.",
    ])
  },
)

describe("a wrong address", () => {
  const refused = (base_url: string) =>
    testConnection(depsOf(), "new", typed({ base_url })).then(
      () => "",
      (error: Error) => error.message,
    )

  it.each([
    ["not an address", "as https://api.example.com"],
    ["ftp://api.example.com", "https://"],
    ["https://api.example.com/v1", "must not have a path"],
    ["https://api.example.com?x=1", "must not have a query"],
    ["https://user:pass@api.example.com", "Credentials do not belong"],
    ["https://192.0.2.1", "not an IP address"],
    ["http://api.example.com", "must start with https://"],
  ])("%s is refused before anything is sent", async (address, words) => {
    expect(await refused(address)).toContain(words)
  })

  it("http is refused in production, to this machine, too", async () => {
    const before = process.env["NODE_ENV"]
    process.env["NODE_ENV"] = "production"
    try {
      expect(await refused("http://localhost:4102")).toContain("must start with https://")
    } finally {
      process.env["NODE_ENV"] = before
    }
  })

  const reached = async (base_url: string) => (await tested({ base_url }))["reachable"]

  it("that no server has is a typing mistake", async () => {
    expect(await reached("https://gateway.invalid")).toMatch(
      /^failed: (This name leads to no server|There is no way to the server)/,
    )
  })

  it("that nobody listens at is said to refuse", async () => {
    const server = net.createServer().listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, "close")
    expect(await reached(`http://localhost:${port}`)).toMatch(
      /^failed: The server refuses the connection/,
    )
  })

  it("whose certificate nobody trusts is no secure connection", async () => {
    const server = createServer({ cert: CERTIFICATE, key: KEY }).listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const line = await reached(`https://localhost:${port}`)
    server.close()
    server.closeAllConnections()
    expect(line).toMatch(/^failed: No secure connection can be made/)
  })

  it.each(["html", "redirect", "404", "huge"] as const)(
    "that answers %s is no gateway of this kind",
    async (fault) => {
      always("clientObtainToken", fault)
      const lines = await tested()
      expect(lines["reachable"]).toMatch(/^failed: .*no gateway of this kind/)
      expect(lines["credentials"]).toMatch(/^skipped/)
    },
  )
})

it("takes no longer than its bound, however slow everything is", async () => {
  always("clientObtainToken", "hang")
  const lines = await tested()
  expect(lines["reachable"]).toMatch(/^failed: .*(does not answer in time|no usable answer)/)
})

it("what the token has left of the bound is all that the other questions get", async () => {
  always("listFeeTiers", "hang")
  always("getPaymentLink", "hang")
  const began = systemClock.monotonicMs()
  /** As if the token had taken all but half a second. */
  let isBegun = false
  const clock = {
    ...systemClock,
    monotonicMs: () => {
      const nowMs = systemClock.monotonicMs()
      if (isBegun) return nowMs + LIMITS.connectionTestMs - 500
      isBegun = true
      return nowMs
    },
  }
  const lines = await tested({}, depsOf(clock))
  expect(systemClock.monotonicMs() - began).toBeLessThan(LIMITS.connectionTestMs)
  expect([lines["verified"], lines["fees"]]).toEqual([
    "warning: The gateway gave no usable answer in time. Test again in a minute.",
    "warning: The gateway gave no usable answer in time. Test again in a minute.",
  ])
})
