/** A comparison that an admin requests: begun, kept, read again, and as a file. */
import { LIMITS } from "../../../src/core/limits"
import type {
  AccountReconciliation,
  ReconciliationResponse,
} from "../../../src/reconciliation/schemas/reconciliation"
import type { FlowDeps } from "../../../src/engine/deps"
import {
  comparedPeriod,
  readPeriod,
  type PeriodAsked,
} from "../../../src/reconciliation/read-period"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { DAY, HOUR, SECOND } from "../../support/an-operation"
import { background } from "../../support/background"
import { readPeriodFile, manyAtOnce } from "../../support/period-file"
import { codeOf } from "../../support/code-of"
import { drafted } from "../../support/ledger-database"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, paid: paidCart } = useReconcileHarness()
const paid = async () => (await paidCart()).operation

beforeEach(() => harness.simulator.resetCalls())

/** The whole days around now, so that midnight changes nothing. */
function days(given: Partial<PeriodAsked> = {}): PeriodAsked {
  const midnight = Math.floor(Date.now() / DAY) * DAY
  return {
    from: new Date(midnight - DAY),
    until: new Date(midnight + 2 * DAY),
    accountId: undefined,
    ...given,
  }
}

const { begin, ended } = background()

/** As a page reads it: again when the comparison that it began has ended. */
async function read(given?: Partial<PeriodAsked>, deps: FlowDeps = harness.deps) {
  const first = await readPeriod(deps, begin, days(given))
  if (!first.is_running) return first
  await ended()
  return readPeriod(deps, begin, { ...days(given), isFresh: false })
}

/** As a program fetches it: again after the refusal that says that a comparison is under way. */
async function compared(deps: FlowDeps = harness.deps) {
  const fetched = () => comparedPeriod(deps, begin, days({ isFresh: true }))
  return fetched().catch(async (error: unknown) => {
    expect(error).toMatchObject({ code: "reconciliation_running" })
    await ended()
    return fetched()
  })
}

const only = ({ accounts: [account] }: ReconciliationResponse) => {
  if (!account) throw new Error("there is no account")
  return account
}

const lists = () => harness.simulator.calls.listOrders ?? 0

describe("a comparison of a period", () => {
  it("shows the three sides of its payments, and their success", async () => {
    const payment = await paid()
    const answer = await read()
    expect(answer).toMatchObject({ is_complete: true, is_running: false })
    expect(only(answer)).toMatchObject({
      account_id: "mpacc_env",
      label: "Environment",
      incomplete_because: [],
      counts: { documents: 1, operations: 1, payments: 1 },
      totals: [
        {
          currency: "USD",
          gateway: { paid: { count: 1, amount: "19.99" } },
          ledger: { completed: { count: 1, amount: "19.99" } },
          medusa: { captured: { count: 1, amount: "19.99" } },
        },
      ],
      differences: [],
      left_out: 0,
    })
    const { payment_method, carrier } = {
      payment_method: payment.paymentMethod,
      carrier: payment.carrier,
    }
    expect(answer.figures).toMatchObject({
      by_currency: [{ currency: "USD", count: 1, amount: "19.99" }],
      by_operator: [{ payment_method, carrier, currency: "USD", amount: "19.99" }],
      by_day: [{ day: payment.createdAt.toISOString().slice(0, 10), amount: "19.99" }],
      success: { completed: 1, failed: 0, expired: 0, rate: 1 },
    })
  })

  it("is read again as it was kept, without asking the gateway, until it is old or a fresh one is requested", async () => {
    const first = await read()
    expect(lists()).toBe(1)
    expect((await read()).compared_at).toBe(first.compared_at)
    expect(lists()).toBe(1)
    expect((await read({ isFresh: true })).compared_at).not.toBe(first.compared_at)
    expect(lists()).toBe(2)
    await harness.ledger.sql(
      "update mp_reconciliation set created_at = created_at - $1 * interval '1 ms'",
      [LIMITS.reconcileServesMs],
    )
    await read()
    expect(lists()).toBe(3)
    // Another period is another question.
    await read({ until: new Date(days().until.getTime() - SECOND) })
    expect(lists()).toBe(4)
  })

  it("is refused when the period is too long, or the account unknown", async () => {
    const { from } = days()
    const until = new Date(from.getTime() + LIMITS.reconcileNowDays * DAY)
    // A month may have an hour more, where the clocks change.
    const longer = new Date(until.getTime() + HOUR + 1)
    expect(await codeOf(read({ until: longer }))).toBe("period_too_long")
    expect((await read({ until })).is_complete).toBe(true)
    expect(await codeOf(read({ accountId: "mpacc_other" }))).toBe("account_not_found")
    expect((await read({ accountId: "mpacc_env" })).accounts).toHaveLength(1)
    expect(lists()).toBe(2)
  })
})

