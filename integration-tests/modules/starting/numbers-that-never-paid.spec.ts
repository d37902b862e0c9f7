/**
 * [D7] A stranger has prompts sent to a phone that never pays, day after day, and a family's number
 * fails some times before it pays: starts by two processes under the limits of production.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import { LIMITS } from "../../../src/core/limits"
import { Refusal } from "../../../src/core/refusal"
import type { FlowDeps } from "../../../src/engine/deps"
import { DAY, HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { CARD, HOSTED } from "../../support/flows-harness"
import { freshPhone, processOf } from "../../support/production-limits"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ tokenLifeMinutes: 10_000_000 })
const A_DAY = LIMITS.promptsOfUnpaidNumberMax

let one: FlowDeps
let two: FlowDeps

beforeEach(async () => {
  await harness.ledger.sql("truncate mp_bucket, mp_start")
  harness.simulator.resetCalls()
  harness.logged.length = 0
  one = processOf(harness, "one")
  two = processOf(harness, "two")
})

const prompts = () => harness.simulator.calls["executeCollection"] ?? 0

type Answer = { readonly key: string; readonly seconds: number }

async function start(
  deps: FlowDeps,
  phone: string,
  cart = harness.cart(),
  more: object = {},
): Promise<Answer> {
  try {
    await startPayment(deps, { sessionId: cart.sessionId, phone, ...more })
    return { key: "started", seconds: 0 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { key: error.key, seconds: Number(error.details["retry_after_seconds"]) }
  }
}

const ended = (collectionId: string, state: string, reason: string | null = "declined") =>
  harness.ledger.sql(
    `update mp_operation set state = $2, reason = $3, next_check_at = null, lease_token = null,
            lease_until = null where payment_collection_id = $1`,
    [collectionId, state, state === "completed" ? null : reason],
  )

async function asked(
  phone: string,
  { deps = one, state = "failed", reason = "declined" } = {},
): Promise<Answer> {
  const cart = harness.cart()
  const answer = await start(deps, phone, cart)
  if (answer.key === "started") await ended(cart.collectionId, state, reason)
  return answer
}

const later = async (ms: number) => {
  const by = [ms]
  await harness.ledger.sql(
    `update mp_operation set created_at = created_at - $1 * interval '1 ms',
            submitted_at = submitted_at - $1 * interval '1 ms'`,
    by,
  )
  await harness.ledger.sql("update mp_bucket set full_at = full_at - $1 * interval '1 ms'", by)
}

const TOO_OFTEN = "too_many_requests.unpaid_number"

describe("[D7] a number that has never paid", () => {
  it("gets twelve prompts a day, and no more on the following days", async () => {
    const phone = freshPhone()
    const inADay: number[] = []
    for (let day = 0; day < 3; day++) {
      const before = prompts()
      for (let n = 0; n < 24; n++) {
        await asked(phone, { deps: n % 2 ? one : two })
        await later(HOUR)
      }
      inADay.push(prompts() - before)
    }
    expect(inADay).toEqual([A_DAY, A_DAY, A_DAY])
  })

  it("gets no more prompts by being written differently or by starts from many networks", async () => {
    const phone = freshPhone()
    const digits = phone.slice(1)
    const written = [
      phone,
      digits,
      `0${digits.slice(3)}`,
      `+231 ${digits.slice(3, 6)}-${digits.slice(6)}`,
    ]
    const answers: string[] = []
    for (let n = 0; n < 24; n++) {
      const network = `198.51.100.${n}`
      const text = written[n % written.length] ?? phone
      const cart = harness.cart()
      answers.push((await start(one, text, cart, { network, client: `${network} ${n}` })).key)
      await ended(cart.collectionId, "failed")
      await later(10 * MINUTE)
    }
    expect(prompts()).toBe(A_DAY)
    expect(answers.slice(A_DAY)).toEqual(Array(24 - A_DAY).fill(TOO_OFTEN))
  })

  it("is refused before the gateway is asked, until its first prompt of the day is a day old", async () => {
    const phone = freshPhone()
    for (let n = 0; n < A_DAY; n++) {
      await asked(phone)
      await later(HOUR)
    }
    harness.simulator.resetCalls()
    const { key, seconds } = await asked(phone)
    expect(key).toBe(TOO_OFTEN)
    expect(Math.abs(seconds - (DAY - A_DAY * HOUR) / SECOND)).toBeLessThan(MINUTE / SECOND)
    expect(harness.simulator.calls).toEqual({})
    expect(harness.logged.join()).toContain("one phone that has never paid")
    await later((seconds - 60) * SECOND)
    expect((await asked(phone)).key).toBe(TOO_OFTEN)
    await later(61 * SECOND)
    expect((await asked(phone)).key).toBe("started")
  })

  it("gets few more prompts by many starts at once", async () => {
    const phone = freshPhone()
    for (let n = 0; n < A_DAY - 1; n++) {
      await asked(phone)
      await later(MINUTE)
    }
    const before = prompts()
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => asked(phone, { deps: n % 2 ? one : two })),
    )
    expect(prompts() - before).toBeLessThanOrEqual(LIMITS.startsOfPhoneAtOnce)
    await later(HOUR)
    expect((await asked(phone)).key).toBe(TOO_OFTEN)
  })

  it("isn't freed by a card or a page that was paid with it as the contact number", async () => {
    const phone = freshPhone()
    const [card, page] = [harness.cart(CARD), harness.cart(HOSTED)]
    expect((await start(one, phone, card, { cardToken: "card_no_3ds" })).key).toBe("started")
    expect((await start(one, phone, page)).key).toBe("started")
    for (const { collectionId } of [card, page]) await ended(collectionId, "completed")
    for (let n = 0; n < A_DAY; n++) {
      await later(HOUR)
      expect((await asked(phone)).key).toBe("started")
    }
    await later(HOUR)
    expect((await asked(phone)).key).toBe(TOO_OFTEN)
    // A card and a page ring no phone.
    expect((await start(one, phone, harness.cart(HOSTED))).key).toBe("started")
    const token = { cardToken: "card_no_3ds" }
    expect((await start(one, phone, harness.cart(CARD), token)).key).toBe("started")
  })
})

describe("[D7] an honest number", () => {
  it("that fails eleven times before it pays is free from then on", async () => {
    const phone = freshPhone()
    for (let n = 0; n < A_DAY - 1; n++) {
      expect((await asked(phone)).key).toBe("started")
      await later(MINUTE)
    }
    expect((await asked(phone, { state: "completed" })).key).toBe("started")
    for (let n = 0; n < 3 * A_DAY; n++) {
      await later(10 * MINUTE)
      expect((await asked(phone)).key).toBe("started")
    }
  })

  it("that paid a year ago is free today", async () => {
    const phone = freshPhone()
    await asked(phone, { state: "completed" })
    await later(365 * DAY)
    for (let n = 0; n < A_DAY + 3; n++) {
      expect((await asked(phone)).key).toBe("started")
      await later(10 * MINUTE)
    }
  })

  it("isn't counted while its operator is unavailable", async () => {
    const phone = freshPhone()
    for (let n = 0; n < A_DAY + 3; n++) {
      expect((await asked(phone, { reason: "operator_unavailable" })).key).toBe("started")
      await later(10 * MINUTE)
    }
    expect((await asked(phone)).key).toBe("started")
  })

  it("gets its prompt while another number is refused", async () => {
    const phone = freshPhone()
    for (let n = 0; n < A_DAY; n++) {
      await asked(phone)
      await later(10 * MINUTE)
    }
    expect((await asked(phone)).key).toBe(TOO_OFTEN)
    expect((await asked(freshPhone())).key).toBe("started")
  })
})
