/**
 * The link of an order's receipt: one for each order, only for what is paid, and with an end. Its
 * page is tested in `http/receipt-page.spec.ts`.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import { readStatus } from "../../../src/checkout/read-status"
import { receiptUrlOf } from "../../../src/checkout/receipt-url"
import { findReceiptLink } from "../../../src/checkout/sql/receipt-links"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import {
  receiptOfOrder,
  renewReceiptLink,
  visitReceipt,
  type ReceiptPorts,
} from "../../../src/papers/read-receipt"
import { fetchReceipts, readReceiptOfSession } from "../../../src/worker/receipts"
import { eraseCustomerData, readCustomerData } from "../../../src/reconciliation/customer-data"
import { prune } from "../../../src/reconciliation/sql/prune"
import { SECOND } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import { aPaperOrder } from "../../support/paper"
import { useReviewHarness } from "../../support/review-harness"

const review = useReviewHarness()
const { checkAfter } = review
const ADA = "cus_ada"

const sql = (text: string, values?: readonly unknown[]) => review.its().ledger.sql(text, values)
const urlOf = ({ orderId }: Pick<Operation, "orderId">) => receiptUrlOf(review.its().deps, orderId)
const tokenOf = (url: string | null) => url?.split("/").at(-1) ?? ""
const links = () => sql("select order_id, is_erased from mp_receipt_link order by order_id")

const papers: ReceiptPorts["papers"] = {
  paperOrder: async (id) => aPaperOrder({ id }),
  shopName: async () => "Harbour & Hills",
}
const visited = async (token: string) =>
  (await visitReceipt({ ...review.its().deps, papers }, token)).kind

async function started() {
  const { sessionId, collectionId } = review.its().cart()
  await startPayment(review.its().deps, { sessionId, phone: PHONE })
  return { sessionId, operation: await review.its().shown(collectionId) }
}

async function paid() {
  const { sessionId, operation } = await started()
  review.its().simulator.handset.approve(operation.reference ?? "")
  const settled = await checkAfter(operation, 2 * SECOND)
  expect(settled.recordedAt).not.toBeNull()
  expect(settled.orderId).not.toBeNull()
  return { sessionId, operation: settled }
}

const ownedByAda = ({ cartId, orderId }: Operation) => ({
  database: review.its().ledger.database,
  medusa: {
    customersOwn: async (customerId: string) => ({
      customerId,
      cartIds: cartId === null ? [] : [cartId],
      orderIds: orderId === null ? [] : [orderId],
    }),
  },
})

beforeEach(() => sql("truncate mp_receipt_link"))

it("an order that is asked about many times at once gets one link, which opens its receipt", async () => {
  const { operation, sessionId } = await paid()
  const asked = await Promise.all(Array.from({ length: 12 }, () => urlOf(operation)))
  expect(new Set(asked).size).toBe(1)
  const [url = null] = asked
  expect(url).toMatch(/^http:\/\/localhost:4101\/merchant-payments\/receipt\/[\w-]{32}$/)
  const { status } = await readStatus(review.its().deps, { sessionId })
  expect([status.state, status.receipt_url]).toEqual(["paid", url])
  const token = tokenOf(url)
  expect(await findReceiptLink(review.its().deps.database, token)).toEqual({
    orderId: operation.orderId,
    hasEnded: false,
  })
  expect(await visited(token)).toBe("shown")
  const other = await paid()
  expect(await urlOf(other.operation)).not.toBe(url)
})

describe("[D10] what a session's id opens", () => {
  const read = async (
    { sessionId, operation }: Awaited<ReturnType<typeof paid>>,
    customerId?: string,
  ) => {
    const { deps, ledger } = review.its()
    const owner = customerId ?? null
    const payable = async (id: string) => {
      const found = await deps.medusa.payable(id)
      return found && { ...found, registeredCustomerId: owner }
    }
    const medusa = { ...deps.medusa, payable, registeredCustomer: async () => owner }
    const asked = { ...deps, medusa }
    await ledger.sql("update mp_operation set receipt_due_at = now() where id = $1", [operation.id])
    await fetchReceipts(asked)
    const [
      { status },
      {
        fetched,
        operation: { orderId: receiptOrder },
      },
    ] = await Promise.all([
      readStatus(asked, { sessionId, customerId }),
      readReceiptOfSession(asked, { sessionId, customerId }),
    ])
    expect(status.state).toBe("paid")
    return {
      url: status.receipt_url,
      gatewayPage: fetched.receipt.link,
      orders: [status.order_id, receiptOrder],
    }
  }
  const recordedBefore = ({ operation }: Awaited<ReturnType<typeof paid>>, ms: number) =>
    sql("update mp_operation set recorded_at = now() - $2 * interval '1 ms' where id = $1", [
      operation.id,
      ms,
    ])

  it("a guest is given the order's id and links while the page that paid may be open, and not later", async () => {
    const payment = await paid()
    const url = expect.stringMatching(/\/receipt\/[\w-]{32}$/)
    const { orderId } = payment.operation
    const gatewayPage = expect.stringMatching(/^https?:/)
    const given = { url, gatewayPage, orders: [orderId, orderId] }
    expect(orderId).toMatch(/./)
    expect(await read(payment)).toEqual(given)
    await recordedBefore(payment, LIMITS.receiptShownForMs - 60_000)
    expect(await read(payment)).toEqual(given)
    await recordedBefore(payment, LIMITS.receiptShownForMs)
    expect(await read(payment)).toEqual({ url: null, gatewayPage: null, orders: [null, null] })
    expect(await visited(tokenOf(await urlOf(payment.operation)))).toBe("shown")
  })

  it("the customer who is logged in is given them as long as they work", async () => {
    const payment = await paid()
    await recordedBefore(payment, 60 * 24 * 60 * 60_000)
    const { orderId } = payment.operation
    expect(await read(payment, ADA)).toEqual({
      url: await urlOf(payment.operation),
      gatewayPage: expect.any(String),
      orders: [orderId, orderId],
    })
  })

  it.each([undefined, ADA])(
    "a renewed link is given to nobody by STATUS (customer %p)",
    async (customer) => {
      const payment = await paid()
      const { url: old } = await read(payment, customer)
      const renewed = await renewReceiptLink({ ...review.its().deps, papers }, payment.operation.id)
      expect((await read(payment, customer)).url).toBeNull()
      expect([await visited(tokenOf(old)), await visited(tokenOf(renewed))]).toEqual([
        "unknown",
        "shown",
      ])
    },
  )
})

it("a receipt lists a duplicate payment and doesn't count it", async () => {
  const { operation } = await paid()
  const twin = `mpop_twin_${operation.id}`
  const columns = `type, flow, account_id, provider_id, payment_collection_id,
    payment_session_id, currency_code, amount_minor, source_type, reference, expires_at`
  await sql(
    `insert into mp_operation (id, state, is_duplicate, collected_minor, receipt_due_at, ${columns})
     select $2, 'review', true, amount_minor, null,
            ${columns.replace("reference,", "gen_random_uuid(),")}
       from mp_operation where id = $1`,
    [operation.id, twin],
  )
  const deps = { ...review.its().deps, papers }
  const document = await receiptOfOrder(deps, operation.orderId ?? "")
  expect(document?.payments.map(({ state }) => state)).toEqual(["paid", "under_review"])
  expect([document?.paid.value, document?.open]).toEqual(["19.99", null])
  await sql("delete from mp_operation where id = $1", [twin])
})

it("a link doesn't exist before the money, without an order, or without the store's public address", async () => {
  const { operation, sessionId } = await started()
  await sql("update mp_operation set order_id = 'order_unpaid' where id = $1", [operation.id])
  expect(await urlOf({ orderId: "order_unpaid" })).toBeNull()
  expect((await readStatus(review.its().deps, { sessionId })).status.receipt_url).toBeNull()
  expect(await urlOf({ orderId: null })).toBeNull()
  const done = await paid()
  const settings = { ...review.its().deps.settings, publicUrl: undefined }
  expect(await receiptUrlOf({ ...review.its().deps, settings }, done.operation.orderId)).toBeNull()
  expect(await links()).toEqual([])
})

it("a link ends 90 days after the order's money last moved, and works again when that moves", async () => {
  const { operation } = await paid()
  const url = await urlOf(operation)
  // What else is written of the payment, by upkeep for example, moves nothing.
  const lastMoved = (daysAgo: number) =>
    sql(
      `update mp_operation
          set updated_at = now(), money_at = now() - $2 * interval '1 day',
              recorded_at = now() - $2 * interval '1 day'
        where id = $1`,
      [operation.id, daysAgo],
    )
  await lastMoved(91)
  expect([await visited(tokenOf(url)), await urlOf(operation)]).toEqual(["ended", null])
  await lastMoved(0)
  expect([await visited(tokenOf(url)), await urlOf(operation)]).toEqual(["shown", url])
})

it.each([
  ["completed", 89, "shown"],
  ["completed", 91, "ended"],
  ["failed", 89, "ended"],
])("a refund %s %d days ago leaves the link of an old payment %s", async (state, days, is) => {
  const { operation } = await paid()
  const token = tokenOf(await urlOf(operation))
  const old = "money_at = now() - interval '200 days', recorded_at = now() - interval '200 days'"
  await sql(`update mp_operation set ${old} where id = $1`, [operation.id])
  const columns = `flow, account_id, provider_id, payment_collection_id, payment_session_id,
    currency_code, amount_minor, source_type, expires_at`
  await sql(
    `insert into mp_operation (id, type, state, parent_id, medusa_amount, money_at, reference, ${columns})
     select 'mpop_back_' || id, 'REFUND', $2, id, 1, now() - $3 * interval '1 day',
            gen_random_uuid(), ${columns}
       from mp_operation where id = $1`,
    [operation.id, state, days],
  )
  expect(await visited(token)).toBe(is)
  await sql("delete from mp_operation where parent_id = $1", [operation.id])
})

it("[S28] a link ends with the customer's data, is exported without its token, and isn't made again", async () => {
  const { operation } = await paid()
  const token = tokenOf(await urlOf(operation))
  const deps = ownedByAda(operation)
  const read = JSON.stringify(await readCustomerData(deps, ADA, undefined))
  expect(read).toContain('"receipt_link":{')
  expect(read).not.toContain(token)
  await eraseCustomerData(deps, ADA, "user_1")
  expect([await visited(token), await urlOf(operation)]).toEqual(["ended", null])
  // Even if there was no link when the data was erased.
  const later = await paid()
  await eraseCustomerData(ownedByAda(later.operation), ADA, "user_1")
  expect(await urlOf(later.operation)).toBeNull()
})

it("a link that ended long ago is deleted, unless it marks an erased customer", async () => {
  const [live, old, erased] = [await paid(), await paid(), await paid()]
  for (const one of [live, old, erased]) await urlOf(one.operation)
  await eraseCustomerData(ownedByAda(erased.operation), ADA, "user_1")
  await sql("update mp_receipt_link set created_at = now() - interval '500 days'")
  await sql("update mp_operation set updated_at = now() - interval '500 days' where id <> $1", [
    live.operation.id,
  ])
  const kept = { keptForMs: LIMITS.receiptLinksKeptForMs, limit: 100 }
  expect(await prune(review.its().ledger.database, "receiptLinks", kept)).toBe(1)
  const left = [
    { order_id: live.operation.orderId, is_erased: false },
    { order_id: erased.operation.orderId, is_erased: true },
  ].sort((one, other) => (String(one.order_id) < String(other.order_id) ? -1 : 1))
  expect(await links()).toEqual(left)
})
