/**
 * The review over HTTP, in a real store: who is let in, what is answered to nonsense, and late,
 * second and stranded money accepted, given back and dismissed, down to Medusa's own order.
 */
import fc from "fast-check"
import type {
  OperationResponse,
  OperationDetail,
  OperationList,
  OrderPaymentsResponse,
} from "../../src/review/schemas/operations"
import { LIMITS } from "../../src/core/limits"
import { expectPaidInFull, operationsOf, settled, timesCharged } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"
import { setStock } from "./support/stock"
import { until } from "../support/until"
import { useHarness } from "./support/harness"
import { runs } from "../support/whole-tables"

/** FAILED after a third of a second, and COMPLETED six seconds later all the same. */
const harness = useHarness({ simulator: { speed: 10 } })

/** What comes late is in review here, and not placed by the account's rule. */
beforeAll(() =>
  harness.sql(`update mp_account set policies = policies || '{"place_late_money": false}'`),
)

const ROOT = "/admin/merchant-payments"
const BASKET = "woven-basket"
const NOTE = "looked it up in the portal"

type Refused = { readonly code?: string; readonly message?: string }

const resolve = (id: string, body: object) =>
  harness.admin.call<OperationResponse & Refused>("POST", `${ROOT}/operations/${id}/resolve`, body)

const read = async (id: string) =>
  (
    await expectOk(
      harness.admin.call<{ operation: OperationDetail }>("GET", `${ROOT}/operations/${id}`),
    )
  ).operation

const list = (query: string) =>
  expectOk(harness.admin.call<OperationList>("GET", `${ROOT}/operations?${query}`))

const searched = (asked: object) =>
  expectOk(harness.admin.call<OperationList>("POST", `${ROOT}/operations/search`, asked))

/** What became of a cart's payments so far, for the message of a test that waits in vain. */
async function storyOf(cartId: string): Promise<string> {
  const rows = await harness.sql(
    `select o.state, o.reason, o.settle_attempts, o.lease_until, o.next_check_at, o.recorded_at,
            now() as now, e.name, e.code, e.facts, e.created_at
       from mp_operation o join mp_operation_event e on e.operation_id = o.id
      where o.cart_id = $1 order by o.created_at, e.seq`,
    [cartId],
  )
  return JSON.stringify(rows, null, 1)
}

/** Due at once, until it is in review. */
async function inReview(cartId: string, due: string): Promise<string> {
  const seen = until(async () => {
    await harness.sql(
      `update mp_operation set ${due} next_check_at = now()
          where cart_id = $1 and lease_token is null and recorded_at is null
            and state in ('completed', 'failed')`,
      [cartId],
    )
    const review = (await operationsOf(harness, cartId)).find(({ state }) => state === "review")
    return review?.id
  }, "money in review")
  return seen.catch(async (error: Error) => {
    throw new Error(`${error.message}: ${await storyOf(cartId)}`, { cause: error })
  })
}

/** Seen FAILED twice, the second time before its time; it will be approved all the same. */
async function declined() {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const total = await harness.shop.total(cartId)
  const sessionId = await harness.shop.session(cartId)
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await expectOk(harness.shop.start(sessionId))
  await until(async () => {
    await harness.sql(
      `update mp_operation set next_check_at = now(),
              failed_at = failed_at - ${LIMITS.failedSecondCheckMs} * interval '1 ms'
        where cart_id = $1 and lease_token is null and state in ('submitted', 'in_flight')`,
      [cartId],
    )
    return (await operationsOf(harness, cartId)).some(({ state }) => state === "failed")
  }, "seen FAILED twice")
  return { cartId, total, sessionId, phone }
}

/** Declined, and approved all the same. */
async function late() {
  const payment = await declined()
  return { ...payment, id: await inReview(payment.cartId, "") }
}

/** Paid, and Medusa had no stock for it until the last try. */
async function stranded() {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone, items: [[BASKET, 2]] })
  const total = await harness.shop.total(cartId)
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  await setStock(harness, BASKET, 0)
  harness.simulator.handset.approve(phone.slice(1))
  const id = await inReview(cartId, `settle_attempts = ${LIMITS.settleRetryMs.length},`)
  return { cartId, total, sessionId, phone, id }
}

