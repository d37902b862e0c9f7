/**
 * The oracle: which of the product's promises are broken, by what the simulator's book says really
 * happened to the money. It runs after an integration test; single asserts come on top.
 *
 * I1 one operation at a time takes money · I2 completed money is never lost · I3 nothing is captured
 * without the gateway's word · I4 no more is given back than came · I5 no secret and no phone number
 * anywhere · I6 one reference, committed first · I7 everything ends or is due · I8 state is the fold of
 * the events.
 *
 * Money that the ledger has not noticed yet is no breach while it is still going to look, unless the
 * caller says that all is quiet. The machine stands here a second time, on purpose.
 */
import type { DocumentView, ExecutionView } from "../../simulator/book/view"
import type { Evidence, LedgerOperation, MedusaPayment } from "./evidence"

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
 * @param evidence what book, ledger, Medusa and output say, all read after the test's last act
 * @param options `isQuiet`: nothing is left to be noticed; what was not noticed by now is lost
 * @returns one sentence for each breach, beginning with the promise's number; empty when all hold
 */
export function violations(evidence: Evidence, options: { isQuiet?: boolean } = {}): string[] {
  const isQuiet = options.isQuiet ?? false
  return [
    ...oneTakesMoney(evidence, isQuiet),
    ...nothingIsLost(evidence, isQuiet),
    ...nothingIsInvented(evidence),
    ...nothingIsGivenBackTwice(evidence),
    ...nothingIsSaid(evidence),
    ...referencesAreKnown(evidence),
    ...everythingEnds(evidence),
    ...statesAreFolds(evidence),
  ]
}

/** Executions of the book that belong to an operation: by reference, or on its payment page. */
function executionsOf({ book }: Evidence, operation: LedgerOperation): ExecutionView[] {
  return book
    .executions()
    .filter((execution) =>
      operation.reference === null
        ? execution.channel === "hosted" && execution.sourceId === operation.sourceId
        : execution.reference === operation.reference,
    )
}

function sourceOf({ book }: Evidence, operation: LedgerOperation): DocumentView | undefined {
  return book.documents().find(({ id }) => id === operation.sourceId)
}

function hasMoney(evidence: Evidence, operation: LedgerOperation): boolean {
  return executionsOf(evidence, operation).some(({ charges }) => charges > 0)
}

function canStillTakeMoney(evidence: Evidence, operation: LedgerOperation): boolean {
  if (!operation.isSubmitted) return false
  const status = sourceOf(evidence, operation)?.status
  const isPage = operation.flow === "hosted" || operation.flow === "link"
  if (isPage) return status === "ACTIVE" || status === "PROCESSING"
  return executionsOf(evidence, operation).some(
    (execution) => execution.status === "PENDING" || execution.status === "PROCESSING",
  )
}

const isWatched = (operation: LedgerOperation) => operation.dueInSeconds !== null

