/**
 * A sum that differs has rows that explain it exactly, whatever the sides hold: without the payments
 * that the rows name, each pair of sums is equal, and the parts add up to the whole.
 */
import fc from "fast-check"
import {
  anOperation,
  DAY,
  HOUR,
  money,
  NOON,
} from "../../../integration-tests/support/an-operation"
import type { MedusaPayment } from "../../core/medusa-records"
import { majorText, type Money } from "../../core/money"
import { sourceReference } from "../../core/source-reference"
import { idFrom } from "../../core/ids"
import { STATES, type Operation, type MedusaOperation } from "../../core/operation"
import {
  compareSides,
  isElsewhere,
  type Difference,
  type GatewaySource,
  type SidesOfPeriod,
} from "./reconciliation"
import { totalsOf } from "./reconciliation-totals"

const PERIOD = { from: new Date(NOON.getTime() - DAY), until: new Date(NOON.getTime() + DAY) }
const WORDS = ["PAID", "PAID", "ACTIVE", "PROCESSING", "CANCELED", "REVERSED", null] as const

/** A payment in any state, with money or without, its document in any state, and Medusa's record. */
const PAYMENT = fc.record({
  state: fc.constantFrom(...STATES, "completed" as const),
  status: fc.constantFrom(...WORDS),
  hasMoney: fc.boolean(),
  isReturned: fc.boolean(),
  isDuplicate: fc.boolean(),
  isRecorded: fc.boolean(),
  isTakenBack: fc.boolean(),
  isOfPeriod: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false)),
  minor: fc.integer({ min: 2, max: 9_999 }),
  /** What came in, what the gateway says, and what Medusa holds, beside what was asked for. */
  more: fc.constantFrom(0, 0, 100),
  otherTotal: fc.constantFrom(0, 0, 0, 1, -1, "EUR" as const),
  captured: fc.constantFrom("as recorded", "as recorded", "none", "all", "other"),
  /** The documents that the payment made besides: paid, too, or another program's. */
  besides: fc.constantFrom("none", "none", "second", "unknown", "of another shop", "elsewhere"),
})
type Drawn = typeof PAYMENT extends fc.Arbitrary<infer One> ? One : never

const sourceIdOf = (n: number) => idFrom<NonNullable<Operation["sourceId"]>>(n)

function operationOf(one: Drawn, place: number): MedusaOperation {
  const digits = String(place).padStart(12, "0")
  const isCompleted = one.state === "completed"
  const hasMoney = isCompleted || (one.hasMoney && one.state !== "drafted")
  const asked = money(one.minor)
  const isReturned = isCompleted && one.isReturned
  const isRecorded = isCompleted && one.isRecorded && !one.isDuplicate && !isReturned
  return anOperation({
    id: idFrom<Operation["id"]>(`mpop_0123456789ab4def8123${digits}`),
    state: one.state,
    amount: asked,
    collected: hasMoney ? money(one.minor + one.more) : null,
    sourceId: sourceIdOf(place + 1),
    paymentSessionId: idFrom<MedusaOperation["paymentSessionId"]>(`payses_${place}`),
    isDuplicate: one.isDuplicate,
    returnedAt: isReturned ? NOON : null,
    recordedAt: isRecorded ? NOON : null,
    takenBackAt: isRecorded && one.isTakenBack ? NOON : null,
    reservedRefundMinor: isReturned ? asked.minor : 0n,
    refundedMinor: isReturned ? asked.minor : 0n,
    createdAt: one.isOfPeriod ? NOON : new Date(NOON.getTime() - 3 * DAY),
    readAt: new Date(NOON.getTime() + HOUR),
  })
}

