import { readHealth } from "../../../../accounts/read-health"
import { gatewayLine } from "../../../../accounts/rules/health"
import { UTC } from "../../../../core/time-zone"
import { accountsFrom } from "../../../../medusa/wiring/flows-from"
import { readOverview } from "../../../../reconciliation/read-overview"
import { adminRoute } from "../../../routes"

export const GET = adminRoute("GET overview", async (deps, { query }, { scope }) => {
  const zone = query.time_zone ?? deps.settings.timeZone ?? query.otherwise ?? UTC
  const [overview, health] = await Promise.all([
    readOverview(deps, zone),
    readHealth(accountsFrom(scope)),
  ])
  return { ...overview, gateway: gatewayLine(health) }
})
