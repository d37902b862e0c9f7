/** A shopper's side of a real store, over HTTP, as a storefront would speak to it. */
import { createHash } from "node:crypto"
import { assertDescribed } from "./described"

export type Answer<T = Record<string, unknown>> = { readonly status: number; readonly body: T }

export type Payment = {
  id: string
  state: string
  flow: string
  amount: number
  currency: string
  reference: string | null
  url: string | null
  prompt: "sending" | "sent" | null
  operator: { payment_method: string; carrier: string | null } | null
  phone_hint: string | null
  reason: string | null
  can_retry: boolean
  order_id: string | null
  payer_currency: string | null
}

export type Paid = {
  payment?: Payment | null
  code?: string
  message?: string
  missing?: string[]
  currencies?: string[]
  quote?: { payer_amount: number; payer_currency: string; fee_bearer: string | null }
}

export const PUSH = "pp_mobile-money_merchant"
export const HOSTED = "pp_hosted-checkout_merchant"

export type Region = "Liberia" | "Rwanda" | "International"

export const COUNTRY: Record<Region, string> = { Liberia: "lr", Rwanda: "rw", International: "us" }

/** Who buys; a test that does not care leaves it out. */
export type Person = { email: string | null; first_name: string; last_name: string; city: string }

export const ADA: Person = {
  email: "shopper@example.com",
  first_name: "Ada",
  last_name: "Shopper",
  city: "Town",
}

let phones = 0

/** A wallet that no other test uses, in E.164; it waits for the handset. */
export function walletOf(region: Region = "International"): string {
  phones += 1
  // The last two digits are the simulator's scenario: from 10 on it waits for the handset.
  const digits = `${String(1_000 + Math.floor(phones / 80)).padStart(4, "0")}${10 + (phones % 80)}`
  return region === "Rwanda" ? `+250788${digits}` : `+231886${digits}`
}

/** What a proxy in front of the store writes: each shopper comes from a network of their own. */
export const from = (network: string) => ({ "x-forwarded-for": network })

function networkOfShopper(sessionId: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(sessionId).digest()
  return `10.${a}.${b}.${c}`
}

export type Shop = ReturnType<typeof shopAt>

