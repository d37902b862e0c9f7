/**
 * "Test connection": one line for each thing that a merchant can fix. The gateway is the simulator
 * with its faults, or another server at the address.
 */
import { createServer } from "node:https"
import net, { type AddressInfo } from "node:net"
import { once } from "node:events"
import type { AccountBody } from "../../../src/accounts/schemas/accounts"
import { LIMITS } from "../../../src/core/limits"
import { systemClock } from "../../../src/core/ports"
import type { Refusal } from "../../../src/core/refusal"
import type { AccountDeps, MedusaSetup } from "../../../src/accounts/deps"
import { testConnection } from "../../../src/accounts/test-connection"
import { CERTIFICATE, KEY } from "../../gateway/certificate"
import {
  startSimulator,
  type FaultEntry,
  type Simulator,
  type SimulatorOptions,
} from "../../../packages/simulator/src"
import { accountDepsOf, setupOf } from "../../support/account-deps"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const open: Simulator[] = []
/** What Medusa's regions sell in. */
let sold: readonly string[] | Error = []

afterEach(async () => {
  sold = []
  harness.simulator.faults.clear()
  for (const simulator of open.splice(0)) await simulator.close()
})

async function setupNow(): Promise<MedusaSetup> {
  if (sold instanceof Error) throw sold
  const regions = sold.map((currency) => {
    return { id: `reg_${currency}`, name: currency, currency, countries: [], providerIds: [] }
  })
  return { providerIds: [], regions, knownCurrencies: {} }
}

const depsOf = (clock = systemClock): AccountDeps =>
  accountDepsOf(harness, { clock, setup: setupOf(setupNow) })

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

/** Faults each try of a call, however often it is made. */
const always = (operation: string, fault: FaultEntry) =>
  harness.simulator.faults.script(operation, Array<FaultEntry>(20).fill(fault))

it("a connection without a problem reads ok in each line", async () => {
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
] as const)(
  "a gateway with %j teaches the test its %s",
  async (options: SimulatorOptions, name, learned) => {
    const base_url = await another(options)
    const { lines } = await testConnection(depsOf(), "new", typed({ base_url }))
    const said = { status: "ok", code: "learned", facts: { learned } }
    expect(lines.find((line) => line.name === name)).toMatchObject(said)
  },
)

it("an empty list of orders teaches nothing, and is no fault", async () => {
  const base_url = await another({})
  expect((await tested({ base_url }))["state_words"]).toBe("skipped: not_learned")
})

it("a merchant that is not verified is a warning, and credentials and fees read ok", async () => {
  always("getPaymentLink", "403")
  expect(await tested()).toMatchObject({
    credentials: "ok: credentials_right",
    verified: "warning: not_verified",
    fees: "ok: fees_readable",
  })
})

it("fees that the gateway hides are a warning, not a failure", async () => {
  always("listFeeTiers", "403")
  expect((await tested())["fees"]).toBe("warning: fees_hidden")
})

it("an operator that the gateway doesn't know under its name fails, and its line names it", async () => {
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
  "a shop that sells in %j is told only what matters of an account that takes %j",
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

it("regions that can't be read leave the rest of the test", async () => {
  sold = new Error("the database is away")
  const lines = await tested()
  expect(lines).not.toHaveProperty("sold")
  expect(lines).toMatchObject({
    credentials: "ok: credentials_right",
    "operator:OPERATOR1_MOMO_LBR": "ok: operator_taken",
  })
})

it("a token with a short life is a warning, and works", async () => {
  const base_url = await another({ tokenLifeMinutes: 3 })
  const lines = await tested({ base_url })
  expect(lines["token_lifetime"]).toBe("warning: token_short")
  expect(lines["fees"]).toBe("ok: fees_readable")
})

it.each([
  [90_000, "clock_ahead"],
  [-90_000, "clock_behind"],
])(
  "a clock that is off by %d ms is a warning with the direction and the seconds",
  async (byMs, code) => {
    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + byMs) }
    const { lines } = await testConnection(depsOf(clock), "new", typed())
    const line = lines.find(({ name }) => name === "clock")
    expect(line).toMatchObject({ status: "warning", code })
    // The gateway's date has whole seconds, and its answer may be slow.
    expect(Math.abs(Number(line?.facts["seconds"]) - 90)).toBeLessThan(30)
  },
)

it.each([
  ["401", "failed: credentials_wrong"],
  ["403", "failed: credentials_not_let_in"],
  ["429:60", "warning: asks_for_pause"],
] as const)(
  "a token call that answers %s was reached, and the later lines are skipped",
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

  it("that no server has can't be reached", async () => {
    expect(await reached("https://gateway.invalid")).toMatch(/^failed: reach_(dns|network)$/)
  })

  it("without a listener refuses the connection", async () => {
    const server = net.createServer().listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, "close")
    expect(await reached(`http://localhost:${port}`)).toBe("failed: reach_refused")
  })

  it("whose certificate is not trusted has no secure connection", async () => {
    const server = createServer({ cert: CERTIFICATE, key: KEY }).listen(0, "localhost")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const line = await reached(`https://localhost:${port}`)
    server.close()
    server.closeAllConnections()
    expect(line).toBe("failed: reach_tls")
  })

  it.each(["html", "redirect", "404", "huge"] as const)(
    "that answers %s is not this gateway",
    async (fault) => {
      always("clientObtainToken", fault)
      const lines = await tested()
      expect(lines["reachable"]).toMatch(/^failed: reach_(not_ours|address)$/)
      expect(lines["credentials"]).toBe("skipped: not_asked")
    },
  )
})

it("a token call that hangs ends the test within its bound", async () => {
  always("clientObtainToken", "hang")
  const lines = await tested()
  expect(lines["reachable"]).toMatch(/^failed: reach_(too_slow|no_use)$/)
})

it("the other calls of a test get only the time that the token call left", async () => {
  let aheadMs = 0
  const deps = depsOf({ ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs })
  const deadlines: number[] = []
  const openGateway: AccountDeps["openGateway"] = (...client) => {
    const { token, fees, ...gateway } = deps.openGateway(...client)
    return {
      ...gateway,
      token: {
        ...token,
        check: async (...asked) => {
          const outcome = await token.check(...asked)
          aheadMs = LIMITS.connectionTestMs - 500
          return outcome
        },
      },
      fees: {
        ...fees,
        tiers: (options) => {
          deadlines.push(options?.deadlineMs ?? Infinity)
          return fees.tiers(options)
        },
      },
    }
  }
  await testConnection({ ...deps, openGateway }, "new", typed())
  expect(deadlines).toHaveLength(1)
  expect(deadlines[0]).toBeLessThanOrEqual(500)
})