const ordered = (cartId: string) =>
  until(async () => {
    const [row] = await harness.sql<{ order_id: string }>(
      `select order_id from mp_operation where cart_id = $1 and recorded_at is not null`,
      [cartId],
    )
    return row?.order_id
  }, "the order")

/** A secret API key is let in, too, and decides under its own name. */
async function dismissedByKey(id: string): Promise<void> {
  const { api_key: key } = await expectOk(
    harness.admin.call<{ api_key: { id: string; token: string } }>("POST", "/admin/api-keys", {
      title: "review",
      type: "secret",
    }),
  )
  const authorization = `Basic ${Buffer.from(`${key.token}:`).toString("base64")}`
  const call = (method: string, path: string, body?: unknown) =>
    harness.shop.call<Refused>(method, `${ROOT}/${path}`, body, { authorization })
  expect((await call("GET", "operations")).status).toBe(200)
  await expectOk(call("POST", `operations/${id}/resolve`, { action: "dismiss", note: NOTE }))
  expect((await read(id)).events.at(-1)).toMatchObject({ name: "dismiss", by: key.id })
  const again = await call("POST", `operations/${id}/resolve`, { action: "accept", note: NOTE })
  expect([again.status, again.body.code]).toEqual([409, "already_resolved"])
}

describe("who is let in", () => {
  const ROUTES = [
    ["GET", "operations"],
    ["GET", "operations/mpop_x"],
    ["GET", "orders/order_x"],
    ["POST", "operations/mpop_x/check"],
    ["POST", "operations/mpop_x/resolve"],
    ["POST", "operations/mpop_x/payment-intent"],
  ] as const

  it("[S02] nobody without a login", async () => {
    for (const [method, path] of ROUTES) {
      const { status } = await harness.shop.call(method, `${ROOT}/${path}`, undefined, {
        authorization: "Bearer eyJub3QiOiJhIHRva2VuIn0.x.y",
      })
      expect([path, status]).toEqual([path, 401])
      expect((await harness.shop.call(method, `${ROOT}/${path}`)).status).toBe(401)
    }
  })
})

describe("bad input", () => {
  it("[S07] is never a 500, whatever is asked for", async () => {
    const keys = [
      ...["state", "type", "flow", "currency", "account_id", "payment_method", "created_from"],
      ...["created_to", "order_id", "cart_id", "reference", "phone", "q", "needs_attention"],
      ...["limit", "offset", "after", "order", "totals", "format", "time_zone"],
      ...["state[]", "q[a]", "unknown"],
    ]
    const nearly = fc.constantFrom(
      ...["review", "REFUND", "push", "usd", "2026-11-22", "2026-02-31", "275760-09-13", "true"],
      ...["-1", "0", "999999999999999999999", "1.5", "9999999999999999.mpop_1", "1.x", "%00", "\0"],
      ...["3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b", "00000000-0000-0000-0000-000000000000", "'", ","],
    )
    const query = fc.array(fc.tuple(fc.constantFrom(...keys), fc.oneof(nearly, fc.string())), {
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        const text = new URLSearchParams(given.map(([key, value]) => [key, value])).toString()
        const { status, body } = await harness.admin.call<Refused>(
          "GET",
          `${ROOT}/operations?${text}`,
        )
        expect([200, 400]).toContain(status)
        if (status === 400) expect(body.code).toBe("invalid_request")
      }),
      { numRuns: runs(150) },
    )
  })

  it("[S07] is never a 500, whatever is sent, and a secret API key decides as a person does", async () => {
    const { id } = await late()
    const field = fc.oneof(
      fc.constantFrom("accept", "dismiss", "refund", "", "  ", "\0", NOTE.repeat(60), 0, -1, 1.5),
      fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 60, null, true, [], {}),
      fc.string(),
    )
    const body = fc.oneof(
      fc.record(
        {
          action: fc.constantFrom<unknown>("maybe", "ACCEPT", 5, null, ["accept"]),
          note: field,
          cart_id: field,
          order_id: field,
          payment_intent_id: field,
        },
        { requiredKeys: [] },
      ),
      fc.array(field, { maxLength: 2 }),
    )
    const ids = fc.constantFrom(id, "mpop_none", "a b", "\0", "'; drop table mp_operation", "é")
    const route = fc.constantFrom("resolve", "payment-intent", "check")
    await fc.assert(
      fc.asyncProperty(ids, route, body, async (of, path, given) => {
        const address = `${ROOT}/operations/${encodeURIComponent(of)}/${path}`
        const { status } = await harness.admin.call<Refused>("POST", address, given)
        expect([200, 400, 404, 409]).toContain(status)
      }),
      { numRuns: runs(100) },
    )
    expect(await read(id)).toMatchObject({ state: "review", attention: "review" })
    await dismissedByKey(id)
  })
})

