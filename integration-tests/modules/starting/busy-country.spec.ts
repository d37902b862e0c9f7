/**
 * A country behind one address, an abuser among its shoppers, and a gateway that allows few calls:
 * the starts of a fresh account under the limits of production.
 */
import { LIMITS } from "../../../src/core/limits"
import { Refusal } from "../../../src/core/refusal"
import { startPayment } from "../../../src/checkout/start-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { largestNetwork } from "../../../src/ledger/limits/network-starts"
import { SECOND } from "../../support/an-operation"
import { HOSTED } from "../../support/flows-harness"
import { freshPhone, processOf } from "../../support/production-limits"
import { useFlowsHarness } from "../../support/use-flows-harness"

const TOWN = "203.0.113.9"
const PER_SECOND = 3

type Answer = { readonly code: string; readonly seconds: number; readonly queued: boolean }

const start = (
  deps: FlowDeps,
  sessionId: string,
  { client, phone = freshPhone() }: { readonly client?: string; readonly phone?: string } = {},
): Promise<Answer> =>
  startPayment(deps, { sessionId, phone, network: TOWN, client }).then(
    () => ({ code: "started", seconds: 0, queued: false }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      const { code, details } = error
      const seconds = Number(details["retry_after_seconds"])
      return { code, seconds, queued: details["queued"] === true }
    },
  )

describe("300 shoppers behind one address", () => {
  const harness = useFlowsHarness()
  let deps: FlowDeps
  beforeAll(() => void (deps = processOf(harness, "one")))

  const executions = () => harness.simulator.calls["executeCollection"] ?? 0

  /** The payers' answers, as the job finds them. */
  const ended = (collections: readonly string[], state: string) =>
    harness.ledger.sql(
      `update mp_operation set state = $2, next_check_at = null, lease_token = null,
              lease_until = null, reason = case when $2 = 'failed' then 'declined' end
        where payment_collection_id = any($1)`,
      [collections, state],
    )

  it("are all served in a minute on a fresh account", async () => {
    const carts = Array.from({ length: 300 }, () => harness.cart())
    const codes: string[] = []
    for (let n = 0; n < carts.length; n += 10) {
      const some = carts.slice(n, n + 10)
      const answers = await Promise.all(some.map(({ sessionId }) => start(deps, sessionId)))
      codes.push(...answers.map(({ code }) => code))
    }
    expect(codes).toEqual(Array(300).fill("started"))
    expect(await largestNetwork(harness.ledger.database)).toEqual({ starts: 300, ofOne: 300 })
    // One in ten never approves.
    const ids = carts.map(({ collectionId }) => collectionId)
    await ended(ids.slice(0, 270), "completed")
    await ended(ids.slice(270), "failed")
    expect((await start(deps, harness.cart().sessionId)).code).toBe("started")
  })

  it("aren't held up by an abuser among them, who can ring nine strangers and no more", async () => {
    const before = executions()
    const answers: string[] = []
    for (let n = 0; n < 15; n++) {
      const { sessionId, collectionId } = harness.cart()
      answers.push((await start(deps, sessionId, { client: `${TOWN} a script` })).code)
      await ended([collectionId], "failed")
    }
    expect(executions() - before).toBe(LIMITS.unapprovedNumbersMax)
    expect(answers.slice(LIMITS.unapprovedNumbersMax)).toEqual(Array(6).fill("too_many_requests"))
    // Other shoppers at the address, with another browser or a page.
    const honest = { client: `${TOWN} a browser` }
    expect((await start(deps, harness.cart().sessionId, honest)).code).toBe("started")
    expect((await start(deps, harness.cart(HOSTED).sessionId)).code).toBe("started")
  })

  it("are protected from an abuser with a new browser each time, who can ring nine strangers as well", async () => {
    await harness.ledger.sql("truncate mp_start")
    const before = executions()
    for (let n = 0; n < 15; n++) {
      const { sessionId, collectionId } = harness.cart()
      await start(deps, sessionId, { client: `${TOWN} ${n}` })
      await ended([collectionId], "failed")
    }
    expect(executions() - before).toBe(LIMITS.unapprovedNumbersMax)
  })

  it("are refused once nine prompts have stayed unanswered for long, and served again after an approval", async () => {
    await harness.ledger.sql("truncate mp_start")
    const carts = Array.from({ length: LIMITS.unapprovedNumbersMax }, () => harness.cart())
    for (const { sessionId } of carts) await start(deps, sessionId)
    await harness.ledger.sql("update mp_start set at = at - $1 * interval '1 ms'", [
      LIMITS.unapprovedAfterMs,
    ])
    expect((await start(deps, harness.cart().sessionId)).code).toBe("too_many_requests")
    await ended([carts[0]?.collectionId ?? ""], "completed")
    expect((await start(deps, harness.cart().sessionId)).code).toBe("started")
  })

  it("aren't held up by one phone that declines often", async () => {
    await harness.ledger.sql("truncate mp_start, mp_bucket")
    const phone = freshPhone()
    for (let n = 0; n < 12; n++) {
      await harness.ledger.sql("truncate mp_bucket")
      const { sessionId, collectionId } = harness.cart()
      expect((await start(deps, sessionId, { phone })).code).toBe("started")
      await ended([collectionId], "failed")
    }
  })

  it("wait for no share of the calls while the gateway doesn't complain", async () => {
    await harness.ledger.sql("truncate mp_start, mp_bucket")
    await harness.ledger.sql("update mp_account set checks_per_second_max = 1, checks_left = 0")
    for (let n = 0; n < 40; n++) {
      expect((await start(deps, harness.cart().sessionId)).code).toBe("started")
    }
  })
})

