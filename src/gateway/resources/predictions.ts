import type { Call, Method } from "../call"
import { amountAndFees, sourceAmountAndFees } from "../wire/amount-predictions"
import type {
  AmountAndFees,
  AmountAndFeesRequest,
  SourceAmountAndFeesRequest,
} from "../wire/amount-predictions"
import { cardProviderInfo, mmoProviderInfo } from "../wire/predictions"
import type {
  CardProviderInfo,
  CardProviderInfoRequest,
  MmoProviderInfo,
  MmoProviderInfoRequest,
} from "../wire/predictions"

/** What would happen, before it does. Not binding: the receipt shows what settled (contract, 9). */
export type Predictions = {
  /**
   * What a payment of an amount would cost payer and payee, exchange included. `refused` with
   * `Invalid`: method and provider do not fit, or the pair of currencies has no rate (contract, 8
   * and 9).
   */
  readonly amountAndFees: Method<AmountAndFeesRequest, AmountAndFees>
  /**
   * The same for a published source: its total, currency and fee bearer are the base (contract, 2b,
   * 8 and 9).
   */
  readonly sourceAmountAndFees: Method<SourceAmountAndFeesRequest, AmountAndFees>
  /**
   * Whose wallet a phone number is. `refused` with `Invalid`: no operator serves it (specification,
   * "Predict mobile money provider"; contract, 2b and 9).
   */
  readonly mmoProviderInfo: Method<MmoProviderInfoRequest, MmoProviderInfo>
  /**
   * Where a card is routed, by the token of the card processor's browser SDK. The token is in no
   * error, but in the address of the request: keep it out of the logs of your own proxies
   * (contract, 2c, 9).
   */
  readonly cardProviderInfo: Method<CardProviderInfoRequest, CardProviderInfo>
}

export const predictionsOf = (call: Call): Predictions => ({
  amountAndFees: (request, options) => call(amountAndFees, request, options),
  sourceAmountAndFees: (request, options) => call(sourceAmountAndFees, request, options),
  mmoProviderInfo: (request, options) => call(mmoProviderInfo, request, options),
  cardProviderInfo: (request, options) => call(cardProviderInfo, request, options),
})
