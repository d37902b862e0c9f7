/**
 * A shopper commits to pay. The only flow that begins to collect money; `engine/send.ts` makes the
 * call.
 *
 * 1. The draft is written to the ledger; then the source is made at the gateway. The wallet's
 *    operator, or the card's processor, is asked for at the same time; document first, before it.
 * 2. Gateway session and payment account are opened in parallel; then Medusa's session and the
 *    amount are read again.
 * 3. `submitted` is committed, with the reference or the page's address.
 * 4. The execution is sent, or the shopper gets the address.
 *
 * A process that dies before `submitted` leaves a draft that can take no money. It is still read at
 * the gateway before it goes on, because a standby may have lost `submitted`. After that, the job
 * asks the gateway about the reference (`worker/due-steps.ts`). What was paid becomes an order in
 * `orders/settle-collection.ts`. Starting again gives the same payment back.
 */
import { LIMITS } from "../core/limits"
import { majorNumber, moneyFromMajor } from "../core/money"
import {
  hasRunningStart,
  isLive,
  isOrderWindowOver,
  isPush,
  isRecorded,
  type Operation,
} from "../core/operation"
import { unpaidOrderWindowMs } from "../core/payment-window"
import { Refusal, refusal } from "../core/refusal"
import {
  findByCollection,
  findById,
  findBySession,
  findLiveOfCollection,
} from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { isSpentStatus } from "../engine/host"
import { persist } from "../engine/persist"
import { send } from "../engine/send"
import { assertUnchanged } from "./assert-unchanged"
import { clearEnded, takeOver } from "./clear-ended"
import { payerOf, readDraft, refreshed } from "./continue-draft"
import {
  isTheirs,
  readContext,
  readInstructions,
  type Instructions,
  type StartContext,
  type StartRequest,
} from "./context"
import { endStart } from "./end-start"
import {
  giveBack,
  inProgressNow,
  isSamePayment,
  meetExisting,
  orderClosed,
  readyOf,
  replace,
  resume,
  underReview,
} from "./existing-payment"
import { countStart, forgiveStart, isTokenHopeless, uncountStart, waitForTurn } from "./limit-start"
import { openSource } from "./open-source"
import { withLimit } from "./push/amount-refused"
import { confirmQuote, findCard, findWallet, openPush } from "./prepare-push"
import { statusFor } from "./read-status"
import { statusOf, type Status } from "./rules/status"
import { showOutcome } from "./show-outcome"
import { insertDraft } from "./sql/insert-draft"
import { lost } from "./start-refusal"

/** @throws Refusal with the codes of the store routes; nothing was charged then */
export async function startPayment(deps: FlowDeps, request: StartRequest): Promise<Status> {
  const sinceMs = request.sinceMs ?? deps.clock.monotonicMs()
  let isHeld = false
  let { captchaToken } = request
  for (;;) {
    try {
      return await startOnce(deps, { ...request, captchaToken, sinceMs })
    } catch (error) {
      if (!(error instanceof Refusal && mayBeSecondClick(error, request))) throw error
      if (error.details["queued"] === true) await waitForTurn(deps, sinceMs, error)
      else if (isHeld) throw error
      else {
        // After the wait, a second click finds what the first began. A captcha is asked about once.
        isHeld = true
        await deps.clock.sleep(LIMITS.startHeldMs)
        if (error.code === "card_paused") captchaToken = undefined
      }
    }
  }
}

/** The first of two clicks may have taken the last start there was, or used its captcha up. */
function mayBeSecondClick({ code }: Refusal, { captchaToken }: StartRequest): boolean {
  return code === "too_many_requests" || (code === "card_paused" && captchaToken !== undefined)
}

async function startOnce(deps: FlowDeps, request: StartRequest): Promise<Status> {
  const payable = await deps.host.payable(request.sessionId)
  if (!payable) return answerReplaced(deps, request)
  const context = await readContext(deps, request, payable)
  const existing = await meetExisting(deps, context)
  if (existing.kind === "answer") return existing.status
  if (isTokenHopeless(context.gateway, deps.clock)) {
    if (existing.kind === "continue") await releaseOperation(deps.database, existing.draft)
    throw refusal("gateway_unavailable")
  }
  if (existing.kind === "continue") {
    return continued(deps, context, existing.draft, () => readCounted(deps, context))
  }
  const instructions = await readCounted(deps, context)
  if (existing.kind === "replace") await replace(deps, context, existing.live)
  return begin(deps, context, instructions)
}

