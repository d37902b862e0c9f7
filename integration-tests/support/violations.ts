/**
 * The oracle: which of the product's promises are broken, by what the simulator's book says really
 * happened to the money. It runs after an integration test; single asserts come on top.
 *
 * I1 one operation at a time takes money · I2 completed money is never lost · I3 nothing is
 * captured without the gateway's word · I4 no more is given back than came · I5 no secret and no
 * phone number anywhere · I6 one reference, committed first · I7 everything ends or is due · I8
 * state is the fold of the events · I9 what goes out was asked for, once.
 *
 * Money that the ledger has not noticed yet is no breach while it is still going to look, unless
 * the caller says that all is quiet. The machine stands here a second time, on purpose.
 */
import type { DocumentView, ExecutionView } from "../../packages/simulator/src/book/view"
import type { Evidence, LedgerOperation, MedusaPayment } from "./evidence"
import { groupedBy, indexOf, phoneFinder } from "./evidence-index"
import { minorOf } from "./minor-of"
import { unpaidOrdersEnd } from "./order-violations"
import { payoutViolations } from "./payout-violations"
import { refundViolations } from "./refund-violations"
import { strandedWithoutCause } from "./stranded-violations"
import { isExecutedByUs, isPaidByHand, sourceViolations } from "./violations-of-sources"

const MACHINE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  drafted: { submit: "submitted", expire: "expired" },
  submitted: {
    see: "in_flight",
    complete: "completed",
    fail: "failed",
    expire: "expired",
    doubt: "review",
  },
  in_flight: { complete: "completed", fail: "failed", expire: "expired", doubt: "review" },
  completed: { strand: "review" },
  failed: { complete: "review", doubt: "review" },
  expired: { complete: "review", doubt: "review" },
  review: { accept: "completed", give_back: "completed", dismiss: "failed" },
}
const EVENTS = new Set(Object.values(MACHINE).flatMap((row) => Object.keys(row)))
const LIVE = ["drafted", "submitted", "in_flight", "completed", "review"]
/** The longest watch is 72 h; a tenth of jitter on top. */
const FURTHEST_LOOK_SECONDS = 80 * 3_600

/**
 * @param given what book, ledger, Medusa and output say, all read after the test's last act
 * @param options `isQuiet`: nothing is left to be noticed; what was not noticed by now is lost
 * @returns one sentence for each breach, beginning with the promise's number; empty when all hold
 */
export function violations(given: Evidence, options: { isQuiet?: boolean } = {}): string[] {
  const isQuiet = options.isQuiet ?? false
  // A book goes on: each time it is asked, it is read anew.
  const evidence = { ...given }
  return [
    ...oneTakesMoney(evidence, isQuiet),
    ...sourceViolations(evidence, isQuiet),
    ...nothingIsLost(evidence, isQuiet),
    ...nothingIsInvented(evidence),
    ...refundViolations(evidence, isQuiet),
    ...payoutViolations(evidence, isQuiet),
    ...nothingIsSaid(evidence),
    ...referencesAreKnown(evidence),
    ...everythingEnds(evidence),
    ...unpaidOrdersEnd(evidence, isQuiet),
    ...(isQuiet ? strandedWithoutCause(evidence) : []),
    ...statesAreFolds(evidence),
  ]
}

/** Executions of the book that belong to an operation: by reference, or on its payment page. */
function executionsOf(evidence: Evidence, operation: LedgerOperation): ExecutionView[] {
  const { executionByReference, executionsBySource } = indexOf(evidence)
  if (operation.reference !== null) {
    const execution = executionByReference.get(operation.reference)
    return execution ? [execution] : []
  }
  // What came to a push's source without us is no try's own.
  if (isExecutedByUs(operation)) return []
  const ofSource = executionsBySource.get(operation.sourceId ?? -1) ?? []
  return ofSource.filter(({ channel }) => channel === "hosted")
}

function sourceOf(evidence: Evidence, operation: LedgerOperation): DocumentView | undefined {
  return indexOf(evidence).documentById.get(operation.sourceId ?? -1)
}

