/** What a shopper's page says of a payment, and the page of a payment link. */
import { cameFor, centsOf, pageAt, underWayIn, type Named } from "../truth"
import { differ, some, type Look } from "./look"

const ENDED = ["failed", "expired"]
const WAITING = ["ready", "waiting_for_payer", "action_required"]

/** Where a page says that it has ended, the gateway has nothing under way. */
export async function endedIsOver({ shown, books }: Look): Promise<string[]> {
  const underWay = underWayIn(books)
  return [...(await shown.statuses())].flatMap(([id, { status, payment }]) => {
    const open = payment && ENDED.includes(status.state) ? ownOf(underWay, payment) : []
    return open.map(({ reference }) => `${id} reads ${status.state}, and ${reference} is under way`)
  })
}

const ownOf = (underWay: readonly Named[], { reference, document }: Named) =>
  underWay.filter((one) => one.reference === reference || one.document === document)

/** What a page asks for is what Medusa asks for at that moment, and what the gateway would take. */
export async function asksForMedusas({ shown, carts, books, isQuiet }: Look): Promise<string[]> {
  const found: string[] = []
  for (const [id, { status, paymentCollectionId }] of await shown.statuses()) {
    const { amount, state, url, currency } = status
    if (amount === null || !WAITING.includes(state)) continue
    const cart = carts.get(paymentCollectionId)
    const order = cart?.order ? (await shown.link(cart.order.id))?.asked : undefined
    const asked = order === undefined ? cart?.total : order
    // An order that asks for more by now has a part of it asked for, until the next check.
    const isPart = !isQuiet && order != null && centsOf(amount) < centsOf(order)
    if (!isPart) {
      found.push(...differ(`what ${id} asks for`, centsOf(amount), asked && centsOf(asked)))
    }
    const page = url === null ? undefined : pageAt(books, url)
    const takes = page && { cents: page.cents, currency: page.currency }
    if (url !== null) {
      const asks = { cents: centsOf(amount), currency }
      found.push(...differ(`what the page of ${id} takes`, takes, asks))
    }
  }
  return found
}

/** What reads paid says how much came, what went back, and which order Medusa has of it. */
export async function paidIsTheBooks({ shown, truth, carts }: Look): Promise<string[]> {
  const details = await shown.details()
  const found: string[] = []
  for (const [id, { status, payment, paymentCollectionId }] of await shown.statuses()) {
    if (status.state !== "paid" || !payment) continue
    const { amount, beyond_amount: beyond, returned_amount: returned, currency } = status
    const own = details.find((one) => one.id === payment.id)
    const sums = [cameFor(truth, payment), backOf(truth, own?.refunds ?? [])].map((moved) =>
      moved.reduce((all, { cents }) => all + cents, 0),
    )
    const [came = 0, back = 0] = sums
    const stated = centsOf(amount ?? 0) + centsOf(beyond ?? 0)
    const takenBack = own?.taken_back_at ? came - back : 0
    if (returned === null) found.push(...differ(`what ${id} says was paid`, stated, came))
    found.push(
      ...differ(`what ${id} says went back`, centsOf(returned ?? 0), back + takenBack),
      ...differ(`the currency of ${id}`, currency, cameFor(truth, payment)[0]?.currency),
    )
    const order = carts.get(paymentCollectionId)?.order?.id
    if (status.order_id !== null)
      found.push(...differ(`the order of ${id}`, status.order_id, order))
  }
  return found
}

const backOf = (truth: Look["truth"], refunds: readonly { readonly reference: string | null }[]) =>
  truth.filter(
    ({ kind, reference }) =>
      kind === "refunded" && refunds.some((one) => one.reference === reference),
  )

/** A link of a receipt on a shopper's page opens the receipt that an admin has of the payment. */
export async function receiptLinkOpensIt({ shown }: Look): Promise<string[]> {
  const found: string[] = []
  for (const [id, { status, payment }] of await shown.statuses()) {
    if (status.receipt_url === null || !payment) continue
    const [opened, kept] = [await shown.opened(status.receipt_url), await shown.receipt(payment.id)]
    found.push(...differ(`what the receipt's link of ${id} opens`, opened, kept))
  }
  return found
}

/**
 * The link of an order asks for what Medusa asks for: no page can be opened that takes another
 * amount, and none that takes the same money again.
 */
export async function linksAskForWhatIsOpen(look: Look): Promise<string[]> {
  const { shown, carts, books, dice, most, isQuiet } = look
  const ids = new Set([...carts.values()].flatMap(({ order }) => order?.id ?? []))
  const found: string[] = []
  for (const id of some([...ids], dice, most)) {
    const { link, asked = null } = (await shown.link(id)) ?? {}
    if (!link) continue
    const { open_amount: open, payment_link: own, why_not: whyNot } = link
    found.push(
      ...differ(`what is open of ${id}`, open && centsOf(open), asked && centsOf(asked)),
      ...(whyNot === null && open === null
        ? [`${id} asks for nothing, and a link may be made`]
        : []),
    )
    if (!own?.url) continue
    const page = pageAt(books, own.url)
    const asks = { cents: centsOf(own.amount), currency: own.currency }
    found.push(
      ...differ(
        `what the link of ${id} takes`,
        page && { cents: page.cents, currency: page.currency },
        asks,
      ),
      ...(isQuiet ? differ(`what the open link of ${id} asks for`, own.amount, open) : []),
      ...(isQuiet && (page?.status === "PAID" || page?.status === "CANCELED")
        ? [`the link of ${id} is open, and its page is ${page.status}`]
        : []),
    )
  }
  return found
}
