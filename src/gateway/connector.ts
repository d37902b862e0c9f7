/**
 * Opens connections and marks every failure to do so. The mark is what "never sent" rests on: undici
 * writes a request only to a connection whose connector has succeeded, so an error that carries the mark
 * can't have come after a byte of a request.
 */
import type { buildConnector } from "undici"
import type { NeverSentReason } from "./classify"

/** No connection was made. */
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

/** @param connect undici's own, with certificate checks on */
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
  // Node has several dozen codes for certificates and handshakes; what is none of the above on https
  // happened in the handshake, a reset included.
  return REASONS[code] ?? (protocol === "https:" ? "tls" : "network")
}
