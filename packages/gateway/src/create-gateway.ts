/** Builds the client of one merchant account: one connection pool, one token, all resources. */
import type { LookupFunction } from "node:net"
import { systemClock, systemRandom, type Clock, type Logger, type Random } from "./terms/ports"
import { parseBaseUrl } from "./base-url"
import { createCaller, type Call, type CallOptions, type CallReport, type NewForm } from "./call"
import type { StateWords } from "./terms/state-words"
import { InvalidConfiguration } from "./errors"
import type { Outcome } from "./outcome"
import { inOwnWords, ownWordsOf } from "./own-words"
import type { PlainTexts } from "./plain-text"
import { checkToken, createTokenSource } from "./token"
import type { TokenStore } from "./token-store"
import { createTransport } from "./transport"
import * as resource from "./wire/resources"

export type GatewayOptions = {
  /** An https origin; http only towards loopback and never in production. */
  readonly baseUrl: string
  /** The id that the merchant portal shows beside the secret. */
  readonly clientId: string
  /** From the merchant portal. It stays in memory: no error, log line or property holds it. */
  readonly clientSecret: string
  /**
   * Finds the address of the gateway's name at each connection, as Node's `dns.lookup` does, which
   * is the default. A program whose users type `baseUrl` refuses inner addresses here.
   */
  readonly lookup?: LookupFunction | undefined
  /** The clock, replaced in tests. Default: the system's. */
  readonly clock?: Clock | undefined
  /** The randomness of jitter, replaced in tests. Default: `Math.random`. */
  readonly random?: Random | undefined
  /** Gets a warning for each answer that does not fit this API, without its content. */
  readonly logger?: Logger | undefined
  /** Remembers that the gateway refuses texts. Left out: each text is sent in full first. */
  readonly plainTexts?: PlainTexts | undefined
  /** Shares one token between the processes of this client. Left out: each has its own token. */
  readonly tokens?: TokenStore | undefined
  /** Called once after each method call except `token.check`. Its errors are only logged. */
  readonly onCall?: ((call: CallReport) => void) | undefined
  /**
   * Called with each form of an answer that the contract does not show: when it first appears, then
   * at most once an hour. An unknown word is also reported again after the account's own words
   * change. An error that the callback throws is only logged.
   */
  readonly onForm?: ((form: NewForm) => void) | undefined
  /** The account's own words for states, in addition to the words that every reader knows. */
  readonly stateWords?: (() => StateWords | undefined) | undefined
  /** Called with the `Date` header of each answer that has one, as it came. Must not throw. */
  readonly onDate?: ((date: string) => void) | undefined
}

// Derived from the functions: an inferred type would be published without the methods' comments.
type Resources = {
  readonly [Name in keyof typeof resource]: Readonly<ReturnType<(typeof resource)[Name]>>
}

const DENIED: ReadonlySet<string | undefined> = new Set([
  "GATEWAY_UNAUTHENTICATED",
  "GATEWAY_FORBIDDEN",
])

/** 58 of the API's 59 operations, grouped by resource. The client calls the token one itself. */
export function resourcesOf(call: Call): Resources {
  return {
    checkouts: resource.checkouts(call),
    parties: resource.parties(call),
    counterparties: resource.counterparties(call),
    invoices: resource.invoices(call),
    orders: resource.orders(call),
    sessions: resource.sessions(call),
    executions: resource.executions(call),
    status: resource.status(call),
    paymentAccounts: resource.paymentAccounts(call),
    predictions: resource.predictions(call),
    links: resource.links(call),
    fees: resource.fees(call),
    merchants: resource.merchants(call),
    realtimeKeys: resource.realtimeKeys(call),
  }
}

/** A client of one merchant account. No method throws or rejects for an expected result. */
export type Gateway = Resources & {
  readonly token: {
    /**
     * Gets a new token now, to prove the credentials; never hands it out. `refused` with
     * `Unauthenticated`: the credentials are wrong (specification, "Authentication"; contract, 1).
     */
    check(
      options?: Omit<CallOptions, "patience">,
    ): Promise<Outcome<{ readonly expiresInMinutes: number }>>
    /** The number of token calls that failed in a row; 0 after a success. */
    readonly failures: number
  }
  /** The last answered call was refused with 401 or 403, or got no token for the credentials. */
  readonly isDenied: boolean
  /** Lets calls in flight finish, then closes all connections. Later calls answer `not_sent`. */
  close(): Promise<void>
}

/**
 * A client for one merchant account. Opens nothing until the first call.
 *
 * @throws {InvalidConfiguration} naming the option; the only error that is ever thrown
 */
export function createGateway(options: GatewayOptions): Gateway {
  const origin = parseBaseUrl(options.baseUrl)
  const credentials = {
    clientId: credential("clientId", options.clientId),
    clientSecret: credential("clientSecret", options.clientSecret),
  }
  const ports = { clock: options.clock ?? systemClock, random: options.random ?? systemRandom }
  const transport = createTransport(origin, { lookup: options.lookup }, options.onDate)
  const closing = new AbortController()
  const token = createTokenSource(ports, transport, credentials, closing.signal, options.tokens)
  const { logger, plainTexts, onForm, stateWords } = options
  const isOwnWord = stateWords && ownWordsOf(stateWords)
  let isDenied = false
  const onCall = (report: CallReport) => {
    if (DENIED.has(report.code)) isDenied = true
    else if (report.kind === "done" || report.kind === "refused") isDenied = false
    return options.onCall?.(report)
  }
  const words = { stateWords, isOwnWord }
  const parts = { origin, ports, transport, token, logger, plainTexts, onCall, onForm, ...words }
  const { call, idle } = createCaller(parts)

  return {
    ...resourcesOf(stateWords ? inOwnWords(call, stateWords) : call),
    token: {
      check: (how) => checkToken(token, how),
      get failures() {
        return token.failures
      },
    },
    get isDenied() {
      return isDenied
    },
    async close() {
      await idle()
      closing.abort()
      await transport.close()
    },
  }
}

function credential(field: "clientId" | "clientSecret", value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") {
    throw new InvalidConfiguration(field, "Set it to the value shown in the merchant portal.")
  }
  return value.trim()
}
