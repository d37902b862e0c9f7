/**
 * What the worker does with an operation that is due, by its type. It ends a draft, records money
 * in Medusa, closes an order, gives back money in review if the account's policy says so, or
 * accepts what is left after the rest went back. Else it checks the operation at the gateway and
 * does what that has made due. The lease is always given back.
 */
import { age } from "../core/decide/decision"
import { LIMITS } from "../core/limits"
import {
  hasOrderToClose,
  isNoneUnderWay,
  isOwedToMedusa,
  isToUndo,
  isUnderWay,
  isUndelivered,
  restMinor,
  type Operation,
  type OperationType,
} from "../core/operation"
import type { Gateway } from "../gateway"
import { isBehind } from "../ledger/database-mark"
import { findById } from "../ledger/find-operations"
import { postponeUnasked } from "../ledger/postpone-operation"
import { check } from "../engine/check"
import type { FlowDeps } from "../engine/deps"
import { abandonDraft, endDraft } from "../engine/end-draft"
import { gatewayFor, isProofUnheard } from "../engine/gateway-for"
import type { Written } from "../engine/kinds"
import { askLanded } from "../engine/landed-draft"
import { alertReview, persist } from "../engine/persist"
import { showOutcome } from "../checkout/show-outcome"
import { acceptRest } from "../refunds/accept-rest"
import { refundOrphan } from "../refunds/refund-orphan"
import { deliverRefund, undoRefund } from "../refunds/deliver-refund-to-medusa"
import { closeUnpaidOrder } from "../orders/close-unpaid-order"
import { placeLateMoney } from "../orders/place-late-money"
import { settleCollection } from "../orders/settle-collection"
import type { HeldBackWrites } from "./held-back-writes"
import { closingOf, MEDUSA_WORK } from "./under-way"

/** What one check is given, in addition to what every flow is given. */
export type Checking = FlowDeps & {
  readonly writes: HeldBackWrites
  /** An admin waits for the check. */
  readonly isForPerson?: boolean
  /** Queues work in Medusa until it has a place, so that it holds up no question to the gateway. */
  thenInMedusa(work: MedusaWork): void
}

/** Work in Medusa for an operation that was checked. */
export type MedusaWork = {
  readonly operation: Operation
  readonly group: string
  /**
   * The check has kept its lease for this work. It is given back if the work is not begun. Left
   * out: the lease was given back, and the work claims the operation again.
   */
  readonly isHeld?: true
  /** Whether the work is still to be done: another worker may have done it in between. */
  isOwed(held: Operation): boolean
  act(deps: FlowDeps, held: Operation): Promise<unknown>
}

type Steps = {
  /** Ends a draft whose maker has stopped. */
  endDraft(deps: Checking, draft: Operation, gateway: Gateway | undefined): Promise<void>
  /** The work that is to be done instead of asking the gateway. Undefined: the gateway is asked. */
  owed(operation: Operation): MedusaWork["act"] | undefined
  /** Does, or queues, what the check has made due. */
  checked?(deps: Checking, before: Operation, written: Written | undefined): Promise<void>
  /** What a check completes is recorded under the lease of the check, if there is a place. */
  readonly keepsCompleted?: true
  /** A check that changed nothing is written with others. Absent: recording may follow at once. */
  readonly isHeldBack?: true
}

/** The steps of money that goes back or out. */
const BACK_OR_OUT: Steps = {
  /** Such a draft can't go on: the recipient and the passcode were only in its maker's memory. */
  async endDraft(deps, draft, gateway) {
    if (gateway && !isLongAbsent(draft)) return awaitAbsent(deps, draft)
    await abandonDraft(deps, draft, { code: "never_sent" })
  },
  owed: () => undefined,
}

const STEPS: Readonly<Record<OperationType, Steps>> = {
  COLLECTION: {
    async endDraft(deps, draft, gateway) {
      if (gateway && draft.sourceId !== null) await deps.budget.take(draft.accountId)
      const ended = await endDraft(deps, gateway, draft, draft.closing ?? "window_closed")
      if (ended) closeNext(deps, ended)
    },
    owed(operation) {
      if (isOwedToMedusa(operation)) return settleCollection
      if (operation.state === "review") {
        return isRestBack(operation) ? acceptRest : placeOrRefund
      }
      return hasOrderToClose(operation) ? closeUnpaidOrder : undefined
    },
    async checked(deps, before, written) {
      const now = written?.operation
      if (!now || now.state === before.state) return
      const isHeld = now.leaseToken !== null
      if (isOwedToMedusa(now)) {
        return deps.thenInMedusa({
          operation: now,
          group: MEDUSA_WORK,
          ...(isHeld && { isHeld }),
          isOwed: isOwedToMedusa,
          act: settleCollection,
        })
      }
      if (isHeld) deps.writes.releaseUnbegun(now)
      await showOutcome(deps, now)
      closeNext(deps, now)
    },
    keepsCompleted: true,
    isHeldBack: true,
  },
  REFUND: {
    ...BACK_OR_OUT,
    owed(refund) {
      if (isToUndo(refund)) return undoRefund
      return refund.state === "completed" && isUndelivered(refund) ? deliverRefund : undefined
    },
    async checked(deps, before, written) {
      const parent = written?.parent
      // All of a payment without an order went back: its session shows that it can be paid again.
      if (parent?.returnedAt && !parent.recordedAt) await showOutcome(deps, parent)
      const isNews = written && written.operation.version !== before.version
      const read = () => (isUnderWay(before) ? findById(deps.database, before.id) : undefined)
      const now = isNews ? written.operation : await read()
      if (!now || !isUndelivered(now)) return
      const act = deliverRefund
      deps.thenInMedusa({ operation: now, group: MEDUSA_WORK, isOwed: isUndelivered, act })
    },
  },
  PAYOUT: BACK_OR_OUT,
  TRANSFER: BACK_OR_OUT,
}

