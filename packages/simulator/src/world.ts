/**
 * What every rule and every route works on: the book, the time, the random source, and the
 * settings.
 */
import type { Book } from "./book/book"
import type { FeeBearer } from "./book/records"
import type { Time } from "./clock"
import type { DocumentSettings } from "./document-settings"
import type { Plans } from "./plans"
import type { MoneyOutSettings } from "./money-out-settings"
import type { Random } from "./random"
import type { Exchange } from "./rules/exchange"
import type { Timing } from "./rules/timing"
import type { TokenSettings } from "./token-settings"
import type { Draws } from "./wire/draws"

/** One client of the API. Two clients with the same `ownerId` are one merchant. */
export type Merchant = {
  ownerId: number
  clientId: string
  clientSecret: string
  name: string
  /** Default `ORGANIZATION`. */
  type?: "MICRO_ORGANIZATION" | "ORGANIZATION"
  email?: string | null
  /** E.164 digits without `+`. A transfer to a party with this phone reaches this merchant. */
  phone?: string | null
}

export type Settings = {
  merchants: readonly Merchant[]
  tokenLifeMinutes: number
  /** Who bears the fees of a checkout source; the request can't say. */
  feeBearer: FeeBearer
  /** The status of a source right after `checkouts/create`. */
  newSourceStatus: "ACTIVE" | "IDLE"
  /** The status of a source after its execution failed. */
  afterFailure: "ACTIVE" | "CANCELED"
  /**
   * Whether execution answers carry the undocumented payment intent id: as `payment_intent_id`, not
   * at all, as the `id` of an object (`NESTED`), or under two names that disagree (`TWO_NAMES`).
   */
  showsPaymentIntent: boolean | "NESTED" | "TWO_NAMES"
} & MoneyOutSettings &
  DocumentSettings &
  TokenSettings &
  Timing

export type World = {
  book: Book
  time: Time
  random: Random
  plans: Plans
  settings: Settings
  exchange: Exchange
  /** Habits of the wire that are rules' business: what is refused, and when. */
  habits: Draws
  /** The card token that a merchant has asked about last, until an account is made of it. */
  predictedCards: Map<number, string>
  /** Origin of the hosted pages, without a trailing slash. */
  publicUrl(): string
}
