/** What happens to the payments of a seeded demo: each state, each kind and each reason once. */
import { addToOrder } from "../../integration-tests/http/support/orders"
import { expectOk, HOSTED, PUSH } from "../../integration-tests/http/support/shop"
import type { Actors, Begun, Buys } from "./actors"

/** What it makes, as it is told at the end, and how. */
export type Scene = readonly [makes: string, play: (actors: Actors) => Promise<unknown>]

/** The operator's own words, which no page translates. */
const OWN_WORDS = "Transaction declined: the recipient's daily limit is reached. Ref 0x7F"

const RWANDA = "Rwanda"
const ABROAD = "International"
/** Sold out by the scene that needs it; no other buys it. */
const SCARCE = "bead-bracelet"
const STOCK = 10_000

const paidByPhone = (buys: Buys) => async (actors: Actors) => {
  const begun = await actors.begin(buys)
  await actors.approve(begun)
  await actors.ends(begun, "paid")
  return begun
}

const paidByCard = (buys: Buys) => async (actors: Actors) => {
  const begun = await actors.begin(buys, HOSTED)
  await actors.payOnPage(begun.payment.url, { method: "card" })
  await actors.ends(begun, "paid")
  return begun
}

const paidOnPageByPhone = (buys: Buys) => async (actors: Actors) => {
  const begun = await actors.begin(buys, HOSTED)
  // Ends in 00: approved by itself.
  const phone = `${begun.phone.slice(1, -2)}00`
  await actors.payOnPage(begun.payment.url, { method: "mobile_money", phone })
  await actors.ends(begun, "paid")
}

const endsAs = (buys: Buys, state: string) => async (actors: Actors) =>
  actors.ends(await actors.begin(buys), state)

const leftOnPage = (buys: Buys) => async (actors: Actors) => {
  const { sessionId } = await actors.begin(buys, HOSTED)
  await expectOk(actors.shop.cancel(sessionId))
}

const paidLink = (buys: Buys) => async (actors: Actors) => {
  const link = await actors.link(buys)
  await actors.payOnPage(link.url, { method: "card" })
  await actors.checkedUntil(link.operationId, "a link is paid", (now) => now.recorded_at !== null)
}

const refunded = (buys: Buys, share: number) => async (actors: Actors) => {
  const begun = await paidByPhone(buys)(actors)
  return { begun, ...(await actors.refund(begun, share)) }
}

const isInReview = ({ state }: { readonly state: string }) => state === "review"

/** Declined for the shop, and its document is paid on the page all the same. */
async function late(actors: Actors): Promise<string> {
  const begun = await actors.begin({ ending: "01" })
  await actors.ends(begun, "failed")
  const id = await actors.payAnyway(begun)
  await actors.checkedUntil(id, "late money is found", isInReview)
  return id
}

/** Declined, and approved a minute later by the same phone. */
async function approvedLate(actors: Actors, meanwhile: (begun: Begun) => Promise<unknown>) {
  const begun = await actors.begin({ ending: "07" })
  await actors.ends(begun, "failed")
  await meanwhile(begun)
  return actors.heldOf(begun)
}

/** Money for an order that changes while the customer has the prompt of its link before them. */
const linkOvertaken =
  (change: (actors: Actors, orderId: string) => Promise<unknown>) => async (actors: Actors) => {
    const link = await actors.link()
    await actors.openOnPhone(link)
    await change(actors, link.orderId)
    await actors.approveLink(link)
    await actors.checkedUntil(link.operationId, "the link's money is held", isInReview)
  }

const sentUntil =
  (send: (actors: Actors) => Promise<string>, state: string) => async (actors: Actors) => {
    const id = await send(actors)
    await actors.checkedUntil(id, `money sent is ${state}`, (now) => now.state === state)
  }

