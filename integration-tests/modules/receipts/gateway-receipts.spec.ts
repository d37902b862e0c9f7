/**
 * The gateway's receipts: fetched next to the checks, kept without a phone number, and what they add
 * to a payment's figures. None of this may hold up a payment.
 */
import type { FaultEntry } from "../../../packages/simulator/src/faults"
import { figuresOf } from "../../../src/core/figures"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { adminReceipt, shopperReceipt } from "../../../src/worker/rules/receipt"
import { askCompletedAgain } from "../../../src/reconciliation/ask-completed-again"
import type { FlowDeps } from "../../../src/engine/deps"
import {
  fetchReceipts,
  readReceiptOfOperation,
  readReceiptOfSession,
} from "../../../src/worker/receipts"
import { orderReceipts } from "../../../packages/gateway/src/wire/receipts"
import { read } from "../../gateway/reading"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { dieAt } from "../../support/moments"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, reread, checkAfter } = actsIn(harness)

beforeEach(async () => {
  await harness.ledger.sql("update mp_operation set receipt_due_at = null")
  await harness.ledger.sql(
    `update mp_account set checks_per_second_max = 1000,
            checks_left = 1000, checks_paused_until = null, checks_counted_at = now()`,
  )
})

afterEach(async () => {
  expect(await breachesIn(harness)).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
  harness.simulator.faults.clear()
})

type Paid = { readonly operation: Operation; readonly sessionId: string }

async function paid(providerId?: string): Promise<Paid> {
  const { collectionId, sessionId } = harness.cart(providerId)
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  if (operation.reference) harness.simulator.handset.approve(operation.reference)
  else harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  const settled = await checkAfter(operation, 2 * SECOND)
  expect(settled.recordedAt).not.toBeNull()
  return { operation: settled, sessionId }
}

const dueIn = async ({ id }: Operation) => {
  const [row] = await harness.ledger.sql(
    `select receipt_tries as tries,
            extract(epoch from receipt_due_at - now())::float8 * 1000 as in_ms
       from mp_operation where id = $1`,
    [id],
  )
  return { tries: Number(row?.["tries"]), inMs: row?.["in_ms"] as number | null }
}
const makeDue = () =>
  harness.ledger.sql(
    "update mp_operation set receipt_due_at = now() where receipt_due_at is not null",
  )
const asked = () => harness.simulator.calls["retrieveOrderReceipt"] ?? 0

