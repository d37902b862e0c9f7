/**
 * Reads what is sent to a route of ours, in the place of Medusa's parsers: JSON and nothing else. A form,
 * which any web page may post, would be read as an object of strange keys. What is no JSON is refused in
 * words that repeat nothing of it: V8's own quote its beginning, in the answer and in the store's log.
 */
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { LIMITS } from "../core/limits"
import { Refusal } from "../core/refusal"
import { refuse } from "./answer"

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

export async function jsonBody(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  try {
    request.body = await bodyOf(request)
  } catch (error) {
    if (error instanceof Refusal) return refuse(response, error)
    throw error
  }
  next()
}

async function bodyOf(request: MedusaRequest): Promise<unknown> {
  const { headers } = request
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
  if (!hasBody) return {}
  const coding = headers["content-encoding"] ?? "identity"
  if (!JSON_TYPE.test(headers["content-type"] ?? "") || coding.toLowerCase() !== "identity") {
    throw new Refusal(
      "unsupported_media_type",
      "Only JSON is read here: send it as application/json, without compression.",
    )
  }
  // Another middleware of the shop has read it.
  if (request.body !== undefined) return request.body
  const text = await textOf(request)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

async function textOf(request: MedusaRequest): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    // Too long a body is read on and not kept: one that is left half read would hold up its connection.
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk as Uint8Array)
      length += bytes.length
      if (length <= LIMITS.requestBodyBytes) chunks.push(bytes)
    }
  } catch {
    throw notJson()
  }
  if (length > LIMITS.requestBodyBytes) {
    throw new Refusal("invalid_request", "body: too long", { field: null })
  }
  return Buffer.concat(chunks).toString("utf8")
}

function notJson(): Refusal {
  return new Refusal("invalid_request", "body: not whole, or no JSON", { field: null })
}
