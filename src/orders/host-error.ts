/**
 * What an error of Medusa's says about trying again: `refused` by a rule, which is an answer; a
 * `fault` of the database, a lock or the line, which passes; or `unclear`, an answer only once it
 * comes back in the same words.
 */
import { HostRefusal } from "../engine/host"
import { databaseFault } from "../ledger/database-error"

export type HostErrorKind = "refused" | "fault" | "unclear"

export function kindOfHostError(error: unknown): HostErrorKind {
  if (error instanceof HostRefusal) return "refused"
  const cause = error instanceof Error ? error.cause : undefined
  return isFault(error) || isFault(cause) ? "fault" : "unclear"
}

/** SQLSTATE or Node's own: no rule of Medusa's or of a shop's carries such a code. */
const INFRASTRUCTURE_CODE = /^(?:[0-9A-Z]{5}|E[A-Z_]{3,}|UND_ERR_\w+)$/

/** Of drivers, pools, locks and sockets, whose errors carry no code through a workflow. */
const FAULT_TEXTS: readonly RegExp[] = [
  /time[sd]?[ -]?out|\baborted\b|has not answered|does not answer|database/i,
  /\block(?:ed|s)?\b|deadlock|could not serialize/i,
  /connection (?:is |was )?(?:closed|refused|reset|terminated|lost|ended|error)/i,
  /too many (?:clients|connections)|acquir\w+ a connection|client was closed/i,
  /\bE(?:CONN\w+|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND|HOSTUNREACH|NETUNREACH)\b/,
  /socket|fetch failed|network/i,
]

function isFault(error: unknown): boolean {
  if (databaseFault(error) !== "refused") return true
  if (typeof error !== "object" || error === null) return false
  const given: { code?: unknown; type?: unknown; name?: unknown; message?: unknown } = error
  if (typeof given.code === "string" && INFRASTRUCTURE_CODE.test(given.code)) return true
  if (given.type === "database_error" || given.type === "conflict") return true
  return FAULT_TEXTS.some((text) => text.test(`${String(given.name)}: ${String(given.message)}`))
}

/** The ids in a text change with every try, as an undone completion makes new rows. */
const ID = /\b[a-z]+_[0-9A-Za-z-]{20,}\b/g

export function sameWords(one: string, other: string): boolean {
  return one.replace(ID, "") === other.replace(ID, "")
}
