/**
 * What a person types about a payment, as it may be kept: events are read by everybody in the admin
 * and outlive the customer's data, and a note like "called 0770 …" would put there the very number
 * that the ledger is careful not to have. People write numbers with gaps, so this masks more than
 * `redact` does; rather a wrong date than a number too many. Names are not recognised.
 */
import { LIMITS } from "../core/limits"
import { storable } from "../ledger/storable"

/** References are kept, and days as 02-11-2026 are no number. */
const UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
const DAY = "\\d{1,2}([.-])\\d{1,2}\\1\\d{4}\\b"
const WITH_GAPS = "(?<![\\w-])(?:\\+|0)\\d(?:[ .-]?\\d){7,13}(?!\\d)"
const PHONE = new RegExp(`${UUID}|${DAY}|${WITH_GAPS}|\\+?\\d{8,15}(?!\\d)`, "gi")
const KEPT = new RegExp(`^(?:${UUID}|${DAY})$`, "i")

export function keptNote(text: string): string {
  return storable(text).replace(PHONE, (found) =>
    KEPT.test(found) ? found : `•••${found.slice(-LIMITS.phoneDigitsShown)}`,
  )
}
