/**
 * Reads the store's setup: currencies, regions and payment providers by SQL, its modules from its
 * configuration. Medusa's own workflow changes a region's providers.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { PROVIDER_IDS } from "../../core/flows"
import { rowOf, type Database } from "../../ledger/database"
import type { MedusaSetup, MedusaSetupPort } from "../../accounts/deps"
import { runWorkflow } from "./workflows"

const READ = `
  select coalesce((select json_object_agg(upper(code), decimal_digits)
                     from currency where deleted_at is null), '{}') as "knownCurrencies",
         coalesce((select array_agg(id order by id) from payment_provider where is_enabled), '{}')
           as "providerIds",
         coalesce((select json_agg(json_build_object(
             'id', r.id, 'name', r.name, 'currency', upper(r.currency_code),
             'countries', (select coalesce(json_agg(rc.iso_2 order by rc.iso_2), '[]')
                             from region_country rc
                            where rc.region_id = r.id and rc.deleted_at is null),
             'providerIds', (select coalesce(json_agg(rp.payment_provider_id
                                   order by rp.payment_provider_id), '[]')
                             from region_payment_provider rp
                            where rp.region_id = r.id and rp.deleted_at is null))
             order by r.name, r.id)
             from region r where r.deleted_at is null), '[]') as regions`

const LIST = "update payment_provider set is_enabled = true where id = any($1) and not is_enabled"
const UNLIST = "update payment_provider set is_enabled = false where id = any($1)"

export function medusaSetup(container: MedusaContainer, database: Database): MedusaSetupPort {
  const modules = modulesOf(container)
  return {
    read: () => rowOf<MedusaSetup>(database, READ),
    async regionsOfCarts(cartIds) {
      const rows = await database.query(
        "select id, region_id from cart where id = any($1) and region_id is not null",
        [cartIds],
      )
      return new Map(rows.map((row) => [String(row["id"]), String(row["region_id"])]))
    },
    async setRegionProviders(regionId, providerIds) {
      await database.query(LIST, [providerIds.filter((id) => PROVIDER_IDS.includes(id))])
      const update = { payment_providers: [...providerIds] }
      await runWorkflow(container, "update-regions", { selector: { id: regionId }, update })
    },
    async unlistProviders() {
      await database.query(UNLIST, [PROVIDER_IDS])
    },
    locking: lockingOf(modules[Modules.LOCKING]),
    workflowEngine: nameOf(modules[Modules.WORKFLOW_ENGINE], "workflow-engine-"),
  }
}

type Fields = Readonly<Record<string, unknown>>

function modulesOf(container: MedusaContainer): Fields {
  const config: unknown = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
  return fieldsOf(fieldsOf(config)["modules"])
}

/** Medusa names its modules after what they need: `workflow-engine-redis`, `locking-postgres`. */
function nameOf(module: unknown, prefix: string): string | null {
  const { resolve } = fieldsOf(module)
  if (typeof resolve !== "string") return null
  if (/in-?memory/.test(resolve)) return "in-memory"
  const name = resolve.split("/").at(-1) ?? resolve
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}

/** Without a provider, or with several and no default, Medusa locks in memory. */
function lockingOf(module: unknown): string | null {
  if (module === undefined) return null
  const { providers } = fieldsOf(fieldsOf(module)["options"])
  const known: unknown[] = Array.isArray(providers) ? providers : []
  const chosen =
    known.length === 1 ? known[0] : known.find((one) => fieldsOf(one)["is_default"] === true)
  return chosen === undefined ? "in-memory" : nameOf(chosen, "locking-")
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}
