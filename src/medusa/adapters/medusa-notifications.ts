/**
 * Medusa's notification module behind the flows' port. The channels and a key's record are read by
 * SQL: the module lists neither its providers nor, as declared, by key.
 */
import type { INotificationModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { rowsOf, type Database } from "../../ledger/database"
import type { Fate, Message, NotifierPort } from "../../notifications/deps"

/** The table in which Medusa itself looks up the provider of a channel. */
const CHANNELS = `
  select distinct unnest(channels) as channel from notification_provider
   where is_enabled and deleted_at is null order by channel`

const FATE = `
  select id, status from notification where idempotency_key = $1 and deleted_at is null`

const SHOP = `select nullif(trim(name), '') as name from store where deleted_at is null limit 1`

const FATES: Readonly<Record<string, Fate>> = {
  success: "sent",
  failure: "failed",
  pending: "pending",
}

/** A method that Medusa generates from its models but does not declare. */
type Deletes = { deleteNotifications(ids: readonly string[]): Promise<unknown> }

export function medusaNotifications(container: MedusaContainer, database: Database): NotifierPort {
  const module = (): INotificationModuleService => container.resolve(Modules.NOTIFICATION)
  return {
    async channels() {
      return (await database.query(CHANNELS, [])).map(({ channel }) => String(channel))
    },
    async fateOf(key) {
      const [row] = await database.query(FATE, [key])
      return row ? (FATES[String(row["status"])] ?? "pending") : "none"
    },
    async dropFailed(key) {
      const rows = await database.query(FATE, [key])
      const failed = rows.filter(({ status }) => status === "failure").map(({ id }) => String(id))
      const service = container.resolve<Deletes>(Modules.NOTIFICATION)
      if (failed.length > 0) await service.deleteNotifications(failed)
    },
    async send(message) {
      const made: unknown = await module().createNotifications(dtoOf(message))
      // Medusa leaves out what another call is sending; its record will say what came of it.
      if (made === undefined) throw new Error("another call is sending this")
    },
    async shopName() {
      const [row] = await rowsOf<{ name: string | null }>(database, SHOP)
      return row?.name ?? null
    },
  }
}

const dtoOf = ({
  key,
  to,
  channel,
  template,
  subject,
  text,
  html,
  data,
  operationId,
}: Message) => ({
  to,
  channel,
  template,
  data: { ...data },
  content: { subject, text, html },
  trigger_type: String(data["kind"]),
  resource_type: "merchant_payment",
  resource_id: operationId,
  idempotency_key: key,
})
