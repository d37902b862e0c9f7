/** The shop's own check of a captcha, on the hook `verify` of `merchant-payments-card-captcha`. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { errorText } from "../../core/error-text"
import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"
import type { Captcha, CaptchaGiven } from "../../engine/deps"
import { within } from "../../worker/bounded"
import { handlersOf } from "./hook-handlers"

const WORKFLOW = "merchant-payments-card-captcha"
const HOOK = "verify"

/** What the hook holds while the shop has no handler on it. */
let noHandler: unknown

/** Called once, when the workflow is registered and no shop has registered a handler yet. */
export function noteEmptyCaptcha(): void {
  noHandler = handlersOf(WORKFLOW)?.get(HOOK)
}

type Ended = {
  readonly result?: { readonly is_verified?: boolean } | null
  readonly errors?: readonly { readonly error: unknown }[]
}

export function shopCaptcha(container: MedusaContainer): Captcha {
  return {
    isThere: () => handlersOf(WORKFLOW)?.get(HOOK) !== noHandler,
    async verify(input) {
      const bound = { ms: LIMITS.captchaCheckMs, error: () => new Error("no answer in time") }
      try {
        const { result, errors } = await within(systemClock, verified(container, input), bound)
        if (errors?.[0]) throw errors[0].error
        return result?.is_verified === true
      } catch (error) {
        container
          .resolve(ContainerRegistrationKeys.LOGGER)
          .warn(`merchant payments: the shop's check of a captcha failed: ${errorText(error)}`)
        return false
      }
    },
  }
}

function verified(container: MedusaContainer, input: CaptchaGiven): Promise<Ended> {
  const engine = container.resolve(Modules.WORKFLOW_ENGINE)
  return engine.run(WORKFLOW, { input, throwOnError: false }) as Promise<Ended>
}
