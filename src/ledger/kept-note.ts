/**
 * An admin's note without phone numbers. Every admin reads events, and events outlive the
 * customer's data. A note like "called 0770 …" would keep the very number that the ledger does not
 * have.
 *
 * People leave gaps in other places than programs, so this masks more than `redact`: it would
 * rather mask a date by mistake than keep a number. Names are not recognised.
 */
import { LIMITS } from "../core/limits"
import { maskNumbers } from "../core/said/masked-numbers"
import { storable } from "../core/storable"

/** References (UUIDs) are kept, and so are days such as 02-11-2026: they are no phone numbers. */
const UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
const DAY = "\\d{1,2}([.-])\\d{1,2}\\1\\d{4}\\b"
const WITH_GAPS = "(?<![\\w-])(?:\\+|0)\\d(?:[ .-]?\\d){7,13}(?!\\d)"
const PHONE = new RegExp(`${UUID}|${DAY}|${WITH_GAPS}|\\+?\\d{8,15}(?!\\d)`, "gi")
const KEPT = new RegExp(`^(?:${UUID}|${DAY})$`, "i")

export function keptNote(text: string): string {
  return maskNumbers(storable(text)).replace(PHONE, (found) =>
    KEPT.test(found) ? found : `•••${found.slice(-LIMITS.phoneDigitsShown)}`,
  )
}
