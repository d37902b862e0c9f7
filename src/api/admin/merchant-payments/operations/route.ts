import { dayIn, UTC } from "../../../../core/time-zone"
import { listFile } from "../../../../reconciliation/list-file"
import { readOperations } from "../../../../review/read-operations"
import type { OperationList } from "../../../../review/rules/review-responses"
import { filterOf, operationsQuery, pagingOf } from "../../../admin-validators"
import { fileRoute } from "../../../respond-file"
import { parsed } from "../../../validators"

/** Operations that fit the query, newest first unless another order is asked for; or all as CSV. */
export const GET = fileRoute(
  async (deps, request): Promise<OperationList> => {
    const query = parsed(operationsQuery, request.query)
    return readOperations(deps, filterOf(query), pagingOf(query), query.totals !== undefined)
  },
  async (deps, request) => {
    const query = parsed(operationsQuery, request.query)
    const { time_zone: zone = UTC } = query
    return {
      name: `payments-${dayIn(zone, deps.clock.now())}.csv`,
      lines: await listFile(deps, filterOf(query), zone),
    }
  },
)