describe("the receipt of a payment", () => {
  it("is fetched once, after the payment is recorded", async () => {
    const { operation, sessionId } = await paid()
    expect(await fetchReceipts(harness.deps)).toBe(1)
    expect(await fetchReceipts(harness.deps)).toBe(0)
    expect(asked()).toBe(1)
    const document = harness.simulator.book.document(operation.sourceId ?? 0)
    const { operation: shown, fetched } = await readReceiptOfSession(harness.deps, { sessionId })
    expect(shopperReceipt(shown, fetched)).toMatchObject({
      number: document?.number,
      total: 19.99,
      currency: "USD",
      lines: [{ name: expect.any(String), quantity: 1, amount: 19.99 }],
      phone_hint: PHONE.slice(-3),
      payer_currency: "USD",
      link: expect.stringContaining("http"),
    })
  })

  it("adds fee and net to the figures with one event, and with none when it is fetched again", async () => {
    const { operation } = await paid(HOSTED)
    expect(figuresOf(operation)).toMatchObject({ gross: 19.99, net: null, payer_amount: null })
    await fetchReceipts(harness.deps)
    const after = await reread(operation)
    const figures = figuresOf(after)
    expect(figures.fee).toBeGreaterThan(0)
    expect(figures).toMatchObject({
      gross: 19.99,
      payer_amount: expect.any(Number),
      payer_currency: "USD",
    })
    expect(figures.fee).toBeCloseTo((figures.payer_amount ?? 0) - (figures.net ?? 0), 6)
    expect(after.version).toBe(operation.version + 1)
    await harness.ledger.sql("update mp_operation set receipt_due_at = now() where id = $1", [
      operation.id,
    ])
    expect(await fetchReceipts(harness.deps)).toBe(1)
    expect((await reread(operation)).version).toBe(after.version)
  })

  it("is kept and shown without the payer's number, name and e-mail address", async () => {
    const { operation } = await paid()
    await fetchReceipts(harness.deps)
    const { fetched } = await readReceiptOfOperation(harness.deps, operation.id)
    const [row] = await harness.ledger.sql(
      "select body::text from mp_receipt where operation_id = $1",
      [operation.id],
    )
    const text =
      String(row?.["body"]) + JSON.stringify(adminReceipt(operation, fetched, () => null))
    expect(text).not.toContain(PHONE.slice(1))
    expect(text).not.toMatch(/counterparty|@|account/i)
  })

  it("isn't there for an unpaid payment or for a stranger", async () => {
    const { collectionId, sessionId } = harness.cart()
    await start(sessionId)
    expect(await fetchReceipts(harness.deps)).toBe(0)
    expect(await codeOf(readReceiptOfSession(harness.deps, { sessionId }))).toBe(
      "receipt_not_ready",
    )
    expect(await codeOf(readReceiptOfSession(harness.deps, { sessionId: "payses_no" }))).toBe(
      "session_not_found",
    )
    const { id } = await harness.shown(collectionId)
    expect(await codeOf(readReceiptOfOperation(harness.deps, id))).toBe("receipt_not_ready")
    expect(await codeOf(readReceiptOfOperation(harness.deps, "no"))).toBe("operation_not_found")
  })
})

/** One run while the gateway does not answer, however often the client asks. */
async function withoutAnswer(): Promise<void> {
  harness.simulator.faults.script("retrieveOrderReceipt", Array<FaultEntry>(20).fill("503"))
  await fetchReceipts(harness.deps)
  harness.simulator.faults.clear()
  await harness.ledger.sql("update mp_account set checks_paused_until = null")
}

describe("a receipt that can't be fetched", () => {
  it("is tried again at growing intervals, then given up, and leaves the payment as it is", async () => {
    const { operation } = await paid()
    for (const [index, waitMs] of LIMITS.receiptRetryMs.entries()) {
      await withoutAnswer()
      const { tries, inMs } = await dueIn(operation)
      expect(tries).toBe(index + 1)
      expect(Math.abs((inMs ?? 0) - waitMs)).toBeLessThan(60_000)
      await makeDue()
    }
    await withoutAnswer()
    expect((await dueIn(operation)).inMs).toBeNull()
    expect((await reread(operation)).version).toBe(operation.version)
  })

  it("is asked for three times when the gateway has none, and not by the nightly comparison", async () => {
    const { operation } = await paid()
    const before = asked()
    harness.simulator.faults.script("retrieveOrderReceipt", Array<FaultEntry>(20).fill("404"))
    for (let run = 0; run < 6; run++) {
      await fetchReceipts(harness.deps)
      await makeDue()
    }
    expect(asked() - before).toBe(3)
    expect((await dueIn(operation)).inMs).toBeNull()
    const [account] = await harness.deps.accounts()
    if (!account) throw new Error("there is no account")
    await askCompletedAgain(harness.deps, account, [], () => Promise.resolve())
    const kept = await harness.ledger.sql("select operation_id from mp_receipt")
    expect(kept.map((row) => row["operation_id"])).not.toContain(operation.id)
    // It asks for each receipt that was kept, once, and for no other.
    expect(asked() - before - 3).toBeLessThanOrEqual(kept.length)
  })

  it("isn't kept when its total differs, and the log says so", async () => {
    const { operation } = await paid()
    await harness.ledger.sql("update mp_operation set collected_minor = 1998 where id = $1", [
      operation.id,
    ])
    await fetchReceipts(harness.deps)
    await harness.ledger.sql("update mp_operation set collected_minor = 1999 where id = $1", [
      operation.id,
    ])
    expect(harness.logged.join("\n")).toContain("it is not kept")
    expect(await codeOf(readReceiptOfOperation(harness.deps, operation.id))).toBe(
      "receipt_not_ready",
    )
  })

  it("is kept without its page when only the page can't be fetched", async () => {
    const { operation } = await paid()
    harness.simulator.faults.script("getReceiptLink", ["422"])
    await fetchReceipts(harness.deps)
    const { fetched } = await readReceiptOfOperation(harness.deps, operation.id)
    expect(fetched.receipt.link).toBeNull()
  })

  it("waits while its account is paused, or has nothing left to ask with", async () => {
    await paid()
    await harness.ledger.sql("update mp_account set checks_paused_until = now() + interval '1 h'")
    expect(await fetchReceipts(harness.deps)).toBe(0)
    await harness.ledger.sql(
      `update mp_account set checks_paused_until = null, checks_left = -1000, checks_counted_at = now(),
              checks_per_second_max = 1`,
    )
    expect(await fetchReceipts(harness.deps)).toBe(0)
  })

  it("pauses the account when the gateway says 429", async () => {
    await paid()
    harness.simulator.faults.script("retrieveOrderReceipt", Array<FaultEntry>(5).fill("429"))
    await fetchReceipts(harness.deps)
    const [account] = await harness.ledger.sql("select checks_paused_until from mp_account")
    expect(account?.["checks_paused_until"]).not.toBeNull()
  })
})

