import type { Call, CallOptions } from "../call"
import type { Outcome } from "../outcome"
import { feeTiers, merchantTier } from "../wire/fee-tiers"
import type { FeeTier, MerchantTier, MerchantTierRequest } from "../wire/fee-tiers"
import { gatewayFees, platformFees } from "../wire/fees"
import type { GatewayFee, GatewayFeesRequest, PlatformFee, PlatformFeesRequest } from "../wire/fees"

/** The rates of the day (contract, 9). What a payment really cost is in its receipt. */
export type Fees = {
  /**
   * The gateway's rate for one method and kind of execution: per cent as decimal text, plus a fixed
   * fee. `refused` with `NotFound` or `Invalid`: no rate for the two (contract, 9).
   */
  gateway(request: GatewayFeesRequest, options?: CallOptions): Promise<Outcome<GatewayFee>>
  /**
   * The platform's rate of one tier for one kind of execution, with its share for exchange.
   * `refused` with `NotFound` or `Invalid`: no such tier, or no rate in it (contract, 9).
   */
  platform(request: PlatformFeesRequest, options?: CallOptions): Promise<Outcome<PlatformFee>>
  /**
   * The tier that the merchant has; none means the default one. `refused` with `NotFound`: nothing
   * is assigned to this merchant (specification, "Merchant fee tier"; contract, 9).
   */
  merchantTier(request: MerchantTierRequest, options?: CallOptions): Promise<Outcome<MerchantTier>>
  /** All tiers, in one answer without pages (specification, "List fee tiers"; contract, 9). */
  tiers(options?: CallOptions): Promise<Outcome<readonly FeeTier[]>>
}

export const feesOf = (call: Call): Fees => ({
  gateway: (request, options) => call(gatewayFees, request, options),
  platform: (request, options) => call(platformFees, request, options),
  merchantTier: (request, options) => call(merchantTier, request, options),
  tiers: (options) => call(feeTiers, undefined, options),
})
