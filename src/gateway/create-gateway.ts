/** Puts the client together: one connection pool, one token, all resources. */
import { systemClock, systemRandom } from "../core/ports"
import { isProduction, parseBaseUrl } from "./base-url"
import { createCaller } from "./call"
import type { Call } from "./call"
import { InvalidConfiguration } from "./errors"
import type { Gateway, GatewayOptions, Resources } from "./gateway"
import { checkoutsOf } from "./resources/checkouts"
import { counterpartiesOf } from "./resources/counterparties"
import { invoicesOf, ordersOf } from "./resources/documents"
import { executionsOf } from "./resources/executions"
import { feesOf } from "./resources/fees"
import { merchantsOf } from "./resources/merchants"
import { linksOf } from "./resources/links"
import { partiesOf } from "./resources/parties"
import { paymentAccountsOf } from "./resources/payment-accounts"
import { predictionsOf } from "./resources/predictions"
import { realtimeKeysOf } from "./resources/realtime-keys"
import { sessionsOf } from "./resources/sessions"
import { statusOf } from "./resources/status"
import { checkToken, createTokenSource } from "./token"
import { createTransport, type Transport } from "./transport"

/**
 * A client for one merchant account. Opens nothing until the first call.
 *
 * @throws {InvalidConfiguration} naming the option; the only thing that is ever thrown
 */
export function createGateway(options: GatewayOptions): Gateway {
  const origin = parseBaseUrl(options.baseUrl)
  const credentials = {
    clientId: credential("clientId", options.clientId),
    clientSecret: credential("clientSecret", options.clientSecret),
  }
  const ports = { clock: options.clock ?? systemClock, random: options.random ?? systemRandom }
  const transport = datedTransport(
    createTransport(origin, { isOuterOnly: isProduction() }),
    options.onDate,
  )
  const closing = new AbortController()
  const token = createTokenSource(ports, transport, credentials, closing.signal)
  const { logger, onCall } = options
  const { call, idle } = createCaller({ ports, transport, token, logger, onCall })

  return {
    ...resourcesOf(call),
    token: {
      check: (how) => checkToken(token, how),
      get failures() {
        return token.failures
      },
    },
    async close() {
      await idle()
      closing.abort()
      await transport.close()
    },
  }
}

function datedTransport(transport: Transport, onDate: GatewayOptions["onDate"]): Transport {
  if (!onDate) return transport
  return {
    ...transport,
    async send(sending) {
      const happened = await transport.send(sending)
      if (happened.what === "answered" && happened.date !== undefined) onDate(happened.date)
      return happened
    },
  }
}

/** The resources of the API, all sent through one `call`. */
export function resourcesOf(call: Call): Resources {
  return {
    checkouts: checkoutsOf(call),
    parties: partiesOf(call),
    counterparties: counterpartiesOf(call),
    invoices: invoicesOf(call),
    orders: ordersOf(call),
    sessions: sessionsOf(call),
    executions: executionsOf(call),
    status: statusOf(call),
    paymentAccounts: paymentAccountsOf(call),
    predictions: predictionsOf(call),
    links: linksOf(call),
    fees: feesOf(call),
    merchants: merchantsOf(call),
    realtimeKeys: realtimeKeysOf(call),
  }
}

function credential(field: "clientId" | "clientSecret", value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") {
    throw new InvalidConfiguration(field, "Set it to the value shown in the merchant portal.")
  }
  return value.trim()
}