async function markAsPaid({ admin }: Actors, orderId: string): Promise<void> {
  const { total } = await admin.order(orderId)
  const { payment_collection: other } = await expectOk(
    admin.call<{ payment_collection: { id: string } }>("POST", "/admin/payment-collections", {
      order_id: orderId,
      amount: total,
    }),
  )
  const body = { order_id: orderId }
  await expectOk(admin.call("POST", `/admin/payment-collections/${other.id}/mark-as-paid`, body))
}

async function stock({ admin }: Actors, quantity: number): Promise<void> {
  type Items = { inventory_items: { id: string; location_levels: { location_id: string }[] }[] }
  const path = `/admin/inventory-items?q=${SCARCE}&fields=id,*location_levels`
  const { inventory_items: items } = await expectOk(admin.call<Items>("GET", path))
  for (const { id, location_levels: levels } of items) {
    for (const { location_id: location } of levels) {
      const level = `/admin/inventory-items/${id}/location-levels/${location}`
      await expectOk(admin.call("POST", level, { stocked_quantity: quantity }))
    }
  }
}

/**
 * Paid, and there is nothing left to send: tried for an hour and a half, then it needs a review.
 */
async function soldOut(actors: Actors): Promise<void> {
  await stock(actors, STOCK)
  const begun = await actors.begin({ items: [[SCARCE, 1]] })
  await stock(actors, 0)
  await actors.approve(begun)
  const id = await actors.operationOf(begun)
  await actors.checkedUntil(id, "paid, not recorded", ({ state }) => state === "completed")
}

/** The region gives mobile money up while a shopper has the prompt before them. */
async function switchedOff(actors: Actors): Promise<void> {
  const { admin } = actors
  const begun = await actors.begin({ region: RWANDA })
  type Regions = { regions: { id: string; name: string }[] }
  const { regions } = await expectOk(admin.call<Regions>("GET", "/admin/regions"))
  const region = `/admin/regions/${regions.find(({ name }) => name === RWANDA)?.id ?? ""}`
  const offer = (providers: string[]) =>
    expectOk(admin.call("POST", region, { payment_providers: providers }))
  await offer([HOSTED])
  try {
    await actors.approve(begun)
    await actors.ends(begun, "under_review")
  } finally {
    await offer([PUSH, HOSTED])
  }
}

