/**
 * Where the client may send credentials to. One https origin and nothing else: a path or a query would
 * end up in front of every call, an address of digits can't have a trustworthy certificate, and http
 * shows the client secret to everybody on the way. Loopback is let through outside production, for the
 * simulator. Where a name leads to is checked when a connection is made (`connector.ts`).
 */
import { isIP } from "node:net"
import { InvalidConfiguration } from "./errors"

const FIELD = "baseUrl"

/**
 * The origin of the gateway, without a trailing slash.
 *
 * @param production default: whether `NODE_ENV` is `production`
 * @throws {InvalidConfiguration} naming the field; the message does not repeat the address
 */
export function parseBaseUrl(text: unknown, production: boolean = isProduction()): string {
  if (typeof text !== "string" || !URL.canParse(text.trim())) {
    throw new InvalidConfiguration(FIELD, "Set the gateway's address, as https://api.example.com.")
  }
  const url = new URL(text.trim())
  const loopback = isLoopback(url.hostname)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new InvalidConfiguration(FIELD, "The gateway's address must start with https://.")
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidConfiguration(FIELD, "Credentials do not belong into the gateway's address.")
  }
  if (url.pathname !== "/") {
    throw new InvalidConfiguration(FIELD, "The gateway's address must not have a path.")
  }
  if (/[?#]/.test(text)) {
    throw new InvalidConfiguration(FIELD, "The gateway's address must not have a query.")
  }
  if (!loopback && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    throw new InvalidConfiguration(FIELD, "Use the gateway's name, not an IP address.")
  }
  if (production && loopback && url.protocol === "https:") {
    throw new InvalidConfiguration(
      FIELD,
      "Use the gateway's public address, not one of this machine.",
    )
  }
  if (url.protocol === "http:" && (production || !loopback)) {
    throw new InvalidConfiguration(
      FIELD,
      "The gateway's address must start with https://; http is only for this machine, outside production.",
    )
  }
  return url.origin
}

/** Where nothing but a gateway on the internet is spoken to. */
export function isProduction(): boolean {
  return process.env["NODE_ENV"] === "production"
}

/** `URL` has already written 127.1, 0x7f000001 and their like as four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