/** Reads the instructions and counts the start: from here on the gateway is asked. */
async function readCounted(deps: FlowDeps, context: StartContext): Promise<Instructions> {
  const instructions = await readInstructions(deps, context)
  await countStart(deps, context, instructions)
  return instructions
}

/** Goes on with an existing draft, which the caller holds by lease. */
function continued(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  read: () => Promise<Instructions>,
): Promise<Status> {
  return holding(deps, draft, async () => {
    const instructions = await read()
    const reads = await readDraft(deps, context, draft)
    if (reads === "sent") return statusFor(deps, (await findById(deps.database, draft.id)) ?? draft)
    if (reads === "closed") return begin(deps, context, instructions)
    // The draft of a placed order was made without a check of earlier tries.
    const takenOver =
      draft.sourceId === null ? await clearEnded(deps, context, instructions.lines) : undefined
    const fresh = await refreshed(deps, context, draft, instructions)
    const ready = takenOver ? await takeOver(deps, fresh, takenOver) : fresh
    return proceed(deps, context, ready, instructions)
  })
}

/** If a start throws, its draft's lease is released, so that the next try need not wait for it. */
async function holding<T>(deps: FlowDeps, draft: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const held = await findById(deps.database, draft.id).catch(() => undefined)
    // Once it is submitted, a call that moves money may be under way.
    if (held?.state === "drafted" && held.leaseToken === draft.leaseToken) {
      await releaseOperation(deps.database, held)
    }
    throw error
  }
}

/** Begins a new payment, or answers with the one that another request has made meanwhile. */
async function begin(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
): Promise<Status> {
  const takenOver = await clearEnded(deps, context, instructions.lines)
  const draft = await newDraft(deps, context, instructions)
  if (draft) {
    return holding(deps, draft, async () => {
      const ready = takenOver ? await takeOver(deps, draft, takenOver) : draft
      return proceed(deps, context, ready, instructions)
    })
  }
  await uncountStart(deps, context, instructions)
  return answerOther(deps, context, instructions)
}

async function newDraft(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
): Promise<Operation | undefined> {
  const { payable, flow, amount, account, feeBearer, request } = context
  if (isSpentStatus(payable.status)) {
    const status = payable.orderId ? "pending_authorization" : "pending"
    await deps.host.showOnSession(payable, { status })
  }
  return insertDraft(deps.database, {
    id: deps.ids.operationId(),
    draftReference: deps.ids.reference(),
    flow,
    accountId: account.id,
    credentialId: context.credentialId,
    providerId: payable.providerId,
    paymentCollectionId: payable.collectionId,
    paymentSessionId: payable.id,
    cartId: payable.cartId,
    orderId: payable.orderId,
    amount,
    lines: instructions.lines,
    sourceType: account.sourceType,
    feeBearer,
    askedBy: request.adminId ?? null,
    returnToken: flow === "hosted" ? deps.ids.returnToken() : null,
    successUrl: instructions.successUrl,
    cancelUrl: instructions.cancelUrl,
    ...payerOf(deps, context, instructions),
    windowMs: unpaidOrderWindowMs(context.account, context.flow),
    orderWindowMs: null,
    leaseMs: LIMITS.startLeaseMs,
  })
}