describe("late money", () => {
  it("[B05] accepted pays its order, once, and says who decided", async () => {
    const { id, cartId, total } = await late()
    const before = await read(id)
    expect(before).toMatchObject({
      attention: "review",
      reason: { code: "late_payment", en: expect.any(String) },
      actions: expect.arrayContaining([
        { action: "accept", is_possible: true, why_not: null },
        expect.objectContaining({ action: "retry", is_possible: false }),
      ]),
    })
    const { gateway } = await expectOk(resolve(id, { action: "accept", note: NOTE }))
    expect(gateway).toMatchObject({ kind: "reads", execution: "COMPLETED", source: "PAID" })
    const orderId = await ordered(cartId)
    await expectPaidInFull(harness, orderId, total)
    expect(await timesCharged(harness, cartId)).toBe(1)
    const { events } = await read(id)
    expect(events.find(({ name }) => name === "accept")).toMatchObject({
      by: expect.stringMatching(/^user_/),
      why: NOTE,
    })
    const { operations } = await expectOk(
      harness.admin.call<OrderPaymentsResponse>("GET", `${ROOT}/orders/${orderId}`),
    )
    expect(operations).toMatchObject([
      { id, figures: { gross: Math.round(total * 100) / 100 }, refunds: [] },
    ])
  })

  it("[B05] given back goes back once, however many click, and the cart can be paid", async () => {
    const { id, sessionId, phone } = await late()
    const clicks = await Promise.all(
      [1, 2, 3].map(() => resolve(id, { action: "refund", note: NOTE })),
    )
    expect(clicks.map(({ status, body }) => `${status} ${body.code ?? "ok"}`).sort()).toEqual([
      "200 ok",
      "409 already_resolved",
      "409 already_resolved",
    ])
    await until(async () => (await read(id)).returned_at, "the money is back")
    expect(harness.simulator.book.refunds()).toHaveLength(1)
    await expectOk(harness.shop.start(sessionId, { phone }))
    harness.simulator.handset.approve(phone.slice(1))
    expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
  })
})

describe("stranded money", () => {
  afterEach(() => setStock(harness, BASKET, 10_000))

  it("[B16] accepted once there is stock makes the order", async () => {
    const { id, cartId, total } = await stranded()
    const disabled = async () => (await read(id)).decision?.choices[0]?.disabled
    expect(await read(id)).toMatchObject({ reason: { code: "cart_not_completed" } })
    expect(await disabled()).toMatchObject({ facts: { items: "2 × Woven basket" } })
    await setStock(harness, BASKET, 10_000)
    expect(await disabled()).toBeNull()
    await expectOk(resolve(id, { action: "accept", note: NOTE, cart_id: cartId }))
    await expectPaidInFull(harness, await ordered(cartId), total)
  })

  it("[B16] is never put onto another cart, and given back where the shop can't have it", async () => {
    const { id } = await stranded()
    const other = await harness.shop.cart()
    const refused = await resolve(id, { action: "accept", note: NOTE, cart_id: other })
    expect([refused.status, refused.body.code]).toEqual([409, "not_its_order"])
    await harness.sql("update mp_operation set payment_intent_id = null where id = $1", [id])
    const { reference } = await read(id)
    const execution = harness.simulator.book.executions().find((one) => one.reference === reference)
    const entered = await harness.admin.call("POST", `${ROOT}/operations/${id}/payment-intent`, {
      payment_intent_id: execution?.paymentIntentId,
    })
    expect(entered.status).toBe(200)
    await expectOk(resolve(id, { action: "refund", note: NOTE }))
    await until(async () => (await read(id)).returned_at, "the money is back")
  })
})

