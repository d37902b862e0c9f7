/**
 * What strangers can make the gateway do: starts by two processes that share nothing but the
 * database, under the limits of production.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Refusal } from "../../../src/core/refusal"
import { cancelPayment } from "../../../src/checkout/cancel-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { retain } from "../../../src/reconciliation/retain"
import { startPayment } from "../../../src/checkout/start-payment"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { freshPhone, processOf } from "../../support/production-limits"
import { until } from "../../support/until"
import { useFlowsHarness } from "../../support/use-flows-harness"

const FAMILY = "203.0.113.9"

const harness = useFlowsHarness()
let one: FlowDeps
let two: FlowDeps

beforeEach(async () => {
  await harness.ledger.sql("truncate mp_bucket, mp_start")
  await rate(20)
  harness.simulator.resetCalls()
  harness.logged.length = 0
  one = processOf(harness, "one")
  two = processOf(harness, "two")
})

/** A refused start is held until something is so, however slow the one before it is. */
const holding = (deps: FlowDeps, held: () => Promise<unknown>): FlowDeps => ({
  ...deps,
  clock: {
    ...deps.clock,
    async sleep(ms, signal) {
      if (ms === LIMITS.startHeldMs) await held()
      else await deps.clock.sleep(ms, signal)
    },
  },
})

const rate = (perSecond: number) =>
  harness.ledger.sql(
    "update mp_account set checks_per_second_max = $1::int, checks_left = $1::int",
    [perSecond],
  )

/** As if so much time had passed for what is counted. */
const later = (ms: number) =>
  harness.ledger.sql("update mp_bucket set full_at = full_at - $1 * interval '1 ms'", [ms])

type Answer = { readonly code: string; readonly seconds: number }

const refusedAs = ({ code, details }: Refusal): Answer => ({
  code,
  seconds: Number(details["retry_after_seconds"]),
})

const start = (deps: FlowDeps, sessionId: string, phone = PHONE, network?: string) =>
  startPayment(deps, { sessionId, phone, network }).then(
    (): Answer => ({ code: "started", seconds: 0 }),
    refusedAs,
  )

const cancel = (deps: FlowDeps, sessionId: string) =>
  cancelPayment(deps, { sessionId }).then(
    (): Answer => ({ code: "cancelled", seconds: 0 }),
    refusedAs,
  )

const codes = (answers: readonly Answer[]) => answers.map(({ code }) => code)
const startedOf = (answers: readonly Answer[]) =>
  answers.filter(({ code }) => code === "started").length

const calls = () => Object.values(harness.simulator.calls).reduce((sum, n) => sum + n, 0)

const rows = async () => {
  const [row] = await harness.ledger.sql("select count(*)::int as n from mp_operation")
  return Number(row?.["n"])
}

