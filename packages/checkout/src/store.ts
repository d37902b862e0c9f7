/**
 * The store's routes for payments. Every call throws {@link Refused} or {@link NoAnswer}, the
 * second also once its time is over.
 */
import { withoutSlash } from "./address.js"
import { within } from "./deadline.js"
import {
  numberOf,
  readStatus,
  recordOf,
  recordsOf,
  textOf,
  textsOf,
  type Status,
} from "./status.js"

export type StoreOptions = {
  /**
   * Where Medusa's `/store` is: an origin, with a path if it has one, such as
   * `https://api.example.com` or `/api/payments`. Default: this origin.
   */
  readonly baseUrl?: string
  readonly publishableKey?: string
  /** Sent with every call; a login, for example. Called for each. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** In the place of `fetch`: a proxy of the shop's own, or a test. */
  readonly call?: typeof fetch
}

export type PaymentMethod = {
  readonly provider_id: string
  readonly flow: string
  readonly currencies: readonly string[]
  readonly needs_phone: boolean
  readonly operators: readonly Operator[]
}

export type Operator = {
  readonly payment_method: string
  readonly label: string
  readonly country: string | null
  readonly currencies: readonly string[]
  /** What a payer dials who sees no prompt; null where the shop has not said. */
  readonly menu_code: string | null
  /** `disrupted`: most of its payments fail now. It can be tried all the same. */
  readonly status: string | null
}

export type Quote = {
  readonly payer_amount: number
  readonly payer_currency: string
  /** What the operator takes of one payment, in the payer's currency, if it is known: a hint. */
  readonly least: number | null
  readonly most: number | null
}

export type StartRequest = {
  readonly phone?: string
  readonly payment_method?: string
  readonly payer_currency?: string
  /** Of the card processor, for the flow `card`. */
  readonly card_token?: string
  /** Of the shop's captcha, after a refusal whose body has `captcha: true`. */
  readonly captcha_token?: string
  readonly expected_payer_amount?: number
  readonly success_url?: string
  readonly cancel_url?: string
}

/** The store has answered, and not with what was asked for. `code` is public and stays. */
export class Refused extends Error {
  override readonly name = "Refused"
  constructor(
    readonly status: number,
    readonly code: string,
    /** English; `texts` say it in the shopper's language. */
    message: string,
    /** The payment that is in the way, or that was asked about. */
    readonly payment: Status | null,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(message)
  }
}

/** No answer that says anything: offline, the store is down, the line was cut, or it took too long. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer"
  constructor(readonly reason: unknown) {
    super("The shop did not answer.")
  }
}

export type Store = ReturnType<typeof storeOf>

/** What the store reads from its own database. */
const READ_MS = 10_000
/** What it asks the gateway for, while nobody waits for it. */
const HINT_MS = 20_000
/** What moves money or Medusa's records: a start is answered within 25 s. */
const ACT_MS = 40_000
/** Until a stream has begun. */
const STREAM_MS = 15_000

type Call = Pick<RequestInit, "method" | "headers" | "body"> & {
  readonly ms: number
  readonly ended?: AbortSignal | undefined
}

