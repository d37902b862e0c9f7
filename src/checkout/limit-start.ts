/**
 * What one more start may cost: how often a phone number, a cart and a network may start at all,
 * and the shoppers' share of what the account may be asked. Counted before the gateway is asked and
 * before anything is written; a start that only gives back what is live is not counted. An admin's
 * link is none of a stranger's.
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { tooMany } from "../core/refusal"
import type { Gateway } from "../gateway"
import type { FlowDeps, ShopperAsk } from "../engine/deps"
import type { Instructions, StartContext } from "./context"

/** @throws Refusal `too_many_requests` */
export async function countStart(
  deps: Pick<FlowDeps, "shopperLimit">,
  context: StartContext,
  instructions: Instructions,
): Promise<void> {
  if (context.flow === "link") return
  const waitMs = await deps.shopperLimit.take(askOf(context, instructions))
  if (waitMs > 0) throw tooMany(waitMs)
}

/** Another start of the same payment was faster by a moment, and was counted. */
export async function uncountStart(
  deps: Pick<FlowDeps, "shopperLimit">,
  context: StartContext,
  instructions: Instructions,
): Promise<void> {
  if (context.flow !== "link") await deps.shopperLimit.giveBack(askOf(context, instructions))
}

function askOf(context: StartContext, { phone, lines }: Instructions): ShopperAsk {
  const { payable, request, account, feeBearer } = context
  const forDocument = feeBearer === null ? 0 : LIMITS.questionsOfDocument + lines.length
  return {
    counted: {
      phone: phone.digits,
      cart: payable.cartId ?? payable.orderId ?? payable.collectionId,
      network: request.network,
    },
    share: { accountId: account.id, questions: LIMITS.questionsOfStart + forDocument },
  }
}

const lastTryMs = new WeakMap<Gateway, number>()

/**
 * While no token can be had, a shopper is refused at once instead of after a deadline. One try
 * every few seconds still goes through, so that the first success ends it, also with no live
 * operation to check.
 */
export function isTokenHopeless(gateway: Gateway, clock: Clock): boolean {
  if (gateway.token.failures < LIMITS.tokenFailuresBeforeRefusal) return false
  const now = clock.monotonicMs()
  const last = lastTryMs.get(gateway)
  if (last !== undefined && now - last < LIMITS.breakerRetryMs) return true
  lastTryMs.set(gateway, now)
  return false
}
