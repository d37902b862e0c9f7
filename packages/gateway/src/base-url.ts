/**
 * Checks where the client may send credentials: one https origin without path or query. An IP
 * address is refused because it has no trustworthy certificate. http would expose the client secret
 * to the network, so it is allowed only for loopback outside production, and for the simulator that
 * a staging store names.
 * The option `lookup` decides about the address behind the name, at each connection.
 */
import { isIP } from "node:net"
import { InvalidConfiguration } from "./errors"

const FIELD = "baseUrl"
const STAGING = "MERCHANT_PAYMENTS_STAGING_SIMULATOR"

/**
 * The origin of the gateway, without a trailing slash.
 *
 * @param production default: {@link isProduction}
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
  const simulator = stagingSimulator()
  if (simulator !== undefined) {
    if (url.origin === simulator) return simulator
    throw new InvalidConfiguration(
      FIELD,
      `This store is for staging: it takes only the simulator that ${STAGING} names. ` +
        "Remove the variable to take another gateway.",
    )
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
      "The gateway's address must start with https://. http works only towards this machine, and " +
        `only with NODE_ENV of development, test or demo. For staging, ${STAGING} names the simulator.`,
    )
  }
  return url.origin
}

const NOT_PRODUCTION: readonly (string | undefined)[] = ["demo", "test", "development"]

/**
 * In production the client refuses http and addresses of this machine. A server without `NODE_ENV`
 * counts as production: a forgotten variable must not open its inner network. A store that names
 * its simulator is none: it takes no other gateway.
 */
export function isProduction(): boolean {
  return stagingSimulator() === undefined && !NOT_PRODUCTION.includes(process.env["NODE_ENV"])
}

/**
 * The origin of a staging store's simulator, from the environment. Only http is taken, so that no
 * live gateway can be named: those have https.
 */
function stagingSimulator(): string | undefined {
  const text = process.env[STAGING]?.trim() ?? ""
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "http:" ? url.origin : undefined
}

/** `URL` has already normalised spellings such as 127.1 or 0x7f000001. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
