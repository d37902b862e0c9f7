/**
 * What an error of the database says about its statement, which is a transaction of its own: it
 * surely did nothing and may go again; its fate is unknown, so it is read first; or it was refused,
 * as it would be again. Codes: PostgreSQL's appendix A, failover codes, and Node's for the socket.
 */

export type DatabaseFault =
  /** Rolled back for the sake of another transaction. */
  | "rolled_back"
  /** It never began: no connection, no room, or a server that only reads. */
  | "not_begun"
  /** It never began, and waited long for its turn: at once again would only wait longer. */
  | "no_turn"
  /** The line broke, or the server went: it may have committed. */
  | "in_doubt"
  /** A mistake, a broken rule, a limit: the same again ends the same. */
  | "refused"

const FAULTS: Readonly<Record<string, DatabaseFault>> = {
  "40001": "rolled_back", // serialisation failure
  "40P01": "rolled_back", // deadlock
  "55P03": "rolled_back", // a lock was not to be had in time

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

  "40003": "in_doubt", // it does not know itself whether it completed
  "57P01": "in_doubt", // an administrator ended the connection
  "57P02": "in_doubt", // the server crashed
  "57P05": "in_doubt", // idle for too long
  ECONNRESET: "in_doubt",
  EPIPE: "in_doubt",
  ETIMEDOUT: "in_doubt",
}

/** Of the driver and of the pool, which give no code. */
const TEXTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/timeout acquiring a connection|timeout exceeded when trying to connect/i, "no_turn"],
  [/unable to acquire a connection/i, "no_turn"],
  [/connection terminated|client was closed|connection error and is not queryable/i, "in_doubt"],
]

/** Total: what is no error of a database at all is `refused`. */
export function databaseFault(error: unknown): DatabaseFault {
  if (typeof error !== "object" || error === null) return "refused"
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const known = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  if (known) return known
  // The rest of class 08, connection exceptions.
  if (/^08[0-9A-Z]{3}$/.test(code)) return "in_doubt"
  if (code !== "") return "refused"
  const message = error instanceof Error ? error.message : ""
  return TEXTS.find(([text]) => text.test(message))?.[1] ?? "refused"
}

/** The same statement may go out again without a check of what it did: it did nothing. */
export function isRepeatable(fault: DatabaseFault): boolean {
  return fault === "rolled_back" || fault === "not_begun"
}

/** There is no database to work with just now, whatever the next statement is. */
export function isAway(fault: DatabaseFault): boolean {
  return fault === "not_begun" || fault === "no_turn" || fault === "in_doubt"
}
