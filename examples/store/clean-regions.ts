/**
 * For a store that no longer has the plugin: takes its payment providers out of the regions that
 * still list them, and out of Medusa's own list. Needs nothing of the plugin. Copy it to
 * `src/scripts/` of the store, then run in the store's folder:
 *
 *   npx medusa exec ./src/scripts/clean-regions.ts
 */
import type { ExecArgs } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

const REMOVED = ["pp_mobile-money_merchant", "pp_hosted-checkout_merchant", "pp_card_merchant"]

type Region = {
  readonly id: string
  readonly name: string
  readonly payment_providers?: readonly ({ readonly id: string } | null)[] | null
}

export default async function cleanRegions({ container }: ExecArgs): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "region",
    fields: ["id", "name", "payment_providers.id"],
  })
  const regions: readonly Region[] = data
  for (const { id, name, payment_providers: providers } of regions) {
    const listed = (providers ?? []).flatMap((provider) => (provider ? [provider.id] : []))
    const kept = listed.filter((one) => !REMOVED.includes(one))
    if (kept.length === listed.length) continue
    await updateRegionsWorkflow(container).run({
      input: { selector: { id }, update: { payment_providers: kept } },
    })
    console.log(`${name} (${id}): ${listed.length - kept.length} removed`)
  }
  // Medusa goes on offering a provider in its admin whose code is gone.
  const database = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  await database("payment_provider").whereIn("id", REMOVED).update({ is_enabled: false })
}