function hasMoney(evidence: Evidence, operation: LedgerOperation): boolean {
  return executionsOf(evidence, operation).some(({ charges }) => charges > 0)
}

function canStillTakeMoney(evidence: Evidence, operation: LedgerOperation): boolean {
  if (!operation.isSubmitted) return false
  const status = sourceOf(evidence, operation)?.status
  const isPage = operation.flow === "hosted" || operation.flow === "link"
  if (isPage) return status === "ACTIVE" || status === "PROCESSING"
  // It can't be paid (contract, 4); where it is all the same, the money has to be noticed.
  if (status === "CANCELED") return false
  return executionsOf(evidence, operation).some(
    (execution) => execution.status === "PENDING" || execution.status === "PROCESSING",
  )
}

/**
 * With its money: what was dismissed as unpaid, and paid later, is money that somebody has to hear
 * of.
 */
function isDismissed(evidence: Evidence, { id, collectedMinor }: LedgerOperation): boolean {
  const events = indexOf(evidence).eventsByOperation.get(id) ?? []
  return collectedMinor !== null && events.some(({ name }) => name === "dismiss")
}

const isWatched = (operation: LedgerOperation) => operation.dueInSeconds !== null

function oneTakesMoney(evidence: Evidence, isQuiet: boolean): string[] {
  const found: string[] = []
  const { operations } = evidence.ledger
  for (const execution of indexOf(evidence).executions) {
    if (execution.charges > 1) found.push(`I1: ${execution.reference} was charged more than once`)
  }
  const collections = operations.filter(({ type }) => type === "COLLECTION")
  for (const [collectionId, own] of groupedBy(collections, (one) => one.collectionId)) {
    const live = own.filter(
      ({ state, isDuplicate, isReturned }) => LIVE.includes(state) && !isDuplicate && !isReturned,
    )
    if (live.length > 1) found.push(`I1: ${collectionId} has ${live.length} live operations`)
    const taking = own.filter((operation) => {
      if (operation.isReturned || operation.state === "review") return false
      // A person has said that its money is none of the collection's.
      if (isDismissed(evidence, operation)) return false
      const isTaking = hasMoney(evidence, operation) || canStillTakeMoney(evidence, operation)
      const isEnded = operation.state === "failed" || operation.state === "expired"
      return isTaking && (isQuiet || !isEnded || !isWatched(operation))
    })
    if (taking.length > 1) {
      const ids = taking.map(({ id }) => id).join(", ")
      found.push(`I1: ${collectionId}: ${ids} have taken money, or can, at the same time`)
    }
  }
  return found
}

function nothingIsLost(evidence: Evidence, isQuiet: boolean): string[] {
  const found: string[] = []
  const { operations } = evidence.ledger
  const known = new Set(
    operations.flatMap((one) => executionsOf(evidence, one)).map(({ reference }) => reference),
  )
  // A person who looks at a payment sees whatever was paid on its document, by hand too.
  for (const one of operations.filter(({ state }) => state === "review")) {
    const ofSource = indexOf(evidence).executionsBySource.get(one.sourceId ?? -1) ?? []
    for (const { reference } of ofSource) known.add(reference)
  }
  const reported = new Set(evidence.ledger.reportedSourceIds)
  for (const execution of indexOf(evidence).executions) {
    const { reference, charges, sourceId } = execution
    const isKnown = known.has(reference) || isPaidByHand(evidence, execution)
    if (charges > 0 && !isKnown && !reported.has(sourceId)) {
      found.push(`I2: nobody knows of the money under ${reference}`)
    }
  }
  for (const operation of operations.filter((one) => hasMoney(evidence, one))) {
    const { id, state } = operation
    if (state === "review" || operation.isReturned || isDismissed(evidence, operation)) continue
    if (state === "completed" && operation.isRecorded) {
      found.push(...recordedButNotThere(evidence, operation, isQuiet))
    } else if (isQuiet || !isWatched(operation)) {
      found.push(`I2: ${id} is ${state}, but the gateway has the money`)
    }
  }
  return found
}

