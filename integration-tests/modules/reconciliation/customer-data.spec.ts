/** The data of one customer can be exported, and an erasure leaves the records of the money. */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { eraseCustomerData, readCustomerData } from "../../../src/reconciliation/customer-data"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { fetchReceipts } from "../../../src/worker/receipts"
import { keepPayer } from "../../../src/checkout/sql/payers"
import { startPayment } from "../../../src/checkout/start-payment"
import type { Row } from "../../../src/ledger/database"
import { prune } from "../../../src/reconciliation/sql/prune"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useReviewHarness } from "../../support/review-harness"
import { HOSTED, PHONE } from "../../support/flows-harness"

const review = useReviewHarness()
const { checkAfter, resolve, reread } = review

const ADA = "cus_ada"
const NOTE = "CANARY-note: Ada called about it"
const ITEM = "CANARY-item for Ada"
const MESSAGE = "CANARY-message of the gateway"

/** Medusa, for whom these carts are Ada's. */
const depsFor = (...own: readonly Pick<Operation, "cartId" | "orderId">[]) => ({
  database: review.its().ledger.database,
  medusa: {
    customersOwn: async (customerId: string) =>
      customerId === ADA
        ? {
            customerId,
            cartIds: own.flatMap(({ cartId }) => cartId ?? []),
            orderIds: own.flatMap(({ orderId }) => orderId ?? []),
          }
        : undefined,
  },
})

const sql = (text: string, values?: readonly unknown[]) => review.its().ledger.sql(text, values)

async function paid(providerId?: string): Promise<Operation> {
  const { sessionId, collectionId } = review.its().cart(providerId)
  await startPayment(review.its().deps, {
    sessionId,
    phone: PHONE,
    successUrl: "http://localhost:4100/thanks-ada",
  })
  const { reference, sourceId, id } = await review.its().shown(collectionId)
  if (reference) review.its().simulator.handset.approve(reference)
  else review.its().simulator.hosted.pay(sourceId ?? 0, { method: "card" })
  const operation = await checkAfter(await review.its().shown(collectionId), 2 * SECOND)
  expect([operation.state, operation.recordedAt === null]).toEqual(["completed", false])
  await sql(
    `update mp_operation
        set lines = jsonb_set(lines, '{0,name}', $2), messages = jsonb_build_object('wallet', $3::text)
      where id = $1`,
    [id, JSON.stringify(ITEM), MESSAGE],
  )
  return operation
}

/** Late money that an admin accepted with a note. */
async function accepted(): Promise<Operation> {
  const { operation } = await review.late()
  await resolve(operation, "accept", { note: NOTE })
  await checkDueOperations(review.its().deps, { atMost: 50 })
  return reread(operation)
}

/** The customer's parties at the gateway, made where the account sets who bears the fees. */
const withParties = (cartId: string | null) =>
  sql(
    `insert into mp_party (id, account_id, customer_id, cart_id, party_id, counterparty_id)
     values ('mpparty_1', 'mpacc_env', $1, null, 77, 78),
            ('mpparty_2', 'mpacc_env', null, $2, 79, null),
            ('mpparty_3', 'mpacc_env', 'cus_eve', null, 80, null)`,
    [ADA, cartId],
  )
const PARTIES = [
  { account_id: "mpacc_env", party_id: 77, counterparty_id: 78 },
  { account_id: "mpacc_env", party_id: 79, counterparty_id: null },
]

const everything = async () =>
  JSON.stringify([
    await sql("select * from mp_operation"),
    await sql("select * from mp_operation_event"),
    await sql("select * from mp_receipt"),
    await sql("select * from mp_party"),
    await sql("select words::text from mp_operation_search"),
  ])

/** What bookkeeping and the watch rest on. */
const MONEY = `id, type, state, currency_code, amount_minor, collected_minor, refunded_minor,
  reserved_refund_minor, order_id, cart_id, payment_session_id, source_id, source_number,
  source_status, reference, payment_intent_id, provider_transaction_id, payment_method, payer_amount,
  payee_amount, fees, recorded_at, returned_at, created_at, parent_id, medusa_refund_id`
const moneyOf = () => sql(`select ${MONEY} from mp_operation order by id`)

