/**
 * What "Test connection" says: one line for each thing that a merchant can do something about,
 * whatever stands at the address. The gateway is the simulator with its faults, or whatever else
 * may answer there.
 */
import { createServer } from "node:https"
import net, { type AddressInfo } from "node:net"
import { once } from "node:events"
import type { AccountBody } from "../../../src/accounts/rules/account-responses"
import { LIMITS } from "../../../src/core/limits"
import { systemClock } from "../../../src/core/ports"
import type { Refusal } from "../../../src/core/refusal"
import type { AccountDeps, MedusaSetup } from "../../../src/accounts/deps"
import { testConnection } from "../../../src/accounts/test-connection"
import { createGateway } from "../../../src/gateway"
import { CERTIFICATE, KEY } from "../../gateway/certificate"
import { secretBoxOf } from "../../../src/medusa/secrets/secret-box"
import {
  startSimulator,
  type FaultEntry,
  type Simulator,
  type SimulatorOptions,
} from "../../../packages/simulator/src"
import { startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"

let harness: FlowsHarness
const open: Simulator[] = []

beforeAll(async () => {
  harness = await startFlowsHarness()
})

afterEach(async () => {
  harness.simulator.faults.clear()
  for (const simulator of open.splice(0)) await simulator.close()
})

afterAll(() => harness.stop())

/** What Medusa's regions sell in. */
let sold: readonly string[] | Error = []

afterEach(() => {
  sold = []
})

async function setupNow(): Promise<MedusaSetup> {
  if (sold instanceof Error) throw sold
  const regions = sold.map((currency) => {
    return { id: `reg_${currency}`, name: currency, currency, countries: [], providerIds: [] }
  })
  return { providerIds: [], regions, knownCurrencies: {} }
}

const depsOf = (clock = systemClock): AccountDeps => ({
  ...harness.deps,
  clock,
  box: secretBoxOf({}),
  tables: { missing: () => Promise.resolve([]) },
  setup: {
    read: setupNow,
    setRegionProviders: () => Promise.resolve(),
    regionsOfCarts: () => Promise.resolve(new Map()),
    locking: null,
    workflowEngine: null,
  },
  environment: { id: "mpacc_env", account: undefined, clientId: null, sources: {} },
  openGateway: (client, onDate) => createGateway({ ...client, onDate }),
  openEnvironmentGateway: () => undefined,
})

const typed = (body: AccountBody = {}): AccountBody => ({
  base_url: harness.simulator.url,
  client_id: "simulator-client",
  client_secret: "simulator-secret",
  currencies: ["USD"],
  ...body,
})

/** The lines by name, as `status: code`. */
async function tested(body: AccountBody = {}, deps = depsOf()): Promise<Record<string, string>> {
  const { lines } = await testConnection(deps, "new", typed(body))
  return Object.fromEntries(lines.map(({ name, status, code }) => [name, `${status}: ${code}`]))
}

async function another(options: SimulatorOptions): Promise<string> {
  const simulator = await startSimulator({ port: 0, seed: "2", ...options })
  open.push(simulator)
  return simulator.url
}

/** Of each try of a call, however often it is made. */
const always = (operation: string, fault: FaultEntry) =>
  harness.simulator.faults.script(operation, Array<FaultEntry>(20).fill(fault))

it("where all is well says so, in each line", async () => {
  expect(await tested()).toMatchObject({
    reachable: "ok: reached",
    credentials: "ok: credentials_right",
    token_lifetime: "ok: token_renewed",
    clock: "ok: clock_agrees",
    verified: "ok: verified",
    fees: "ok: fees_readable",
    "operator:OPERATOR1_MOMO_LBR": "ok: operator_taken",
  })
})

it.each([
  [{ unknownReference: 404 }, "unknown_reference", "refused, 404"],
  [{ unknownReference: 422 }, "unknown_reference", "refused, 422"],
  [{}, "amount_form", "text, 2 decimals"],
  [{ habits: ["predictions_as_numbers"] }, "amount_form", "number, 0 decimals"],
] as const)("says what %j teaches: %s", async (options: SimulatorOptions, name, learned) => {
  const base_url = await another(options)
  const { lines } = await testConnection(depsOf(), "new", typed({ base_url }))
  const said = { status: "ok", code: "learned", facts: { learned } }
  expect(lines.find((line) => line.name === name)).toMatchObject(said)
})

it("an empty list of orders teaches nothing, and is no fault", async () => {
  const base_url = await another({})
  expect((await tested({ base_url }))["state_words"]).toBe("skipped: not_learned")
})

it("a merchant that is not verified is a warning beside right credentials and readable fees", async () => {
  always("getPaymentLink", "403")
  expect(await tested()).toMatchObject({
    credentials: "ok: credentials_right",
    verified: "warning: not_verified",
    fees: "ok: fees_readable",
  })
})

it("fees that are not shown are no reason not to take payments", async () => {
  always("listFeeTiers", "403")
  expect((await tested())["fees"]).toBe("warning: fees_hidden")
})

it("an operator that the gateway does not know under its name is named, with what to do", async () => {
  const names = { OPERATOR1_MOMO_LBR: "LIVE_NAME_OF_OPERATOR1" }
  const { lines } = await testConnection(depsOf(), "new", typed({ wire_names: names }))
  const lineOf = (name: string) => lines.find((line) => line.name === `operator:${name}`)
  expect(lineOf("LIVE_NAME_OF_OPERATOR1")).toMatchObject({
    ...{ status: "failed", code: "operator_unknown" },
    message: expect.stringContaining("not known to the gateway as LIVE_NAME_OF_OPERATOR1"),
  })
  expect(lineOf("OPERATOR2_MONEY_LBR")?.status).toBe("ok")
})

const CURRENCIES = ["LRD", "USD", "RWF"] as const
/** Every set of currencies, that is, every shop and every account. */
const SETS = Array.from({ length: 8 }, (_, bits) => CURRENCIES.filter((_, n) => bits & (1 << n)))

it.each(SETS.flatMap((sells) => SETS.map((takes) => [sells, takes] as const)))(
  "a shop that sells in %j and an account that takes %j: only what matters is said",
  async (sells, takes) => {
    sold = sells
    const { lines } = await testConnection(depsOf(), "new", typed({ currencies: [...takes] }))
    const matters = takes.filter((code) => sells.includes(code))
    const said = lines.find(({ name }) => name === "sold")
    const code =
      sells.length === 0
        ? "sold_nowhere"
        : takes.length === 0
          ? "sold_untaken"
          : matters.length === 0
            ? "sold_otherwise"
            : matters.length < sells.length
              ? "sold_in_part"
              : "sold_taken"
    expect(said?.code).toBe(code)
    const operators = lines.filter(({ name }) => name.startsWith("operator:"))
    expect(operators.map(({ status }) => status)).toEqual(operators.map(() => "ok"))
    const named = operators.flatMap(({ facts }) => String(facts["currency"]).split(", "))
    const others = named.filter((one) => !matters.some((code) => code === one))
    if (matters.length > 0) expect([...new Set(named)].sort()).toEqual([...matters].sort())
    if (matters.length > 0) expect(others).toEqual([])
    // Where none is sold yet, the names are tried all the same.
    else expect(operators.length > 0).toBe(takes.length > 0)
  },
)

it("regions that can't be read are no reason not to test the rest", async () => {
  sold = new Error("the database is away")
  const lines = await tested()
  expect(lines).not.toHaveProperty("sold")
  expect(lines).toMatchObject({
    credentials: "ok: credentials_right",
    "operator:OPERATOR1_MOMO_LBR": "ok: operator_taken",
  })
})

it("a token that lives shortly is a warning, and works", async () => {
  const base_url = await another({ tokenLifeMinutes: 3 })
  const lines = await tested({ base_url })
  expect(lines["token_lifetime"]).toBe("warning: token_short")
  expect(lines["fees"]).toBe("ok: fees_readable")
})

it.each([
  [90_000, "clock_ahead"],
  [-90_000, "clock_behind"],
])(
  "a clock that is off by %d ms is a warning, with the direction and the seconds",
  async (byMs, code) => {
    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + byMs) }
    const { lines } = await testConnection(depsOf(clock), "new", typed())
    const line = lines.find(({ name }) => name === "clock")
    expect(line).toMatchObject({ status: "warning", code })
    expect(Math.abs(Number(line?.facts["seconds"]) - 90)).toBeLessThan(3)
  },
)

