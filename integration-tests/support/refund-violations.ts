/**
 * The oracle's word on refunds (I4): no more goes back than came, by what the book says and by what
 * the ledger counts, and the two agree.
 *
 * A refund that the gateway had called failed, twice, and that went back all the same is more than
 * a refund can count: it waits for an admin (a duplicate payment), or is still watched for.
 */
import type { ExecutionView } from "../../packages/simulator/src/book/view"
import type { MoneyOutView } from "../../packages/simulator/src/book/money-out-view"
import type { Evidence, LedgerOperation } from "./evidence"
import { groupedBy, indexOf } from "./evidence-index"
import { medusaRefundViolations } from "./medusa-refund-violations"
import { minorOf } from "./minor-of"

const ENDED = ["failed", "expired"]

export function refundViolations(evidence: Evidence, isQuiet: boolean): string[] {
  return [
    ...byTheBook(evidence, isQuiet),
    ...theBookAgrees(evidence, isQuiet),
    ...byTheLedger(evidence),
    ...medusaRefundViolations(evidence),
  ]
}

function refundsByReference({ ledger }: Evidence): Map<string, LedgerOperation> {
  const refunds = ledger.operations.filter(({ type }) => type === "REFUND")
  return new Map(refunds.map((refund) => [refund.reference ?? "", refund]))
}

/**
 * The refunds of the book that the shop has meant. What somebody else gave back, it can't know: the
 * document goes on reading `PAID` (B22).
 */
const refundsOfTheShop = ({ book, portalRefunds }: Evidence): MoneyOutView[] =>
  book.refunds().filter(({ reference }) => portalRefunds?.has(reference) !== true)

/** What went back, or is on its way, of what was charged. */
function byTheBook(evidence: Evidence, isQuiet: boolean): string[] {
  const known = refundsByReference(evidence)
  const counted = refundsOfTheShop(evidence).filter(({ reference, status }) => {
    const refund = known.get(reference)
    const isLate =
      refund !== undefined &&
      (refund.isDuplicate ||
        (ENDED.includes(refund.state) && !isQuiet && refund.dueInSeconds !== null))
    return status !== "FAILED" && !isLate
  })
  const found: string[] = []
  for (const [original, refunds] of groupedBy(counted, (one) => one.originalReference ?? "")) {
    const execution = indexOf(evidence).executionByReference.get(original)
    const chargedMinor = execution ? chargedOf(evidence, execution, refunds) : 0n
    const backMinor = refunds.reduce((sum, one) => sum + minorOf(one.amount, one.currency), 0n)
    if (backMinor > chargedMinor) {
      found.push(`I4: ${backMinor} of ${chargedMinor} went back, or is on its way, of ${original}`)
    }
  }
  return found
}

/** In the currency that its refunds are asked in. */
function chargedOf(
  evidence: Evidence,
  execution: ExecutionView,
  refunds: readonly MoneyOutView[],
): bigint {
  const document = indexOf(evidence).documentById.get(execution.sourceId)
  const currency = refunds[0]?.currency
  if (execution.charges === 0 || currency === undefined) return 0n
  if (document?.currency === currency) return minorOf(document.reportedAmount, currency)
  return execution.payerCurrency === currency ? minorOf(execution.payerAmount, currency) : 0n
}

function theBookAgrees(evidence: Evidence, isQuiet: boolean): string[] {
  const known = refundsByReference(evidence)
  const inBook = new Map(refundsOfTheShop(evidence).map((one) => [one.reference, one]))
  const found: string[] = []
  for (const [reference, { status }] of inBook) {
    const refund = known.get(reference)
    if (!refund) {
      found.push(`I4: nobody knows of the refund ${reference}`)
    } else if (status === "COMPLETED" && ENDED.includes(refund.state)) {
      if (isQuiet || refund.dueInSeconds === null) {
        found.push(`I4: ${refund.id} is ${refund.state}, but its money went back`)
      }
    }
  }
  for (const [reference, { id, state }] of known) {
    if (state !== "completed" || inBook.get(reference)?.status === "COMPLETED") continue
    found.push(`I4: the refund ${id} is completed without the gateway's word`)
  }
  return found
}

function byTheLedger({ ledger }: Evidence): string[] {
  const refunds = ledger.operations.filter(
    ({ type, isDuplicate }) => type === "REFUND" && !isDuplicate,
  )
  const ofParent = groupedBy(refunds, ({ parentId }) => parentId)
  return ledger.operations.flatMap((operation) => {
    const { id, reservedRefundMinor, refundedMinor } = operation
    if (operation.type !== "COLLECTION") return []
    const own = ofParent.get(id) ?? []
    const sumOf = (counted: readonly LedgerOperation[]) =>
      counted.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const held = sumOf(own.filter(({ state }) => !ENDED.includes(state)))
    const back = sumOf(own.filter(({ state }) => state === "completed"))
    const collectedMinor = operation.collectedMinor ?? 0n
    const isAllBack = refundedMinor > 0n && refundedMinor >= collectedMinor
    return [
      ...(reservedRefundMinor > collectedMinor
        ? [`I4: ${id} has more reserved for refunds than was collected`]
        : []),
      ...(reservedRefundMinor === held
        ? []
        : [`I4: ${id} has ${reservedRefundMinor} reserved, but its refunds take ${held}`]),
      ...(refundedMinor === back
        ? []
        : [`I4: ${id} counts ${refundedMinor} as given back, its refunds ${back}`]),
      ...(operation.isReturned === isAllBack
        ? []
        : [`I4: ${id} is ${operation.isReturned ? "" : "not "}returned; ${back} went back`]),
    ]
  })
}
