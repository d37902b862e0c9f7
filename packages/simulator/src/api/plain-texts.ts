/**
 * A gateway that is narrow about texts, as many are: ASCII letters and a few marks, 50 characters,
 * no plus in an e-mail, ten lines. It answers 422 on the field, whatever the money.
 */
import { refused } from "../problem"

const TEXTS = new Set(["name", "note", "reason", "fullname", "party_name", "account_name"])
const EMAILS = new Set(["email", "party_email"])
const PLAIN = /^[A-Za-z0-9 .,:#()/_-]{0,50}$/
const PLAIN_EMAIL = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+$/
export const LINES_MAX = 10

/** Throws a `Problem` for the first text that such a gateway refuses. */
export function requirePlainTexts(body: unknown, path: (string | number)[] = ["body"]): void {
  if (typeof body !== "object" || body === null) return
  for (const [name, value] of Object.entries(body)) {
    const here = [...path, Array.isArray(body) ? Number(name) : name]
    if (name === "items" && Array.isArray(value) && value.length > LINES_MAX) {
      throw refused(here, `At most ${LINES_MAX} items`)
    }
    if (typeof value !== "string") requirePlainTexts(value, here)
    else if (TEXTS.has(name) && !PLAIN.test(value)) throw refused(here, "Not allowed in a text")
    else if (EMAILS.has(name) && !PLAIN_EMAIL.test(value)) throw refused(here, "No e-mail")
  }
}
