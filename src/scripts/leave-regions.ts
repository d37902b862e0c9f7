/**
 * For `npx medusa exec` before the plugin is removed: takes its payment providers out of all
 * regions, unless money is under way or waits for an admin. With the argument `look` it changes
 * nothing. Prints one line of JSON. Ends with 0 if the plugin may be removed, 1 if not yet, 2 if it
 * could not be done.
 */
import type { ExecArgs } from "@medusajs/framework/types"
import { leaveRegions } from "../accounts/leave-regions"
import { flowOfProvider } from "../core/flows"
import { accountsFrom } from "../medusa/wiring/flows-from"

export default async function leave({ container, args }: ExecArgs): Promise<void> {
  try {
    const other = args.find((one) => one !== "look")
    if (other !== undefined) throw new Error(`"${other}" is no option; there is look`)
    const found = await leaveRegions(accountsFrom(container), args.includes("look"))
    const { regions, isOut, underWay, needDecision, watched, operations } = found
    const mayRemove = isOut && underWay === 0 && needDecision === 0
    const answer = {
      may_remove: mayRemove,
      is_out: isOut,
      regions: regions.map(({ id, name, providerIds }) => ({
        id,
        name,
        provider_ids: providerIds.filter((one) => flowOfProvider(one) !== undefined),
      })),
      under_way: underWay,
      need_decision: needDecision,
      watched,
      operations,
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`)
    process.exitCode = mayRemove ? 0 : 1
  } catch (error) {
    console.error(`leave-regions: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  }
}