export function storeOf({ baseUrl = "", publishableKey, headers, call = fetch }: StoreOptions) {
  const address = withoutSlash(baseUrl)
  const ask = async <T>(
    path: string,
    { ms, ended, ...init }: Call,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const send = async (signal: AbortSignal) => {
      const response = await call(address + path, {
        cache: "no-store",
        ...init,
        signal,
        headers: {
          accept: "application/json",
          ...(publishableKey !== undefined && { "x-publishable-api-key": publishableKey }),
          ...headers?.(),
          ...init.headers,
        },
      })
      if (response.ok) return read(response)
      throw refusalOf(response.status, recordOf(await response.json().catch(() => null)))
    }
    return within(ms, send, ended).catch((error: unknown) => {
      throw error instanceof Refused || error instanceof NoAnswer ? error : new NoAnswer(error)
    })
  }
  const get = (path: string, ms = READ_MS, ended?: AbortSignal) => ask(path, { ms, ended }, bodyOf)
  const post = (path: string, body: object, ms = ACT_MS, ended?: AbortSignal) => {
    const headers = { "content-type": "application/json" }
    return ask(path, { ms, ended, method: "POST", headers, body: JSON.stringify(body) }, bodyOf)
  }
  const sessionOfCollection = async (collectionId: string, providerId: string): Promise<string> => {
    const path = `/store/payment-collections/${encodeURIComponent(collectionId)}/payment-sessions`
    const made = await post(path, { provider_id: providerId })
    const sessionId = sessionIn(recordOf(made["payment_collection"]), providerId)
    if (sessionId === null) throw new NoAnswer(made)
    return sessionId
  }
  const OURS = "/store/merchant-payments"
  const session = (id: string, act = "") => `${OURS}/sessions/${encodeURIComponent(id)}${act}`

  return {
    async methods(cartId: string): Promise<PaymentMethod[]> {
      const body = await get(`${OURS}/methods?cart_id=${encodeURIComponent(cartId)}`)
      return recordsOf(body["methods"]).flatMap((wire) => {
        const provider_id = textOf(wire["provider_id"])
        const flow = textOf(wire["flow"])
        if (provider_id === null || flow === null) return []
        return {
          provider_id,
          flow,
          needs_phone: wire["needs_phone"] === true,
          operators: recordsOf(wire["operators"]).map(operatorOf),
          currencies: textsOf(wire["currencies"]),
        }
      })
    },
    /** Whose wallet a number is. */
    async operator(phone: string, countryCode?: string): Promise<Operator> {
      // JSON leaves out what is undefined.
      const body = { phone, country_code: countryCode }
      const found = await post(`${OURS}/operator`, body, HINT_MS)
      return operatorOf(recordOf(found["operator"]))
    },
    /** What the wallet would be charged for the cart as it is now. Binds nobody. */
    async quote(cartId: string, paymentMethod: string, payerCurrency?: string): Promise<Quote> {
      const query = new URLSearchParams({
        cart_id: cartId,
        payment_method: paymentMethod,
        ...(payerCurrency !== undefined && { payer_currency: payerCurrency }),
      })
      const body = await get(`${OURS}/quote?${query.toString()}`, HINT_MS)
      const quote = quoteIn(body)
      if (quote === null) throw new NoAnswer(body)
      return quote
    },
    /** The only call that moves money. Repeated, it gives the payment back that is under way. */
    start: async (id: string, request: StartRequest, ended?: AbortSignal) =>
      statusIn(await post(session(id, "/start"), request, ACT_MS, ended)),
    status: async (id: string, ended?: AbortSignal) =>
      statusIn(await get(session(id), READ_MS, ended)),
    cancel: async (id: string) => statusIn(await post(session(id, "/cancel"), {})),
    /** @returns a response whose body is a stream of events, to be cancelled by its reader */
    events: (id: string, ended: AbortSignal, lastEventId: string | null) => {
      const headers = {
        accept: "text/event-stream",
        ...(lastEventId !== null && { "last-event-id": lastEventId }),
      }
      return ask(session(id, "/events"), { ms: STREAM_MS, ended, headers }, (response) =>
        Promise.resolve(response),
      )
    },
    /** The payment session of a cart with this provider: the one it has, or a new one. */
    async sessionOf(cartId: string, providerId: string): Promise<string> {
      const body = await post("/store/payment-collections", { cart_id: cartId })
      const collection = recordOf(body["payment_collection"])
      const kept = sessionIn(collection, providerId)
      return kept ?? sessionOfCollection(textOf(collection["id"]) ?? "", providerId)
    },
    /** The payment session of a collection, such as that of an order that is placed. */
    sessionOfCollection,
    /** Places the order of a cart. A cart that is an order already stays that order. */
    async complete(cartId: string): Promise<void> {
      const body = await post(`/store/carts/${encodeURIComponent(cartId)}/complete`, {})
      if (body["type"] === "order") return
      const message = textOf(recordOf(body["error"])["message"]) ?? "The order could not be placed."
      throw new Refused(409, "cart_not_completed", message, null, body)
    },
    receipt: async (id: string): Promise<Readonly<Record<string, unknown>>> =>
      recordOf((await get(session(id, "/receipt")))["receipt"]),
  }
}

const bodyOf = async (response: Response) => recordOf(await response.json())

function operatorOf(wire: Readonly<Record<string, unknown>>): Operator {
  const method = textOf(wire["payment_method"]) ?? ""
  return {
    payment_method: method,
    label: textOf(wire["label"]) ?? textOf(wire["carrier"]) ?? method,
    country: textOf(wire["country"]),
    currencies: textsOf(wire["currencies"]),
    menu_code: textOf(wire["menu_code"]),
    status: textOf(wire["status"]),
  }
}

/** Of a quote, or of the refusal of an old one; null for none. */
export function quoteIn(body: Readonly<Record<string, unknown>>): Quote | null {
  const quote = recordOf(body["quote"])
  const payer_amount = numberOf(quote["payer_amount"])
  const payer_currency = textOf(quote["payer_currency"])
  if (payer_amount === null || payer_currency === null) return null
  const [least, most] = [numberOf(quote["least"]), numberOf(quote["most"])]
  return { payer_amount, payer_currency, least, most }
}

function statusIn(body: Readonly<Record<string, unknown>>): Status {
  const status = readStatus(body["payment"])
  if (status === null) throw new NoAnswer(body)
  return status
}

function refusalOf(status: number, body: Readonly<Record<string, unknown>>): Error {
  const message = textOf(body["message"])
  if (message === null) return new NoAnswer(status)
  const code = textOf(body["code"]) ?? textOf(body["type"]) ?? `http_${status}`
  return new Refused(status, code, message, readStatus(body["payment"]), body)
}

function sessionIn(collection: Readonly<Record<string, unknown>>, providerId: string) {
  const sessions = recordsOf(collection["payment_sessions"])
  return textOf(sessions.find((one) => one["provider_id"] === providerId)?.["id"])
}
