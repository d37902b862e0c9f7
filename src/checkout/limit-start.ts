/**
 * Limits what one more start may cost: how often a phone number and a cart may start, how the
 * payments of the shopper's network ended, and whose turn it is while the gateway complains of too
 * many calls.
 *
 * A start is counted before the gateway is asked and before anything is written. It is not counted
 * where it only gives back a live payment, or comes back for its turn. An admin's link is not
 * limited: no stranger can make one.
 */
import { FLOWS, isOnlyMadeByAdmins } from "../core/flows"
import { LIMITS } from "../core/limits"
import { queued, tooMany, unpaidNumber, type Refusal } from "../core/refusal"
import { spendChecks } from "../ledger/limits/check-budget"
import type { TurnAsk } from "../ledger/limits/start-turns"
import type { FlowDeps, ShopperAsk } from "../engine/deps"
import { pauseAfter } from "../engine/pause-checks"
import type { StartContext } from "./context"
import type { Instructions } from "./offer/read-instructions"
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
  if (isOnlyMadeByAdmins(context.flow)) return
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
  const { asks } = FLOWS[context.flow]
  const verify = asks === "card" && (await cardCheck(deps, context, ask))
  const unpaidMs =
    asks === "phone" && phone !== undefined ? await shopperLimit.unpaidNumberMs?.(phone) : 0
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
  if (!isOnlyMadeByAdmins(context.flow))
    await deps.shopperLimit.uncount(askOf(context, instructions))
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
  if (isOnlyMadeByAdmins(context.flow) || FLOWS[context.flow].asks === "card") return
  await deps.shopperLimit.uncount({ counted: { phone: instructions.phone.digits } })
}

/** Puts a start that the gateway answered with 429 into the queue; it is not counted again. */
export async function queueStart(
  deps: LimitPorts & Parameters<typeof pauseAfter>[0],
  context: StartContext,
  instructions: Instructions,
  asksToWait: NonNullable<StartRefusal["asksToWait"]>,
): Promise<Refusal | undefined> {
  await pauseAfter(deps, context.account.id, asksToWait)
  if (isOnlyMadeByAdmins(context.flow)) return undefined
  const turn = turnOf(deps, context, instructions)
  const wasItsTurn = served.has(context)
  const waitMs = await deps.shopperLimit.turns?.take(turn, { wasItsTurn })
  return waitMs === undefined ? undefined : queued(waitMs)
}

/** A turn is for one payment and one phone, so that it is no way around the limits of another. */
function turnOf(deps: LimitPorts, context: StartContext, { phone, lines }: Instructions): TurnAsk {
  const { payable, account, feeBearer } = context
  const forSource = feeBearer === null ? 0 : LIMITS.questionsOfSource + lines.length
  return {
    accountId: account.id,
    key: `turn:${deps.digest(`turn of start:${payable.paymentCollectionId}:${phone.digits}`)}`,
    questions: LIMITS.questionsOfStart + forSource,
  }
}

/**
 * A card rings no phone, so it counts for none: a shopper whose cards are declined can pay by
 * phone.
 */
function askOf(context: StartContext, { phone }: Instructions): ShopperAsk {
  const { payable, request, flow } = context
  const { network, client, customerId: customer } = request
  const cart = payable.cartId ?? payable.orderId ?? payable.paymentCollectionId
  const { asks } = FLOWS[flow]
  const who =
    asks === "card" ? { cardCart: cart, customer } : { phone: phone.digits, cart, customer }
  return {
    counted: { ...who, network, client },
    started: { paymentCollectionId: payable.paymentCollectionId, asks },
  }
}
