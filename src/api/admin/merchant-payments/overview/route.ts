import { z } from "zod"
import { readHealth } from "../../../../accounts/read-health"
import type { CheckLine } from "../../../../accounts/rules/account-responses"
import { gatewayLine } from "../../../../accounts/rules/health"
import { UTC } from "../../../../core/time-zone"
import { accountsFrom } from "../../../../medusa/wiring/flows-from"
import type { Overview } from "../../../../reconciliation/rules/overview-responses"
import { readOverview } from "../../../../reconciliation/read-overview"
import { adminRoute } from "../../../respond"
import { timeZone } from "../../../shape"
import { parsed } from "../../../validators"

/** `otherwise`: the zone of a page whose shop has set none; the browser's. */
const query = z.object({ time_zone: timeZone.optional(), otherwise: timeZone.optional() }).strict()

/** What the home page answers in one read, by the days of the shop's time zone. */
export const GET = adminRoute(async (deps, request): Promise<Overview & { gateway: CheckLine }> => {
  const asked = parsed(query, request.query)
  const zone = asked.time_zone ?? deps.settings.timeZone ?? asked.otherwise ?? UTC
  const [overview, health] = await Promise.all([
    readOverview(deps, zone),
    readHealth(accountsFrom(request.scope)),
  ])
  return { ...overview, gateway: gatewayLine(health) }
})