describe("[S18] one phone", () => {
  it("gets few prompts, however many carts and processes start for it at once", async () => {
    const phone = freshPhone()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        start(n % 2 ? one : two, harness.cart().sessionId, phone, `10.0.0.${n}`),
      ),
    )
    expect(startedOf(answers)).toBe(LIMITS.startsOfPhoneAtOnce)
    expect(harness.simulator.calls["executeCollection"]).toBe(LIMITS.startsOfPhoneAtOnce)
    expect(new Set(codes(answers))).toEqual(new Set(["started", "too_many_requests"]))
    expect(answers.every(({ seconds }) => seconds <= LIMITS.startOfPhoneBackMs / SECOND)).toBe(true)
  })

  it("is refused before the gateway is asked and before a payment is written", async () => {
    const phone = freshPhone()
    for (let n = 0; n < LIMITS.startsOfPhoneAtOnce; n++) {
      await start(one, harness.cart().sessionId, phone)
    }
    const before = [calls(), await rows()]
    const counted = await harness.ledger.sql("select key from mp_bucket")
    for (let n = 0; n < 5; n++) {
      expect((await start(two, harness.cart().sessionId, phone)).code).toBe("too_many_requests")
    }
    expect([calls(), await rows()]).toEqual(before)
    // A refused start writes no row there either.
    expect(await harness.ledger.sql("select key from mp_bucket")).toEqual(counted)
  })

  it("can be tried again after a while, so a shopper who tries out the shop isn't held up", async () => {
    const phone = freshPhone()
    // It has paid before, so the daily limit of numbers that never paid leaves it alone.
    const { sessionId, collectionId } = harness.cart()
    await start(one, sessionId, phone)
    await harness.ledger.sql(
      `update mp_operation set state = 'completed', next_check_at = null, lease_token = null,
              lease_until = null where payment_collection_id = $1`,
      [collectionId],
    )
    await later(HOUR)
    let started = 0
    for (let tries = 0; tries < 20; tries++) {
      started += startedOf([await start(one, harness.cart().sessionId, phone)])
      await later(30 * SECOND)
    }
    expect(started).toBe(20)
    let inAnHour = 0
    for (let half = 0; half < 120; half++) {
      inAnHour += startedOf([await start(one, harness.cart().sessionId, phone)])
      await later(30 * SECOND)
    }
    expect(inAnHour).toBeLessThanOrEqual(LIMITS.startsOfPhoneInARow + 13)
  })

  it("is stored as a keyed hash only, the same in each process", async () => {
    const phone = freshPhone()
    await start(one, harness.cart().sessionId, phone, FAMILY)
    const plain = await harness.ledger.sql("select key from mp_bucket order by key")
    await start(two, harness.cart().sessionId, phone, FAMILY)
    // The second cart is the only thing that is new.
    const both = await harness.ledger.sql("select key from mp_bucket order by key")
    expect(both).toHaveLength(plain.length + 1)
    const texts = JSON.stringify(both)
    expect(texts).not.toContain(phone.slice(-7))
    expect(texts).not.toContain(FAMILY)
    const keyed = processOf(harness, "three", { clientSecret: "of another store" })
    await start(keyed, harness.cart().sessionId, phone, FAMILY)
    expect(await harness.ledger.sql("select key from mp_bucket")).toHaveLength(
      plain.length + both.length,
    )
  })

  it("is counted once for a double click, in one process or two, even for its last start", async () => {
    const phone = freshPhone()
    for (let n = 0; n < LIMITS.startsOfPhoneAtOnce; n++) {
      const { sessionId } = harness.cart()
      const before = await rows()
      const isBegun = async () => ((await rows()) > before ? true : undefined)
      const clicks = await Promise.all(
        [one, two, one, two]
          .map((deps) => holding(deps, () => until(isBegun, "the first click's payment")))
          .map((deps) => start(deps, sessionId, phone)),
      )
      expect(codes(clicks)).toEqual(Array(4).fill("started"))
      // A reload, or a second tab.
      for (const deps of [one, two])
        expect((await start(deps, sessionId, phone)).code).toBe("started")
    }
    expect(harness.simulator.calls["executeCollection"]).toBe(LIMITS.startsOfPhoneAtOnce)
    expect((await start(one, harness.cart().sessionId, phone)).code).toBe("too_many_requests")
  })
})

describe("[S19] a flood of starts and cancels", () => {
  it("of one cart with a page makes a bounded number of calls", async () => {
    const { sessionId } = harness.cart(HOSTED)
    let started = 0
    for (let turn = 0; turn < 30; turn++) {
      started += startedOf([await start(turn % 2 ? one : two, sessionId, freshPhone(), FAMILY)])
      await cancel(one, sessionId)
    }
    expect(started).toBeGreaterThan(0)
    expect(started).toBeLessThan(LIMITS.startsOfCartAtOnce + 3)
    expect(calls()).toBeLessThanOrEqual(LIMITS.questionsOfStart * started)
  })

  it("of one page that can't be closed is refused as well", async () => {
    const { sessionId } = harness.cart(HOSTED)
    await start(one, sessionId)
    harness.simulator.resetCalls()
    const refused = Array.from({ length: 100 }, () => "409" as const)
    harness.simulator.faults.script("cancelOrder", refused)
    const answers: Answer[] = []
    for (let n = 0; n < 20; n++) answers.push(await cancel(n % 2 ? one : two, sessionId))
    harness.simulator.faults.clear()
    expect(codes(answers).slice(LIMITS.cancelsOfPaymentAtOnce)).toContain("too_many_requests")
    expect(harness.simulator.calls["cancelOrder"]).toBeLessThan(10)
  })

  it("leaves no rows behind once its limits have recovered", async () => {
    await start(one, harness.cart().sessionId, freshPhone(), FAMILY)
    await later(MINUTE * 24 * 60)
    await retain(harness.deps, () => Promise.resolve())
    expect(await harness.ledger.sql("select key from mp_bucket")).toEqual([])
    await harness.ledger.sql("update mp_start set at = at - interval '1 day'")
    await retain(harness.deps, () => Promise.resolve())
    expect(await harness.ledger.sql("select number_digest from mp_start")).toEqual([])
  })

  it("isn't suspected in a family behind one address whose members each try twice", async () => {
    const answers: Answer[] = []
    for (let member = 0; member < 5; member++) {
      const { sessionId } = harness.cart(member % 2 ? HOSTED : undefined)
      const phone = freshPhone()
      answers.push(await start(one, sessionId, phone, FAMILY))
      if (member % 2) await cancel(one, sessionId)
      answers.push(await start(two, sessionId, phone, FAMILY))
    }
    expect(codes(answers)).toEqual(Array(10).fill("started"))
  })
})
