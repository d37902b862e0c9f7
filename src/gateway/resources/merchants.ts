import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { merchantInfo } from "../wire/merchants"
import type { MerchantInfo, MerchantInfoRequest } from "../wire/merchants"

/** The merchant as the gateway knows it. */
export type Merchants = {
  /**
   * The profile. `unknown` also when the answer is about another merchant than asked for, because
   * the credentials may then belong to another merchant.
   *
   * @returns `refused` with `NotFound` or `Forbidden`: not a merchant of these credentials
   * @see contract/openapi.json, getMerchantInfo
   */
  info(request: MerchantInfoRequest, options?: CallOptions): Promise<Outcome<MerchantInfo>>
}

export const merchantsOf = (call: Call): Merchants => ({
  info: (request, options) => call(merchantInfo, request, options),
})