/**
 * By the account's policies, puts money in review onto its order, or else gives it back. While the
 * database may lack what was committed, it may have been placed or given back before.
 */
async function placeOrRefund(deps: FlowDeps, operation: Operation): Promise<void> {
  if (await isBehind(deps.database)) {
    return postponeUnasked(deps.database, operation, LIMITS.rulesHeldRetryMs)
  }
  if (!(await placeLateMoney(deps, operation))) await refundOrphan(deps, operation)
}

export async function stepOn(deps: Checking, operation: Operation): Promise<void> {
  const { type, state, reference } = operation
  const { endDraft, owed, checked, isHeldBack, keepsCompleted } = STEPS[type]
  const first = owed(operation)
  if (first) {
    await first(deps, operation)
    return
  }
  if (state === "drafted") {
    const gateway = await gatewayFor(deps, operation)
    const landed = gateway && (await askLanded(deps, gateway, operation))
    if (landed?.kind === "landed") return stepOn(deps, landed.operation)
    if (landed?.kind === "unanswered" && !isTooOld(operation)) {
      return postponeUnasked(deps.database, operation, LIMITS.neverLandedAfterMs)
    }
    return endDraft(deps, operation, gateway)
  }
  // Without a reference the gateway has nothing of the operation, but for a collection's source.
  const isAsked = type === "COLLECTION" || reference !== null
  if (state === "completed" || state === "review" || !isAsked) return forget(deps, operation)
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) return withoutCredentials(deps, operation)
  const postpone = isHeldBack ? { postpone: deps.writes.postpone } : {}
  const { medusa, isForPerson = false } = deps
  const place = keepsCompleted && placeInMedusa(deps.underWay)
  const keeps = place && { keepsCompleted: place.take }
  const how = { ...postpone, ...keeps, medusa, isForPerson }
  let written: Written | undefined
  try {
    written = await check(deps, gateway, operation, how)
  } finally {
    // Nothing is awaited from here until the work that follows takes the place.
    place?.free()
  }
  await checked?.(deps, operation, written)
}

/** A place for work in Medusa, so that no lease is kept for work that would have to wait. */
function placeInMedusa(underWay: FlowDeps["underWay"]) {
  let free = () => {}
  return {
    take() {
      if (underWay.room(MEDUSA_WORK) <= 0) return false
      free = underWay.take(MEDUSA_WORK)
      return true
    },
    free: () => free(),
  }
}

/** A silent gateway must not hold a cart, or a refund's part, for ever: an old draft ends. */
function isTooOld({ readAt, createdAt }: Operation): boolean {
  return readAt.getTime() - createdAt.getTime() >= LIMITS.collectionAskMs
}

/** One 404 frees nothing: no source is a second witness of money that goes back or out. */
function isLongAbsent(draft: Operation): boolean {
  return draft.absentAt !== null && age(draft, draft.absentAt) >= LIMITS.absentConfirmAfterMs
}

async function awaitAbsent(deps: Checking, draft: Operation): Promise<void> {
  await persist(deps.database, draft, {
    event: { note: "absent" },
    code: "draft_unknown",
    ...(draft.absentAt === null ? { changes: { absentAt: true } } : {}),
    next: { inMs: LIMITS.absentConfirmAfterMs },
    lease: "release",
  })
}

/** Queues the closing of the order: this payment may be the last one that the order waited for. */
function closeNext(deps: Checking, operation: Operation): void {
  if (!hasOrderToClose(operation)) return
  const group = closingOf(operation.accountId)
  deps.thenInMedusa({ operation, group, isOwed: hasOrderToClose, act: closeUnpaidOrder })
}

/**
 * Without credentials the operation is checked again later, because they may still come. After
 * `LIMITS.collectionAskMs` an open operation goes into review; where the gateway was away, its
 * reason accuses no credentials.
 */
async function withoutCredentials(deps: FlowDeps, operation: Operation): Promise<void> {
  const ageMs = operation.readAt.getTime() - operation.createdAt.getTime()
  const isOver = ageMs >= (isUnderWay(operation) ? LIMITS.collectionAskMs : LIMITS.watchForMs)
  // At first another worker, which still has the former credentials, may claim the operation.
  const inMs =
    ageMs < LIMITS.neverLandedAfterMs ? LIMITS.checkFailedRetryMs : LIMITS.neverLandedAfterMs
  const isDoubted = isOver && isUnderWay(operation)
  const isSilent = isDoubted && (await isProofUnheard(deps, operation))
  const code = isSilent ? "no_final_answer" : "no_credentials"
  const written = await persist(deps.database, operation, {
    event: isDoubted ? "doubt" : { note: "no_credentials" },
    code,
    changes: isDoubted ? { reason: isSilent ? "no_answer" : "credentials" } : {},
    next: isOver ? "never" : { inMs },
    lease: "release",
  })
  alertReview(deps, operation, written, { code })
}

/** Ends the checks of a row that a later version, or a change by hand, left due without reason. */
async function forget(deps: FlowDeps, operation: Operation): Promise<void> {
  await persist(deps.database, operation, {
    event: { note: "not_due" },
    code: "not_due",
    next: "never",
    lease: "release",
  })
}

/** The payment is in review only until the money above the asked amount is back, and it is. */
function isRestBack(operation: Operation): boolean {
  const { state, reason, refundedMinor } = operation
  const isWaiting = state === "review" && reason === "amount_mismatch" && refundedMinor > 0n
  return isWaiting && isNoneUnderWay(operation) && refundedMinor === restMinor(operation)
}
