import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { mmoProviderInfo } from "../wire/predictions"
import type { MmoProviderInfo, MmoProviderInfoRequest } from "../wire/predictions"

/** What would happen, before it does. Not binding: the receipt shows what settled (contract, 9). */
export type Predictions = {
  /**
   * Whose wallet a phone number is. `refused` with `Invalid`: no operator serves it.
   *
   * @see contract, 2b and 9
   */
  mmoProviderInfo(
    request: MmoProviderInfoRequest,
    options?: CallOptions,
  ): Promise<Outcome<MmoProviderInfo>>
}

export const predictionsOf = (call: Call): Predictions => ({
  mmoProviderInfo: (request, options) => call(mmoProviderInfo, request, options),
})
