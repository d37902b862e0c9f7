import type { Call, Method } from "../call"
import { merchantInfo } from "../wire/merchants"
import type { MerchantInfo, MerchantInfoRequest } from "../wire/merchants"

/** The merchant as the gateway knows it. */
export type Merchants = {
  /**
   * The profile. `unknown` also when the answer is about another merchant than asked for: the
   * credentials may belong to that one. `refused` with `NotFound` or `Forbidden`: not a merchant of
   * these credentials (contract/openapi.json, getMerchantInfo).
   */
  readonly info: Method<MerchantInfoRequest, MerchantInfo>
}

export const merchantsOf = (call: Call): Merchants => ({
  info: (request, options) => call(merchantInfo, request, options),
})