describe("a gateway that allows three calls a second", () => {
  const harness = useFlowsHarness({ requestsPerSecond: PER_SECOND })
  let deps: FlowDeps
  beforeAll(() => void (deps = processOf(harness, "one")))

  const pass = async (ms: number) => {
    harness.later(ms)
    await harness.ledger.sql("update mp_bucket set full_at = full_at - $1 * interval '1 ms'", [ms])
    await harness.ledger.sql(
      "update mp_account set checks_paused_until = checks_paused_until - $1 * interval '1 ms'",
      [ms],
    )
  }

  it("serves every shopper who comes back when told to, in the order in which they came", async () => {
    await harness.ledger.sql(
      "update mp_account set checks_per_second_max = 3, checks_paused_until = now() + interval '20 s'",
    )
    const shoppers = Array.from({ length: 6 }, () => ({ ...harness.cart(), phone: freshPhone() }))
    const waits: number[] = []
    for (const { sessionId, phone } of shoppers) {
      const answer = await start(deps, sessionId, { phone })
      expect(answer).toMatchObject({ code: "too_many_requests", queued: true })
      waits.push(answer.seconds)
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(new Set(waits).size).toBe(waits.length)
    const served: number[] = []
    const due = shoppers.map((shopper, place) => ({ ...shopper, place, inMs: waits[place] ?? 0 }))
    const queue = due.map((one) => ({ ...one, inMs: one.inMs * SECOND }))
    for (let second = 0; second < 120 && served.length < shoppers.length; second++) {
      await pass(SECOND)
      for (const one of queue) one.inMs -= SECOND
      for (const one of queue) {
        if (one.inMs > 0 || served.includes(one.place)) continue
        const { code, seconds, queued } = await start(deps, one.sessionId, { phone: one.phone })
        if (code === "started") served.push(one.place)
        else {
          expect(queued).toBe(true)
          one.inMs = seconds * SECOND
        }
      }
    }
    expect(served).toEqual(shoppers.map((_, place) => place))
    // No shopper was counted twice for coming back.
    const rows = await harness.ledger.sql("select number_digest from mp_start")
    expect(rows).toHaveLength(shoppers.length)
  }, 120_000)

  it("keeps a shopper's place in the queue when it refuses in the middle of a start", async () => {
    await harness.ledger.sql("truncate mp_bucket")
    await harness.ledger.sql("update mp_account set checks_paused_until = null")
    await pass(5 * SECOND)
    harness.simulator.faults.script("createCheckoutSource", Array(8).fill("429:9"))
    const { sessionId } = harness.cart()
    const phone = freshPhone()
    const first = await start(deps, sessionId, { phone })
    harness.simulator.faults.clear()
    expect(first).toMatchObject({ code: "too_many_requests", queued: true })
    await pass(first.seconds * SECOND)
    let last = first
    for (let n = 0; n < 30 && last.code !== "started"; n++) {
      last = await start(deps, sessionId, { phone })
      await pass(2 * SECOND)
    }
    expect(last.code).toBe("started")
  }, 120_000)
})
