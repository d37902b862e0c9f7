/**
 * Every operation of the client against the gateway simulator, which shares no code with it, in
 * each temper of the wire: what is sent is as the contract says, and what is read is the same.
 */
import { startSimulator } from "../../packages/simulator/src"
import type { Simulator } from "../../packages/simulator/src"
import { createGateway, OPERATIONS } from "../../src/gateway"
import type { Gateway, OperationName } from "../../src/gateway"
import { SCENES } from "../support/gateway-scenes"
import { calmOf, TEMPERS } from "../support/tempers"
import { contractOf } from "./support/match"
import { meaningOf, saidIn } from "./support/meaning"

const isOperation = (name: string): name is keyof typeof SCENES => name in SCENES
const names = Object.keys(SCENES).filter(isOperation)
const NOW_MS = Date.now()

/** What was read in the contract's own form. */
const tidy = new Map<OperationName, unknown>()

describe.each(TEMPERS)("the %s simulator", (temper) => {
  const carriedThrough = new Set<OperationName>()
  /** What the client noticed as a form that it did not know. */
  const forms = new Set<string>()
  let simulator: Simulator
  let gateway: Gateway

  beforeEach(async () => {
    const clock = { now: () => NOW_MS }
    simulator = await startSimulator({ port: 0, seed: "1", clock, ...calmOf(temper) })
    gateway = createGateway({
      baseUrl: simulator.url,
      clientId: "simulator-client",
      clientSecret: "simulator-secret",
      onForm: ({ field, kind }) => void forms.add(`${field}: ${kind}`),
      onCall: ({ operation, kind }) => void (kind === "done" && carriedThrough.add(operation)),
    })
  })

  afterEach(async () => {
    await gateway.close()
    await simulator.close()
  })

  it.each(names)("carries out %s, and the client reads its answer", async (name) => {
    const run = await SCENES[name]({ gateway, simulator })
    await gateway.token.check()
    simulator.resetCalls()
    const outcome = await run()
    expect(outcome).toMatchObject({ kind: "done" })
    // A text that the gateway refuses goes out once more in its plain form.
    const times = temper === "odd" ? expect.any(Number) : 1
    expect(simulator.calls).toEqual({ [contractOf(name).id]: times })
    expect(simulator.contractViolations).toEqual([])
    const value = outcome.kind === "done" ? outcome.value : undefined
    if (temper === "tidy") tidy.set(name, value)
    else expect(meaningOf(value)).toEqual(saidIn(value, tidy.get(name)))
  })

  it(`answers in ${temper === "tidy" ? "no form" : "forms"} that the contract does not know`, () => {
    expect(forms.size > 0).toBe(temper !== "tidy")
  })

  it("has carried out every operation of the client", () => {
    expect(["token.obtain", ...carriedThrough].sort()).toEqual(Object.keys(OPERATIONS).sort())
  })
})
