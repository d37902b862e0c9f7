/**
 * Parses bodies in place of Medusa's parsers, as JSON only: a form, which any web page may post,
 * would be read as an object of strange keys. The refusal repeats nothing of the body; V8's message
 * would quote its beginning in the response and the log.
 */
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { LIMITS } from "../core/limits"
import { invalid, refusal } from "../core/refusal"
import { isRefused } from "./respond"

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

export async function jsonBody(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const refused = await isRefused(response, async () => {
    request.body = await bodyOf(request)
  })
  if (!refused) next()
}

async function bodyOf(request: MedusaRequest): Promise<unknown> {
  const { headers } = request
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
  if (!hasBody) return {}
  const coding = headers["content-encoding"] ?? "identity"
  if (!JSON_TYPE.test(headers["content-type"] ?? "") || coding.toLowerCase() !== "identity") {
    throw refusal("unsupported_media_type")
  }
  // Another middleware of the shop has parsed the body.
  if (request.body !== undefined) return request.body
  const text = await textOf(request)
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(null, "json")
  }
}

async function textOf(request: MedusaRequest): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    // A body that is too long is read to its end but not kept; half a read body would block the
    // connection.
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk as Uint8Array)
      length += bytes.length
      if (length <= LIMITS.requestBodyBytes) chunks.push(bytes)
    }
  } catch {
    throw invalid(null, "json")
  }
  if (length > LIMITS.requestBodyBytes) {
    throw invalid(null, "at_most", { most: LIMITS.requestBodyBytes })
  }
  return Buffer.concat(chunks).toString("utf8")
}
