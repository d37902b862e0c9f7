/** Asks the shop whether a captcha was solved, before a card is tried while cards are paused. */
import {
  createHook,
  createWorkflow,
  transform,
  WorkflowResponse,
  type WorkflowData,
} from "@medusajs/framework/workflows-sdk"
import { noteEmptyCaptcha } from "../medusa/adapters/shop-captcha"

export const cardCaptchaWorkflowId = "merchant-payments-card-captcha"

export type CardCaptchaInput = {
  readonly captcha_token: string
  readonly payment_session_id: string
  readonly cart_id: string | null
}

/**
 * The hook `verify` gets the token that the browser got from the captcha's service. The captcha
 * counts as solved only where its handler returns `new StepResponse(true)`; a handler that throws,
 * returns anything else or takes longer than five seconds has not verified it.
 */
export const cardCaptchaWorkflow = createWorkflow(
  cardCaptchaWorkflowId,
  (input: WorkflowData<CardCaptchaInput>) => {
    const verify = createHook("verify", input)
    const answer = verify.getResult()
    return new WorkflowResponse(
      transform({ answer }, ({ answer }) => ({ is_verified: answer === true })),
      { hooks: [verify] },
    )
  },
)

noteEmptyCaptcha()
