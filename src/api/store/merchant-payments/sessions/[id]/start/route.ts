import { startPayment } from "../../../../../../checkout/start-payment"
import { shopperRoute } from "../../../../../shopper"
import { parsed, startBody } from "../../../../../validators"

/** The shopper pays: sends the prompt, charges the card, or returns the payment page's address. */
export const POST = shopperRoute(async (deps, shopper, request) => {
  const body = parsed(startBody, request.body)
  const payment = await startPayment(deps, {
    ...shopper,
    origin: request.get("origin"),
    phone: body.phone ?? undefined,
    paymentMethod: body.payment_method ?? undefined,
    payerCurrency: body.payer_currency ?? undefined,
    cardToken: body.card_token ?? undefined,
    captchaToken: body.captcha_token ?? undefined,
    expectedPayerAmount: body.expected_payer_amount ?? undefined,
    successUrl: body.success_url ?? undefined,
    cancelUrl: body.cancel_url ?? undefined,
  })
  return { payment }
})