describe("money that a rule of Medusa's keeps from an order", () => {
  const CODE = "WELCOME10"
  const limitTo = (limit: number | null) =>
    harness.sql(`update promotion set "limit" = $1, used = 0 where code = $2`, [limit, CODE])
  const used = () => harness.sql("select used from promotion where code = $1", [CODE])

  afterEach(() => limitTo(null))

  const prompted = async () => {
    const phone = walletOf()
    const cartId = await harness.shop.cart({ phone, code: CODE })
    const total = await harness.shop.total(cartId)
    const sessionId = await harness.shop.session(cartId)
    await expectOk(harness.shop.start(sessionId))
    const approve = () => harness.simulator.handset.approve(phone.slice(1))
    return { cartId, total, sessionId, approve }
  }

  it("[B16] waits for a person after so many tries, and is an order once the rule allows it", async () => {
    const [first, second] = [await prompted(), await prompted()]
    await limitTo(1)
    first.approve()
    expect(await settled(harness, first.sessionId)).toMatchObject({ state: "paid" })
    await expectPaidInFull(harness, await ordered(first.cartId), first.total)
    expect(await used()).toEqual([{ used: 1 }])
    second.approve()
    expect(await settled(harness, second.sessionId)).toMatchObject({ state: "under_review" })
    const [{ id = "" } = {}] = await operationsOf(harness, second.cartId)
    expect(await read(id)).toMatchObject({ reason: { code: "cart_not_completed" } })
    const refusals = await harness.sql(
      `select count(*)::int as tries
         from mp_operation_event where operation_id = $1 and code = 'medusa_refused'`,
      [id],
    )
    expect(refusals).toEqual([{ tries: LIMITS.settleRefusedTries }])
    await limitTo(null)
    await expectOk(resolve(id, { action: "accept", note: NOTE, cart_id: second.cartId }))
    await expectPaidInFull(harness, await ordered(second.cartId), second.total)
  })
})

describe("a second payment", () => {
  it("[B01] is held beside the first, can't be accepted, and goes back", async () => {
    const { shop, simulator } = harness
    const { phone, cartId, total, sessionId } = await declined()
    await expectOk(shop.start(sessionId))
    simulator.handset.approve(phone.slice(1))
    expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
    const id = await inReview(cartId, "")
    const found = await list(`needs_attention=true&cart_id=${cartId}`)
    expect(found.operations).toMatchObject([{ id, is_duplicate: true, attention: "review" }])
    const refused = await resolve(id, { action: "accept", note: NOTE })
    expect([refused.status, refused.body.code]).toEqual([409, "another_payment_live"])
    await expectOk(resolve(id, { action: "refund", note: NOTE }))
    await until(async () => (await read(id)).returned_at, "the second payment is back")
    await expectPaidInFull(harness, await ordered(cartId), total)
  })
})

describe("lists", () => {
  it("find what is looked for, page by page", async () => {
    const all = await list("limit=100")
    expect(all.operations.length).toBe(all.count)
    const places: string[] = []
    for (let after: string | null = ""; after !== null;) {
      const page: OperationList = await list(`limit=3${after === "" ? "" : `&after=${after}`}`)
      places.push(...page.operations.map(({ id }) => id))
      after = page.next
    }
    expect(places).toEqual(all.operations.map(({ id }) => id))
    const [one] = all.operations.filter(({ type }) => type === "COLLECTION")
    for (const q of [one?.id, one?.reference, one?.payment_session_id, one?.cart_id]) {
      const { operations } = await searched({ q })
      expect(operations.map(({ id }) => id)).toContain(one?.id)
    }
    const refunds = await list("type=REFUND&state=completed,review&currency=usd")
    expect(refunds.count).toBeGreaterThan(0)
    expect(new Set(refunds.operations.map(({ type }) => type))).toEqual(new Set(["REFUND"]))
  })

  it("and one is looked at now, by whoever asks", async () => {
    const [one] = (await list("type=COLLECTION&limit=1")).operations
    const { gateway } = await expectOk(
      harness.admin.call<OperationResponse>("POST", `${ROOT}/operations/${one?.id}/check`),
    )
    expect(gateway).toMatchObject({ kind: "reads" })
    expect((await harness.admin.call("GET", `${ROOT}/operations/mpop_none`)).status).toBe(404)
  })
})
