/**
 * Over generated books of a day: the parts always add up to the whole, books that agree are green,
 * and any single row that is disturbed turns green off.
 */
import fc from "fast-check"
import {
  afterNoon,
  anOperation,
  DAY,
  HOUR,
  money,
  NOON,
} from "../../../integration-tests/support/an-operation"
import { sourceReference } from "../../core/source-reference"
import type { MedusaPayment } from "../../core/medusa-records"
import { majorText } from "../../core/money"
import type { MedusaOperation, Operation } from "../../core/operation"
import { agreementOf } from "./agreement"
import { compareSides, type GatewaySource, type SidesOfPeriod } from "./reconciliation"
import type { PeriodTotals } from "../schemas/reconciliation"
import { totalsOf, type MedusaRefund, type LedgerRefund } from "./reconciliation-totals"

const PERIOD = { from: afterNoon(-DAY / 2), until: afterNoon(DAY / 2) }

type Books = {
  operations: Operation[]
  sources: GatewaySource[]
  payments: MedusaPayment[]
  restBack: Map<string, bigint>
  refunds: LedgerRefund[]
  medusaRefunds: MedusaRefund[]
}

/** What one purchase has become by the end of the day. */
const KINDS = [
  "recorded",
  "recorded by the second try",
  "paid too much, and the rest went back",
  "paid too much, and the rest was noted",
  "partly refunded",
  "paid twice, and the second payment went back",
  "one document paid by both tries, and the second went back",
  "dismissed",
  "never paid",
  "of the day before",
] as const

type Purchase = {
  readonly kind: (typeof KINDS)[number]
  readonly minor: number
  readonly more: number
}

const purchases = fc.array(
  fc.record<Purchase>({
    kind: fc.constantFrom(...KINDS),
    minor: fc.integer({ min: 2, max: 5_000_000 }),
    more: fc.integer({ min: 1, max: 999 }),
  }),
  { minLength: 1, maxLength: 12 },
)

const text = (minor: bigint) => majorText({ ...money(0), minor })

function booksOf(all: readonly Purchase[]): Books {
  const books: Books = {
    operations: [],
    sources: [],
    payments: [],
    restBack: new Map(),
    refunds: [],
    medusaRefunds: [],
  }
  all.forEach((purchase, at) => write(books, purchase, at + 1))
  return books
}

function write(books: Books, { kind, minor, more }: Purchase, nth: number): void {
  const amount = money(minor)
  let id = 0
  const operation = (given: Partial<MedusaOperation>, sourceId = nth) => {
    id += 1
    const hex = `${nth.toString(16)}${id}`.padStart(12, "0")
    const one = anOperation({
      id: `mpop_0123456789ab4def8123${hex}`,
      state: "completed",
      amount,
      collected: amount,
      recordedAt: null,
      paymentSessionId: `payses_${nth}`,
      sourceId,
      createdAt: NOON,
      readAt: afterNoon(HOUR),
      ...given,
    })
    books.operations.push(one)
    return one
  }
  const source = (of: Operation, status = "PAID") =>
    books.sources.push({
      sourceType: "ORDER",
      sourceId: of.sourceId ?? 0,
      reference: sourceReference(of.id),
      status,
      total: of.collected ?? of.amount,
      touchedAt: NOON,
    })
  const payment = (refundedMinor = 0n) =>
    books.payments.push({
      id: `pay_${nth}`,
      sessionId: `payses_${nth}`,
      currency: "usd",
      isCaptured: true,
      isCanceled: false,
      capturedAmount: text(amount.minor),
      refundedAmount: text(refundedMinor),
      orderId: `order_${nth}`,
      isOrderCanceled: false,
      isOrderOpen: false,
    })
  const refund = (refundMinor: bigint, isBesideMedusa: boolean) => {
    const back = { ...amount, minor: refundMinor }
    books.refunds.push({ amount: back, isConfirmed: true, isUnderReview: false, isBesideMedusa })
    if (isBesideMedusa) return
    books.medusaRefunds.push({ currency: "usd", amount: text(refundMinor), minor: refundMinor })
  }
  const back = (backMinor: bigint) => ({ reservedRefundMinor: backMinor, refundedMinor: backMinor })
  const collected = money(minor + more)
  const rest = BigInt(more)
  switch (kind) {
    case "recorded by the second try":
      operation({ state: "failed", collected: null, createdAt: afterNoon(-HOUR) })
      source(operation({ recordedAt: NOON }))
      return void payment()
    case "paid too much, and the rest went back": {
      const one = operation({ recordedAt: NOON, collected, ...back(rest) })
      books.restBack.set(one.id, rest)
      refund(rest, true)
      source(one)
      return void payment()
    }
    case "paid too much, and the rest was noted":
      source(operation({ recordedAt: NOON, collected }))
      return void payment()
    case "partly refunded":
      source(operation({ recordedAt: NOON, ...back(1n) }))
      refund(1n, false)
      return void payment(1n)
    case "paid twice, and the second payment went back":
      source(operation({ recordedAt: NOON }))
      source(operation({ isDuplicate: true, returnedAt: NOON, ...back(amount.minor) }, nth + 1_000))
      refund(amount.minor, true)
      return void payment()
    case "one document paid by both tries, and the second went back":
      source(operation({ recordedAt: NOON }))
      operation({ isDuplicate: true, returnedAt: NOON, ...back(amount.minor) })
      refund(amount.minor, true)
      return void payment()
    case "dismissed":
      return void source(operation({ state: "failed", collected }))
    case "never paid":
      return void source(operation({ state: "expired", collected: null }), "CANCELED")
    case "of the day before":
      source(operation({ recordedAt: NOON, createdAt: afterNoon(-DAY) }))
      return void payment()
    default:
      source(operation({ recordedAt: NOON }))
      return void payment()
  }
}

