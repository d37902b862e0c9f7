/**
 * Limits what one more start may cost: how often a phone number and a cart may start, how the
 * payments of the shopper's network ended, and whose turn it is while the gateway complains of too
 * many calls.
 *
 * A start is counted before the gateway is asked and before anything is written. It is not counted
 * where it only gives back a live payment, or comes back for its turn. An admin's link is not
 * limited: no stranger can make one.
 */
import { LIMITS } from "../core/limits"
import { isPush } from "../core/operation"
import type { Clock } from "../core/ports"
import { queued, tooMany, unpaidNumber, type Refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { spendChecks } from "../ledger/check-budget"
import type { TurnAsk } from "../ledger/start-turns"
import type { FlowDeps, ShopperAsk } from "../engine/deps"
import { pauseAfter } from "../engine/pause-checks"
import type { Instructions, StartContext } from "./context"
import { cardCheck } from "./push/card-pause"
import type { StartRefusal } from "./start-refusal"

type LimitPorts = Pick<FlowDeps, "shopperLimit" | "captcha" | "database" | "digest">

/** Starts that have used their turn in the queue. */
const served = new WeakSet<StartContext>()

/** @throws Refusal `too_many_requests`, `card_paused` */
export async function countStart(
  deps: LimitPorts,
  context: StartContext,
  instructions: Instructions,
): Promise<void> {
  if (context.flow === "link") return
  const turn = turnOf(deps, context, instructions)
  const { turns } = deps.shopperLimit
  if (!(await turns?.has(turn.key))) {
    await admit(deps, context, instructions)
  }
  const waitMs = await turns?.take(turn)
  if (waitMs === undefined) return
  if (waitMs > 0 || !(await turns?.use(turn.key))) throw queued(waitMs)
  served.add(context)
  // The start's questions come out of the rate that all checks of the account share.
  await spendChecks(deps.database, turn.accountId, turn.questions)
}

/** Refuses a start that is beyond a limit, before it joins the queue. */
async function admit(
  deps: LimitPorts,
  context: StartContext,
  instructions: Instructions,
): Promise<void> {
  const ask = askOf(context, instructions)
  const { shopperLimit } = deps
  const { phone } = ask.counted
  const verify = context.flow === "card" && (await cardCheck(deps, context, ask))
  const unpaidMs =
    context.flow === "push" && phone !== undefined ? await shopperLimit.unpaidNumberMs?.(phone) : 0
  if (unpaidMs) throw unpaidNumber(unpaidMs)
  const waitMs = await shopperLimit.take(ask)
  if (waitMs > 0) throw tooMany(waitMs)
  // A captcha's token can be used once: it is spent only on a start that nothing else holds up.
  if (verify) await verify()
}

/** Another start of the same payment was faster and was counted, so this one is not. */
export async function uncountStart(
  deps: LimitPorts,
  context: StartContext,
  instructions: Instructions,
): Promise<void> {
  if (context.flow !== "link") await deps.shopperLimit.giveBack(askOf(context, instructions))
}

/**
 * The gateway refused the start and no phone rang, so it does not count for the phone: after some
 * refusals the shopper would be told of too many tries, and not of the real reason. It still counts
 * for the cart, because the gateway was asked.
 */
export async function forgiveStart(
  deps: Pick<LimitPorts, "shopperLimit">,
  context: StartContext,
  instructions: Instructions,
): Promise<void> {
  if (context.flow === "link" || context.flow === "card") return
  await deps.shopperLimit.giveBack({ counted: { phone: instructions.phone.digits } })
}

/**
 * The gateway refused the start as one call too many: it waits for its turn, and is not counted
 * again.
 */
export async function queueStart(
  deps: LimitPorts & Parameters<typeof pauseAfter>[0],
  context: StartContext,
  instructions: Instructions,
  asksToWait: NonNullable<StartRefusal["asksToWait"]>,
): Promise<Refusal | undefined> {
  await pauseAfter(deps, context.account.id, asksToWait)
  if (context.flow === "link") return undefined
  const turn = turnOf(deps, context, instructions)
  const wasItsTurn = served.has(context)
  const waitMs = await deps.shopperLimit.turns?.take(turn, { wasItsTurn })
  return waitMs === undefined ? undefined : queued(waitMs)
}

let waiting = 0

/**
 * @throws the given refusal, if the turn comes too late for this request or too many requests wait
 */
export async function waitForTurn(
  deps: Pick<FlowDeps, "clock">,
  sinceMs: number,
  refused: Refusal,
): Promise<void> {
  const waitMs = Number(refused.details["retry_after_seconds"]) * 1_000
  const waitedMs = deps.clock.monotonicMs() - sinceMs
  const isTooLate = !(waitedMs + waitMs <= LIMITS.startWaitsMs)
  if (isTooLate || waiting >= LIMITS.startsWaitingMax) throw refused
  waiting += 1
  try {
    await deps.clock.sleep(waitMs)
  } finally {
    waiting -= 1
  }
}

/** A turn is for one payment and one phone, so that it is no way around the limits of another. */
function turnOf(deps: LimitPorts, context: StartContext, { phone, lines }: Instructions): TurnAsk {
  const { payable, account, feeBearer } = context
  const forDocument = feeBearer === null ? 0 : LIMITS.questionsOfDocument + lines.length
  return {
    accountId: account.id,
    key: `turn:${deps.digest(`turn of start:${payable.collectionId}:${phone.digits}`)}`,
    questions: LIMITS.questionsOfStart + forDocument,
  }
}

/**
 * A card rings no phone, so it counts for none: a shopper whose cards are declined can pay by
 * phone.
 */
function askOf(context: StartContext, { phone }: Instructions): ShopperAsk {
  const { payable, request, flow } = context
  const { network, client, customerId: customer } = request
  const cart = payable.cartId ?? payable.orderId ?? payable.collectionId
  const who =
    flow === "card" ? { cardCart: cart, customer } : { phone: phone.digits, cart, customer }
  const asks = flow === "card" ? "card" : isPush(context) ? "phone" : null
  return {
    counted: { ...who, network, client },
    started: { collectionId: payable.collectionId, asks },
  }
}

const lastTryMs = new WeakMap<Gateway, number>()

/**
 * While the gateway gives no token, a shopper is refused at once instead of after a deadline. One
 * start every few seconds still tries, so that the first success ends the refusals, also if there
 * is no live operation to check.
 */
export function isTokenHopeless(gateway: Gateway, clock: Clock): boolean {
  if (gateway.token.failures < LIMITS.tokenFailuresBeforeRefusal) return false
  const now = clock.monotonicMs()
  const last = lastTryMs.get(gateway)
  if (last !== undefined && now - last < LIMITS.breakerRetryMs) return true
  lastTryMs.set(gateway, now)
  return false
}
