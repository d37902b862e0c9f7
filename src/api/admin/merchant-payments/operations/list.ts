import { dayIn, UTC } from "../../../../core/time-zone"
import { invalid } from "../../../../core/refusal"
import { listFile } from "../../../../reconciliation/list-file"
import { readOperations } from "../../../../review/read-operations"
import type { OperationList } from "../../../../review/rules/review-responses"
import { filterOf, operationsQuery, pagingOf } from "../../../admin-validators"
import { fileRoute } from "../../../respond-file"
import { parsed } from "../../../validators"
import type { Asked } from "../../../respond-file"

/** A list of operations, newest first unless another order is asked for; or all as CSV. */
export const operationsList = (askedIn: Asked) =>
  fileRoute(
    async (deps, request): Promise<OperationList> => {
      const query = parsed(operationsQuery, askedIn(request))
      return readOperations(deps, filterOf(query), pagingOf(query), query.totals !== undefined)
    },
    async (deps, request) => {
      const query = parsed(operationsQuery, askedIn(request))
      const zone = query.time_zone ?? deps.settings.timeZone ?? UTC
      return {
        name: `payments-${dayIn(zone, deps.clock.now())}.csv`,
        lines: await listFile(deps, filterOf(query), zone),
      }
    },
    askedIn,
  )

/**
 * The filters in the URL's query.
 *
 * @throws Refusal `invalid_request.search_by_post` for a search, which is a name, an e-mail address
 *   or a phone number: servers and proxies log URLs
 */
export const filtersInAddress: Asked = ({ query }) => {
  if (Object.hasOwn(query, "q")) throw invalid("q", "search_by_post")
  return query
}

/** The filters and the search in the body; numbers and flags may be JSON numbers and booleans. */
export const filtersInBody: Asked = ({ body }) =>
  typeof body === "object" && body !== null && !Array.isArray(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]: [string, unknown]) => [
          name,
          typeof value === "number" || typeof value === "boolean" ? String(value) : value,
        ]),
      )
    : body