describe("workers that fetch receipts", () => {
  it("fetch each receipt once between them", async () => {
    for (let made = 0; made < 3; made++) await paid()
    const before = asked()
    await Promise.all([0, 1, 2].map(() => fetchReceipts(harness.deps)))
    expect(asked() - before).toBe(3)
  })

  it("take over from a worker that died once its claim has ended", async () => {
    const { operation } = await paid()
    await dieAt(harness.deps, "after orders.receipt=PAID", fetchReceipts)
    expect((await dueIn(operation)).inMs).toBeGreaterThan(60_000)
    expect(await fetchReceipts(harness.deps)).toBe(0)
    await makeDue()
    expect(await fetchReceipts(harness.deps)).toBe(1)
    expect((await dueIn(operation)).inMs).toBeNull()
  })

  it("begin nothing more when they are asked to end", async () => {
    const { operation } = await paid()
    const before = asked()
    await fetchReceipts(harness.deps, AbortSignal.abort())
    expect(asked()).toBe(before)
    expect((await dueIn(operation)).inMs).not.toBeNull()
  })
})

it("payments whose receipt is due are found by an index of these alone", async () => {
  await harness.ledger.sql(
    `insert into mp_operation
     select (jsonb_populate_record(o, jsonb_build_object('id', 'many_' || n, 'state', 'expired',
              'reference', null, 'submitted_at', null, 'return_token', null, 'source_id', null))).*
       from mp_operation o, generate_series(1, 5000) n
      where o.id = (select min(id) from mp_operation)`,
  )
  await harness.ledger.sql("analyze mp_operation")
  const plan = await harness.ledger.sql(
    `explain select id from mp_operation
      where receipt_due_at is not null and type = 'COLLECTION' and state = 'completed'
        and source_id is not null and receipt_due_at <= now() order by receipt_due_at limit 5`,
  )
  await harness.ledger.sql("delete from mp_operation where id like 'many%'")
  expect(plan.map((row) => String(row["QUERY PLAN"])).join("\n")).toContain(
    "operation_without_receipt",
  )
})

