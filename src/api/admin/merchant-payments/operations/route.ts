import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { dayIn, UTC } from "../../../../core/time-zone"
import { flowsFrom } from "../../../../medusa/wiring/flows-from"
import { listFile } from "../../../../reconciliation/list-file"
import { readOperations } from "../../../../review/read-operations"
import type { OperationList } from "../../../../review/rules/review-responses"
import { filterOf, operationsQuery, pagingOf } from "../../../admin-validators"
import { respond } from "../../../respond"
import { respondFile } from "../../../respond-file"
import { parsed } from "../../../validators"

/** Operations that fit the query, newest first unless another order is asked for; or all as CSV. */
export const GET = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> => {
  const asked = () => parsed(operationsQuery, request.query)
  if (request.query["format"] !== "csv") {
    return respond(request, response, async (deps): Promise<OperationList> => {
      const query = asked()
      return readOperations(deps, filterOf(query), pagingOf(query), query.totals !== undefined)
    })
  }
  return respondFile(request, response, async () => {
    const deps = flowsFrom(request.scope)
    const query = asked()
    const { time_zone: zone = UTC } = query
    return {
      name: `payments-${dayIn(zone, deps.clock.now())}.csv`,
      type: "text/csv; charset=utf-8",
      lines: await listFile(deps, filterOf(query), zone),
    }
  })
}
