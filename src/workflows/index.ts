/** The workflows whose hooks a shop may handle. */
export { cartReadyWorkflow, cartReadyWorkflowId } from "./cart-ready"
export { cardCaptchaWorkflow, cardCaptchaWorkflowId, type CardCaptchaInput } from "./card-captcha"
