/** How a row of the business cases is written, and how it is played. */
import { isDeepStrictEqual, inspect } from "node:util"
import { decide } from "../../src/core/decide/collection"
import type { ExecutionFinding, Findings } from "../../src/core/decide/decision"
import { decideRefund } from "../../src/core/decide/money-out"
import { isPayable, moneyFromMajor } from "../../src/core/money"
import { stateAfter, type Operation } from "../../src/core/operation"
import { compareSides, type SidesOfPeriod } from "../../src/reconciliation/rules/reconciliation"
import { refundToSend } from "../../src/refunds/rules/refund-amount"
import { decideSettlement, type MedusaFacts } from "../../src/orders/rules/settlement"
import { aHostedOperation, afterNoon, anOperation, currency, money, SECOND } from "./an-operation"
import { afterRead, declined, source, type Expected } from "./decide-findings"

export type BusinessCase = {
  /** `B01` to `B33`. */
  readonly id: string
  readonly name: string
  /** The pure function that decides it. */
  readonly by: string
  /** What it said, as far as the row names it, and what the row expects. */
  readonly actual: () => unknown
  readonly expected: unknown
}

/**
 * Plays one row. @returns one sentence for each thing that is not as expected; empty when all is
 * well
 */
export function problemsOf({ id, name, by, actual, expected }: BusinessCase): string[] {
  const said = actual()
  return isDeepStrictEqual(said, expected)
    ? []
    : [`${id} ${name}: ${by} says ${inspect(said)} instead of ${inspect(expected)}`]
}

export const row = (
  id: string,
  name: string,
  by: string,
  actual: () => unknown,
  expected: unknown,
): BusinessCase => ({ id, name, by, actual, expected })

/** Of a decision, what the row names; and that the machine has the event. */
export const decided = (
  id: string,
  name: string,
  operation: Operation,
  findings: Findings,
  expected: Expected,
): BusinessCase =>
  row(id, name, "decide", () => namedOf(decide(operation, findings), operation, expected), {
    ...expected,
    isPossible: true,
  })

export const refundDecided = (
  id: string,
  name: string,
  refund: Operation,
  finding: ExecutionFinding,
  expected: Expected,
): BusinessCase =>
  row(id, name, "decideRefund", () => namedOf(decideRefund(refund, finding), refund, expected), {
    ...expected,
    isPossible: true,
  })

function namedOf(decision: Expected, operation: Operation, expected: Expected): object {
  const { event } = decision
  const said: Record<string, unknown> = { ...decision }
  const named = Object.keys(expected).map((key): [string, unknown] => [key, said[key]])
  const isPossible = event === undefined || stateAfter(operation.state, event) !== undefined
  return { ...Object.fromEntries<unknown>(named), isPossible }
}

export const settled = (
  id: string,
  name: string,
  given: Partial<MedusaFacts>,
  kind: string,
  reason?: string,
): BusinessCase =>
  row(
    id,
    name,
    "decideSettlement",
    () => {
      const settlement = decideSettlement({ ...cart, ...given })
      return settlement.kind === "strand" ? ["strand", settlement.reason] : [settlement.kind]
    },
    reason === undefined ? [kind] : [kind, reason],
  )

const cart: MedusaFacts = {
  hasSession: true,
  isProviderEnabled: true,
  isAmountEqual: true,
  isCaptured: false,
  hasForeignPayment: false,
  order: undefined,
  hasCart: true,
  soldOut: null,
}

export const submitted = anOperation()
export const inFlight = anOperation({ state: "in_flight" })
export const failedOnce = anOperation({
  state: "in_flight",
  failedAt: afterNoon(4 * SECOND),
  reason: "declined",
})
export const failed = anOperation({ state: "failed", reason: "declined" })
export const page = aHostedOperation()
export const paying = aHostedOperation({ state: "in_flight", sourceStatus: "PROCESSING" })
export const expiredPage = aHostedOperation({ state: "expired", reason: "window_closed" })
export const starting = anOperation({
  state: "drafted",
  reference: null,
  submittedAt: null,
  leaseToken: "a lease",
  leaseUntil: afterRead(SECOND),
})
export const late = (sourceOwner: "this" | "another"): Findings => ({
  ...declined,
  source: source("PAID"),
  sourceOwner,
})
export const lateMoney: Expected = { event: "complete", reason: "late_payment" }
export const otherAmount: Expected = { event: "doubt", reason: "amount_mismatch" }
export const stays: Expected = { event: undefined, action: undefined }
export const hosted = (status: string, total = money(1_999)): Findings => ({
  source: source(status, total),
})

/** A push that Medusa knows. */
export const recorded = anOperation({
  state: "completed",
  collected: money(1_999),
  recordedAt: afterNoon(5 * SECOND),
})

/** What is sent of 10.00 asked for, after refunds of so much. */
export const sendsTen = (reservedMinor: bigint, medusaAmounts: readonly string[]) => () =>
  refundToSend(
    money(1_999),
    { reservedMinor, lateMinor: 0n, medusaAmounts },
    { medusaAmount: "10.00", capturedAmount: "19.99" },
  )

const minorOf = (amount: unknown, code: string) => () => {
  const read = moneyFromMajor(amount, currency(code))
  return read && isPayable(read) ? read.minor : "refused"
}

/** The three sides, agreeing about it. */
export const sides: SidesOfPeriod = {
  sources: [
    {
      sourceType: "ORDER",
      sourceId: 30_001,
      reference: null,
      status: "PAID",
      total: money(1_999),
    },
  ],
  listed: ["ORDER"],
  operations: [recorded],
  unaskableIds: [],
  unclearIds: [],
  restBack: new Map(),
  payments: [
    {
      id: "pay_1",
      sessionId: recorded.paymentSessionId,
      currency: "usd",
      isCaptured: true,
      isCanceled: false,
      capturedAmount: "19.99",
      refundedAmount: "0",
      orderId: "order_1",
      isOrderCanceled: false,
      isOrderOpen: false,
    },
  ],
}
export const differences = (changed: SidesOfPeriod) => () =>
  compareSides(changed).map(({ code }) => code)

/** Rounded once, half up; refused where nothing payable is left, or it is no amount. */
export const amountRows: readonly BusinessCase[] = (
  [
    [0, "USD", "refused"],
    ["-1", "USD", "refused"],
    ["0.001", "USD", "refused"],
    ["0.005", "USD", 1n],
    ["1e15", "USD", "refused"],
    ["1e3", "USD", 100_000n],
    [66.61775, "USD", 6_662n],
    ["7666.46", "RWF", 7_666n],
    ["0.4", "RWF", "refused"],
    ["0.5", "RWF", 1n],
  ] as const
).map(([amount, code, minor]) =>
  row("B13", `${amount} ${code}`, "moneyFromMajor, isPayable", minorOf(amount, code), minor),
)

export const BUSINESS_IDS: readonly string[] = Array.from(
  { length: 33 },
  (_, index) => `B${String(index + 1).padStart(2, "0")}`,
)
