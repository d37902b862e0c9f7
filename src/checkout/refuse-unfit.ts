/** Refuses a payment for another amount than Medusa asks for at this moment. */
import { errorText } from "../core/error-text"
import { refusal, type Refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { fitOf, type Asked } from "../engine/open-amount"
import type { StartContext } from "./context"

/** @throws Refusal of {@link whyUnfit} */
export async function refuseUnfit(
  deps: Pick<FlowDeps, "medusa" | "logger">,
  context: Pick<StartContext, "amount" | "payable">,
  asked: Asked,
): Promise<void> {
  const refused = await whyUnfit(deps, context, asked)
  if (refused) throw refused
}

/**
 * An order whose session is for another amount gets one for what is open, as the dashboard makes
 * it: Medusa changes a payment collection only after an edit, so that an order with a credit line
 * could otherwise never be paid in the shop.
 *
 * @returns Refusal `cart_changed`, `nothing_to_pay`, `payment_in_progress`; undefined: it fits
 */
export async function whyUnfit(
  { medusa, logger }: Pick<FlowDeps, "medusa" | "logger">,
  { amount, payable }: Pick<StartContext, "amount" | "payable">,
  asked: Asked,
): Promise<Refusal | undefined> {
  const { paymentCollectionId, providerId } = payable
  const fit = fitOf({ amount, paymentCollectionId }, asked)
  if (fit === "fits") return undefined
  if (fit === "nothing_open") return refusal("nothing_to_pay", {}, { payment: null })
  if (fit === "other_payment") return refusal("payment_in_progress.shopper", {}, { payment: null })
  if (asked.order) {
    await medusa.openSession(asked.order.id, providerId).catch((error: unknown) => {
      const said = `merchant payments: ${paymentCollectionId} keeps its old payment session: `
      logger.warn(said + errorText(error))
    })
  }
  return refusal("cart_changed", {}, { payment: null })
}