describe("an account that was removed", () => {
  it("has its payments in the totals of their days, and reads as not compared with the gateway", async () => {
    const [account] = await harness.deps.accounts()
    if (!account) throw new Error("there is no account")
    const removed = {
      ...account,
      id: "mpacc_gone",
      label: "Gone",
      currencies: [],
      isDefault: false,
    }
    await saveAccount(harness.ledger.database, removed)
    await harness.ledger.sql("update mp_account set deleted_at = now() where id = 'mpacc_gone'")
    const before = await read()
    expect(before.accounts.map(({ account_id }) => account_id)).not.toContain("mpacc_gone")
    await manyAtOnce(harness.ledger, 2, "mpacc_gone")
    try {
      const answer = await read()
      expect(answer.is_complete).toBe(false)
      expect(answer.accounts.find(({ account_id }) => account_id === "mpacc_gone")).toMatchObject({
        label: "Gone",
        incomplete_because: [{ code: "not_configured" }],
        totals: [{ currency: "RWF", gateway: null, ledger: { completed: { amount: "2" } } }],
      })
      expect(answer.figures.by_currency).toContainEqual({ currency: "RWF", count: 2, amount: "2" })
      expect((await read({ accountId: "mpacc_gone" })).accounts).toHaveLength(1)
    } finally {
      await harness.ledger.sql("delete from mp_operation where cart_id = 'cart_many'")
    }
  })
})

describe("a comparison at a gateway in trouble", () => {
  it("shows the other two sides while the gateway is down, and says what is missing", async () => {
    harness.simulator.faults.script(
      "listOrders",
      Array.from({ length: 5 }, () => "500"),
    )
    const account = only(await read())
    expect(account).toMatchObject({
      is_complete: false,
      incomplete_because: [{ code: "gateway_not_read", en: expect.any(String) }],
      differences: [],
    })
    expect(account.totals).toMatchObject([{ gateway: null, ledger: { completed: { count: 1 } } }])
    // A partial result is kept for a shorter time.
    harness.simulator.faults.clear()
    await harness.ledger.sql(
      "update mp_reconciliation set created_at = created_at - $1 * interval '1 ms'",
      [LIMITS.reconcilePartServesMs],
    )
    expect((await read()).is_complete).toBe(true)
  })

  it("reports an account without credentials as not configured", async () => {
    const deps = { ...harness.deps, gatewayOf: () => undefined }
    const account = only(await read({}, deps))
    expect(account.incomplete_because.map(({ code }) => code)).toEqual(["not_configured"])
  })
})

async function file(
  given: { only?: boolean; accounts?: readonly AccountReconciliation[] } = {},
): Promise<Record<string, string>[]> {
  const deps = harness.deps
  const accounts = given.accounts ?? (await compared())
  return readPeriodFile(deps, { ...days(), accounts, isDifferencesOnly: given.only ?? false })
}

