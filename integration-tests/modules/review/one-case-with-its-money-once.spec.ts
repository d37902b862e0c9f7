/**
 * Whatever a ledger holds of payments and their refunds: nothing that needs an admin is missing from
 * the list, a payment and its refunds are one line, and Home counts no money twice.
 */
import fc from "fast-check"
import { readOverview } from "../../../src/reconciliation/read-overview"
import { ATTENTION } from "../../../src/review/sql/attention"
import { listOperations } from "../../../src/review/sql/list-operations"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"

const COLLECTED = 1_000
const STATES = ["review", "failed", "expired", "completed", "in_flight"] as const

const drawnRefund = fc.record({
  state: fc.constantFrom(...STATES),
  minor: fc.constantFrom(200, 300, 400, COLLECTED),
  isMedusas: fc.boolean(),
  isDismissed: fc.constantFrom(false, false, true),
})

const drawnPayment = fc.record({
  state: fc.constantFrom("completed", "completed", "review"),
  isContradicted: fc.constantFrom(false, false, true),
  isOrderCanceled: fc.boolean(),
  isKept: fc.constantFrom(false, false, true),
  isTakenBack: fc.constantFrom(false, false, false, true),
  refunds: fc.array(drawnRefund, { maxLength: 3 }),
})

type Drawn = typeof drawnPayment extends fc.Arbitrary<infer T> ? T : never
type DrawnRefund = Drawn["refunds"][number]

const isGoing = ({ state }: Pick<DrawnRefund, "state">) => state !== "failed" && state !== "expired"
const sumOf = (refunds: readonly DrawnRefund[]) =>
  refunds.reduce((sum, { minor }) => sum + minor, 0)

/** No more is on its way back than came: the reserve forbids it. */
const isPossible = ({ state, isTakenBack, refunds }: Drawn) =>
  sumOf(refunds.filter(isGoing)) <= COLLECTED && !(isTakenBack && state === "review")

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const INSERT = `
  insert into mp_operation (id, parent_id, type, state, flow, account_id, provider_id,
    payment_collection_id, payment_session_id, source_type, expires_at, currency_code, amount_minor,
    collected_minor, reserved_refund_minor, refunded_minor, medusa_amount, medusa_refund_id,
    reference, recorded_at, contradicted_at, order_canceled_at, kept_at, taken_back_at, dismissed_at)
  select id, parent_id, type, state, 'push', 'mpacc_env', 'p', 'col_' || n, 'ses_' || n, 'ORDER',
    now(), 'USD', minor, collected, coalesce(reserved, 0), coalesce(refunded, 0), minor / 100.0,
    refund_id, gen_random_uuid(), case when is_recorded then now() end,
    case when is_contradicted then now() end, case when is_canceled then now() end,
    case when is_kept then now() end, case when is_taken_back then now() end,
    case when is_dismissed then now() end
    from jsonb_to_recordset($1::jsonb) as drawn (n int, id text, parent_id text, type text,
      state text, minor bigint, collected bigint, reserved bigint, refunded bigint, refund_id text,
      is_recorded boolean, is_contradicted boolean, is_canceled boolean, is_kept boolean,
      is_taken_back boolean, is_dismissed boolean)`

function rowsOf(payment: Drawn, n: number): object[] {
  const id = `mpop_${n}`
  const isCompleted = payment.state === "completed"
  const own = {
    n,
    id,
    type: "COLLECTION",
    state: payment.state,
    minor: COLLECTED,
    collected: COLLECTED,
    reserved: sumOf(payment.refunds.filter(isGoing)),
    refunded: sumOf(payment.refunds.filter(({ state }) => state === "completed")),
    is_recorded: isCompleted,
    is_contradicted: isCompleted && payment.isContradicted,
    is_canceled: payment.isOrderCanceled,
    is_kept: payment.isOrderCanceled && payment.isKept,
    is_taken_back: payment.isTakenBack,
  }
  const refunds = payment.refunds.map(({ state, minor, isMedusas, isDismissed }, at) => ({
    n,
    id: `${id}_${at}`,
    parent_id: id,
    type: "REFUND",
    state,
    minor,
    refund_id: isMedusas ? `ref_${n}_${at}` : null,
    is_dismissed: isDismissed && !isGoing({ state }),
  }))
  return [own, ...refunds]
}

/** What a line stands for: a payment for what is left of it, a refund for its own amount. */
function moneyOf(payment: Drawn, n: number, listed: ReadonlySet<string>): number {
  const left = COLLECTED - sumOf(payment.refunds.filter(({ state }) => state === "completed"))
  if (listed.has(`mpop_${n}`)) return payment.isTakenBack ? 0 : left
  const own = payment.refunds.filter((_, at) => listed.has(`mpop_${n}_${at}`))
  return Math.min(sumOf(own), left)
}

it("a payment and its refunds are one case, and no money of it counts twice, in any ledger", async () => {
  const { database, sql } = ledger
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnPayment.filter(isPossible), { minLength: 1, maxLength: 12 }),
      async (payments) => {
        await sql("truncate mp_operation cascade")
        await sql(INSERT, [JSON.stringify(payments.flatMap(rowsOf))])
        const page = { limit: 100, offset: 0 }
        const { operations } = await listOperations(database, { needsAttention: true }, page)
        const rest = await listOperations(database, { needsAttention: false }, page)
        const listed = new Set<string>(operations.map(({ operation }) => operation.id))
        expect(listed.size + rest.operations.length).toBe(payments.flatMap(rowsOf).length)

        const needy = await sql(
          `select o.id, o.parent_id from mp_operation o where ${ATTENTION} is not null`,
        )
        for (const { id, parent_id: parentId } of needy) {
          const lines = [id, parentId].filter((one) => listed.has(String(one)))
          expect([id, lines.length]).toEqual([id, 1])
        }
        const accounts = () => Promise.resolve([])
        const { waiting } = await readOverview({ database, accounts }, "UTC")
        const minor = payments.reduce((sum, one, n) => sum + moneyOf(one, n, listed), 0)
        expect(waiting.count).toBe(listed.size)
        expect(waiting.sums.map(({ amount }) => Math.round(Number(amount) * 100))).toEqual(
          listed.size > 0 ? [minor] : [],
        )
      },
    ),
    { numRuns: 60 },
  )
}, 240_000)
