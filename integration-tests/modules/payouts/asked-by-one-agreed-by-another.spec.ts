/**
 * A payout that one admin asks for and another approves, in drawn orders of events: who presses
 * what, with which key, twice at once, with a gateway that refuses or loses an answer, and with a
 * process that dies at any statement. One intention is one movement of money.
 */
import fc from "fast-check"
import type { FaultEntry } from "../../../packages/simulator/src/faults"
import { closeRequest, findRequestByKey, listWaiting } from "../../../src/ledger/requests"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { payoutView } from "../../../src/payouts/payout-view"
import { requestPayout } from "../../../src/payouts/request-payout"
import type { FlowDeps } from "../../../src/engine/deps"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE } from "../../support/an-operation"
import { letMoneyOut, payoutOf, usePayoutsHarness } from "../../support/payouts-harness"

const { harness } = usePayoutsHarness()
const ALWAYS = { money_out_second_admin_above: { "*": 0 } }
const PEOPLE = ["user_ada", "user_bob", "user_eve"] as const
const KINDS = ["PAYOUT", "TRANSFER"] as const

type Press =
  | { readonly kind: "ask"; readonly by: string; readonly key: number }
  | { readonly kind: "approve" | "refuse"; readonly by: string }

type Moment = {
  /** Pressed at the same time. */
  readonly presses: readonly Press[]
  /** What the gateway does at its next call of this kind. */
  readonly fault: readonly [call: string, fault: FaultEntry] | null
  /** The statement at which the process dies, before or after it was carried out. */
  readonly death: { readonly at: number; readonly isAfter: boolean } | null
}

const by = fc.constantFrom(...PEOPLE)
const press: fc.Arbitrary<Press> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("ask" as const), by, key: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("approve" as const), by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refuse" as const), by }) },
)
const fault = fc.constantFrom(
  ["createPayoutSession", "500"],
  ["executePayout", "422:after"],
  ["executePayout", "422"],
  ["executePayout", "500:after"],
  ["executePayout", "reset:after"],
  ["executePayout", "reset"],
) as fc.Arbitrary<NonNullable<Moment["fault"]>>
const moment: fc.Arbitrary<Moment> = fc.record({
  presses: fc.oneof(
    fc.array(press, { minLength: 1, maxLength: 3 }),
    press.map((one) => [one, one]),
  ),
  fault: fc.option(fault, { freq: 3 }),
  death: fc.option(fc.record({ at: fc.nat(14), isAfter: fc.boolean() }), { freq: 3 }),
})

/** A process that dies at its n-th statement. Nothing that it does later reaches the database. */
function dyingAt({ at, isAfter }: NonNullable<Moment["death"]>): FlowDeps {
  const { deps } = harness
  let left = at
  return {
    ...deps,
    database: {
      async query(...given) {
        if (left < 0 || (left === 0 && !isAfter)) {
          left = -1
          throw new Error("the process is dead")
        }
        const rows = await deps.database.query(...given)
        if (left-- === 0) throw new Error("the process is dead")
        return rows
      },
    },
  }
}

function scene(run: number) {
  const name = `Recipient ${run}`
  const asked = (key: number, askedBy: string) =>
    payoutOf({ idempotencyKey: `run-${run}-key-${key}`, askedBy, name, amount: 25 })
  /** The requests that somebody else approved, at whatever moment. */
  const approved = new Set<string>()
  const waiting = async () =>
    (await listWaiting(harness.ledger.database, harness.deps.people, KINDS)).filter(
      ({ details }) => details.recipient_name === name,
    )
  const rows = () =>
    harness.ledger.sql("select id, reference, state from mp_operation where recipient_name = $1", [
      name,
    ])
  return {
    asked,
    approved,
    waiting,
    rows,
    async play(deps: FlowDeps, one: Press): Promise<void> {
      if (one.kind === "ask") {
        await requestPayout(deps, asked(one.key, one.by))
        return
      }
      const [request] = await waiting()
      if (!request) return
      if (one.kind === "approve") {
        if (one.by !== request.askedBy) approved.add(request.id)
        await approvePayout(deps, { id: request.id, adminId: one.by, note: undefined })
        return
      }
      const { database } = deps
      await closeRequest(database, deps.people, {
        id: request.id,
        kinds: KINDS,
        adminId: one.by,
        answer: null,
      })
    },
    /** What the job finds out until nothing is open any more. */
    async settled(): Promise<void> {
      for (const ms of [MINUTE, 2 * MINUTE, 90 * MINUTE, 10 * MINUTE]) {
        for (const { id } of await rows()) {
          await harness.pass(String(id), ms)
          await checkNow(harness.deps, String(id))
        }
      }
    },
    async moved(): Promise<number> {
      const references = (await rows()).map(({ reference }) => String(reference))
      return references.filter((one) => harness.simulator.book.moneyOut(one) !== undefined).length
    },
  }
}

let runs = 0

