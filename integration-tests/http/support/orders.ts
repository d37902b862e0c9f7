/** Orders that nobody has paid, as a merchant makes them in Medusa's admin. */
import { ADA, COUNTRY, expectOk, walletOf, type Person, type Region } from "./shop"
import { until } from "../../support/until"
import type { Harness } from "./harness"

type Made = { readonly id: string }

/** A store that is spoken to over HTTP; its database is out of reach. */
export type Sides = Pick<Harness, "admin" | "shop">

export type Item = readonly [handle: string, quantity: number]

/** A draft that an admin has written down for a customer on the phone. */
export async function draftOrder(
  { admin, shop }: Sides,
  options: {
    readonly phone?: string | null
    readonly items?: readonly Item[]
    readonly region?: Region
    readonly person?: Person
  } = {},
): Promise<string> {
  const { email, ...name } = options.person ?? ADA
  const country = COUNTRY[options.region ?? "International"]
  const { regions } = await expectOk(
    admin.call<{ regions: { id: string; name: string }[] }>("GET", "/admin/regions"),
  )
  const { sales_channels: channels } = await expectOk(
    admin.call<{ sales_channels: Made[] }>("GET", "/admin/sales-channels"),
  )
  const region = regions.find(({ name }) => name === (options.region ?? "International"))
  const phone = options.phone === undefined ? walletOf(options.region) : options.phone
  const items = await Promise.all(
    (options.items ?? [["market-tote", 3]]).map(async ([handle, quantity]) => ({
      variant_id: await shop.variant(handle),
      quantity,
    })),
  )
  const { draft_order: draft } = await expectOk(
    admin.call<{ draft_order: Made }>("POST", "/admin/draft-orders", {
      region_id: region?.id,
      sales_channel_id: channels[0]?.id,
      email,
      items,
      shipping_address: {
        ...name,
        address_1: "1 Main Street",
        country_code: country,
        ...(phone === null ? {} : { phone }),
      },
    }),
  )
  return draft.id
}

/** The draft is an order that asks for its money. */
export async function unpaidOrder(
  harness: Sides,
  options: Parameters<typeof draftOrder>[1] = {},
): Promise<string> {
  const id = await draftOrder(harness, options)
  await expectOk(harness.admin.call("POST", `/admin/draft-orders/${id}/convert-to-order`, {}))
  return id
}

/** The merchant puts something more onto an order, which asks for more by that. */
export async function addToOrder(harness: Sides, orderId: string, item: Item): Promise<void> {
  const { admin, shop } = harness
  const [handle, quantity] = item
  await expectOk(admin.call("POST", "/admin/order-edits", { order_id: orderId }))
  await expectOk(
    admin.call("POST", `/admin/order-edits/${orderId}/items`, {
      items: [{ variant_id: await shop.variant(handle), quantity }],
    }),
  )
  await expectOk(admin.call("POST", `/admin/order-edits/${orderId}/confirm`, {}))
}

export type Link = {
  operation_id: string
  state: string
  url: string | null
  amount: number
  currency: string
  expires_at: string
  reason: string | null
  made_by: string | null
}

export type LinkAnswer = {
  payment_link: Link | null
  open_amount: number | null
  currency: string
  why_not: { code: string; message: string } | null
  code?: string
  message?: string
}

const pathOf = (orderId: string) => `/admin/merchant-payments/orders/${orderId}/payment-link`

export const makeLink = (harness: Sides, orderId: string, body: object = {}) =>
  harness.admin.call<LinkAnswer>("POST", pathOf(orderId), body)

export const readLink = (harness: Sides, orderId: string) =>
  expectOk(harness.admin.call<LinkAnswer>("GET", pathOf(orderId)))

/** As the order's page asks, until the link reads so. */
export function linkThatReads(harness: Sides, orderId: string, state: string): Promise<Link> {
  return until(async () => {
    const { payment_link: link } = await readLink(harness, orderId)
    return link?.state === state ? link : undefined
  }, `a link that is ${state}`)
}

export type LinkRow = { id: string; state: string; source_id: string; recorded_at: Date | null }

export const linksOf = (harness: Harness, orderId: string) =>
  harness.sql<LinkRow>(
    `select id, state, source_id, recorded_at from mp_operation
      where order_id = $1 and flow = 'link' order by created_at`,
    [orderId],
  )

/** The gateway's document of a link, as its book has it. */
export async function documentOf(
  harness: Harness,
  { operation_id: id }: Pick<Link, "operation_id">,
) {
  const [row] = await harness.sql<LinkRow>("select source_id from mp_operation where id = $1", [id])
  const document = harness.simulator.book.document(Number(row?.source_id))
  if (!document) throw new Error("the link has no document")
  return document
}
