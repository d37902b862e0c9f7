/**
 * The operations of the API as data: where they are, what they do to the world, how long a caller
 * waits and how often a request may be repeated. Retry, classification and tests read this table; a new
 * operation is a new row (contract/openapi.json has the paths).
 *
 * `read`: no effect, may be repeated. `record`: makes or changes a record that can't take money by
 * itself; there is no idempotency key, so a repeat makes a second one (contract, section 7). `money`:
 * may move money; sent once, its reference decides what happened.
 */
import { LIMITS } from "../core/limits"

export type Effect = "read" | "record" | "money"

export type OperationSpec = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly effect: Effect
  /** The longest that the method takes, token and repeats included. */
  readonly deadlineMs: number
  /** How often the request may go out at most, the replay after a 401 not counted. */
  readonly tries: number
}

const read = { effect: "read", deadlineMs: LIMITS.readDeadlineMs, tries: LIMITS.readTries } as const
const record = {
  effect: "record",
  deadlineMs: LIMITS.recordDeadlineMs,
  tries: LIMITS.recordTries,
} as const
const money = {
  effect: "money",
  deadlineMs: LIMITS.executeDeadlineMs,
  tries: LIMITS.moneyTries,
} as const
/** A cancel whose request did not leave is not repeated: the flow reads the source first. */
const cancel = { ...record, tries: 1 } as const

export const OPERATIONS = {
  "token.obtain": {
    ...read,
    method: "POST",
    path: "/v1/jwt/client/obtain/token",
    deadlineMs: LIMITS.tokenDeadlineMs,
  },
  "checkouts.create": { ...record, method: "POST", path: "/v1/checkouts/create" },
  "orders.publish": { ...record, method: "PUT", path: "/v1/orders/publish/{id}" },
  "orders.cancel": { ...cancel, method: "DELETE", path: "/v1/orders/cancel/{id}" },
  "invoices.publish": { ...record, method: "PUT", path: "/v1/invoices/publish/{id}" },
  "invoices.cancel": { ...cancel, method: "DELETE", path: "/v1/invoices/cancel/{id}" },
  "sessions.checkout": { ...record, method: "POST", path: "/v1/sessions/checkout" },
  "paymentAccounts.create": { ...record, method: "POST", path: "/v1/payment-accounts/create" },
  "executions.collection": { ...money, method: "POST", path: "/v1/executions/collection" },
  "status.collection": { ...read, method: "GET", path: "/v1/status/collection/{reference_id}" },
  "status.source": { ...read, method: "GET", path: "/v1/status/source" },
  "predictions.mmoProviderInfo": {
    ...read,
    method: "GET",
    path: "/v1/predictions/mmo-provider-info",
  },
} as const satisfies Record<string, OperationSpec>

/** An operation in the client's own words: resource and method. */
export type OperationName = keyof typeof OPERATIONS
