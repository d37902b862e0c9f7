/**
 * Opens connections and marks every failure to connect. The mark proves "never sent": undici writes
 * a request only to a connection whose connector has succeeded, so no byte of a request left before
 * a marked error.
 */
import type { buildConnector } from "undici"
import type { NeverSentReason } from "./errors"

/** No connection was made, so no byte of the request left. */
export class ConnectFailure extends Error {
  constructor(
    readonly reason: NeverSentReason,
    cause: unknown,
  ) {
    super(`No connection: ${reason}`, { cause })
    this.name = "ConnectFailure"
  }
}

const REASONS: Readonly<Record<string, NeverSentReason>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  EAI_NODATA: "dns",
  EAI_NONAME: "dns",
  ECONNREFUSED: "connection_refused",
  UND_ERR_CONNECT_TIMEOUT: "connect_timeout",
  ETIMEDOUT: "connect_timeout",
  EHOSTUNREACH: "network",
  ENETUNREACH: "network",
  EADDRNOTAVAIL: "network",
  EMFILE: "network",
}

/** @param connect undici's own connector, with certificate checks on */
export function marking(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error) callback(new ConnectFailure(reasonOf(error, options.protocol), error), null)
      else callback(null, socket)
    })
  }
}

function reasonOf(error: Error, protocol: string): NeverSentReason {
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  // Node has dozens of codes for certificates and handshakes. On https every code that is not
  // listed above, a reset included, happened in the handshake.
  return REASONS[code] ?? (protocol === "https:" ? "tls" : "network")
}
