/** The shape of the client: resources and methods in the API's own words, and what each call may be told. */
import type { Clock, Logger, Random } from "../core/ports"
import type { GatewayErrorCode } from "./errors"
import type { OperationName } from "./operations"
import type { Outcome } from "./outcome"
import type { CheckoutSource, CreateCheckoutRequest } from "./wire/checkouts"
import type { DocumentAnswer } from "./wire/documents"
import type { ExecuteCollectionRequest, Execution } from "./wire/executions"
import type { CreatePaymentAccountRequest, PaymentAccount } from "./wire/payment-accounts"
import type { MmoProviderInfo, MmoProviderInfoRequest } from "./wire/predictions"
import type { CheckoutSession, CreateCheckoutSessionRequest } from "./wire/sessions"
import type { SourceStatus, SourceStatusRequest } from "./wire/status"

export type CallOptions = {
  /** Stops waiting. What was sent stays sent: the outcome is then `unknown`. */
  readonly signal?: AbortSignal | undefined
  /** The longest that the method takes, token and repeats included. Default: the operation's own. */
  readonly deadlineMs?: number | undefined
  /** How long a `Retry-After` is sat out: a shopper 3 s, a job 60 s. Default `job`. */
  readonly patience?: "shopper" | "job" | undefined
}

/** One finished method call, for metrics and tests. */
export type CallReport = {
  readonly operation: OperationName
  readonly ms: number
  readonly kind: Outcome<unknown>["kind"]
  readonly code?: GatewayErrorCode
}

export type GatewayOptions = {
  /** An https origin; http only towards loopback and never in production. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  readonly logger?: Logger | undefined
  readonly onCall?: ((call: CallReport) => void) | undefined
}

/** A client of one merchant account. Nothing in it throws or rejects for an expected result. */
export type Gateway = {
  readonly checkouts: {
    /** Makes a payable source. No idempotency key: a repeat makes a second one. */
    create(request: CreateCheckoutRequest, options?: CallOptions): Promise<Outcome<CheckoutSource>>
  }
  readonly orders: DocumentActs
  readonly invoices: DocumentActs
  readonly sessions: {
    /** Opens the gateway session of an `ACTIVE` source, right before executing. */
    checkout(
      request: CreateCheckoutSessionRequest,
      options?: CallOptions,
    ): Promise<Outcome<CheckoutSession>>
  }
  readonly paymentAccounts: {
    /** Registers what a payer pays from. */
    create(
      request: CreatePaymentAccountRequest,
      options?: CallOptions,
    ): Promise<Outcome<PaymentAccount>>
  }
  readonly executions: {
    /** Moves money. Sent once; after `unknown` ask {@link Gateway.status} under the same reference. */
    collection(
      request: ExecuteCollectionRequest,
      options?: CallOptions,
    ): Promise<Outcome<Execution>>
  }
  readonly status: {
    /** What became of a collection. `refused` with `NotFound`: the gateway does not know the reference. */
    collection(referenceId: string, options?: CallOptions): Promise<Outcome<Execution>>
    source(request: SourceStatusRequest, options?: CallOptions): Promise<Outcome<SourceStatus>>
  }
  readonly predictions: {
    mmoProviderInfo(
      request: MmoProviderInfoRequest,
      options?: CallOptions,
    ): Promise<Outcome<MmoProviderInfo>>
  }
  readonly token: {
    /** Gets a new token now, to prove the credentials. Never hands it out. */
    check(): Promise<Outcome<{ readonly expiresInMinutes: number }>>
    /** Token calls that failed one after the other; 0 after a success. */
    readonly failures: number
  }
  /** Lets calls in flight finish, then closes all connections. Later calls answer `not_sent`. */
  close(): Promise<void>
}

export type DocumentActs = {
  /** `IDLE` to `ACTIVE`: payable, and locked for editing. */
  publish(id: number, options?: CallOptions): Promise<Outcome<DocumentAnswer>>
  /** From `IDLE` and `ACTIVE` only; refused while `PROCESSING`. */
  cancel(id: number, options?: CallOptions): Promise<Outcome<DocumentAnswer>>
}