it.each([
  ["401", "failed: credentials_wrong"],
  ["403", "failed: credentials_not_let_in"],
  ["429:60", "warning: asks_for_pause"],
] as const)(
  "a token call that answers %s was reached, and the rest is not guessed",
  async (fault, says) => {
    always("clientObtainToken", fault)
    const lines = await tested()
    expect(lines["reachable"]).toBe("ok: reached")
    expect(lines["credentials"]).toBe(says)
    expect([lines["verified"], lines["fees"]]).toEqual(["skipped: not_asked", "skipped: not_asked"])
  },
)

describe("a wrong address", () => {
  const refused = (base_url: string) =>
    testConnection(depsOf(), "new", typed({ base_url })).then(
      () => undefined,
      (error: Refusal) => ({ key: error.key, ...error.details }),
    )
  const asAddress = { key: "invalid_request.address", field: "base_url" }

  it.each([
    "not an address",
    "ftp://api.example.com",
    "https://api.example.com/v1",
    "https://api.example.com?x=1",
    "https://user:pass@api.example.com",
    "https://192.0.2.1",
    "http://api.example.com",
  ])("%s is refused before anything is sent", async (address) => {
    expect(await refused(address)).toEqual(asAddress)
  })

  it("http is refused in production, to this machine, too", async () => {
    const before = process.env["NODE_ENV"]
    process.env["NODE_ENV"] = "production"
    try {
      expect(await refused("http://localhost:4102")).toEqual(asAddress)
    } finally {
      process.env["NODE_ENV"] = before
    }
  })

  const reached = async (base_url: string) => (await tested({ base_url }))["reachable"]

  it("that no server has is a typing mistake", async () => {
    expect(await reached("https://gateway.invalid")).toMatch(/^failed: reach_(dns|network)$/)
  })

  it("without a listener is said to refuse", async () => {
    const server = net.createServer().listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, "close")
    expect(await reached(`http://localhost:${port}`)).toBe("failed: reach_refused")
  })

  it("whose certificate is not trusted is no secure connection", async () => {
    const server = createServer({ cert: CERTIFICATE, key: KEY }).listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const line = await reached(`https://localhost:${port}`)
    server.close()
    server.closeAllConnections()
    expect(line).toBe("failed: reach_tls")
  })

  it.each(["html", "redirect", "404", "huge"] as const)(
    "that answers %s is no gateway of this kind",
    async (fault) => {
      always("clientObtainToken", fault)
      const lines = await tested()
      expect(lines["reachable"]).toMatch(/^failed: reach_(not_ours|address)$/)
      expect(lines["credentials"]).toBe("skipped: not_asked")
    },
  )
})

it("takes no longer than its bound, however slow everything is", async () => {
  always("clientObtainToken", "hang")
  const lines = await tested()
  expect(lines["reachable"]).toMatch(/^failed: reach_(too_slow|no_use)$/)
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
  expect([lines["verified"], lines["fees"]]).toEqual(["warning: no_answer", "warning: no_answer"])
})
