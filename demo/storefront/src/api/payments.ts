/**
 * The plugin's store routes. They are called with plain `fetch`, because an error's `code` and
 * `payment` decide what the shopper sees next and the SDK's error keeps the message only.
 */
import type { ShopConfig } from "../config"
import { readPaymentStatus, type PaymentStatus } from "./payment-status"
import { recordOf, recordsOf, textOf, textsOf, type WireRecord } from "./wire"

export type PaymentMethod = {
  providerId: string
  flow: string
  needsPhone: boolean
  operators: { label: string; country: string | null }[]
}

export type Operator = { carrier: string; currencies: string[] }

export type StartRequest = { phone: string | null; successUrl: string; cancelUrl: string }

/** An answer other than success, with the code that the store documents for it. */
export class PaymentRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly payment: PaymentStatus | null,
    readonly missing: string[],
  ) {
    super(message)
    this.name = "PaymentRefused"
  }
}

/** No answer that says anything: offline, the store is down, or something between cut it. */
export class StoreUnreachable extends Error {
  constructor(cause: unknown) {
    super("The shop did not answer. Check your connection and try again.", { cause })
    this.name = "StoreUnreachable"
  }
}

export type Payments = {
  methods(cartId: string): Promise<PaymentMethod[]>
  operator(phone: string, countryCode: string | null): Promise<Operator>
  start(sessionId: string, request: StartRequest): Promise<PaymentStatus>
  status(sessionId: string): Promise<PaymentStatus>
  cancel(sessionId: string): Promise<PaymentStatus>
}

/**
 * Every call throws {@link PaymentRefused} for an answer with a code and {@link StoreUnreachable}
 * when there was none.
 */
export function paymentsOf(config: ShopConfig): Payments {
  const root = `${config.storeApiUrl}/store/merchant-payments`

  async function call(path: string, body?: object): Promise<WireRecord> {
    const init: RequestInit = {
      method: body ? "POST" : "GET",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "x-publishable-api-key": config.publishableKey,
      },
      cache: "no-store",
      ...(body && { body: JSON.stringify(body) }),
    }
    const response = await fetch(root + path, init).catch((cause: unknown) => {
      throw new StoreUnreachable(cause)
    })
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return recordOf(answer)
    throw refusalOf(response.status, recordOf(answer))
  }

  const session = (id: string, act = "") => `/sessions/${encodeURIComponent(id)}${act}`

  return {
    async methods(cartId) {
      const answer = await call(`/methods?cart_id=${encodeURIComponent(cartId)}`)
      return recordsOf(answer.methods).flatMap(methodOf)
    },
    async operator(phone, countryCode) {
      const body = { phone, ...(countryCode && { country_code: countryCode }) }
      const operator = recordOf((await call("/operator", body)).operator)
      return {
        carrier: textOf(operator.carrier) ?? textOf(operator.payment_method) ?? "",
        currencies: textsOf(operator.currencies),
      }
    },
    async start(sessionId, { phone, successUrl, cancelUrl }) {
      const urls = { success_url: successUrl, cancel_url: cancelUrl }
      return statusOf(
        await call(session(sessionId, "/start"), { ...(phone && { phone }), ...urls }),
      )
    },
    async status(sessionId) {
      return statusOf(await call(session(sessionId)))
    },
    async cancel(sessionId) {
      return statusOf(await call(session(sessionId, "/cancel"), {}))
    },
  }
}

function statusOf(answer: WireRecord): PaymentStatus {
  const status = readPaymentStatus(answer.payment)
  if (status === null) throw new StoreUnreachable(new Error("the answer holds no payment"))
  return status
}

function methodOf(wire: WireRecord): PaymentMethod[] {
  const providerId = textOf(wire.provider_id)
  const flow = textOf(wire.flow)
  if (providerId === null || flow === null) return []
  const operators = recordsOf(wire.operators).flatMap((operator) => {
    const label = textOf(operator.label)
    return label === null ? [] : [{ label, country: textOf(operator.country) }]
  })
  return [{ providerId, flow, needsPhone: wire.needs_phone === true, operators }]
}

function refusalOf(httpStatus: number, wire: WireRecord): Error {
  const message = textOf(wire.message)
  if (message === null) return new StoreUnreachable(new Error(`HTTP ${httpStatus}`))
  const code = textOf(wire.code) ?? textOf(wire.type) ?? `http_${httpStatus}`
  return new PaymentRefused(code, message, readPaymentStatus(wire.payment), textsOf(wire.missing))
}
