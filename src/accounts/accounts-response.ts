/** The answer of `GET accounts`, which has what waits for a second admin beside the accounts. */
import type { RequestedChange, RequestResponse } from "../payouts/request-view"
import type { AccountResponse, EncryptionResponse } from "./rules/account-responses"

/** A change that waits, as `GET requests` has it. What `change` says stands beside it as well. */
type WaitingChangeResponse = RequestResponse &
  RequestedChange & {
    readonly change: RequestedChange
  }

/** `GET accounts` */
export type AccountsResponse = {
  readonly accounts: readonly AccountResponse[]
  readonly encryption: EncryptionResponse
  /** Changes that wait for a second admin, newest first. */
  readonly waiting: readonly WaitingChangeResponse[]
  /** The shop's, `MERCHANT_PAYMENTS_TIME_ZONE`; null: it has set none. */
  readonly time_zone: string | null
}