function recordedButNotThere(
  evidence: Evidence,
  operation: LedgerOperation,
  isQuiet: boolean,
): string[] {
  if (!evidence.medusa) return []
  const ofSession = indexOf(evidence).paymentsBySession.get(operation.sessionId) ?? []
  const payments = ofSession.filter(({ isCanceled }) => !isCanceled)
  // Medusa cancels an order whatever becomes of its refund; another click's may be on its way.
  const mayBeCanceled = !isQuiet || isGivenBackThroughMedusa(evidence, operation)
  const holds = (payment: MedusaPayment) =>
    payment.isCaptured &&
    (!payment.isOrderCanceled || mayBeCanceled) &&
    payment.orderId !== null &&
    minorOf(payment.capturedAmount, payment.currency) === operation.amountMinor &&
    minorOf(payment.inOrderAmount, payment.currency) === operation.amountMinor
  return payments.length === 1 && payments.every(holds)
    ? []
    : [`I2: ${operation.id} is recorded, but Medusa does not hold its money once and in full`]
}

/**
 * Cancelling a paid order has Medusa ask for its money; what becomes of that is the refund's
 * matter.
 */
function isGivenBackThroughMedusa(evidence: Evidence, { id }: LedgerOperation): boolean {
  return evidence.ledger.operations.some(({ parentId, medusa }) => parentId === id && medusa)
}

/** Somebody paid the page of a prompt that brought nothing, and it was accepted or went back. */
function isDecidedByHand(
  evidence: Evidence,
  { id, sourceId, isReturned }: LedgerOperation,
): boolean {
  const { eventsByOperation, executionsBySource } = indexOf(evidence)
  const isAccepted = (eventsByOperation.get(id) ?? []).some(({ name }) => name === "accept")
  const ofSource = executionsBySource.get(sourceId ?? -1) ?? []
  const isByHand = ofSource.some((one) => one.charges > 0 && isPaidByHand(evidence, one))
  return (isReturned || isAccepted) && isByHand
}

function nothingIsInvented(evidence: Evidence): string[] {
  const found: string[] = []
  const { operations } = evidence.ledger
  const completed = operations.filter(
    ({ type, state }) => type === "COLLECTION" && state === "completed",
  )
  for (const operation of completed) {
    const source = sourceOf(evidence, operation)
    const isProven =
      (hasMoney(evidence, operation) || isDecidedByHand(evidence, operation)) &&
      source?.currency === operation.currency &&
      minorOf(source.totalAmount, source.currency) === operation.amountMinor
    if (!isProven) found.push(`I3: ${operation.id} is completed without the gateway's word`)
  }
  const captured = (evidence.medusa?.payments ?? []).filter((payment) => payment.isCaptured)
  // A completion that Medusa undid leaves the captured payment on a session that is replaced since.
  const ofSessions = operations.flatMap((operation) =>
    [...new Set([operation.sessionId, ...(operation.sessionIds ?? [])])].map((sessionId) => ({
      operation,
      sessionId,
    })),
  )
  const bySession = groupedBy(ofSessions, ({ sessionId }) => sessionId)
  for (const payment of captured) {
    const operation = bySession
      .get(payment.sessionId)
      ?.map((one) => one.operation)
      .find((one) => one.state !== "failed" && hasMoney(evidence, one))
    if (!operation) {
      found.push(`I3: payment ${payment.id} is captured without the gateway's word`)
    } else if (
      operation.currency !== payment.currency ||
      minorOf(payment.capturedAmount, payment.currency) !== operation.amountMinor
    ) {
      found.push(`I3: payment ${payment.id} is captured with another amount than was paid`)
    }
  }
  const existing = captured.filter(({ isCanceled }) => !isCanceled)
  for (const [collectionId, payments] of groupedBy(existing, (one) => one.collectionId)) {
    if (payments.length > 1) {
      found.push(`I3: ${collectionId} was captured ${payments.length} times`)
    }
  }
  return found
}