function judged(books: Books) {
  const sides: SidesOfPeriod = {
    ...books,
    listed: ["ORDER", "INVOICE"],
    unaskableIds: [],
    unclearIds: [],
  }
  const totals = totalsOf({ ...books, sides, period: PERIOD, held: new Set() })
  const account = {
    is_complete: true,
    left_out: 0,
    differences: compareSides(sides),
    totals,
  }
  return { totals, differences: account.differences, ...agreementOf([account]) }
}

/** Minor units: the currency of the books has two digits. */
const minorOf = (amount: string) => BigInt(amount.replace(".", ""))

function expectWhole({ bridge, gateway }: PeriodTotals): void {
  if (!bridge || !gateway) throw new Error("the gateway was read")
  const parts = Object.values(bridge)
  const sum = parts.reduce((all, { amount }) => all + minorOf(amount), 0n)
  expect(sum).toBe(minorOf(gateway.paid.amount))
  expect(parts.reduce((all, { count }) => all + count, 0)).toBe(gateway.paid.count)
}

it("books that agree are green, and their parts add up to the whole", () => {
  fc.assert(
    fc.property(purchases, (all) => {
      const { totals, differences, open, is_green } = judged(booksOf(all))
      expect({ differences, open, is_green }).toEqual({ differences: [], open: [], is_green: true })
      totals.forEach(expectWhole)
    }),
  )
})

type Change = (books: Books, at: number) => void

const isOfDay = ({ createdAt }: Operation) => createdAt >= PERIOD.from

const changed = <T>(
  list: T[],
  at: number,
  of: (one: T) => boolean,
  change: (one: NoInfer<T>) => Partial<NoInfer<T>>,
) => {
  const some = list.filter(of)
  const one = some[at % some.length]
  fc.pre(one !== undefined)
  if (one !== undefined) list[list.indexOf(one)] = { ...one, ...change(one) }
}
const dropped = <T>(list: T[], at: number, of: (one: T) => boolean = () => true) => {
  const some = list.filter(of)
  const one = some[at % some.length]
  fc.pre(one !== undefined)
  if (one !== undefined) list.splice(list.indexOf(one), 1)
}
const plus = (amount: string) => text(minorOf(amount) + 1n)
const more = <T extends { readonly minor: bigint }>(one: T): T => ({
  ...one,
  minor: one.minor + 1n,
})
const isPaid = ({ status }: GatewaySource) => status === "PAID"
const isRecorded = (one: Operation) => isOfDay(one) && one.recordedAt !== null
/** What a second try of one document brought, the gateway's list can't contradict. */
const isOfOwnSource = ({ isDuplicate, sourceId }: Operation) =>
  !isDuplicate || (sourceId ?? 0) > 1_000
