/**
 * Notes an answer whose form as a whole is not in the contract; `wire/unusual.ts` does so for
 * single fields. An operator must see it when a proxy or another API answers in the gateway's
 * place. No decision uses these notes.
 */
import type { Happened } from "./classify"
import { hasDetail } from "./wire/refusal-words"
import { isWire } from "./wire/reading"
import { kindOf, type ReadContext } from "./wire/unusual"

/** Statuses of refusals whose words are read. A 429 needs no words to be understood. */
const EXPLAINED: ReadonlySet<number> = new Set([401, 403, 404, 409, 422])

export function noteForm(happened: Happened, note: NonNullable<ReadContext["note"]>): void {
  if (happened.what === "lost" && happened.reason === "html") note("content-type", "other_type")
  if (happened.what !== "answered") return
  const { status, body, calledType } = happened
  if (calledType !== undefined && body !== undefined) note("content-type", calledType)
  if (!EXPLAINED.has(status) || hasDetail(body)) return
  note(`${status}.detail`, kindOf(isWire(body) ? body["detail"] : undefined))
}