function nothingIsSaid({ ledger, medusa, output }: Evidence): string[] {
  const places: readonly (readonly [string, readonly string[]])[] = [
    ["the output", output.texts],
    ["our tables", ledger.dump],
    ["session data", medusa?.sessionData ?? []],
  ]
  const hasPhone = phoneFinder(output.phones)
  return places.flatMap(([place, texts]) => [
    ...(texts.some((text) => output.secrets.some((secret) => text.includes(secret)))
      ? [`I5: a secret is in ${place}`]
      : []),
    ...(texts.some(hasPhone) ? [`I5: a phone number is in ${place}`] : []),
    ...(texts.some((text) => /\beyJ[\w-]{8,}\.[\w-]{4,}/.test(text))
      ? [`I5: an access token is in ${place}`]
      : []),
  ])
}

function referencesAreKnown(evidence: Evidence): string[] {
  const { ledger } = evidence
  const { executions, eventsByOperation } = indexOf(evidence)
  const known = new Set(ledger.operations.map(({ reference }) => reference))
  const reported = new Set(ledger.reportedSourceIds)
  const strangers = executions
    .filter(({ channel, reference }) => channel === "api" && !known.has(reference))
    .filter(({ sourceId }) => !reported.has(sourceId))
    .map(({ reference }) => `I6: ${reference} was sent, but no operation has it`)
  const unsent = ledger.operations
    .filter((operation) => isExecutedByUs(operation) && operation.isSubmitted)
    .filter(({ id, reference }) => {
      const own = eventsByOperation.get(id) ?? []
      const isKept = own.some(({ name }) => name === "submit" || name === "snapshot")
      return reference === null || !isKept
    })
    .map(({ id }) => `I6: ${id} was sent without a committed reference`)
  return [...strangers, ...unsent]
}

function everythingEnds({ ledger }: Evidence): string[] {
  return ledger.operations.flatMap((operation) => {
    const { id, state, type, dueInSeconds } = operation
    const isMoney = type === "COLLECTION" && state === "completed"
    const isOwed = isMoney && !operation.isRecorded && !operation.isReturned
    const isOpen = ["drafted", "submitted", "in_flight"].includes(state)
    // What came above what was asked for goes back by itself, and what was asked for is recorded.
    const restMinor = (operation.collectedMinor ?? 0n) - operation.amountMinor
    const waitsForRefund = operation.reservedRefundMinor > (restMinor > 0n ? restMinor : 0n)
    if ((isOpen || (isOwed && !waitsForRefund)) && dueInSeconds === null) {
      return [`I7: ${id} is ${state} and nobody will look at it again`]
    }
    const isTooFar = dueInSeconds !== null && dueInSeconds > FURTHEST_LOOK_SECONDS
    return isTooFar ? [`I7: ${id} is looked at only in ${Math.round(dueInSeconds)} s`] : []
  })
}

function statesAreFolds(evidence: Evidence): string[] {
  return evidence.ledger.operations.flatMap(({ id, state, version }) => {
    const events = indexOf(evidence).eventsByOperation.get(id) ?? []
    // Events that were kept for their time are one snapshot, which says what they folded to.
    const [first] = events
    const pruned = first?.name === "snapshot" ? first.seq - 1 : 0
    let folded = (pruned > 0 && first?.state) || "drafted"
    for (const [index, event] of events.entries()) {
      const seq = pruned + index + 1
      if (event.seq !== seq) return [`I8: ${id} lacks event ${seq}`]
      if (EVENTS.has(event.name)) {
        const next = MACHINE[folded]?.[event.name]
        if (next === undefined) return [`I8: ${id}: no ${event.name} from ${folded}`]
        folded = next
      }
      if (event.state !== folded) return [`I8: ${id}: event ${event.seq} says ${event.state}`]
    }
    if (folded !== state) return [`I8: ${id} is ${state}, its events say ${folded}`]
    return pruned + events.length === version
      ? []
      : [`I8: ${id} has version ${version} and another event`]
  })
}