describe("a comparison's file", () => {
  it("has a row for each payment that moved money, with the amounts of each side", async () => {
    const payment = await paid()
    await drafted(harness.deps.database)
    const rows = await file()
    expect(rows).toHaveLength(2)
    expect(rows.find(({ operation_id }) => operation_id === payment.id)).toEqual({
      date: payment.createdAt.toISOString(),
      type: "PAYMENT",
      order_number: "",
      order_id: payment.orderId,
      reference: payment.reference,
      operation_id: payment.id,
      account_id: "mpacc_env",
      payment_method: payment.paymentMethod,
      carrier: payment.carrier ?? "",
      currency: "USD",
      gross: "19.99",
      fee: expect.stringMatching(/^(\d+\.\d\d)?$/),
      net: expect.stringMatching(/^(\d+\.\d\d)?$/),
      refunded: "0.00",
      gateway_amount: "19.99",
      gateway_status: "PAID",
      ledger_amount: "19.99",
      ledger_state: "completed",
      medusa_captured: "19.99",
      medusa_refunded: "0",
      difference: "",
      compared_at: expect.stringMatching(/Z$/),
    })
    expect(await file({ only: true })).toEqual([])
  })

  it("names each difference in its row, and adds rows for those without a payment", async () => {
    const payment = await paid()
    const cart = harness.of(payment.paymentCollectionId)
    const [captured] = cart.payments
    if (!captured) throw new Error("nothing was captured")
    cart.payments = [
      { ...captured, amount: "18.5" },
      { ...captured, sessionId: "payses_lost", amount: "3.25" },
    ]
    try {
      const rows = await file({ only: true })
      expect(rows).toMatchObject([
        {
          type: "PAYMENT",
          operation_id: payment.id,
          medusa_captured: "18.5",
          difference: "amount_differs",
        },
        {
          type: "DIFFERENCE",
          currency: "USD",
          medusa_captured: "3.25",
          difference: "captured_without_operation",
        },
      ])
      expect(await file()).toHaveLength(4)
    } finally {
      cart.payments = [captured]
    }
  })

  it("claims in no row to be compared where the comparison is incomplete", async () => {
    harness.simulator.faults.script(
      "listInvoices",
      Array.from({ length: 5 }, () => "500"),
    )
    const rows = await file()
    expect(new Set(rows.map(({ compared_at }) => compared_at))).toEqual(new Set([""]))
    expect(rows.at(-1)).toMatchObject({
      type: "NOT_COMPARED",
      account_id: "mpacc_env",
      difference: "gateway_not_read",
    })
  })

  it("claims no comparison for a later payment, nor where differences were left out", async () => {
    const later = await paid()
    const now = await compared()
    const comparedAt = new Date(later.createdAt.getTime() - 1).toISOString()
    const accounts = now.map((account) => ({ ...account, compared_at: comparedAt }))
    const row = (await file({ accounts })).find(({ operation_id }) => operation_id === later.id)
    expect(row).toMatchObject({ type: "PAYMENT", compared_at: "" })
    const leftOut = now.map((account) => ({ ...account, left_out: 3 }))
    const rows = await file({ accounts: leftOut })
    expect(rows.filter(({ type }) => type === "PAYMENT").map((one) => one["compared_at"])).toEqual(
      rows.filter(({ type }) => type === "PAYMENT").map(() => ""),
    )
    expect(await file({ accounts: leftOut, only: true })).toMatchObject([
      { type: "NOT_COMPARED", difference: "left_out_3" },
    ])
  })

  it("is whole for more payments than one page, and has none twice", async () => {
    const many = LIMITS.upkeepRowsMax * 2 + 3
    const ids = await manyAtOnce(harness.ledger, many)
    try {
      const rows = await file()
      const found = rows.map(({ operation_id }) => operation_id)
      expect(new Set(found).size).toBe(found.length)
      expect(ids.filter((id) => !found.includes(id))).toEqual([])
    } finally {
      await harness.ledger.sql("delete from mp_operation where cart_id = 'cart_many'")
    }
  })
})