/** Beside the others: what takes a minute comes first, so that the rest is made meanwhile. */
export const ONCE: readonly Scene[] = [
  [
    "refund that failed and went out all the same",
    async (actors) => {
      const { id } = await refunded({ ending: "97" }, 0.5)(actors)
      const [refund] = (await actors.operation(id)).refunds
      await sentUntil(async () => refund?.id ?? "", "review")(actors)
    },
  ],
  [
    "payout that failed and went out all the same",
    sentUntil((actors) => actors.payout("Liberia", "97", "310.00"), "review"),
  ],
  [
    "needs review: paid twice",
    (actors) =>
      approvedLate(actors, async (begun) => {
        await expectOk(
          actors.shop.start(begun.sessionId, { phone: `${begun.phone.slice(0, -2)}00` }),
        )
        await actors.ends(begun, "paid")
      }),
  ],
  [
    "given back straight",
    async (actors) => {
      // Of an unchanged cart the account's rule would make the order.
      const id = await approvedLate(actors, async ({ cartId }) => {
        const item = { variant_id: await actors.shop.variant("pocket-notebook"), quantity: 1 }
        await expectOk(actors.shop.call("POST", `/store/carts/${cartId}/line-items`, item))
      })
      await actors.decide(id, "refund")
      await actors.checkedUntil(id, "it is back", (now) => now.returned_at !== null)
    },
  ],
  ["paid by mobile money", paidByPhone({})],
  ["paid by mobile money", paidByPhone({ region: RWANDA })],
  ["paid on the page by card", paidByCard({ region: ABROAD })],
  ["paid on the page by mobile money", paidOnPageByPhone({})],
  ["paid by link", paidLink({})],
  ["waiting for the phone", (actors) => actors.begin({ ending: "03" })],
  ["waiting, at the operator", (actors) => actors.begin({ region: RWANDA, ending: "08" })],
  ["waiting on the page", (actors) => actors.begin({}, HOSTED)],
  ["waiting link", (actors) => actors.link({ region: RWANDA })],
  ["declined", endsAs({ ending: "01" }, "failed")],
  ["declined for want of money", endsAs({ region: RWANDA, ending: "02" }, "failed")],
  [
    "declined in the operator's own words",
    endsAs({ plan: { outcome: "decline", message: OWN_WORDS } }, "failed"),
  ],
  ["given up on the page", leftOnPage({})],
  [
    "link of a cancelled order",
    async (actors) => {
      const { orderId, operationId } = await actors.link()
      await expectOk(actors.admin.cancel(orderId))
      await actors.checkedUntil(operationId, "a link closes", ({ state }) => state === "expired")
    },
  ],
  ["needs review: another amount", endsAs({ ending: "09" }, "under_review")],
  ["needs review: late money", (actors) => late(actors)],
  [
    "needs review: the order was cancelled",
    linkOvertaken(({ admin }, orderId) => expectOk(admin.cancel(orderId))),
  ],
  [
    "needs review: the order changed",
    linkOvertaken((actors, orderId) => addToOrder(actors, orderId, ["pocket-notebook", 1])),
  ],
  ["needs review: the order is paid otherwise", linkOvertaken(markAsPaid)],
  ["dismissed with a reason", async (actors) => actors.decide(await late(actors), "dismiss")],
  ["refunded in part", refunded({}, 0.5)],
  ["refunded in full", refunded({ region: RWANDA }, 1)],
  ["refund on its way", refunded({ ending: "98" }, 0.25)],
  [
    "refund that failed",
    async (actors) => {
      const { begun } = await refunded({ ending: "98" }, 0.5)(actors)
      await actors.endRefund(begun, "FAILED")
    },
  ],
  [
    "card payment refunded in part",
    async (actors) => {
      await actors.refund(await paidByCard({ region: ABROAD })(actors), 0.5)
    },
  ],
  [
    "payout that arrived",
    sentUntil((actors) => actors.payout("Liberia", "10", "1250.50"), "completed"),
  ],
  ["payout that arrived", sentUntil((actors) => actors.payout(RWANDA, "10", "9000"), "completed")],
  ["payout that failed", sentUntil((actors) => actors.payout("Liberia", "91", "75.25"), "failed")],
  ["payout on its way", (actors) => actors.payout("Liberia", "98", "420.00")],
  ["transfer that arrived", sentUntil((actors) => actors.transfer("10", "600.00"), "completed")],
  ["transfer on its way", (actors) => actors.transfer("98", "150.00")],
]

/** After the others, because each changes the shop under them. */
export const ALONE: readonly Scene[] = [
  ["needs review: mobile money was switched off", switchedOff],
  ["paid, its order pending: sold out", soldOut],
]

/** As a shop's day brings them, again and again. */
export const ORDINARY: readonly Scene[] = [
  ["paid by mobile money", paidByPhone({})],
  ["paid by mobile money", paidByPhone({ region: RWANDA })],
  ["paid on the page by mobile money", paidOnPageByPhone({})],
  ["paid by mobile money", paidByPhone({})],
  ["declined", endsAs({ ending: "01" }, "failed")],
  ["paid by mobile money", paidByPhone({ region: ABROAD })],
  ["paid on the page by card", paidByCard({ region: ABROAD })],
  ["paid by mobile money", paidByPhone({ region: RWANDA })],
  ["paid by mobile money", paidByPhone({})],
  ["given up on the page", leftOnPage({ region: RWANDA })],
  ["paid by mobile money", paidByPhone({})],
  ["paid on the page by card", paidByCard({})],
  ["refunded in part", refunded({}, 0.5)],
  ["paid by mobile money", paidByPhone({})],
  ["paid by link", paidLink({ region: RWANDA })],
  ["declined for want of money", endsAs({ ending: "02" }, "failed")],
]
