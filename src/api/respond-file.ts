import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import { isRefused } from "./respond"

export type CsvFile = { readonly name: string; readonly lines: AsyncIterable<string> }

type Given = (request: MedusaRequest) => unknown

/** Whether the answer is a file. A request that is refused is answered as JSON. */
export function wantsFile(givenIn: Given, request: MedusaRequest): boolean {
  try {
    const asked = givenIn(request)
    return (
      typeof asked === "object" && asked !== null && "format" in asked && asked.format === "csv"
    )
  } catch {
    return false
  }
}

/**
 * Sends a file while it is made, as fast as the client reads it. A refusal comes before the first
 * line. A later failure breaks the connection, so that a client never takes half a file for the
 * whole.
 */
export async function respondFile(
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
