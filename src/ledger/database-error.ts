/**
 * What a database error says about its statement, which is a transaction of its own. Either the
 * statement surely did nothing and may run again; or its fate is unknown, so the caller reads what
 * became of it first; or it was refused, and would be refused again. Codes: PostgreSQL's appendix
 * A, failover codes, and Node's for the socket.
 */

export type DatabaseFault =
  /** The statement was rolled back for the sake of another transaction. */
  | "rolled_back"
  /** The statement never began: no connection, no room, or a server that only reads. */
  | "not_begun"
  /** The statement never began and waited long for a connection: a retry at once waits longer. */
  | "no_turn"
  /** The connection broke, or the server stopped: the statement may have committed. */
  | "in_doubt"
  /** A mistake, a broken constraint or a limit: the same statement ends the same way again. */
  | "refused"

const FAULTS: Readonly<Record<string, DatabaseFault>> = {
  "40001": "rolled_back", // serialisation failure
  "40P01": "rolled_back", // deadlock
  "55P03": "rolled_back", // a lock was not available in time

  "08001": "not_begun", // the client could not connect
  "08004": "not_begun", // the server took no connection
  "25006": "not_begun", // a failover left us with a server that only reads
  "53300": "not_begun", // too many connections
  "57P03": "not_begun", // starting up, or shutting down
  ECONNREFUSED: "not_begun",
  EHOSTUNREACH: "not_begun",
  ENETUNREACH: "not_begun",
  ENOTFOUND: "not_begun",
  EAI_AGAIN: "not_begun",

  "40003": "in_doubt", // the server does not know whether the statement completed
  "57P01": "in_doubt", // an administrator ended the connection
  "57P02": "in_doubt", // the server crashed
  "57P05": "in_doubt", // the connection was idle for too long
  ECONNRESET: "in_doubt",
  EPIPE: "in_doubt",
  ETIMEDOUT: "in_doubt",
}

/** Messages of the driver and of the pool, which give no code. */
const TEXTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/timeout acquiring a connection|timeout exceeded when trying to connect/i, "no_turn"],
  [/unable to acquire a connection/i, "no_turn"],
  [/timeout expired/i, "not_begun"],
  [/connection (?:terminated|ended)|client was closed|query read timeout/i, "in_doubt"],
  [/connection error and is not queryable|transaction query already complete/i, "in_doubt"],
]

/** Never throws: a value that is no database error at all is `refused`. */
export function databaseFault(error: unknown): DatabaseFault {
  if (typeof error !== "object" || error === null) return "refused"
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const known = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  if (known) return known
  // The rest of class 08, connection exceptions.
  if (/^08[0-9A-Z]{3}$/.test(code)) return "in_doubt"
  if (code !== "") return "refused"
  // Medusa's workflow engine throws what it stored of an error, which is no `Error` any more.
  const message = "message" in error && typeof error.message === "string" ? error.message : ""
  return TEXTS.find(([text]) => text.test(message))?.[1] ?? "refused"
}

const CAUSES_READ = 4

/**
 * Whether an error, or what it was caused by, says that the database did not do its work, and that
 * asking again later may help. Medusa's modules wrap the driver's errors.
 */
export function isDatabaseTrouble(error: unknown, left = CAUSES_READ): boolean {
  if (databaseFault(error) !== "refused") return true
  if (left === 0 || typeof error !== "object" || error === null) return false
  const inner: { cause?: unknown; previous?: unknown; errors?: unknown } = error
  const several: unknown[] = Array.isArray(inner.errors) ? inner.errors : []
  return [inner.cause, inner.previous, ...several].some((one) => isDatabaseTrouble(one, left - 1))
}

/** Whether the statement surely did nothing, so that it may run again without a check. */
export function isRepeatable(fault: DatabaseFault): boolean {
  return fault === "rolled_back" || fault === "not_begun"
}

/** Whether no database can be reached just now, whatever the next statement is. */
export function isAway(fault: DatabaseFault): boolean {
  return fault === "not_begun" || fault === "no_turn" || fault === "in_doubt"
}