it("[P25] a slow receipt of one account doesn't delay another account's", async () => {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const currencies: (typeof account.currencies)[number][] = []
  const slow = { ...account, id: "mpacc_slow", label: "Slow", currencies, isDefault: false }
  await saveAccount(harness.ledger.database, slow)
  await harness.ledger.sql("update mp_account set checks_left = 1000, checks_per_second_max = 1000")
  const [late, other] = [(await paid()).operation, (await paid()).operation]
  await harness.ledger.sql(
    "update mp_operation set account_id = 'mpacc_slow', credential_id = null where id = $1",
    [late.id],
  )
  const due = "update mp_operation set receipt_due_at = case when id = any($1) then now() end"
  await harness.ledger.sql(due, [[late.id]])
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  const orders = {
    ...harness.gateway.orders,
    receipt: async (...given: Parameters<typeof harness.gateway.orders.receipt>) => {
      await isAnswered
      return harness.gateway.orders.receipt(...given)
    },
  }
  const deps: FlowDeps = {
    ...harness.deps,
    gatewayOf: ({ id }) => (id === "mpacc_slow" ? { ...harness.gateway, orders } : harness.gateway),
  }
  const rests: Promise<void>[] = []
  const behind = { busy: new Set<string>(), leave: (rest: Promise<void>) => void rests.push(rest) }
  expect(await fetchReceipts(deps, undefined, behind)).toBe(1)
  await harness.ledger.sql(due, [[late.id, other.id]])
  // The next run leaves the slow account alone.
  expect(await fetchReceipts(deps, undefined, behind)).toBe(1)
  await rests[1]
  const hasReceipt = async ({ id }: Operation) =>
    (await harness.ledger.sql("select from mp_receipt where operation_id = $1", [id])).length > 0
  expect([await hasReceipt(late), await hasReceipt(other)]).toEqual([false, true])
  answer()
  await Promise.all(rests)
  expect([await hasReceipt(late), behind.busy.size]).toEqual([true, 0])
})

it("[D3] a receipt of a hostile gateway is kept and shown with its texts cleaned", async () => {
  const { operation, sessionId } = await paid(HOSTED)
  const hostile = {
    order_number: "ORD-1\u001b[2J\u202e",
    payment_method: "\u202e+231 886-731-904",
    provider_transaction_id: PHONE,
    fee_bearer: "Bearer abcdef.ghijkl\u0007",
    note: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
  }
  const acts = harness.gateway.orders
  const orders = {
    ...acts,
    receipt: async (...given: Parameters<typeof acts.receipt>) => {
      const outcome = await acts.receipt(...given)
      if (outcome.kind !== "done") return outcome
      const items = (outcome.value.wire["items"] as object[]).map((line) => ({
        ...line,
        name: "Tote\u001b[31m\u200b 0886\u00a0731\u00a0904",
      }))
      const body = { ...outcome.value.wire, ...hostile, items }
      return { ...outcome, value: read(orderReceipts.retrieve, body, { id: given[0] }) }
    },
  }
  const deps: FlowDeps = { ...harness.deps, gatewayOf: () => ({ ...harness.gateway, orders }) }
  await harness.ledger.sql("update mp_operation set receipt_due_at = now() where id = $1", [
    operation.id,
  ])
  expect(await fetchReceipts(deps)).toBe(1)
  const [kept] = await harness.ledger.sql(
    `select r.body::text || o.* ::text || (select json_agg(e)::text from mp_operation_event e
             where e.operation_id = o.id) as texts
       from mp_receipt r join mp_operation o on o.id = r.operation_id where o.id = $1`,
    [operation.id],
  )
  const forShopper = await readReceiptOfSession(deps, { sessionId, customerId: undefined })
  const forAdmin = await readReceiptOfOperation(deps, operation.id)
  const shown = [
    // PostgreSQL separates the events by line breaks.
    String(kept?.["texts"]).replaceAll("\n", ""),
    JSON.stringify(shopperReceipt(forShopper.operation, forShopper.fetched)),
    JSON.stringify(adminReceipt(forAdmin.operation, forAdmin.fetched, () => null)),
  ]
  for (const text of shown) {
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]|\\u00|\\u20|eyJhb|abcdef\.|886.?731.?904/u)
    expect(text).not.toContain(PHONE)
  }
  expect(forAdmin.fetched.receipt.lines?.[0]?.name).toBe("Tote •••904")
})
