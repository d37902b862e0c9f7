/**
 * What stands in Medusa's books of refunds and is of none: the row of a process that died before it
 * asked us for anything, a transaction whose row is gone, and what cancelling an order wrote for a
 * refund that was refused. No refund of the ledger leads there, so the sweep looks for them.
 *
 * Only what surely nobody makes any more is taken out, and only where the ledger knows of no money
 * that went back for it. A row that has its own transaction is left: it was written down by
 * somebody, and is `refund_unknown` to the reconciliation. The sums are counted anew also where a
 * process before this one has died over them.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { moneyFromMajor } from "../core/money"
import type { Operation } from "../core/operation"
import { databaseFault, isAway } from "../ledger/database-error"
import type { FlowDeps } from "../engine/deps"
import type { HostSuspect } from "../engine/host"
import { persist } from "../engine/persist"
import { knownOf } from "../refunds/known-refunds"
import {
  falseTransactions,
  isAbandoned,
  isTrue,
  ofRow,
  swallowedRefusals,
  type HostRow,
  type HostTransaction,
  type Known,
} from "../refunds/rules/refund-books"
import { isCounted } from "../refunds/rules/refund-delivery"
import { findBoundRows, findCollectedFor } from "../refunds/sql/find-refunds"

/**
 * All pages: a refund by cancelling an order looks suspicious for days, and must not hide what
 * comes after it. Nor does a payment that Medusa can't put right.
 *
 * @param keep called between two payments
 */
export async function mendRefundBooks(deps: FlowDeps, keep: () => Promise<void>): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - LIMITS.refundRowsSweptMs)
  const limit = LIMITS.upkeepRowsMax
  let after: HostSuspect | undefined
  do {
    const page = await deps.host.suspectRefunds({ since, after, limit })
    await mendPage(deps, page, keep)
    after = page.length < limit ? undefined : page.at(-1)
  } while (after)
}

async function mendPage(
  deps: FlowDeps,
  suspects: readonly HostSuspect[],
  keep: () => Promise<void>,
): Promise<void> {
  const rowIds = suspects.flatMap(({ hostRefundId }) => hostRefundId ?? [])
  const bound = await findBoundRows(deps.database, rowIds)
  const open = suspects.filter(({ hostRefundId }) => !bound.has(hostRefundId ?? ""))
  const byPayment = new Map(open.map((suspect) => [suspect.paymentId, suspect]))
  for (const suspect of byPayment.values()) {
    try {
      await mendPayment(deps, suspect)
    } catch (error) {
      if (isAway(databaseFault(error))) throw error
      deps.logger.error(
        `merchant payments: Medusa's refunds of ${suspect.paymentId} could not be put right: ` +
          errorText(error),
      )
    }
    await keep()
  }
}

type Mending = {
  /** In a row's name, given by another's workflow. */
  readonly given: readonly HostTransaction[]
  /** In the payment's name. */
  readonly swallowed: readonly HostTransaction[]
  readonly rows: readonly HostRow[]
}

async function mendPayment(deps: FlowDeps, suspect: HostSuspect): Promise<void> {
  const collected = await findCollectedFor(deps.database, suspect.sessionId)
  const [payment] = collected.filter(({ providerId }) => providerId === suspect.providerId)
  const known = payment && (await knownOf(deps, suspect))
  if (!known || known.books.paymentId !== suspect.paymentId) return
  const { books } = known
  const mending = mendingOf(payment, known)
  const { given, swallowed, rows } = mending
  const isUncounted = books.order?.isCounted === false
  const isWritten = given.length + swallowed.length > 0
  if (!isWritten && rows.length === 0 && isCounted(known)) return
  if (given.length > 0) await deps.host.dropRefundTransactions(given.map(({ id }) => id))
  if (swallowed.length > 0) {
    await deps.host.removeRefundTransactions(swallowed.map(({ id }) => id))
  }
  if (books.order && (isWritten || isUncounted)) await deps.host.recountOrder(books.order.id)
  // The rows go last: by them the next sweep finds what a process has died over.
  const rowIds = rows.map(({ id }) => id)
  await deps.host.recountCollection(suspect.collectionId, rowIds)
  if (rows.length > 0) await deps.host.removeRefunds(rowIds)
  await say(deps, payment, mending)
}

function mendingOf(payment: Operation, known: Known): Mending {
  const { books, refunds } = known
  const rows = books.rows.filter(
    (row) =>
      isAbandoned(row, refunds) &&
      // All of the money went back before: it was rounded away, and answered.
      moneyFromMajor(row.amount, payment.amount.currency)?.minor !== 0n &&
      !ofRow(row, books).some((one) => !one.isRemoved && isTrue(one, known)),
  )
  const standing = books.rows.filter(({ isRemoved }) => !isRemoved)
  const isOf = (those: readonly HostRow[], { referenceId }: HostTransaction) =>
    those.some(({ id }) => id === referenceId)
  const given = falseTransactions(known).filter((one) => isOf(rows, one) || !isOf(standing, one))
  return { given, swallowed: swallowedRefusals(known), rows }
}

async function say(
  deps: FlowDeps,
  payment: Operation,
  { given, swallowed, rows }: Mending,
): Promise<void> {
  const isTaken = rows.length + given.length + swallowed.length > 0
  const code = isTaken ? "refunds_removed" : "refunds_recounted"
  deps.logger.error(`merchant payments: ${payment.id}: ${sentence("event", code)}`)
  await persist(deps.database, payment, {
    event: { note: "books_mended" },
    code,
    facts: {
      rows: rows.map(({ id }) => id),
      transactions: [...given, ...swallowed].map(({ id }) => id),
    },
  })
}