function oneTakesMoney(evidence: Evidence, isQuiet: boolean): string[] {
  const found: string[] = []
  const { operations } = evidence.ledger
  for (const { id, charges } of evidence.book.documents()) {
    if (charges > 1) found.push(`I1: source ${id} was charged ${charges} times`)
  }
  for (const execution of evidence.book.executions()) {
    if (execution.charges > 1) found.push(`I1: ${execution.reference} was charged more than once`)
  }
  for (const collectionId of new Set(operations.map((operation) => operation.collectionId))) {
    const own = operations.filter(
      (operation) => operation.collectionId === collectionId && operation.type === "COLLECTION",
    )
    const live = own.filter(
      ({ state, surplus, isReturned }) => LIVE.includes(state) && !surplus && !isReturned,
    )
    if (live.length > 1) found.push(`I1: ${collectionId} has ${live.length} live operations`)
    const taking = own.filter((operation) => {
      if (operation.isReturned || operation.state === "review") return false
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
  const { operations, events } = evidence.ledger
  for (const execution of evidence.book.executions().filter(({ charges }) => charges > 0)) {
    const isKnown = operations.some((operation) =>
      executionsOf(evidence, operation).some(({ reference }) => reference === execution.reference),
    )
    if (!isKnown) found.push(`I2: nobody knows of the money under ${execution.reference}`)
  }
  for (const operation of operations.filter((one) => hasMoney(evidence, one))) {
    const { id, state } = operation
    const isDismissed = events.some((event) => event.operationId === id && event.name === "dismiss")
    if (state === "review" || operation.isReturned || isDismissed) continue
    if (state === "completed" && operation.isRecorded) {
      found.push(...recordedButNotThere(evidence, operation))
    } else if (isQuiet || !isWatched(operation)) {
      found.push(`I2: ${id} is ${state}, but the gateway has the money`)
    }
  }
  return found
}

function recordedButNotThere({ medusa }: Evidence, operation: LedgerOperation): string[] {
  if (!medusa) return []
  const payments = medusa.payments.filter(
    (payment) => payment.sessionId === operation.sessionId && !payment.isCanceled,
  )
  const holds = (payment: MedusaPayment) =>
    payment.isCaptured &&
    !payment.isOrderCanceled &&
    payment.orderId !== null &&
    minorOf(payment.capturedAmount, payment.currency) === operation.amountMinor &&
    minorOf(payment.inOrderAmount, payment.currency) === operation.amountMinor
  return payments.length === 1 && payments.every(holds)
    ? []
    : [`I2: ${operation.id} is recorded, but Medusa does not hold its money once and in full`]
}

function nothingIsInvented(evidence: Evidence): string[] {
  const found: string[] = []
  const { operations } = evidence.ledger
  for (const operation of operations.filter(({ state }) => state === "completed")) {
    const source = sourceOf(evidence, operation)
    const isProven =
      hasMoney(evidence, operation) &&
      source?.currency === operation.currency &&
      minorOf(source.totalAmount, source.currency) === operation.amountMinor
    if (!isProven) found.push(`I3: ${operation.id} is completed without the gateway's word`)
  }
  const captured = (evidence.medusa?.payments ?? []).filter((payment) => payment.isCaptured)
  for (const payment of captured) {
    const operation = operations.find(
      (one) =>
        one.sessionId === payment.sessionId && one.state !== "failed" && hasMoney(evidence, one),
    )
    if (!operation) {
      found.push(`I3: payment ${payment.id} is captured without the gateway's word`)
    } else if (
      operation.currency !== payment.currency ||
      minorOf(payment.capturedAmount, payment.currency) !== operation.amountMinor
    ) {
      found.push(`I3: payment ${payment.id} is captured with another amount than was paid`)
    }
  }
  const collections = captured.filter(({ isCanceled }) => !isCanceled)
  for (const collectionId of new Set(collections.map((payment) => payment.collectionId))) {
    const count = collections.filter((payment) => payment.collectionId === collectionId).length
    if (count > 1) found.push(`I3: ${collectionId} was captured ${count} times`)
  }
  return found
}

function nothingIsGivenBackTwice({ ledger }: Evidence): string[] {
  return ledger.operations
    .filter((operation) => operation.reservedRefundMinor > (operation.collectedMinor ?? 0n))
    .map(({ id }) => `I4: ${id} has more reserved for refunds than was collected`)
}

function nothingIsSaid({ ledger, medusa, output }: Evidence): string[] {
  const places: readonly (readonly [string, readonly string[]])[] = [
    ["the output", output.texts],
    ["our tables", ledger.dump],
    ["session data", medusa?.sessionData ?? []],
  ]
  return places.flatMap(([place, texts]) => [
    ...(texts.some((text) => output.secrets.some((secret) => text.includes(secret)))
      ? [`I5: a secret is in ${place}`]
      : []),
    ...(texts.some((text) => output.phones.some((phone) => text.includes(phone)))
      ? [`I5: a phone number is in ${place}`]
      : []),
    ...(texts.some((text) => /\beyJ[\w-]{8,}\.[\w-]{4,}/.test(text))
      ? [`I5: an access token is in ${place}`]
      : []),
  ])
}

function referencesAreKnown({ book, ledger }: Evidence): string[] {
  const known = new Set(ledger.operations.map(({ reference }) => reference))
  const strangers = book
    .executions()
    .filter(({ channel, reference }) => channel === "api" && !known.has(reference))
    .map(({ reference }) => `I6: ${reference} was sent, but no operation has it`)
  const unsent = ledger.operations
    .filter((operation) => operation.flow === "push" && operation.isSubmitted)
    .filter(({ id, reference }) => {
      const own = ledger.events.filter((event) => event.operationId === id)
      return reference === null || !own.some(({ name }) => name === "submit")
    })
    .map(({ id }) => `I6: ${id} was sent without a committed reference`)
  return [...strangers, ...unsent]
}

function everythingEnds({ ledger }: Evidence): string[] {
  return ledger.operations.flatMap((operation) => {
    const { id, state, dueInSeconds } = operation
    const isOwed = state === "completed" && !operation.isRecorded && !operation.isReturned
    const isOpen = ["drafted", "submitted", "in_flight"].includes(state)
    const waitsForRefund = isOwed && operation.reservedRefundMinor > 0n
    if ((isOpen || (isOwed && !waitsForRefund)) && dueInSeconds === null) {
      return [`I7: ${id} is ${state} and nobody will look at it again`]
    }
    const isTooFar = dueInSeconds !== null && dueInSeconds > FURTHEST_LOOK_SECONDS
    return isTooFar ? [`I7: ${id} is looked at only in ${Math.round(dueInSeconds)} s`] : []
  })
}

function statesAreFolds({ ledger }: Evidence): string[] {
  return ledger.operations.flatMap(({ id, state, version }) => {
    const events = ledger.events.filter((event) => event.operationId === id)
    let folded = "drafted"
    for (const [index, event] of events.entries()) {
      if (event.seq !== index + 1) return [`I8: ${id} lacks event ${index + 1}`]
      if (EVENTS.has(event.name)) {
        const next = MACHINE[folded]?.[event.name]
        if (next === undefined) return [`I8: ${id}: no ${event.name} from ${folded}`]
        folded = next
      }
      if (event.state !== folded) return [`I8: ${id}: event ${event.seq} says ${event.state}`]
    }
    if (folded !== state) return [`I8: ${id} is ${state}, its events say ${folded}`]
    return events.length === version ? [] : [`I8: ${id} has version ${version} and another event`]
  })
}

/** Major units as smallest ones, rounded half up; the oracle's own arithmetic. */
function minorOf(amount: string, currency: string): bigint {
  const digits = currency === "RWF" ? 0 : 2
  const [whole = "0", fraction = ""] = amount.split(".")
  const padded = `${fraction}${"0".repeat(digits + 1)}`
  const units = BigInt(`${whole}${padded.slice(0, digits)}`)
  return Number(padded[digits]) >= 5 ? units + 1n : units
}
