import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { merchantInfo } from "../wire/merchants"
import type { MerchantInfo, MerchantInfoRequest } from "../wire/merchants"

/** The merchant as the gateway knows it. */
export type Merchants = {
  /**
   * The profile. An answer about another merchant than asked for is `unknown`: the credentials may
   * belong to somebody else.
   *
   * @returns `refused` with `NotFound` or `Forbidden`: not a merchant of these credentials
   * @see contract/openapi.json, getMerchantInfo
   */
  info(request: MerchantInfoRequest, options?: CallOptions): Promise<Outcome<MerchantInfo>>
}

export const merchantsOf = (call: Call): Merchants => ({
  info: (request, options) => call(merchantInfo, request, options),
})
