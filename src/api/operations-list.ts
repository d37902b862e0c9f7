/** The list of operations, whose filters stand in the address or in the body. */
import type { MedusaRequest } from "@medusajs/framework/http"
import type { z } from "zod"
import { invalid } from "../core/refusal"
import { dayIn, UTC } from "../core/time-zone"
import { listFile } from "../reconciliation/list-file"
import { readOperations } from "../review/read-operations"
import {
  filterOf,
  type listQuery,
  pagingOf,
  type OperationsQuery,
} from "../review/schemas/list-query"
import { fileRoute } from "./routes"

/** A list of operations, newest first unless another order is asked for; or all as CSV. */
export const operationsList = (
  key: "GET operations" | "POST operations/search",
  given: typeof filtersInAddress,
) =>
  fileRoute(
    key,
    {
      json: (deps, asked) => {
        const query = queryOf(asked)
        return readOperations(deps, filterOf(query), pagingOf(query), query.totals !== undefined)
      },
      csv: async (deps, asked) => {
        const query = queryOf(asked)
        const zone = query.time_zone ?? deps.settings.timeZone ?? UTC
        return {
          name: `payments-${dayIn(zone, deps.clock.now())}.csv`,
          lines: await listFile(deps, filterOf(query), zone),
        }
      },
    },
    given,
  )

type Filters = { readonly query: z.output<typeof listQuery> } | { readonly body: OperationsQuery }
const queryOf = (asked: Filters): OperationsQuery => ("query" in asked ? asked.query : asked.body)

type Given = (request: Pick<MedusaRequest, "query" | "body">) => unknown

/**
 * The filters in the URL's query.
 *
 * @throws Refusal `invalid_request.search_by_post` for a search, which is a name, an e-mail address
 *   or a phone number: servers and proxies log URLs
 */
export const filtersInAddress: Given = ({ query }) => {
  if (Object.hasOwn(query, "q")) throw invalid("q", "search_by_post")
  return query
}

/** The filters and the search in the body; numbers and flags may be JSON numbers and booleans. */
export const filtersInBody: Given = ({ body }) =>
  typeof body === "object" && body !== null && !Array.isArray(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]: [string, unknown]) => [
          name,
          typeof value === "number" || typeof value === "boolean" ? String(value) : value,
        ]),
      )
    : body
