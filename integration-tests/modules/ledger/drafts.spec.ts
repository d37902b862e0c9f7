/** What the ledger's tables allow to exist. */
import { randomUUID } from "node:crypto"
import { insertDraft } from "../../../src/checkout/sql/insert-draft"
import { brokenRule } from "../../../src/ledger/database"
import { money, MINUTE } from "../../support/an-operation"
import {
  aDraft,
  advanced,
  drafted,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

/** The rule that a statement breaks. */
async function brokenBy(text: string, parameters: readonly unknown[] = []): Promise<string> {
  try {
    await ledger.sql(text, parameters)
    return "none"
  } catch (error) {
    const { constraint } = error as { constraint?: string }
    return constraint ?? String(error)
  }
}

describe("a payment collection", () => {
  it("goes to one of 20 drafts at the same moment", async () => {
    const paymentCollectionId = `pay_col_${randomUUID()}`
    const drafts = Array.from({ length: 20 }, () =>
      insertDraft(ledger.database, aDraft({ paymentCollectionId })),
    )
    const made = (await Promise.all(drafts)).filter((draft) => draft !== undefined)
    expect(made).toHaveLength(1)
    const rows = await ledger.sql("select id from mp_operation where payment_collection_id = $1", [
      paymentCollectionId,
    ])
    expect(rows).toEqual([{ id: made[0]?.id }])
    const events = await ledger.sql(
      `select e.operation_id from mp_operation_event e join mp_operation o on o.id = e.operation_id
        where o.payment_collection_id = $1`,
      [paymentCollectionId],
    )
    expect(events).toEqual([{ operation_id: made[0]?.id }])
  })

  it.each(["drafted", "submitted", "in_flight", "completed", "review"])(
    "is held by an operation that is %s",
    async (state) => {
      const first = await submitted(ledger.database)
      await ledger.sql("update mp_operation set state = $2 where id = $1", [first.id, state])
      const { paymentCollectionId } = first
      expect(await insertDraft(ledger.database, aDraft({ paymentCollectionId }))).toBeUndefined()
    },
  )

  it.each([
    "state = 'failed'",
    "state = 'expired'",
    "state = 'review', is_duplicate = true",
    "state = 'completed', returned_at = now()",
  ])("is free for another operation where %s", async (set) => {
    const first = await submitted(ledger.database)
    await ledger.sql(`update mp_operation set ${set} where id = $1`, [first.id])
    const { paymentCollectionId } = first
    expect(await insertDraft(ledger.database, aDraft({ paymentCollectionId }))).toBeDefined()
  })
})

describe("a draft", () => {
  it("keeps exactly what it was given", async () => {
    const lines = [
      { name: "Basket 🧺", quantity: 7, amount: money(7_000n, "RWF") },
      { name: "half \uD83E and nothing \0", quantity: 0.5, amount: money(666n, "RWF") },
    ]
    const draft = await drafted(ledger.database, {
      amount: money(7_666n, "RWF"),
      lines,
      windowMs: 30 * MINUTE,
      leaseMs: 35_000,
    })
    expect(draft).toMatchObject({
      state: "drafted",
      amount: money(7_666n, "RWF"),
      lines: [lines[0], { ...lines[1], name: "half � and nothing �" }],
      reference: null,
      submittedAt: null,
      waiting: true,
      version: 1,
      phoneHint: "456",
    })
    expect(draft.expiresAt.getTime() - draft.readAt.getTime()).toBe(30 * MINUTE)
    expect(draft.nextCheckAt).toEqual(draft.expiresAt)
    expect((draft.leaseUntil?.getTime() ?? 0) - draft.readAt.getTime()).toBe(35_000)
  })

  it("keeps an amount beyond what a float can hold", async () => {
    const draft = await drafted(ledger.database, { amount: money(9_007_199_254_740_993n) })
    expect(draft.amount.minor).toBe(9_007_199_254_740_993n)
  })

  it("without a request has no lease and no waiting shopper", async () => {
    const draft = await drafted(ledger.database)
    expect(draft).toMatchObject({ leaseUntil: null, waiting: false, waitingAt: null })
  })
})

describe("the database refuses", () => {
  it("[P15] refunds beyond what was collected, and more refunded than reserved", async () => {
    const { id } = await submitted(ledger.database)
    const reserve = "update mp_operation set reserved_refund_minor = $2 where id = $1"
    const rule = "refunds_never_exceed_what_was_collected"
    expect(await brokenBy(reserve, [id, 1])).toBe(rule)
    await ledger.sql("update mp_operation set collected_minor = 1999 where id = $1", [id])
    expect(await brokenBy(reserve, [id, 1_999])).toBe("none")
    expect(await brokenBy(reserve, [id, 2_000])).toBe(rule)
    expect(await brokenBy(reserve, [id, -1])).toBe(rule)
    const refunded = "update mp_operation set refunded_minor = 2000 where id = $1"
    expect(await brokenBy(refunded, [id])).toBe("what_went_back_was_reserved")
  })

  it("a second operation under a reference", async () => {
    const [first, second] = [await submitted(ledger.database), await drafted(ledger.database)]
    const error: unknown = await advanced(ledger.database, second, {
      event: "submit",
      code: "ready_to_send",
      changes: { reference: first.reference ?? "" },
    }).catch((caught: unknown) => caught)
    expect(brokenRule(error)).toBe("one_operation_per_reference")
  })

  it("[I6] a push that is out without a reference", async () => {
    const draft = await drafted(ledger.database)
    const submit = "update mp_operation set state = 'submitted' where id = $1"
    expect(await brokenBy(submit, [draft.id])).toBe("money_is_sent_under_a_reference")
    const hosted = await drafted(ledger.database, { flow: "hosted" })
    expect(await brokenBy(submit, [hosted.id])).toBe("none")
  })

  it("a source that proves two hosted operations", async () => {
    const [first, second] = [
      await drafted(ledger.database, { flow: "hosted" }),
      await drafted(ledger.database, { flow: "hosted" }),
    ]
    const own = "update mp_operation set source_id = 4711 where id = $1"
    await ledger.sql(own, [first.id])
    expect(await brokenBy(own, [second.id])).toBe("a_source_proves_one_hosted_operation")
  })

  it.each([
    ["state = 'lost'", "operation_state_is_known"],
    ["type = 'GIFT'", "operation_type_is_known"],
    ["flow = 'cash'", "operation_flow_is_known"],
    ["source_type = 'SUBSCRIPTION'", "operation_source_type_is_known"],
    ["amount_minor = 0", "amount_is_positive"],
    ["phone_hint = '1234'", "phone_hint_is_three_digits"],
    [
      "state = 'completed', recorded_at = now(), next_check_at = now()",
      "only_the_unfinished_is_due_or_watched",
    ],
  ])("an operation with %s", async (set, rule) => {
    const { id } = await submitted(ledger.database)
    expect(await brokenBy(`update mp_operation set ${set} where id = $1`, [id])).toBe(rule)
  })

  it("two default accounts", async () => {
    const insert = `insert into mp_account (id, label, base_url, is_default)
                    values ('mpacc_2', 'Two', 'https://two.example', true)`
    expect(await brokenBy(insert)).toBe("one_default_account")
  })
})

describe("[S05] a phone number", () => {
  it("has no column but the hint of its last digits", async () => {
    const columns = await ledger.sql(
      `select column_name from information_schema.columns
        where table_name like 'mp\\_%' and column_name ~ 'phone|msisdn|mobile'`,
    )
    expect(columns).toEqual([{ column_name: "phone_hint" }])
  })

  it("is in no table after a payment was drafted, sent and ended", async () => {
    const canary = "231770999456"
    const operation = await submitted(ledger.database, { phoneHint: canary.slice(-3) })
    await advanced(ledger.database, operation, {
      event: "expire",
      code: "window_over",
      next: "never",
    })
    const tables = await ledger.sql(
      `select table_name from information_schema.tables where table_name like 'mp\\_%'`,
    )
    expect(tables.length).toBeGreaterThanOrEqual(9)
    for (const { table_name: name } of tables) {
      const rows = await ledger.sql(`select t::text as row from ${String(name)} t`)
      expect(rows.filter((row) => String(row["row"]).includes(canary))).toEqual([])
    }
  })
})
