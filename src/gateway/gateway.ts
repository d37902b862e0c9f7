/** The shape of the client: resources and methods in the API's own words. */
import type { Clock, Logger, Random } from "../core/ports"
import type { CallOptions, CallReport } from "./call"
import type { Outcome } from "./outcome"
import type { Checkouts } from "./resources/checkouts"
import type { Counterparties } from "./resources/counterparties"
import type { Invoices, Orders } from "./resources/documents"
import type { Executions } from "./resources/executions"
import type { Fees } from "./resources/fees"
import type { Merchants } from "./resources/merchants"
import type { Links } from "./resources/links"
import type { Parties } from "./resources/parties"
import type { PaymentAccounts } from "./resources/payment-accounts"
import type { Predictions } from "./resources/predictions"
import type { RealtimeKeys } from "./resources/realtime-keys"
import type { Sessions } from "./resources/sessions"
import type { Status } from "./resources/status"

export type GatewayOptions = {
  /** An https origin; http only towards loopback and never in production. */
  readonly baseUrl: string
  /** From the merchant portal, as is the secret. */
  readonly clientId: string
  /** Stays in memory: no error, log line or property holds it. */
  readonly clientSecret: string
  /** For tests. Default: the system's. */
  readonly clock?: Clock | undefined
  /** For tests; jitter only. Default: `Math.random`. */
  readonly random?: Random | undefined
  /** Gets a warning for each answer that does not fit this API, without its content. */
  readonly logger?: Logger | undefined
  /** Called once after each method call but `token.check`. What it throws is only logged. */
  readonly onCall?: ((call: CallReport) => void) | undefined
  /** Called with the `Date` header of each answer that has one, as it came. Must not throw. */
  readonly onDate?: ((date: string) => void) | undefined
}

/** 58 of the API's 59 operations by their own names; the client handles the token itself. */
export type Resources = {
  readonly checkouts: Checkouts
  readonly parties: Parties
  readonly counterparties: Counterparties
  readonly invoices: Invoices
  readonly orders: Orders
  readonly sessions: Sessions
  readonly executions: Executions
  readonly status: Status
  readonly paymentAccounts: PaymentAccounts
  readonly predictions: Predictions
  readonly links: Links
  readonly fees: Fees
  readonly merchants: Merchants
  readonly realtimeKeys: RealtimeKeys
}

/** A client of one merchant account. No method throws or rejects for an expected result. */
export type Gateway = Resources & {
  readonly token: {
    /**
     * Gets a new token now, to prove the credentials; never hands it out. `refused` with
     * `Unauthenticated`: they are wrong (specification, "Authentication"; contract, 1).
     */
    check(
      options?: Omit<CallOptions, "patience">,
    ): Promise<Outcome<{ readonly expiresInMinutes: number }>>
    /** Token calls that failed one after the other; 0 after a success. */
    readonly failures: number
  }
  /** Lets calls in flight finish, then closes all connections. Later calls answer `not_sent`. */
  close(): Promise<void>
}
