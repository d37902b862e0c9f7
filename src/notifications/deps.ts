/** What the flows of notifications are given: Medusa's notification module stands behind a port. */
import type { OrderId } from "../core/ids"
import type { FlowDeps } from "../engine/deps"
import type { MedusaPort } from "../engine/medusa-port"

/** One message to one address, as Medusa's notification module takes it. */
export type Message = {
  /** Medusa's `idempotency_key`: the notification's own key, the same at each try. */
  readonly key: string
  /** Empty for the feed: all admins. */
  readonly to: string
  readonly channel: string
  readonly template: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Ids, amounts and codes; with `subject` and `text` it is what a provider's template gets. */
  readonly data: Readonly<Record<string, unknown>>
  /** The operation that it tells of. */
  readonly operationId: string | null
}

/** What Medusa's records say of a key; `pending`: a provider was asked, and no answer was kept. */
export type Fate = "sent" | "failed" | "pending" | "none"

export type NotifierPort = {
  /** Channels that a provider of the shop serves, as Medusa will look them up. */
  channels(): Promise<readonly string[]>
  fateOf(key: string): Promise<Fate>
  /**
   * Removes Medusa's record of a failed try. Medusa's repeat of a failed key sends, then fails on
   * its own record and leaves it failed, so each repeat would send again.
   */
  dropFailed(key: string): Promise<void>
  /** @throws the provider's error, or Medusa's where the channel has no provider */
  send(message: Message): Promise<void>
  /** The store's name; null: it has none. */
  shopName(): Promise<string | null>
}

export type NotificationPorts = Pick<FlowDeps, "database" | "clock" | "logger" | "accounts"> & {
  readonly medusa: Pick<MedusaPort, "contact" | "basketOfOrder">
  readonly notifier: NotifierPort
  /** The customer's receipt of an order; null: the order has none, or its link has ended. */
  receiptUrl(orderId: OrderId | null): Promise<string | null>
}
