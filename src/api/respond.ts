import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { Refusal, storeUnavailable } from "../core/refusal"
import { isDatabaseTrouble } from "../ledger/database-error"
import { TablesNotMigrated } from "../ledger/fitting-tables"
import { correlated } from "../telemetry/correlation"

/**
 * Sends the result of `work`. An expected refusal becomes `{ code, situation, message, facts, … }`
 * with the status of its code; any other error goes to Medusa's error handler.
 */
export async function respond(
  response: MedusaResponse,
  work: () => Promise<object>,
): Promise<void> {
  await isRefused(response, () =>
    correlated({}, async () => response.status(200).json(await work())),
  )
}

/** Whether `work` was refused; its refusal is then the response. Other errors are thrown. */
export async function isRefused(
  response: MedusaResponse,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    const refused = refusalIn(error)
    if (!refused) throw error
    logTrouble(response.req as MedusaRequest, refused, error)
    refuse(response, refused)
    return true
  }
}

/** The refusal that an error is answered with; undefined: Medusa's error handler answers it. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof TablesNotMigrated) return error.refusal
  if (error instanceof Refusal) return error
  return isDatabaseTrouble(error) ? storeUnavailable(LIMITS.databaseAwayMs) : undefined
}

/** The caller is told to ask again; only the log says what the database said. */
export function logTrouble({ scope }: MedusaRequest, refused: Refusal, error: unknown): void {
  if (refused.code !== "store_unavailable") return
  scope
    .resolve(ContainerRegistrationKeys.LOGGER)
    .error(`merchant payments: a request is answered with ${refused.code}: ${errorText(error)}`)
}

export type Route<Request> = (request: Request, response: MedusaResponse) => Promise<void>

export function refuse(response: MedusaResponse, refusal: Refusal): void {
  // Also for a guarded route of Medusa, whose other answers Medusa itself makes.
  withoutCaches(response)
  const { retry_after_seconds: seconds } = refusal.details
  if (typeof seconds === "number") response.setHeader("Retry-After", seconds)
  response.status(refusal.httpStatus).json({ ...refusal.toResponse(), ...refusal.details })
}

const uncached = new WeakSet<MedusaResponse>()

/** Sets headers only when the head is written, so that no later code makes the answer cacheable. */
export function withoutCaches(response: MedusaResponse): void {
  if (uncached.has(response)) return
  uncached.add(response)
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => MedusaResponse
  response.writeHead = (...head: unknown[]) => {
    response.removeHeader("ETag")
    response.setHeader("Cache-Control", "no-store")
    return writeHead(...head)
  }
}
