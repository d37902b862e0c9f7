/**
 * When no further card is tried. Who tests stolen cards sends one after the other; so declined cards
 * are counted by cart, customer, browser and network, and beyond a number their cards pause. Mobile
 * money and the payment page go on.
 *
 * An account's declines from all networks together pause nobody by themselves: anyone could turn the
 * shop's cards off with some worthless ones. They ask for the shop's captcha, where it has one, and
 * show on the health page.
 */
import { cardPaused } from "../../core/refusal"
import type { FlowDeps, ShopperAsk } from "../../engine/deps"
import type { StartContext } from "../context"

/**
 * @returns what asks the shop about the captcha that came with a paused start; undefined: cards are
 *   not paused
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
