/**
 * Medusa's notification module as version 2.21 treats a key: a record is committed as pending
 * before the provider is asked; a key that is pending or sent is left out; a key that failed is
 * sent again, after which Medusa fails on its own record. The http tests use Medusa's own.
 */
import type { Fate, Message, NotifierPort } from "../../src/notifications/deps"

export type Provider = (message: Message) => Promise<void>

export type MedusaNotifier = NotifierPort & {
  /** Each message that a provider has sent, in order. */
  readonly sent: Message[]
  readonly records: ReadonlyMap<string, Fate>
}

/** @param within runs between two lines of Medusa's; a process may die in it */
export function medusaNotifier(
  providers: Readonly<Record<string, Provider>>,
  within: (line: "recorded" | "sent") => unknown = () => undefined,
): MedusaNotifier {
  const sent: Message[] = []
  const records = new Map<string, Fate>()
  return {
    sent,
    records,
    channels: () => Promise.resolve(Object.keys(providers)),
    fateOf: (key) => Promise.resolve(records.get(key) ?? "none"),
    dropFailed(key) {
      if (records.get(key) === "failed") records.delete(key)
      return Promise.resolve()
    },
    async send(message) {
      const fate = records.get(message.key)
      if (fate === "pending" || fate === "sent") throw new Error("another call is sending this")
      if (fate === undefined) records.set(message.key, "pending")
      await within("recorded")
      const provider = providers[message.channel]
      if (!provider) {
        records.set(message.key, "failed")
        throw new Error(`Could not find a notification provider for channel: ${message.channel}`)
      }
      try {
        await provider(message)
      } catch (error) {
        records.set(message.key, "failed")
        throw error
      }
      sent.push(message)
      await within("sent")
      if (fate === "failed") throw new Error("Notification with id was not found")
      records.set(message.key, "sent")
    },
    shopName: () => Promise.resolve("Palm Wine & Sons"),
  }
}
