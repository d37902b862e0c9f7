/**
 * A ledger of drawn rows for the sums of money that moved: each type and state, three currencies,
 * known, unknown and impossible fees, two accounts, and moments on, before and after midnights of several zones.
 */
import fc from "fast-check"
import { DAY } from "../../src/core/limits/time"
import { dayAfter, startOfDay } from "../../src/core/time-zone"
import type { LedgerDatabase } from "./ledger-database"

/** Without summer time, west, east; and with, each shortly after its clocks went back in 2026. */
export const ZONES = [
  "UTC",
  "Africa/Monrovia",
  "Africa/Kigali",
  "Europe/Paris",
  "America/New_York",
  "Asia/Kathmandu",
]

const DAYS = 70
const STATES = ["completed", "completed", "completed", "review", "failed", "expired", "in_flight"]

const pick = <const T>(...values: readonly T[]) => fc.constantFrom(...values)

/** Moments of {@link DAYS} days before a day: many on the very edge of a day of some zone. */
const momentBefore = (lastDay: string) =>
  fc
    .record({
      zone: pick(...ZONES),
      ago: fc.nat(DAYS - 1),
      off: pick(-1, 0, 1, 7_200_123, 43_200_000),
    })
    .map(
      ({ zone, ago, off }) => new Date(startOfDay(zone, dayAfter(lastDay, -ago)).getTime() + off),
    )

const drawnRow = (lastDay: string) =>
  fc.record({
    type: pick("COLLECTION", "COLLECTION", "COLLECTION", "REFUND", "PAYOUT", "TRANSFER"),
    state: pick(...STATES),
    currency: pick("USD", "LRD", "RWF"),
    minor: fc.integer({ min: 1, max: 90_000_001 }),
    /** What came in beside what was asked for. */
    taken: pick("equal", "more", "less", "nothing", "unsaid"),
    feeBearer: pick("PAYER", "PAYEE", null),
    /** What the gateway says that it left. */
    left: pick("all", "less", "less", "half-cents", "more", "other-currency", "unsaid", "unsaid"),
    isDuplicate: fc.boolean(),
    isExchanged: fc.boolean(),
    isRecorded: fc.boolean(),
    isReturned: fc.boolean(),
    isDismissed: fc.boolean(),
    /** After so many days an operator took the payment back; 0: it did not. */
    takenAfter: pick(0, 0, 0, 0.1, 12, 40),
    /** What the gateway said of the document last. */
    status: pick("PAID", "ACTIVE", null),
    account: pick("mpacc_env", "mpacc_env", "mpacc_second"),
    at: momentBefore(lastDay),
    method: pick("OPERATOR1_MOMO_LBR", "OPERATOR3_RWA", "NOT;KNOWN", null),
  })

type DrawnRow = ReturnType<typeof drawnRow> extends fc.Arbitrary<infer T> ? T : never

export async function fillWithMoney(
  ledger: Pick<LedgerDatabase, "sql">,
  {
    lastDay,
    rows,
    seed,
  }: { readonly lastDay: string; readonly rows: number; readonly seed: number },
): Promise<void> {
  const drawn = fc.sample(drawnRow(lastDay), { numRuns: rows, seed })
  await ledger.sql(
    `insert into mp_account (id, label, base_url)
     values ('mpacc_second', 'Second', 'https://gateway.example') on conflict do nothing`,
  )
  await ledger.sql(INSERT, [JSON.stringify(drawn.map(storedOf))])
}

function storedOf(one: DrawnRow, n: number) {
  const isPayment = one.type === "COLLECTION"
  const taken = isPayment ? takenOf(one) : null
  const hasMoved = one.state === "completed" || taken !== null
  return {
    ...one,
    n,
    taken,
    // Medusa holds only money that came.
    isRecorded: one.isRecorded && hasMoved,
    money_at: hasMoved ? one.at : null,
    taken_back_at: isTakenBack(one) ? new Date(one.at.getTime() + one.takenAfter * DAY) : null,
    left: isPayment ? leftOf(one, taken ?? one.minor) : null,
    left_currency: one.left === "other-currency" ? "EUR" : one.currency,
    paid: isPayment && one.isExchanged ? "12.34" : null,
  }
}

/** Only a completed payment is asked about again. */
const isTakenBack = ({ type, state, takenAfter }: DrawnRow) =>
  type === "COLLECTION" && state === "completed" && takenAfter > 0

function takenOf({ taken, minor, state }: DrawnRow): number | null {
  if (state === "in_flight" || taken === "unsaid") return null
  return { equal: minor, more: minor + 100, less: Math.ceil(minor / 2), nothing: 0 }[taken]
}

/** Decimal text in major units. */
function leftOf({ left, currency }: DrawnRow, gross: number): string | null {
  const major = (minor: number) => (currency === "RWF" ? `${minor}` : (minor / 100).toFixed(2))
  if (left === "unsaid") return null
  if (left === "half-cents")
    return `${major(Math.floor(gross * 0.97))}${currency === "RWF" ? ".5" : "5"}`
  if (left === "more") return major(gross + 1)
  return major(left === "less" ? Math.floor(gross * 0.96) : gross)
}

/** The first row is a payment, of which every refund is. */
const INSERT = `
  insert into mp_operation (id, parent_id, type, state, is_duplicate, flow, account_id, provider_id,
    payment_collection_id, payment_session_id, currency_code, amount_minor, collected_minor,
    medusa_amount, fee_bearer, payee_amount, payee_currency, payer_amount, payer_currency,
    exchange_rate, payment_method, source_type, source_id, reference, expires_at, idempotency_key,
    asked_by, created_at, money_at, taken_back_at, source_status, recorded_at, returned_at, dismissed_at)
  select 'mpop_' || n, case when n > 0 and type = 'REFUND' then 'mpop_0' end,
    case when n = 0 then 'COLLECTION' else type end, state, "isDuplicate", 'push', account, 'p',
    'pay_col_' || n, 'payses_' || n, currency, minor, taken, 1, "feeBearer", "left", left_currency,
    paid, case when paid is null then currency else 'EUR' end,
    case when paid is not null then 1.25 end, method, 'ORDER', n, gen_random_uuid(), now(),
    'key-' || n, 'user_1', at - interval '48 hours', money_at, taken_back_at, status,
    case when "isRecorded" then now() end, case when "isReturned" then now() end,
    case when "isDismissed" then now() end
    from jsonb_to_recordset($1::jsonb) as drawn (n int, type text, state text, currency text,
      minor bigint, taken bigint, "feeBearer" text, "left" numeric, left_currency text,
      "isDuplicate" boolean, "isRecorded" boolean, "isReturned" boolean, "isDismissed" boolean,
      at timestamptz, money_at timestamptz, taken_back_at timestamptz, status text, account text,
      method text, paid numeric)`
