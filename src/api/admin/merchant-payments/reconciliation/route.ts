import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { periodFile } from "../../../../reconciliation/period-file"
import { comparedPeriod, readPeriod } from "../../../../reconciliation/read-period"
import type MerchantPaymentsModuleService from "../../../../medusa/service"
import { flowsFrom } from "../../../../medusa/wiring/flows-from"
import { MERCHANT_PAYMENTS_MODULE } from "../../../../modules/merchant-payments"
import { respond } from "../../../respond"
import { respondFile } from "../../../respond-file"
import type { ReconciliationResponse } from "../../../../reconciliation/rules/reconciliation-responses"
import type { Period } from "../../../../reconciliation/rules/reconciliation"
import { dayIn } from "../../../../core/time-zone"
import { periodRequest } from "./input"

/**
 * The comparison of gateway, ledger and Medusa over a period: JSON for the page, CSV for the
 * merchant's own programs. Begins one where it is needed, and never waits for it.
 */
export const GET = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> => {
  const deps = flowsFrom(request.scope)
  const { work }: MerchantPaymentsModuleService = request.scope.resolve(MERCHANT_PAYMENTS_MODULE)
  const asked = () => periodRequest(request.query, deps.clock.now())
  if (request.query["format"] !== "csv") {
    return respond(request, response, (): Promise<ReconciliationResponse> =>
      readPeriod(deps, work.run, asked()),
    )
  }
  return respondFile(request, response, async () => {
    const period = asked()
    const accounts = await comparedPeriod(deps, work.run, period)
    return {
      name: `reconciliation-${fileDays(period)}.csv`,
      type: "text/csv; charset=utf-8",
      lines: periodFile(deps, { ...period, accounts }),
    }
  })
}

/** `2026-11-01`, or `2026-11-01-to-2026-11-08`: the days that the file covers. */
function fileDays({ from, until, timeZone }: Period & { readonly timeZone: string }): string {
  const [first, last] = [dayIn(timeZone, from), dayIn(timeZone, new Date(until.getTime() - 1))]
  return first === last ? first : `${first}-to-${last}`
}
