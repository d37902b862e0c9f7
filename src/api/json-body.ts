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

export const isJson = ({ headers }: Pick<MedusaRequest, "headers">): boolean =>
  JSON_TYPE.test(headers["content-type"] ?? "")

export async function jsonBody(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  const refused = await isRefused(response, async () => {
    request.body = await bodyOf(request, response)
  })
  if (!refused) next()
}

async function bodyOf(request: MedusaRequest, response: MedusaResponse): Promise<unknown> {
  const { headers } = request
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
  if (!hasBody) return {}
  const coding = headers["content-encoding"] ?? "identity"
  if (!isJson(request) || coding.toLowerCase() !== "identity") {
    throw refusal("unsupported_media_type")
  }
  // Another middleware of the shop has parsed the body already.
  if (request.body !== undefined) return request.body
  const text = await textOf(request, response)
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(null, "json")
  }
}

/**
 * A body that is somewhat too long, or slow, is read to its end but not kept, because a sender who
 * still writes does not read the refusal. A body that is far too long, or does not end in time, is
 * cut: the connection closes with the refusal.
 */
async function textOf(request: MedusaRequest, response: MedusaResponse): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  const read = (async () => {
    // `destroyOnReturn` would break the connection before the refusal is written.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(chunk as Uint8Array)
      length += bytes.length
      if (length <= LIMITS.requestBodyBytes) chunks.push(bytes)
      if (length > LIMITS.requestBodyReadBytes) return false
    }
    return true
  })()
  const late = new Promise<false>((settle) => {
    const timer = setTimeout(() => settle(false), LIMITS.requestBodyMs)
    void read.finally(() => clearTimeout(timer)).catch(() => undefined)
  })
  const isWhole = await Promise.race([read, late]).catch(() => {
    throw invalid(null, "json")
  })
  if (!isWhole) cutAfter(request, response)
  if (length > LIMITS.requestBodyBytes) {
    throw invalid(null, "at_most", { most: LIMITS.requestBodyBytes })
  }
  if (!isWhole) throw invalid(null, "json")
  return Buffer.concat(chunks).toString("utf8")
}

function cutAfter(request: MedusaRequest, response: MedusaResponse): void {
  response.setHeader("Connection", "close")
  response.once("finish", () => request.socket.destroy())
}
