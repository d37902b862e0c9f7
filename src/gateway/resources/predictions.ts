import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
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
   * `Invalid`: method and provider do not fit, or the pair of currencies has no rate.
   *
   * @see contract, 8 and 9
   */
  amountAndFees(
    request: AmountAndFeesRequest,
    options?: CallOptions,
  ): Promise<Outcome<AmountAndFees>>
  /**
   * The same for a published source: its total, currency and fee bearer are the base.
   *
   * @see contract, 2b, 8 and 9
   */
  sourceAmountAndFees(
    request: SourceAmountAndFeesRequest,
    options?: CallOptions,
  ): Promise<Outcome<AmountAndFees>>
  /**
   * Whose wallet a phone number is. `refused` with `Invalid`: no operator serves it.
   *
   * @see specification, "Predict mobile money provider"; contract, 2b and 9
   */
  mmoProviderInfo(
    request: MmoProviderInfoRequest,
    options?: CallOptions,
  ): Promise<Outcome<MmoProviderInfo>>
  /**
   * Where a card is routed, by the token that the card processor's browser SDK made. The token is
   * in no error; it is part of the address of the request, so keep it out of the logs of proxies of
   * your own.
   *
   * @see contract, 2c and 9
   */
  cardProviderInfo(
    request: CardProviderInfoRequest,
    options?: CallOptions,
  ): Promise<Outcome<CardProviderInfo>>
}

export const predictionsOf = (call: Call): Predictions => ({
  amountAndFees: (request, options) => call(amountAndFees, request, options),
  sourceAmountAndFees: (request, options) => call(sourceAmountAndFees, request, options),
  mmoProviderInfo: (request, options) => call(mmoProviderInfo, request, options),
  cardProviderInfo: (request, options) => call(cardProviderInfo, request, options),
})
