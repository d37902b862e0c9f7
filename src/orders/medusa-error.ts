/**
 * What an error of Medusa's says about trying again. `refused`: a rule refuses, which is an answer.
 * `fault`: the database, a lock or the network failed, which passes. `unclear`: it counts as an
 * answer only once it comes back in the same words.
 */
import { MedusaRefusal } from "../engine/medusa-port"
import { databaseFault } from "../ledger/database-error"

export type MedusaErrorKind = "refused" | "fault" | "unclear"

export function kindOfMedusaError(error: unknown): MedusaErrorKind {
  if (error instanceof MedusaRefusal) return "refused"
  const cause = error instanceof Error ? error.cause : undefined
  return isFault(error) || isFault(cause) ? "fault" : "unclear"
}

/** SQLSTATE or one of Node's codes: no rule of Medusa or of a store carries such a code. */
const INFRASTRUCTURE_CODE = /^(?:[0-9A-Z]{5}|E[A-Z_]{3,}|UND_ERR_\w+)$/

/** Messages of drivers, pools, locks and sockets, whose errors lose their code in a workflow. */
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

/** An id in a message. It changes with every try, because an undone completion makes new rows. */
const ID = /\b[a-z]+_[0-9A-Za-z-]{20,}\b/g

export function sameWords(one: string, other: string): boolean {
  return one.replace(ID, "") === other.replace(ID, "")
}
