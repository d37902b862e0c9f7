/**
 * What the rooms need from the world outside; tests pass a driven clock and a seeded random. Of the
 * two clocks `now()` goes only into what people read and into `expires_at`. Schedules and leases use
 * the database's `now()`. Clock, randomness and logger are the ports of the gateway's client, too.
 */
import { randomBytes } from "node:crypto"
import { v4 as uuidV4 } from "uuid"
import { idFrom, type OperationId, type Reference } from "./ids"
import { markedOperationId } from "./source-reference"

export * from "../../packages/gateway/src/terms/ports"

/** What a log line carries beside its sentence, for programs that collect the lines. */
export type LogFields = {
  /** The same for all that follows from one request, also hours later in a worker. */
  readonly correlation?: string
  /** The operation that the line is about. */
  readonly operation?: string
  readonly account?: string
  /** The code of what happened. */
  readonly event?: string
}

/** Takes fields beside the sentence; the client's own logger has none to give. */
export type Logger = {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type Ids = {
  /** The ledger's own id of an operation; the gateway sees it as the source's `reference_id`. */
  operationId(): OperationId
  /** Unguessable, in the address that the gateway's page sends a shopper back to. */
  returnToken(): string
  /** Unguessable, in the address of a customer's receipt: 192 random bits. */
  receiptToken(): string
  /** A UUID v4, the gateway's idempotency key for one movement of money. */
  reference(): Reference
}

export const systemIds: Ids = {
  operationId: () => idFrom(`mpop_${uuidV4().replaceAll("-", "")}`),
  returnToken: () => randomBytes(24).toString("base64url"),
  receiptToken: () => randomBytes(24).toString("base64url"),
  reference: () => idFrom(uuidV4()),
}

/** As {@link systemIds}; operations have the store's mark. */
export const storeIds = (digest: (text: string) => string): Ids => ({
  ...systemIds,
  operationId: () => markedOperationId(uuidV4(), digest),
})
