import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { startPayment } from "../../../../../../flows/start/start-payment"
import { answerShopper } from "../../../../../shopper"
import { parsed, startBody } from "../../../../../validators"

/** A shopper commits to pay: the prompt goes out, or the address of the payment page comes back. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerShopper(request, response, async (deps, shopper) => {
    const body = parsed(startBody, request.body)
    const payment = await startPayment(deps, {
      ...shopper,
      phone: body.phone ?? undefined,
      paymentMethod: body.payment_method ?? undefined,
      payerCurrency: body.payer_currency ?? undefined,
      expectedPayerAmount: body.expected_payer_amount ?? undefined,
      successUrl: body.success_url ?? undefined,
      cancelUrl: body.cancel_url ?? undefined,
    })
    return { payment }
  })
