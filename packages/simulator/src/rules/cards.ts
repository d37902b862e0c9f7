/**
 * Cards as the card processor's browser SDK passes them on: a token, never a number (contract
 * notes, section 2c). The tokens are made up and can be used for any number of predictions. No
 * documented field carries a token beyond the prediction, so an execution does not know it.
 */
import { CURRENCIES, type Currency } from "../money"

export type Card = {
  /** The `payment_method_id` of the prediction. */
  token: string
  brand: string
  /** ISO 3166-1 alpha-2; null when the processor does not say. */
  country: string | null
  currencies: readonly Currency[]
}

export const CARDS: readonly Card[] = [
  { token: "card_brand1_lr", brand: "Brand 1", country: "LR", currencies: ["USD", "LRD"] },
  { token: "card_brand2_rw", brand: "Brand 2", country: "RW", currencies: ["RWF", "USD"] },
  { token: "card_brand1_abroad", brand: "Brand 1", country: null, currencies: CURRENCIES },
]

export const cardOf = (token: string): Card | undefined =>
  CARDS.find((card) => card.token === token)
