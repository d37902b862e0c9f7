import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { periodFile } from "../../../../flows/reconcile/period-file"
import { comparedPeriod, readPeriod } from "../../../../flows/reconcile/read-period"
import { reconcileFrom } from "../../../../modules/merchant-payments/wiring/reconcile-from"
import { answerAdmin } from "../../../admin-answer"
import { answerFile } from "../../../answer-file"
import type { ReconciliationAnswer } from "../types"
import { periodRequest } from "./input"

/** The three books of a period, side by side: for the page as JSON, for people's own programs as CSV. */
export const GET = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> => {
  const deps = reconcileFrom(request.scope)
  const asked = () => periodRequest(request.query, deps.clock.now())
  if (request.query["format"] !== "csv") {
    return answerAdmin<ReconciliationAnswer>(request, response, () => readPeriod(deps, asked()))
  }
  return answerFile(request, response, async () => {
    const period = asked()
    const { accounts } = await comparedPeriod(deps, period)
    return {
      name: `reconciliation-${fileDays(period)}.csv`,
      type: "text/csv; charset=utf-8",
      lines: periodFile(deps, { ...period, accounts }),
    }
  })
}

/** `2026-11-01`, or `2026-11-01-to-2026-11-08`: the days that are in it. */
function fileDays({ from, until }: { readonly from: Date; readonly until: Date }): string {
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  const [first, last] = [dayOf(from), dayOf(new Date(until.getTime() - 1))]
  return first === last ? first : `${first}-to-${last}`
}
