import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type {
  AuthenticatedMedusaRequest,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import type { FlowDeps } from "../engine/deps"
import { flowsFrom } from "../medusa/wiring/flows-from"
import { isRefused, respond, type Route } from "./respond"

type CsvFile = { readonly name: string; readonly lines: AsyncIterable<string> }

/** Picks the part of a request that says what it asks for. May throw a refusal. */
export type Asked = (request: Pick<MedusaRequest, "query" | "body">) => unknown

/** Whether the answer is a file. A request that is refused is answered as JSON. */
function wantsFile(askedIn: Asked, request: AuthenticatedMedusaRequest): boolean {
  try {
    const asked = askedIn(request)
    return (
      typeof asked === "object" && asked !== null && "format" in asked && asked.format === "csv"
    )
  } catch {
    return false
  }
}

type Work<Out> = (deps: FlowDeps, request: AuthenticatedMedusaRequest) => Promise<Out>

/** An admin's route that answers JSON, or with `format=csv` the whole as a file. */
export function fileRoute<Body extends object>(
  json: Work<Body>,
  csv: Work<CsvFile>,
  askedIn: Asked = ({ query }) => query,
): Route<AuthenticatedMedusaRequest> {
  return (request, response) =>
    wantsFile(askedIn, request)
      ? respondFile(request, response, () => csv(flowsFrom(request.scope), request))
      : respond(request, response, (deps) => json(deps, request))
}

/** An admin's route that always answers a file. */
export function csvRoute(csv: Work<CsvFile>): Route<AuthenticatedMedusaRequest> {
  return (request, response) =>
    respondFile(request, response, () => csv(flowsFrom(request.scope), request))
}

/**
 * Sends a file while it is made, as fast as the client reads it. A refusal comes before the first
 * line. A later failure breaks the connection, so that a client never takes half a file for the
 * whole.
 */
async function respondFile(
  request: MedusaRequest,
  response: MedusaResponse,
  work: () => Promise<CsvFile>,
): Promise<void> {
  await isRefused(response, async () => {
    const { name, lines } = await work()
    response.status(200)
    response.setHeader("content-type", "text/csv; charset=utf-8")
    response.setHeader("content-disposition", `attachment; filename="${name}"`)
    response.setHeader("x-content-type-options", "nosniff")
    try {
      await pipeline(Readable.from(lines), response)
    } catch (error) {
      response.destroy()
      const logger = request.scope.resolve(ContainerRegistrationKeys.LOGGER)
      logger.warn(`merchant payments: ${name} was not sent whole: ${errorText(error)}`)
    }
  })
}
