import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { periodFile } from "../../../../reconciliation/period-file"
import { comparedPeriod, readPeriod } from "../../../../reconciliation/read-period"
import { flowsFrom } from "../../../../medusa/wiring/flows-from"
import { respondAdmin } from "../../../respond"
import { respondFile } from "../../../respond-file"
import type { ReconciliationAnswer } from "../types"
import { periodRequest } from "./input"

/**
 * Compares gateway, ledger and Medusa over a period: JSON for the page, CSV for the merchant's own
 * programs.
 */
export const GET = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> => {
  const deps = flowsFrom(request.scope)
  const asked = () => periodRequest(request.query, deps.clock.now())
  if (request.query["format"] !== "csv") {
    return respondAdmin<ReconciliationAnswer>(request, response, () => readPeriod(deps, asked()))
  }
  return respondFile(request, response, async () => {
    const period = asked()
    const { accounts } = await comparedPeriod(deps, period)
    return {
      name: `reconciliation-${fileDays(period)}.csv`,
      type: "text/csv; charset=utf-8",
      lines: periodFile(deps, { ...period, accounts }),
    }
  })
}

/** `2026-11-01`, or `2026-11-01-to-2026-11-08`: the days that the file covers. */
function fileDays({ from, until }: { readonly from: Date; readonly until: Date }): string {
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  const [first, last] = [dayOf(from), dayOf(new Date(until.getTime() - 1))]
  return first === last ? first : `${first}-to-${last}`
}
