/** Puts the client together: one connection pool, one token, one set of methods. */
import { systemClock, systemRandom } from "../core/ports"
import { parseBaseUrl } from "./base-url"
import { createCaller } from "./call"
import { InvalidConfiguration } from "./errors"
import type { DocumentActs, Gateway, GatewayOptions } from "./gateway"
import type { OperationName } from "./operations"
import { createTokenSource } from "./token"
import { createTransport } from "./transport"
import { createCheckout } from "./wire/checkouts"
import { documentAct } from "./wire/documents"
import { collectionStatus, executeCollection } from "./wire/executions"
import { createPaymentAccount } from "./wire/payment-accounts"
import { mmoProviderInfo } from "./wire/predictions"
import { createCheckoutSession } from "./wire/sessions"
import { sourceStatus } from "./wire/status"

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
  const transport = createTransport(origin)
  const closing = new AbortController()
  const token = createTokenSource(ports, transport, credentials, closing.signal)
  const { logger, onCall } = options
  const { call, idle } = createCaller({ ports, transport, token, logger, onCall })

  const documentActs = (publish: OperationName, cancel: OperationName): DocumentActs => {
    const publishing = documentAct(publish)
    const canceling = documentAct(cancel)
    return {
      publish: (id, how) => call(publishing, { id }, how),
      cancel: (id, how) => call(canceling, { id }, how),
    }
  }

  return {
    checkouts: { create: (request, how) => call(createCheckout, request, how) },
    orders: documentActs("orders.publish", "orders.cancel"),
    invoices: documentActs("invoices.publish", "invoices.cancel"),
    sessions: { checkout: (request, how) => call(createCheckoutSession, request, how) },
    paymentAccounts: { create: (request, how) => call(createPaymentAccount, request, how) },
    executions: { collection: (request, how) => call(executeCollection, request, how) },
    status: {
      collection: (referenceId, how) => call(collectionStatus, { referenceId }, how),
      source: (request, how) => call(sourceStatus, request, how),
    },
    predictions: { mmoProviderInfo: (request, how) => call(mmoProviderInfo, request, how) },
    token: {
      async check() {
        const checked = await token.check()
        if (checked.kind !== "done") return checked
        return { kind: "done", value: { expiresInMinutes: checked.value.minutes } }
      },
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

function credential(field: "clientId" | "clientSecret", value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") {
    throw new InvalidConfiguration(field, "Set it to the value shown in the merchant portal.")
  }
  return value.trim()
}
