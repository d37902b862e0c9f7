import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { systemClock } from "../../../../core/ports"
import { perStore } from "../../../../ledger/per-store"
import { papersFrom } from "../../../../medusa/wiring/papers-from"
import { renderMessage } from "../../../../papers/page"
import { visitReceipt } from "../../../../papers/read-receipt"
import { renderReceipt } from "../../../../papers/render-receipt"
import { PAPER_POLICY } from "../../../../papers/style"
import { PAPER_LANGUAGES, type PaperLanguage } from "../../../../papers/words"
import { guessLimit } from "../../../guess-limit"
import { networkOf } from "../../../network"
import { SHAPE } from "../../../../core/schemas/shapes"
import { parsed } from "../../../parsed"
import { paperQuery } from "../../../../papers/schemas/receipt-page"

const guessesOf = perStore(() => guessLimit(systemClock))

/**
 * The customer's receipt, for the person who has its link. 404 for a link that is not known, 410
 * once it has ended, 429 to a network that guesses: each a page, because a person reads it.
 */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { token = "" } = request.params
  const network = networkOf(request)
  const language = languageOf(request)
  const send = (status: number, page: string) => sendPage(response, status, page)
  const deps = papersFrom(request.scope)
  const limit = guessesOf(deps)
  const waitMs = limit.waitMs(network, token)
  if (waitMs > 0) {
    response.setHeader("Retry-After", Math.ceil(waitMs / 1_000))
    return send(429, renderMessage("busy", language))
  }
  const visited = SHAPE.test(token)
    ? await visitReceipt(deps, token)
    : ({ kind: "unknown" } as const)
  if (visited.kind === "unknown") {
    limit.missed(network)
    return send(404, renderMessage("unknown", language))
  }
  limit.found(token)
  if (visited.kind === "ended") return send(410, renderMessage("ended", language, visited.shop))
  send(200, renderReceipt(visited.document, language, { hasLinkNote: true }))
}

/** What the link asks for, else the first language of the browser that the receipt has. */
function languageOf(request: MedusaRequest): PaperLanguage {
  const { lang } = parsed(paperQuery, request.query)
  const spoken = request.acceptsLanguages([...PAPER_LANGUAGES])
  return lang ?? PAPER_LANGUAGES.find((one) => one === spoken) ?? "en"
}

function sendPage(response: MedusaResponse, status: number, page: string): void {
  response.status(status)
  response.setHeader("Content-Type", "text/html; charset=utf-8")
  response.setHeader("Content-Security-Policy", PAPER_POLICY)
  response.setHeader("Referrer-Policy", "no-referrer")
  response.setHeader("X-Content-Type-Options", "nosniff")
  response.setHeader("X-Robots-Tag", "noindex, nofollow")
  response.send(page)
}