async function playOne(moments: readonly Moment[]): Promise<void> {
  const { simulator, ledger, deps } = harness
  const { play, asked, approved, waiting, rows, settled, moved } = scene(++runs)
  for (const { presses, fault: drawn, death } of moments) {
    if (drawn) simulator.faults.script(drawn[0], [drawn[1]])
    const own = death ? dyingAt(death) : deps
    await Promise.allSettled(presses.map((one) => play(own, one)))
    simulator.faults.clear()
  }
  await settled()
  const before = await moved()
  // Each request that was approved by another moved money once at most, and nothing else did.
  expect(before).toBeLessThanOrEqual(approved.size)
  // Whatever is pressed again under a key shows what became of it, and moves nothing.
  for (const key of [0, 1, 2]) {
    const request = await findRequestByKey(ledger.database, asked(key, "").idempotencyKey)
    if (request?.state !== "approved") continue
    for (const askedBy of PEOPLE) {
      const again = payoutView(await requestPayout(deps, asked(key, askedBy)))
      expect(again.id).toBe(request.operationId)
    }
    const twice = [0, 1].map(() =>
      approvePayout(deps, { id: request.id, adminId: "user_eve", note: undefined }),
    )
    for (const one of await Promise.all(twice)) {
      expect(payoutView(one).id).toBe(request.operationId)
    }
  }
  expect(await moved()).toBe(before)
  // A key has one row that may have sent money.
  const sent = (await rows()).filter(({ reference }) => reference !== null)
  expect(sent.length).toBeLessThanOrEqual(approved.size)
  for (const { id } of await waiting()) {
    await closeRequest(ledger.database, deps.people, {
      id,
      kinds: KINDS,
      adminId: "user_ada",
      answer: null,
    })
  }
}

describe("[S15] a payout that one admin asks for and another approves", () => {
  beforeEach(() => letMoneyOut(harness.ledger, ALWAYS))

  it("moves money once for each request that another admin approved, in any order of events", async () => {
    await fc.assert(fc.asyncProperty(fc.array(moment, { minLength: 2, maxLength: 7 }), playOne), {
      numRuns: 20,
      examples: EXAMPLES.map((moments): [Moment[]] => [
        moments.map((presses) => ({ ...CALM, presses })),
      ]),
    })
  }, 240_000)

  it.each([false, true])(
    "goes once where the second admin clicks twice, and the first one presses again (new form: %s)",
    async (isNewForm) => {
      const { asked, waiting, moved } = scene(++runs)
      const first = asked(0, "user_ada")
      await expect(requestPayout(harness.deps, first)).rejects.toMatchObject({
        code: "money_out_needs_second_admin",
      })
      const [request] = await waiting()
      const answer = { id: request?.id ?? "", adminId: "user_bob", note: undefined }
      const both = await Promise.all([0, 1].map(() => approvePayout(harness.deps, answer)))
      const [one, other] = both.map((payout) => payoutView(payout).id)
      expect(one).toBe(other)
      if (isNewForm) {
        const anew = requestPayout(harness.deps, asked(1, "user_bob"))
        await expect(anew).rejects.toMatchObject({ code: "money_out_needs_second_admin" })
      }
      expect(payoutView(await requestPayout(harness.deps, first)).id).toBe(one)
      expect(await moved()).toBe(1)
    },
  )
})

const CALM = { fault: null, death: null }
const ask = (one: string, key: number): Press => ({ kind: "ask", by: one, key })
const approve = (one: string): Press => ({ kind: "approve", by: one })
/** The orders in which a second payout went before requests had ids. */
const EXAMPLES: readonly (readonly (readonly Press[])[])[] = [
  [[ask("user_ada", 0)], [approve("user_bob"), approve("user_bob")], [ask("user_ada", 0)]],
  [[ask("user_ada", 0)], [ask("user_bob", 1), ask("user_bob", 1)], [ask("user_ada", 0)]],
  [
    [ask("user_ada", 0)],
    [approve("user_bob")],
    [ask("user_ada", 0)],
    [ask("user_bob", 1), ask("user_bob", 1)],
  ],
]

describe("[S15] a key ends with a proven end alone", () => {
  beforeEach(() => letMoneyOut(harness.ledger, {}))

  it("so the gateway's refusal of what it carried out lets no second payout go, under no key", async () => {
    const { asked, moved, settled } = scene(++runs)
    harness.simulator.faults.script("executePayout", ["422:after"])
    const first = requestPayout(harness.deps, asked(0, "user_ada"))
    await expect(first).rejects.toMatchObject({
      code: "gateway_refused",
      details: { state: "submitted", ended: false },
    })
    await expect(requestPayout(harness.deps, asked(1, "user_ada"))).rejects.toMatchObject({
      code: "money_out_in_doubt",
      details: { ended: false, idempotency_key: asked(0, "").idempotencyKey },
    })
    const same = payoutView(await requestPayout(harness.deps, asked(0, "user_ada")))
    expect(same).toMatchObject({ state: "submitted" })
    await settled()
    expect(payoutView(await requestPayout(harness.deps, asked(0, "user_ada")))).toMatchObject({
      id: same.id,
      state: expect.stringMatching(/^(in_flight|completed)$/) as string,
    })
    expect(await moved()).toBe(1)
  })
})
