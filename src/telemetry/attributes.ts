/**
 * What a span or a metric may say. Names come from this list alone. A value is a word of the code
 * or of the gateway, never an id, a phone number or an amount: a text that could be one is replaced.
 */
import type { Attributes as ApiAttributes } from "@medusajs/framework/opentelemetry/api"

type Name =
  | "payment.type"
  | "payment.state"
  | "payment.flow"
  | "payment.method"
  | "payment.currency"
  | "payment.outcome"
  | "gateway.call"
  | "error.type"
  | "http.request.method"
  | "http.response.status_code"
  | "server.address"
  | "url.template"
  | "messaging.system"
  | "messaging.operation.name"
  | "messaging.operation.type"
  | "messaging.destination.name"

export type Attributes = { readonly [Key in Name]?: string | number | null | undefined }

/** These come from the code or the settings, and are longer than a word. */
const FROM_THE_CODE: ReadonlySet<string> = new Set(["url.template", "server.address"])
const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,47}$/
/** Part of an id or of a phone number. */
const NUMBERED = /\d{5}|[0-9a-f]{12}/i

export function safeAttributes(attributes: Attributes): ApiAttributes {
  const safe: ApiAttributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue
    safe[name] = typeof value === "number" || FROM_THE_CODE.has(name) ? value : word(value)
  }
  return safe
}

function word(text: string): string {
  return WORD.test(text) && !NUMBERED.test(text) ? text : "other"
}
