import { startPayment } from "../../../../../../checkout/start-payment"
import { shopperRoute } from "../../../../../shopper"

export const POST = shopperRoute(
  "POST sessions/:id/start",
  async (deps, shopper, { body }, request) => ({
    payment: await startPayment(deps, {
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
    }),
  }),
)