function proceed(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Status> {
  const next = isPush(context) ? proceedPush : proceedHosted
  return next(deps, context, draft, instructions)
}

async function proceedPush(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Status> {
  const asked = context.flow === "card" ? findCard(context) : findWallet(context, instructions)
  // Document first makes a call for each line: none is made for a number or card that can't pay.
  const early = draft.feeBearer === null ? undefined : await asked
  if (early && "refusal" in early) throw await endStart(deps, context, instructions, draft, early)
  const [opened, payer] = await Promise.all([openSource(deps, context, draft, instructions), asked])
  if ("refusal" in payer) {
    throw await endStart(deps, context, instructions, "refusal" in opened ? draft : opened, payer)
  }
  if ("refusal" in opened) throw await endStart(deps, context, instructions, draft, opened)
  const [keys, changed] = await Promise.all([
    openPush(deps, context, opened, payer, instructions),
    confirmQuote(deps, context, opened, payer),
  ])
  const refused = "refusal" in keys ? keys : changed
  if (refused) {
    const named = await withLimit(deps, context, payer, refused)
    throw await endStart(deps, context, instructions, opened, named)
  }
  await assertUnchanged(deps, context, opened)
  const shown = moneyFromMajor(context.request.expectedPayerAmount, payer.payerCurrency)
  const submitted = await persist(deps.database, opened, {
    event: "submit",
    code: "ready_to_send",
    changes: {
      ...keys,
      payerCurrency: payer.payerCurrency,
      quotedPayerAmount: shown ? majorNumber(shown) : null,
      paymentMethod: payer.paymentMethod,
      carrier: payer.carrier,
      reference: opened.draftReference,
      submittedAt: true,
      sendings: 1,
      lastSentAt: true,
      lastSending: "sending",
    },
    next: { inMs: LIMITS.waitingCheckFloorMs },
    lease: { forMs: LIMITS.leaseMs },
  })
  if (!submitted) throw await endStart(deps, context, instructions, opened, lost())
  return answerWithin(deps, context, instructions, submitted)
}

/** The shopper is answered in time; a slower execution goes on, and STATUS shows the rest. */
async function answerWithin(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
  submitted: Operation,
): Promise<Status> {
  const stop = new AbortController()
  const executed = send(deps, context.gateway, submitted).catch((error: unknown) => {
    // The lease ends and the job asks the gateway: nothing is lost but this answer.
    deps.logger.error(`merchant payments: ${submitted.id}: ${String(error)}`)
    return undefined
  })
  const patience = deps.clock
    .sleep(Math.max(LIMITS.shortestCallMs, context.remainingMs()), stop.signal)
    .catch(() => undefined)
  const sent = await Promise.race([executed, patience])
  stop.abort()
  const latest =
    sent?.written?.operation ?? (await findById(deps.database, submitted.id)) ?? submitted
  // No phone has rung, and another press changes nothing: the start does not count for the phone.
  if (latest.lastSending === "refused") await forgiveStart(deps, context, instructions)
  if (latest.state === "expired") {
    const isOurs = latest.reason === "not_configured"
    const key = isOurs ? "not_configured.shopper" : "gateway_refused.shopper"
    throw refusal(key, {}, { payment: statusOf(latest) })
  }
  const status = statusFor(deps, latest)
  if (status.state === "action_required") await showOutcome(deps, latest)
  return status
}

async function proceedHosted(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Status> {
  const opened = await openSource(deps, context, draft, instructions)
  if ("refusal" in opened) throw await endStart(deps, context, instructions, draft, opened)
  if (opened.hostedUrl === null) {
    const noPage = { refusal: refusal("gateway_unavailable"), isFinal: true }
    throw await endStart(deps, context, instructions, opened, noPage)
  }
  await assertUnchanged(deps, context, opened)
  const submitted = await persist(deps.database, opened, {
    event: "submit",
    code: "page_ready",
    changes: { submittedAt: true },
    next: { inMs: LIMITS.waitingCheckFloorMs },
    lease: "release",
  })
  if (!submitted) throw await endStart(deps, context, instructions, opened, lost())
  return statusOf(submitted)
}

/** Another request was faster: its payment is given back, or its idle draft is continued here. */
async function answerOther(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
): Promise<Status> {
  const live = await findLiveOfCollection(deps.database, context.payable.collectionId)
  if (live?.state === "review") throw underReview(live)
  if (live && !isSamePayment(live, context)) throw await inProgressNow(deps, live)
  if (live) {
    const existing = await resume(deps, context, live)
    if (existing.kind === "continue") {
      return continued(deps, context, existing.draft, async () => instructions)
    }
    if (existing.kind === "answer") return existing.status
  }
  const newest = await findByCollection(deps.database, context.payable.collectionId)
  if (newest && isOrderWindowOver(newest)) throw orderClosed(statusOf(newest))
  return readyOf(context)
}

/**
 * Medusa has replaced the session. A live payment is given back; nothing new begins on the old one.
 */
async function answerReplaced(deps: FlowDeps, request: StartRequest): Promise<Status> {
  const operation = await findBySession(deps.database, request.sessionId)
  const owner = operation && (await deps.host.registeredCustomer(operation))
  if (!operation || owner === undefined || !isTheirs(owner, request.customerId)) {
    throw refusal("session_not_found")
  }
  if (isRecorded(operation)) {
    const payment = statusFor(deps, operation, request.sessionId)
    throw refusal("already_paid", {}, { payment })
  }
  if (operation.state === "review") throw underReview(operation)
  const isUnderWay = isLive(operation) && operation.state !== "drafted"
  if (!isUnderWay && !hasRunningStart(operation)) throw refusal("session_not_found")
  return giveBack(deps, operation, request.sessionId)
}
