/**
 * Operations of the client against faults, on real sockets: each fault strikes one operation of each
 * kind, and each operation meets three faults. `npm run proof -- --only tables` plays every operation
 * against every fault. What is expected is in `fault-table.ts`.
 */
import { readFileSync } from "node:fs"
import path from "node:path"
import { LIMITS } from "../../src/core/limits"
import { OPERATIONS } from "../../src/gateway"
import type { Outcome } from "../../src/gateway"
import { bench, closeBenches } from "../gateway/bench"
import { json } from "../gateway/scripted-server"
import { firstOfEach, isWhole } from "../support/whole-tables"
import { CALL_KINDS, ELSEWHERE, FAULTS, kindOf } from "./fault-table"
import type { Expected, Fault, Wire } from "./fault-table"
import { CALL_SITES } from "./support/call-sites"
import type { CallSite } from "./support/call-sites"
import { gatewayWithout } from "./support/ends"

/** Waited out; far longer than a request takes to leave on a busy machine. */
const SHORT = { deadlineMs: 2_000 }
const LAST = 30

afterEach(closeBenches)

/** They wait for a real deadline. */
const isSlow = (fault: Fault) => fault.waitsForDeadline === true || fault.wire.at === "black_hole"
const isFor = ({ notFor = [] }: Fault, { operation }: CallSite) => !notFor.includes(operation)
const playedAlone = FAULTS.filter((fault) => !isSlow(fault))
const playedTogether = FAULTS.filter(isSlow)

/** In doubt, refused, and an answer that its own reader has to see through. */
const MET_BY_EACH = ["reset", "422 with a text", "JSON without the fields"]
const OF_EACH_KIND = firstOfEach(CALL_SITES, ({ operation }) => kindOf(operation))
const isPlayed = (site: CallSite, { name }: Fault) =>
  isWhole || OF_EACH_KIND.includes(site) || MET_BY_EACH.includes(name)
const faultsOf = (site: CallSite) =>
  playedAlone.filter((fault) => isFor(fault, site) && isPlayed(site, fault))

describe.each(CALL_SITES)("a call of $operation", (site) => {
  it.each(faultsOf(site))("[$id] ends as the table says under the fault: $name", async (fault) => {
    const { outcome, sends } = await played(site, fault)
    expectAsTheTableSays(site, fault, outcome, sends)
  })

  it("returns what the gateway answered", async () => {
    const wire: Wire = { at: "answers", answers: (body) => [json(200, body)] }
    const { outcome, sends } = await played(site, { wire })
    expect([outcome.kind, sends]).toEqual(["done", 1])
  })
})

describe("calls of many operations at once", () => {
  it.each(playedTogether)("[$id] end as the table says under the fault: $name", async (fault) => {
    await Promise.all(
      (isWhole ? CALL_SITES : OF_EACH_KIND).map(async (site) => {
        const { outcome, sends } = await played(site, fault)
        expectAsTheTableSays(site, fault, outcome, sends)
      }),
    )
  })
})

describe("the table of faults", () => {
  it("has every fault from N01 to N30", () => {
    const ids = new Set<string>([...FAULTS.map(({ id }) => id), ...Object.keys(ELSEWHERE)])
    const all = Array.from({ length: LAST }, (_, index) => `N${String(index + 1).padStart(2, "0")}`)
    expect([...ids].sort()).toEqual(all)
  })

  it.each(Object.entries(ELSEWHERE))("[%s] leaves this fault to %s", (id, file) => {
    expect(readFileSync(path.join(__dirname, file), "utf8")).toMatch(new RegExp(`["[]${id}["\\]]`))
  })

  it("expects an outcome of every kind of call under every fault", () => {
    for (const { expected } of FAULTS) {
      expect(Object.keys(expected).sort()).toEqual([...CALL_KINDS].sort())
    }
  })

  it("is played whole against one operation of each kind, and in part against all", () => {
    expect(OF_EACH_KIND.map(({ operation }) => kindOf(operation)).sort()).toEqual(
      [...CALL_KINDS].sort(),
    )
    expect(FAULTS.map(({ name }) => name)).toEqual(expect.arrayContaining(MET_BY_EACH))
    expect(CALL_SITES.map(({ operation }) => operation).sort()).toEqual(
      Object.keys(OPERATIONS).sort(),
    )
  })

  it("never expects a call that moves money to go out twice, or to fail without an answer", () => {
    for (const { name, expected } of FAULTS) {
      const { kind, sends } = expected.money
      const most = typeof sends === "number" ? sends : sends[1]
      // After a 401 nothing happened: the same again, when the token is valid or another one.
      const sendsMax = name.startsWith("401") ? LIMITS.tokenSendsPerCallMax : 1
      expect([name, most]).toEqual([name, Math.min(most, sendsMax)])
      if (kind === "refused") expect(name).toMatch(/^(401|403|404|422|429)/)
    }
  })
})

type Played = { readonly outcome: Outcome<unknown>; readonly sends: number }

async function played(
  site: CallSite,
  fault: Pick<Fault, "wire" | "waitsForDeadline">,
): Promise<Played> {
  const { wire } = fault
  if (wire.at !== "answers" && wire.at !== "stale_connection") {
    const { gateway, clock } = await gatewayWithout(wire.at)
    const outcome = await site.run(gateway)
    // It tried as often as its row says, and nothing of any try left.
    expect(clock.sleeps).toHaveLength(OPERATIONS[site.operation].tries - 1)
    await gateway.close()
    return { outcome, sends: 0 }
  }
  const answers = wire.answers(site.body, site.operation)
  const isToken = site.operation === "token.obtain"
  const { server, gateway } = await bench(isToken ? { tokens: answers } : { answers })
  if (!isToken) await gateway.token.check()
  if (wire.at === "stale_connection") {
    if (isToken) await gateway.token.check()
    server.cutIdleConnections()
  }
  const before = server.tokenCalls.length
  const outcome = await site.run(gateway, fault.waitsForDeadline && SHORT)
  const sends = isToken ? server.tokenCalls.length - before : server.calls.length
  return { outcome, sends }
}

function expectAsTheTableSays(
  site: CallSite,
  fault: Fault,
  outcome: Outcome<unknown>,
  sends: number,
): void {
  const expected: Expected = fault.expected[kindOf(site.operation)]
  const [least, most] =
    typeof expected.sends === "number" ? [expected.sends, expected.sends] : expected.sends
  const error = outcome.kind === "done" ? undefined : outcome.error
  expect({
    operation: site.operation,
    kinds: [expected.kind].flat().includes(outcome.kind) ? expected.kind : outcome.kind,
    code: expected.code && error?.code,
    reason: expected.reason && error?.reason,
    sends,
  }).toEqual({
    operation: site.operation,
    kinds: expected.kind,
    code: expected.code,
    reason: expected.reason,
    sends: Math.min(Math.max(sends, least), most),
  })
  expect(JSON.stringify(error ?? null)).not.toContain("CANARY")
}
