/**
 * Sends a file while it is made, as fast as the client reads it. A refusal comes before the first
 * line. A later failure breaks the connection, so that a client never takes half a file for the
 * whole.
 */
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import { Refusal } from "../core/refusal"
import { refuse } from "./respond"

export async function respondFile(
  request: MedusaRequest,
  response: MedusaResponse,
  work: () => Promise<{
    readonly name: string
    readonly type: string
    readonly lines: AsyncIterable<string>
  }>,
): Promise<void> {
  const file = await work().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    refuse(response, error)
  })
  if (!file) return
  response.status(200)
  response.setHeader("content-type", file.type)
  response.setHeader("content-disposition", `attachment; filename="${file.name}"`)
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("cache-control", "no-store")
  try {
    await pipeline(Readable.from(file.lines), response)
  } catch (error) {
    response.destroy()
    const logger = request.scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`merchant payments: ${file.name} was not sent whole: ${errorText(error)}`)
  }
}
