/**
 * A shopper commits to pay. The only flow that begins to collect money. It is read in this order:
 *
 * 1. Here: what is asked (`context.ts`), what is there already (`existing-payment.ts`), whether the
 *    input is good (`read-instructions.ts`) and within the limits (`limit-start.ts`).
 * 2. `begin-payment.ts`: the draft is written to the ledger.
 * 3. `pay-draft.ts`: the source is made at the gateway, while the wallet's operator, or the card's
 *    processor, is asked for; document first, before it. Gateway session and payment account are
 *    opened in parallel; then Medusa's session and the amount are read again. `submitted` is
 *    committed, with the reference or the page's address.
 * 4. `send-for-shopper.ts`: the execution is sent by `engine/send.ts`. A payment by page has none:
 *    it ends in step 3, which returns the page's address.
 *
 * A process that dies before `submitted` leaves a draft that can take no money. It is still read at
 * the gateway before it goes on, because a standby may have lost `submitted`. After that, the job
 * asks the gateway about the reference (`worker/due-steps.ts`). What was paid becomes an order in
 * `orders/settle-collection.ts`. Starting again gives the same payment back.
 */
import { LIMITS } from "../core/limits"
import { Refusal, refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { perStore } from "../ledger/per-store"
import { releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { startSpan } from "../telemetry/spans"
import { beginPayment, continuePayment } from "./begin-payment"
import { readContext, type StartRequest } from "./context"
import { answerReplaced, meetExisting, replace } from "./existing-payment"
import { countStart } from "./limit-start"
import { readInstructions } from "./offer/read-instructions"
import type { Status } from "./schemas/status"

/** @throws Refusal with the codes of the store routes; nothing was charged then */
export function startPayment(deps: FlowDeps, request: StartRequest): Promise<Status> {
  return startSpan(() => startInTime(deps, request))
}

async function startInTime(deps: FlowDeps, request: StartRequest): Promise<Status> {
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
  const payable = await deps.medusa.payable(request.sessionId)
  if (!payable) return answerReplaced(deps, request)
  const context = await readContext(deps, request, payable)
  const existing = await meetExisting(deps, context)
  if (existing.kind === "answer") return existing.status
  if (isTokenHopeless(deps, context.gateway)) {
    if (existing.kind === "continue") await releaseOperation(deps.database, existing.draft)
    throw refusal("gateway_unavailable")
  }
  const readCounted = async () => {
    const instructions = await readInstructions(deps, context)
    // The start is counted before the gateway is asked about it.
    await countStart(deps, context, instructions)
    return instructions
  }
  if (existing.kind === "continue") {
    return continuePayment(deps, context, existing.draft, readCounted)
  }
  const instructions = await readCounted()
  if (existing.kind === "replace") await replace(deps, context, existing.live)
  return beginPayment(deps, context, instructions)
}

const startsOf = perStore(() => ({
  waiting: 0,
  lastTryMs: new WeakMap<Gateway, number>(),
}))

/**
 * @throws the given refusal, if the turn comes too late for this request or too many requests wait
 */
async function waitForTurn(
  deps: Pick<FlowDeps, "clock" | "database">,
  sinceMs: number,
  refused: Refusal,
): Promise<void> {
  const starts = startsOf(deps)
  const waitMs = Number(refused.details["retry_after_seconds"]) * 1_000
  const waitedMs = deps.clock.monotonicMs() - sinceMs
  const isTooLate = !(waitedMs + waitMs <= LIMITS.startWaitsMs)
  if (isTooLate || starts.waiting >= LIMITS.startsWaitingMax) throw refused
  starts.waiting += 1
  try {
    await deps.clock.sleep(waitMs)
  } finally {
    starts.waiting -= 1
  }
}

/**
 * While the gateway gives no token, a shopper is refused at once instead of after a deadline. One
 * start every few seconds still tries, so that the first success ends the refusals, also if there
 * is no live operation to check.
 */
function isTokenHopeless(deps: Pick<FlowDeps, "clock" | "database">, gateway: Gateway): boolean {
  if (gateway.token.failures < LIMITS.tokenFailuresBeforeRefusal) return false
  const { lastTryMs } = startsOf(deps)
  const now = deps.clock.monotonicMs()
  const last = lastTryMs.get(gateway)
  if (last !== undefined && now - last < LIMITS.breakerRetryMs) return true
  lastTryMs.set(gateway, now)
  return false
}
