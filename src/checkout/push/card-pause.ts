/**
 * Decides when no further card is tried. A thief tests stolen cards one after the other. So
 * declined cards are counted by cart, customer, browser and network, and beyond a number cards
 * pause there. Mobile money and the payment page go on.
 *
 * An account's declines from all networks together pause no shopper by themselves: anyone could
 * turn off the shop's cards with some worthless ones. They make the shop's captcha necessary, where
 * it has one, and show on the health page.
 */
import { cardPaused } from "../../core/refusal"
import type { FlowDeps, ShopperAsk } from "../../engine/deps"
import type { StartContext } from "../context"

/**
 * @returns a function that has the shop verify the captcha of a paused start, and throws the same
 *   refusal if it fails; undefined: cards are not paused
 * @throws Refusal `card_paused`
 */
export async function cardCheck(
  { shopperLimit, captcha }: Pick<FlowDeps, "shopperLimit" | "captcha">,
  { request, payable, account }: StartContext,
  ask: ShopperAsk,
): Promise<(() => Promise<void>) | undefined> {
  const paused = await shopperLimit.cardsPaused?.(ask, account.id)
  if (!paused) return undefined
  const hasCaptcha = captcha?.isThere() === true
  const waitMs = hasCaptcha ? Math.max(paused.ofShopperMs, paused.ofAccountMs) : paused.ofShopperMs
  if (waitMs === 0) return undefined
  const refused = cardPaused(waitMs, hasCaptcha)
  const { captchaToken } = request
  if (!captcha || !hasCaptcha || captchaToken === undefined) throw refused
  return async () => {
    const isVerified = await captcha.verify({
      captcha_token: captchaToken,
      payment_session_id: payable.id,
      cart_id: payable.cartId,
    })
    if (!isVerified) throw refused
  }
}
