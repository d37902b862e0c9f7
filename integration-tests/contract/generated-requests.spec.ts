/**
 * Requests that the client writes from arbitrary arguments are valid against the contract, and
 * together they use every parameter and every field that it has, and none that it has not.
 */
import fc from "fast-check"
import { startSimulator } from "../../packages/simulator/src"
import { ownContract } from "../../packages/simulator/src/contract/contract"
import { createGateway } from "../../src/gateway"
import type { OperationName } from "../../src/gateway"
import { bench, closeBenches } from "../gateway/bench"
import { drivenClock } from "../gateway/driven-clock"
import { json } from "../gateway/scripted-server"
import type { Received } from "../gateway/scripted-server"
import { calmOf, TEMPERS } from "../support/tempers"
import { isWhole } from "../support/whole-tables"
import { REQUESTS } from "./support/requests"
import { contractOf, readAddress } from "./support/match"

const RUNS = isWhole ? 100 : 40
const SEED = 20_260
const isOperation = (name: string): name is keyof typeof REQUESTS => name in REQUESTS
const names = Object.keys(REQUESTS).filter(isOperation)

afterEach(closeBenches)

describe("requests of", () => {
  it.each(names)("%s are what the contract allows, in all its fields", async (name) => {
    const { server, gateway } = await bench({ answers: [json(422, { detail: "seen" })] })
    const contract = contractOf(name)
    const seen = { params: new Set<string>(), query: new Set<string>(), body: new Set<string>() }
    await fc.assert(
      fc.asyncProperty(REQUESTS[name], async (send) => {
        const before = server.calls.length
        expect(await send(gateway)).toMatchObject({ kind: "refused" })
        expect(server.calls).toHaveLength(before + 1)
        const input = inputOf(name, server.calls[before])
        ownContract().checkedInput(contract.id, input)
        for (const key of Object.keys(input.params)) seen.params.add(key)
        for (const key of Object.keys(input.query)) seen.query.add(key)
        for (const place of placesIn(input.body)) seen.body.add(place)
      }),
      { numRuns: RUNS, seed: SEED },
    )
    expect([...seen.params].sort()).toEqual([...contract.params].sort())
    expect([...seen.query].sort()).toEqual([...contract.query].sort())
    expect([...seen.body].sort()).toEqual(contract.requestFields)
  })
})

it.each(TEMPERS)("the %s simulator finds nothing wrong in generated requests, and the client reads each answer", async (temper) => {
  const simulator = await startSimulator({ port: 0, seed: "1", ...calmOf(temper) })
  const gateway = createGateway({
    baseUrl: simulator.url,
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    // Nobody waits between two tries.
    clock: drivenClock(),
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(...names.map((name) => REQUESTS[name])), async (send) => {
      const outcome = await send(gateway)
      // In another form than the contract's, a 404 proves nothing.
      const isDoubted = outcome.kind === "unknown" && outcome.error.status === 404
      expect(temper === "odd" && isDoubted ? "refused" : outcome.kind).toMatch(/^(done|refused)$/)
    }),
    { numRuns: names.length * (temper === "tidy" && isWhole ? 10 : 2), seed: SEED },
  )
  await gateway.close()
  expect(simulator.contractViolations).toEqual([])
  await simulator.close()
})

function inputOf(name: OperationName, received: Received | undefined) {
  if (!received) throw new Error("Nothing was sent")
  const contract = contractOf(name)
  expect(received.method).toBe(contract.method)
  expect(received.headers["authorization"]).toMatch(/^Bearer ./)
  const body: unknown = received.body === "" ? undefined : JSON.parse(received.body)
  return { ...readAddress(contract, received.path), body }
}

/** Every field of a body as a path: `items[].amount`. */
function placesIn(value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, `${at}[]`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = at === "" ? key : `${at}.${key}`
    return [place, ...placesIn(inner, place)]
  })
}
