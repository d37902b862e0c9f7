/**
 * The oracle's word on refunds that Medusa asked for: what went back is in its records once, what
 * did not is in none of them, and whoever has to see to that is going to.
 */
import type { Evidence, LedgerOperation, MedusaPayment, MedusaRefund } from "./evidence"
import { indexOf } from "./evidence-index"
import { minorOf } from "./minor-of"

const ENDED = ["failed", "expired"]

type RefundOfMedusa = LedgerOperation & { readonly medusa: NonNullable<LedgerOperation["medusa"]> }

export function medusaRefundViolations(evidence: Evidence): string[] {
  const refunds = evidence.ledger.operations.filter(isMedusaRefund)
  return [
    ...refunds.flatMap(isSeenTo),
    ...refunds.flatMap((refund) => {
      const payment = paymentOf(evidence, refund)
      if (!payment) return []
      return [...isThereOnce(refund, payment), ...isGone(refund, payment)]
    }),
    ...(evidence.medusa?.payments ?? []).flatMap((payment) => sumsAgree(evidence, payment)),
  ]
}

function isMedusaRefund(operation: LedgerOperation): operation is RefundOfMedusa {
  return operation.type === "REFUND" && operation.medusa !== null && operation.medusa !== undefined
}

function isSettled(refund: RefundOfMedusa): boolean {
  if (ENDED.includes(refund.state)) return refund.medusa.isUndone
  return refund.isDuplicate || refund.isRecorded
}

function isSeenTo(refund: RefundOfMedusa): string[] {
  const { id, state, dueInSeconds } = refund
  const hasEnd = state === "completed" || ENDED.includes(state)
  if (!hasEnd || isSettled(refund) || dueInSeconds !== null) return []
  return [`I7: the refund ${id} is ${state}, and nobody will bring Medusa's records in order`]
}

function paymentOf(evidence: Evidence, refund: RefundOfMedusa): MedusaPayment | undefined {
  const { paymentsBySession } = indexOf(evidence)
  const sessions = [refund.sessionId, ...(refund.sessionIds ?? [])]
  const held = sessions.flatMap((id) => paymentsBySession.get(id) ?? [])
  const named = held.find(({ refunds }) =>
    refunds?.rows.some(({ id }) => id === refund.medusa.rowId),
  )
  return named ?? held[0]
}

function transactionsOf(refund: RefundOfMedusa, { id, refunds }: MedusaPayment) {
  return (refunds?.transactions ?? []).filter(
    ({ referenceId, amount }) =>
      referenceId === refund.medusa.rowId ||
      (referenceId === id && Number(amount) === Number(refund.medusa.amount)),
  )
}

function isThereOnce(refund: RefundOfMedusa, payment: MedusaPayment): string[] {
  const { id, state, medusa } = refund
  const isShown = state === "completed" || state === "in_flight"
  if (!isShown || !refund.isRecorded || refund.isDuplicate) return []
  const rows = (payment.refunds?.rows ?? []).filter(
    (row) => row.id === medusa.rowId || row.createdBy === `mp_operation:${id}`,
  )
  const [row] = rows
  const isOnce = rows.length === 1 && row && Number(row.amount) === Number(medusa.amount)
  const written = transactionsOf(refund, payment)
  const isWritten =
    payment.orderId === null ||
    (written.length === 1 && written.every((one) => Number(one.amount) === Number(medusa.amount)))
  return isOnce && isWritten
    ? []
    : [
        `I2: the refund ${id} is recorded, but Medusa has ${rows.length} rows and ${written.length} of it`,
      ]
}

function isGone(refund: RefundOfMedusa, payment: MedusaPayment): string[] {
  const { id, medusa } = refund
  if (!medusa.isUndone || !ENDED.includes(refund.state)) return []
  const isOwn = (row: { readonly id: string; readonly createdBy: string | null }) =>
    row.id === medusa.rowId || row.createdBy === `mp_operation:${id}`
  const isLeft =
    payment.refunds?.rows.some(isOwn) === true ||
    payment.refunds?.transactions.some(({ referenceId }) => referenceId === medusa.rowId) === true
  return isLeft ? [`I3: the refund ${id} failed, and Medusa still shows a part of it`] : []
}

/**
 * Of an order whose refunds are settled: each transaction that names a row is that row's, and as
 * much.
 */
function strays(evidence: Evidence, { orderId, refunds }: MedusaPayment): string[] {
  const ofOrder = evidence.medusa?.payments.filter((one) => one.orderId === orderId) ?? []
  const rows = ofOrder.flatMap((one) => one.refunds?.rows ?? [])
  const paymentIds = ofOrder.map(({ id }) => id)
  return (refunds?.transactions ?? []).flatMap(({ referenceId, amount }) => {
    if (paymentIds.includes(referenceId)) return []
    const row = rows.find(({ id }) => id === referenceId)
    if (row && Number(row.amount) === Number(amount)) return []
    const what = row ? `a refund of ${row.amount}` : "a refund that there is not"
    return [`I2: the order ${String(orderId)} has a transaction of ${amount} for ${what}`]
  })
}

/**
 * Where every refund of a payment is settled, all places of Medusa say the same, and the book does.
 */
function sumsAgree(evidence: Evidence, payment: MedusaPayment): string[] {
  const { id, currency, refunds } = payment
  const own = evidence.ledger.operations.filter(
    (one) => one.collectionId === payment.collectionId && isMedusaRefund(one),
  )
  if (!refunds || own.length === 0) return []
  if (!own.filter(isMedusaRefund).every(isSettled)) return []
  const byReference = new Map(own.map((one) => [one.reference, one]))
  // What the gateway took counts until the ledger has heard that it failed.
  const backMinor = evidence.book
    .refunds()
    .filter(({ reference, status }) => {
      const refund = byReference.get(reference)
      return refund && (status !== "FAILED" || refund.state === "in_flight")
    })
    .reduce((sum, one) => sum + minorOf(one.amount, one.currency), 0n)
  // Medusa keeps the row of a process that died before it could reserve anything.
  const isKnown = ({ id: row, createdBy }: MedusaRefund) =>
    own.some((one) => one.medusa?.rowId === row || createdBy === `mp_operation:${one.id}`)
  const known = refunds.rows.filter(isKnown)
  const sum = known.reduce((total, { amount }) => total + Number(amount), 0)
  const { ofOrder } = refunds
  return [
    ...strays(evidence, payment),
    ...(minorOf(sum.toFixed(5), currency) > backMinor
      ? [`I3: Medusa shows ${sum} of ${id} as refunded, and ${backMinor} went back`]
      : []),
    ...(known.length < refunds.rows.length ||
    Number(refunds.ofCollection) === Number(refunds.rowsOfCollection)
      ? []
      : [
          `I2: the collection of ${id} says ${refunds.ofCollection} refunded, its rows another sum`,
        ]),
    ...(ofOrder === null || Number(ofOrder.summary) === Number(ofOrder.transactions)
      ? []
      : [`I2: the order of ${id} says ${ofOrder.summary} refunded, not ${ofOrder.transactions}`]),
  ]
}