it("[S28] all that is kept of a customer is read out, and of no other", async () => {
  const mine = await paid()
  const decided = await accepted()
  const others = await paid()
  await withParties(mine.cartId)
  const data = await readCustomerData(depsFor(mine, decided), ADA, undefined)
  expect(data.operations.map(({ id }) => id).sort()).toEqual([mine.id, decided.id].sort())
  expect(data.next).toBeNull()
  expect(data.parties).toEqual(PARTIES)
  const said = JSON.stringify(data)
  for (const kept of [ITEM, MESSAGE, NOTE, "thanks-ada", PHONE.slice(-3)]) {
    expect(said).toContain(kept)
  }
  expect(said).not.toContain(others.id)
  for (const hidden of ["lease_token", "return_token"]) expect(said).not.toContain(hidden)
  const [shown] = data.operations.filter(({ id }) => id === mine.id)
  expect(shown).toMatchObject({
    amount_minor: 1999,
    sessions: [{ payment_session_id: mine.paymentSessionId }],
  })
  const events = await sql("select seq from mp_operation_event where operation_id = $1", [mine.id])
  expect(shown?.["events"]).toHaveLength(events.length)
})

it("[S28] what is personal is erased, the money's records stay, and it can still be refunded", async () => {
  const mine = await paid(HOSTED)
  const pushed = await paid()
  const decided = await accepted()
  await fetchReceipts(review.its().deps)
  await withParties(mine.cartId)
  const before = await moneyOf()
  const [receipt] = await sql(
    "select body ->> 'link' as link from mp_receipt where operation_id = $1",
    [pushed.id],
  )
  const personal = [
    "A Shopper",
    "'shopper'",
    ITEM,
    MESSAGE,
    NOTE,
    "thanks-ada",
    String(receipt?.["link"]),
  ]
  const whole = await everything()
  for (const kept of personal) expect(whole).toContain(kept)
  const deps = depsFor(mine, pushed, decided)
  const erased = await eraseCustomerData(deps, ADA, "user_1")
  expect(erased).toMatchObject({ customer_id: ADA, operations: 3 })
  expect(erased.parties).toEqual(PARTIES)

  const left = await everything()
  for (const gone of personal) expect(left).not.toContain(gone)
  expect(await sql("select id from mp_party")).toEqual([{ id: "mpparty_3" }])
  expect(await moneyOf()).toEqual(before)
  const row: Row = (await sql("select * from mp_operation where id = $1", [pushed.id]))[0] ?? {}
  for (const column of [
    "customer_name",
    "customer_email",
    "phone_hint",
    "party_id",
    "success_url",
    "return_token",
    "hosted_url",
  ]) {
    expect([column, row[column]]).toEqual([column, null])
  }
  const { lines } = await reread(mine)
  expect(lines.map(({ name, amount }) => [name, amount.minor])).toEqual([["•••", 1999n]])
  const [event] = await sql(
    "select name, facts from mp_operation_event where operation_id = $1 order by seq desc limit 1",
    [mine.id],
  )
  expect(event).toEqual({ name: "personal_data_erased", facts: { by: "user_1" } })
  // Again it finds nothing to do.
  expect(await eraseCustomerData(deps, ADA, "user_1")).toMatchObject({ operations: 0, parties: [] })

  await sendRefund(review.its().deps, {
    operationId: pushed.id,
    medusaAmount: "5.00",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_1",
    adminId: "user_1",
    code: "note",
    note: NOTE,
    isWaitedFor: false,
  })
  await review.settled()
  expect((await reread(pushed)).refundedMinor).toBe(500n)
  await eraseCustomerData(deps, ADA, "user_1")
  expect(await everything()).not.toContain(NOTE)
})

it("[S28] no data is erased while a payment is live or watched, or its money is on the way", async () => {
  const mine = await paid()
  const cart = review.its().cart()
  await startPayment(review.its().deps, { sessionId: cart.sessionId, phone: PHONE })
  const waiting = await review.its().shown(cart.collectionId)
  const deps = depsFor(mine, waiting)
  const refused = () => eraseCustomerData(deps, ADA, "user_1")
  for (const change of [
    "state = 'in_flight'",
    "state = 'review', next_check_at = null",
    "state = 'failed', next_check_at = now() + interval '1 day'",
    "state = 'completed', next_check_at = null, collected_minor = amount_minor",
  ]) {
    await sql(`update mp_operation set ${change} where id = $1`, [waiting.id])
    await expect(refused()).rejects.toMatchObject({
      code: "payment_in_progress",
      details: { operation_ids: [waiting.id] },
    })
    expect((await reread(mine)).lines[0]?.name).toBe(ITEM)
  }
  await sql("update mp_operation set state = 'in_flight', next_check_at = now() where id = $1", [
    waiting.id,
  ])
})