const hasMoney = (one: Operation) => isOfDay(one) && one.collected !== null && isOfOwnSource(one)

/** Each changes one row of one side, or takes or adds one. */
const CHANGES: Readonly<Record<string, Change>> = {
  "a document's total": ({ sources }, at) =>
    changed(sources, at, isPaid, (one) => ({ total: one.total && more(one.total) })),
  "a document's status": ({ sources }, at) =>
    changed(sources, at, isPaid, () => ({ status: "CANCELED" })),
  "a document that is not listed": ({ sources }, at) => dropped(sources, at, isPaid),
  "a document that nobody knows": ({ sources }) =>
    sources.push({
      sourceType: "ORDER",
      sourceId: 9_999_999,
      reference: sourceReference("mpop_0123456789ab4def8123ffffffffffff"),
      status: "PAID",
      total: money(1),
      touchedAt: NOON,
    }),
  "an amount asked for": ({ operations }, at) =>
    changed(operations, at, isRecorded, (one) => ({ amount: more(one.amount) })),
  "an amount received": ({ operations }, at) =>
    changed(operations, at, hasMoney, (one) => ({
      collected: one.collected && more(one.collected),
    })),
  "a payment that waits for an admin": ({ operations }, at) =>
    changed(operations, at, isRecorded, () => ({ state: "review" as const, recordedAt: null })),
  "a payment that is under way": ({ operations }, at) =>
    changed(operations, at, isRecorded, () => ({
      state: "in_flight" as const,
      collected: null,
      recordedAt: null,
    })),
  "a payment that has ended": ({ operations }, at) =>
    changed(operations, at, isRecorded, () => ({
      state: "expired" as const,
      collected: null,
      recordedAt: null,
    })),
  "a duplicate that has not gone back": ({ operations }, at) =>
    changed(
      operations,
      at,
      ({ isDuplicate }) => isDuplicate,
      () => ({ returnedAt: null }),
    ),
  "what Medusa captured": ({ payments }, at) =>
    changed(
      payments,
      at,
      () => true,
      (one) => ({ capturedAmount: plus(one.capturedAmount) }),
    ),
  "a payment that Medusa lost": ({ payments }, at) => dropped(payments, at),
  "a payment that Medusa alone has": ({ payments }, at) =>
    changed(
      payments,
      at,
      () => true,
      () => ({ sessionId: "payses_nobody" }),
    ),
  "what Medusa refunded": ({ payments }, at) =>
    changed(
      payments,
      at,
      () => true,
      (one) => ({ refundedAmount: plus(one.refundedAmount) }),
    ),
  "a refund's amount": ({ refunds }, at) =>
    changed(
      refunds,
      at,
      ({ isBesideMedusa }) => !isBesideMedusa,
      (one) => ({ amount: more(one.amount) }),
    ),
  "a refund under way": ({ refunds }, at) =>
    changed(
      refunds,
      at,
      () => true,
      () => ({ isConfirmed: false }),
    ),
  "a refund that the ledger lost": ({ refunds }, at) =>
    dropped(refunds, at, ({ isBesideMedusa }) => !isBesideMedusa),
  "a refund that Medusa lost": ({ medusaRefunds }, at) => dropped(medusaRefunds, at),
  "a refund that Medusa alone has": ({ medusaRefunds }) =>
    medusaRefunds.push({ currency: "usd", amount: "0.01" }),
}

it.each(Object.entries(CHANGES))(
  "%s turns green off, and the parts still add up",
  (_name, change) => {
    fc.assert(
      fc.property(purchases, fc.nat(), (all, at) => {
        const books = booksOf(all)
        change(books, at)
        const { is_green, totals } = judged(books)
        expect(is_green).toBe(false)
        totals.forEach(expectWhole)
      }),
    )
  },
)