export function shopAt(url: string, publishableKey: string) {
  async function call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        // A kept connection may be closed by the store just as it is used again.
        connection: "close",
        "x-publishable-api-key": publishableKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answered = parse(await response.text())
    const { status } = response
    assertDescribed({ method, path, sent: body, status, body: answered })
    return { status, body: answered as T }
  }

  const regions = new Map<string, string>()
  const variants = new Map<string, string>()

  let catalogue: Promise<void> | undefined
  /** Read once, and whole: who asks meanwhile waits for the same answer. */
  const load = () =>
    (catalogue ??= readCatalogue().catch((error: unknown) => {
      catalogue = undefined
      throw error
    }))

  async function readCatalogue(): Promise<void> {
    const listed = await expectOk(
      call<{ regions: { id: string; name: string }[] }>("GET", "/store/regions"),
    )
    for (const region of listed.regions) regions.set(region.name, region.id)
    const { products } = await expectOk(
      call<{ products: { handle: string; variants: { id: string }[] }[] }>(
        "GET",
        "/store/products?fields=handle,variants.id&limit=50",
      ),
    )
    for (const product of products) {
      const [variant] = product.variants
      if (variant) variants.set(product.handle, variant.id)
    }
  }

  async function cart(
    options: {
      region?: Region
      /** One that was made later, by its name; the address is of `region`. */
      inRegion?: string
      items?: readonly (readonly [handle: string, quantity: number])[]
      phone?: string | null
      isComplete?: boolean
      code?: string
      person?: Person
    } = {},
  ): Promise<string> {
    await load()
    const { email, ...name } = options.person ?? ADA
    const region = options.region ?? "International"
    const phone = options.phone === undefined ? walletOf(region) : options.phone
    const isComplete = options.isComplete ?? true
    const items = options.items ?? [["market-tote", 3]]
    const open = () =>
      call<{ cart: { id: string } }>("POST", "/store/carts", {
        region_id: regions.get(options.inRegion ?? region),
        items: items.map(([handle, quantity]) => ({ variant_id: variants.get(handle), quantity })),
        ...(isComplete
          ? {
              email,
              shipping_address: {
                ...name,
                address_1: "1 Main Street",
                country_code: COUNTRY[region],
                ...(phone === null ? {} : { phone }),
              },
            }
          : {}),
      })
    const first = await open()
    // Two carts at once may both make the guest: Medusa refuses the second, and finds it then.
    const isKnown = first.status === 400 && /already exists/.test(JSON.stringify(first.body))
    const { id } = (await expectOk(isKnown ? open() : Promise.resolve(first))).cart
    if (options.code) {
      await expectOk(call("POST", `/store/carts/${id}/promotions`, { promo_codes: [options.code] }))
    }
    if (isComplete) await ship(id, options.inRegion ?? region)
    return id
  }

  /** The first option of each region, which all its carts are offered. */
  const shippingOptions = new Map<string, string>()

  async function ship(cartId: string, region: string): Promise<void> {
    if (!shippingOptions.has(region)) {
      const listed = await expectOk(
        call<{ shipping_options: { id: string }[] }>(
          "GET",
          `/store/shipping-options?cart_id=${cartId}`,
        ),
      )
      shippingOptions.set(region, listed.shipping_options[0]?.id ?? "")
    }
    await expectOk(
      call("POST", `/store/carts/${cartId}/shipping-methods`, {
        option_id: shippingOptions.get(region),
      }),
    )
  }

  const collections = new Map<string, string>()

  async function collection(cartId: string): Promise<string> {
    const known = collections.get(cartId)
    if (known) return known
    const made = await expectOk(
      call<{ payment_collection: { id: string } }>("POST", "/store/payment-collections", {
        cart_id: cartId,
      }),
    )
    collections.set(cartId, made.payment_collection.id)
    return made.payment_collection.id
  }

  async function session(
    cartId: string,
    providerId = PUSH,
    data?: Record<string, unknown>,
  ): Promise<string> {
    const id = await collection(cartId)
    const made = await expectOk(
      call<{ payment_collection: { payment_sessions: { id: string; provider_id: string }[] } }>(
        "POST",
        `/store/payment-collections/${id}/payment-sessions`,
        { provider_id: providerId, ...(data ? { data } : {}) },
      ),
    )
    const found = made.payment_collection.payment_sessions.find(
      (candidate) => candidate.provider_id === providerId,
    )
    if (!found) throw new Error("Medusa made no payment session")
    return found.id
  }

  const sessions = "/store/merchant-payments/sessions"
  return {
    url,
    call,
    cart,
    collection,
    session,
    start: (sessionId: string, body: Record<string, unknown> = {}) =>
      call<Paid>("POST", `${sessions}/${sessionId}/start`, body, from(networkOfShopper(sessionId))),
    status: (sessionId: string) => call<Paid>("GET", `${sessions}/${sessionId}`),
    cancel: (sessionId: string) => call<Paid>("POST", `${sessions}/${sessionId}/cancel`, {}),
    complete: (cartId: string) =>
      call<{ type: string; order?: { id: string }; error?: { message: string; type: string } }>(
        "POST",
        `/store/carts/${cartId}/complete`,
        {},
      ),
    async total(cartId: string): Promise<number> {
      const answer = await expectOk(
        call<{ cart: { total: number } }>("GET", `/store/carts/${cartId}?fields=total`),
      )
      return answer.cart.total
    },
    variant: async (handle: string) => {
      await load()
      const variant = variants.get(handle)
      if (variant === undefined) throw new Error(`the shop sells no ${handle}`)
      return variant
    },
  }
}

export async function expectOk<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await answer
  if (status >= 400) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}