it("[S28] a note in an old payment's snapshot is erased as well", async () => {
  const decided = await accepted()
  await sql("update mp_operation_event set announced_at = now()")
  await sql("update mp_operation set updated_at = now() - interval '2 years'")
  expect(
    await prune(review.its().ledger.database, "events", { keptForMs: MINUTE, limit: 10 }),
  ).toBe(1)
  expect(await everything()).toContain(NOTE)
  await eraseCustomerData(depsFor(decided), ADA, "user_1")
  expect(await everything()).not.toContain(NOTE)
})

it("[S28] many payments are exported page by page, and erased in one call", async () => {
  const mine = await paid()
  const count = LIMITS.upkeepRowsMax + 1
  await sql(
    `insert into mp_operation
       (id, type, state, flow, account_id, provider_id, payment_collection_id, payment_session_id,
        cart_id, currency_code, amount_minor, lines, source_type, expires_at, version)
     select 'mpop_many' || n, 'COLLECTION', 'expired', 'push', 'mpacc_env', provider_id,
            'pc_many' || n, 'ps_many' || n, cart_id, 'USD', 100, lines, 'ORDER', now(), 1
       from mp_operation, generate_series(1, $2::int) n where id = $1`,
    [mine.id, count],
  )
  await sql(
    `insert into mp_operation_event (operation_id, seq, name, state, code, announced_at)
     select id, 1, 'expire', 'expired', 'never_sent', now() from mp_operation
      where id like 'mpop_many%'`,
  )
  const deps = depsFor(mine)
  const first = await readCustomerData(deps, ADA, undefined)
  const second = await readCustomerData(deps, ADA, first.next ?? undefined)
  expect([first.operations.length, second.operations.length, second.next]).toEqual([
    LIMITS.upkeepRowsMax,
    count + 1 - LIMITS.upkeepRowsMax,
    null,
  ])
  expect((await eraseCustomerData(deps, ADA, "user_1")).operations).toBe(count + 1)
  expect(await everything()).not.toContain(ITEM)
})

it("[S28] a customer that Medusa does not know is refused, so a wrong id erases nothing", async () => {
  const mine = await paid()
  const deps = depsFor(mine)
  expect(await codeOf(readCustomerData(deps, "cus_typo", undefined))).toBe("customer_not_found")
  expect(await codeOf(eraseCustomerData(deps, "cus_typo", "user_1"))).toBe("customer_not_found")
  expect((await reread(mine)).lines[0]?.name).toBe(ITEM)
})

it("the parties of a customer's numbers are erased with the customer, and no others", async () => {
  const operation = await paid()
  await sql("delete from mp_payer")
  await sql("delete from mp_party")
  await withParties(operation.cartId)
  await sql("update mp_operation set party_id = 81 where id = $1", [operation.id])
  // 77 and 79 are the customer's by their parties, 81 by the payment; 80 is another customer's.
  const { database } = review.its().ledger
  const [credential] = await sql("select id from mp_credential limit 1")
  for (const party of [77, 79, 80, 81]) {
    await keepPayer(
      database,
      { accountId: "mpacc_env", credentialId: String(credential?.["id"]), numberDigest: "digest" },
      { partyId: party, counterpartyId: party + 100 },
    )
  }
  const left = async () =>
    (await sql("select party_id from mp_payer order by party_id")).map((row) =>
      Number(row["party_id"]),
    )
  await sql("update mp_operation set next_check_at = null where id = $1", [operation.id])
  await eraseCustomerData(depsFor(operation), ADA, "user_1")
  expect(await left()).toEqual([80])
  const pruned = () =>
    prune(database, "payers", { keptForMs: LIMITS.payersKeptForMs, limit: LIMITS.upkeepRowsMax })
  expect(await pruned()).toBe(0)
  await sql("update mp_payer set updated_at = now() - $1 * interval '1 ms'", [
    LIMITS.payersKeptForMs + MINUTE,
  ])
  expect(await pruned()).toBe(1)
  expect(await left()).toEqual([])
})