function sourcesOf(one: Drawn, operation: Operation, place: number): GatewaySource[] {
  const { id, collected, amount, sourceId } = operation
  const seen = collected ?? amount
  const total: Money =
    one.otherTotal === "EUR" ? money(seen.minor, "EUR") : money(seen.minor + BigInt(one.otherTotal))
  const besides: Readonly<Record<string, string>> = {
    second: sourceReference(id),
    unknown: `fedcba98-7654-4321-8fed-${String(place).padStart(12, "0")}`,
    "of another shop": `fedcba98-7654-4321-8fed-${String(place).padStart(12, "0")}`,
    elsewhere: `invoice ${place}`,
  }
  const reference = besides[one.besides]
  return [
    ...(one.status === null || sourceId === null
      ? []
      : [{ sourceId, reference: sourceReference(id), status: one.status, total }]),
    ...(reference === undefined
      ? []
      : [
          {
            sourceId: sourceIdOf(10_000 + place),
            reference,
            isUnmarked: one.besides !== "unknown",
            status: "PAID",
            total: amount,
          },
        ]),
  ].map((source) => ({ ...source, sourceType: "ORDER", touchedAt: NOON }))
}

function paymentsOf(one: Drawn, operation: MedusaOperation, place: number): MedusaPayment[] {
  const isThere =
    one.captured === "as recorded" ? operation.recordedAt !== null : one.captured !== "none"
  if (!isThere) return []
  const { amount, paymentSessionId: sessionId } = operation
  const minor = amount.minor + (one.captured === "other" ? 1n : 0n)
  return [
    {
      id: `pay_${place}`,
      sessionId,
      currency: "usd",
      isCaptured: true,
      isCanceled: false,
      capturedAmount: majorText({ ...amount, minor }),
      refundedAmount: majorText({ ...amount, minor: operation.refundedMinor }),
      orderId: null,
      isOrderCanceled: false,
      isOrderOpen: false,
    },
  ]
}

function sidesOf(drawn: readonly Drawn[]): SidesOfPeriod {
  const made = drawn.map((one, place) => ({ one, place, operation: operationOf(one, place) }))
  return {
    sources: made.flatMap(({ one, place, operation }) => sourcesOf(one, operation, place)),
    listed: ["ORDER", "INVOICE"],
    operations: made.map(({ operation }) => operation),
    unaskableIds: [],
    unclearIds: [],
    restBack: new Map(),
    payments: made.flatMap(({ one, place, operation }) => paymentsOf(one, operation, place)),
  }
}

/** The sides without each payment, document and record that a row names. */
function withoutNamed(sides: SidesOfPeriod, rows: readonly Difference[]): SidesOfPeriod {
  const ids = new Set<unknown>(rows.map((row) => row.operation_id))
  const gone = sides.operations.filter(({ id }) => ids.has(id))
  const references = new Set<unknown>(gone.map(({ id }) => sourceReference(id)))
  const sourceIds = new Set<unknown>([...rows.map((row) => row.source_id)])
  const sessions = new Set<unknown>(gone.map((one) => one.paymentSessionId))
  const payments = new Set<unknown>(rows.map((row) => row.payment_id))
  return {
    ...sides,
    operations: sides.operations.filter(({ id }) => !ids.has(id)),
    sources: sides.sources.filter(
      ({ sourceId, reference }) => !sourceIds.has(sourceId) && !references.has(reference),
    ),
    payments: sides.payments.filter(
      ({ id, sessionId }) => !payments.has(id) && !sessions.has(sessionId),
    ),
  }
}

const totalsIn = (sides: SidesOfPeriod) =>
  totalsOf({ sides, period: PERIOD, held: new Set<string>(), refunds: [], medusaRefunds: [] })

it("sums differ by just the payments that rows name", () => {
  fc.assert(
    fc.property(fc.array(PAYMENT, { maxLength: 6 }), (drawn) => {
      const sides = sidesOf(drawn)
      const rows = compareSides(sides).filter((row) => !isElsewhere(row))
      const rest = withoutNamed(sides, rows)
      for (const { currency, gateway, ledger, medusa, bridge } of totalsIn(rest)) {
        const { count, amount } = medusa.captured
        expect([currency, gateway?.paid]).toEqual([currency, ledger.received])
        expect([currency, { count, amount }]).toEqual([currency, ledger.recorded])
        expect(Number(bridge?.remainder.amount)).toBe(0)
        expect(bridge?.remainder.count).toBe(0)
      }
    }),
    { numRuns: 1_000 },
  )
})
