/**
 * What is charged, shown, recorded, placed and closed is what Medusa says is open at that moment.
 * Medusa's payment collection does not follow a credit line, so only the order's own sum says it.
 */
import { NO_POLICIES } from "../../../src/core/account-settings"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { makePaymentLink } from "../../../src/payment-links/make-link"
import { resendLink } from "../../../src/payment-links/resend-link"
import { readStatus } from "../../../src/checkout/read-status"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { useOrderFirst, type Placed } from "../../support/order-first"

const {
  harness,
  place,
  orderOf,
  start,
  reread,
  overNow,
  run,
  checkAfter,
  declined,
  sourceOf,
  all,
} = useOrderFirst()

/** A credit line of an admin's: the payment collection keeps its amount. */
const credit = (placed: Placed, open: string) => void (orderOf(placed).open = open)

/** An order edit: Medusa's payment collection follows it, its sessions do not. */
const edit = (placed: Placed, total: string) => void (harness.of(placed.collectionId).total = total)

const sent = () => harness.simulator.book.executions().length
const payable = () => harness.simulator.book.documents().filter(({ status }) => status === "ACTIVE")
const captured = ({ collectionId }: Placed) => harness.of(collectionId).payments.length

const sessionOf = ({ collectionId }: Placed) => {
  const [session] = harness.of(collectionId).sessions
  if (!session) throw new Error("there is no session")
  return session
}

const pay = (sourceId: number | null) =>
  harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })

describe.each([
  ["a prompt", PUSH],
  ["a page", HOSTED],
])("before %s goes out", (_, providerId) => {
  it("[B43] an order that is credited to nothing asks for no money", async () => {
    const placed = await place(providerId)
    const before = [sent(), payable().length]
    credit(placed, "0")
    expect(await codeOf(start(placed.sessionId))).toBe("nothing_to_pay")
    expect([sent(), payable().length]).toEqual(before)
  })

  it.each([
    ["credited", credit, "14.99"],
    ["edited to more", edit, "24.99"],
    ["edited to less", edit, "9.50"],
  ])("[B43] an order that was %s is charged what is open then", async (_name, change, open) => {
    const placed = await place(providerId)
    const before = sent()
    change(placed, open)
    expect(await codeOf(start(placed.sessionId))).toBe("cart_changed")
    expect(sent()).toBe(before)
    // Medusa has a session for what is open by now.
    expect(sessionOf(placed).amount).toBe(open)
    expect(await start(sessionOf(placed).id)).toMatchObject({ amount: Number(open) })
  })

  it("[B43] a credit that comes while the gateway is asked stops what was begun", async () => {
    const placed = await place(providerId)
    const before = sent()
    // The order is read with its lines, and once more just before anything goes out.
    harness.before("openOrder", async () => credit(placed, "14.99"))
    expect(await codeOf(start(placed.sessionId))).toBe("cart_changed")
    expect(sent()).toBe(before)
    const [draft] = await all(placed)
    expect(draft).toMatchObject({ state: "expired", reference: null })
    expect(draft && sourceOf(draft)).toBe("CANCELED")
  })
})

describe("while it is out", () => {
  it.each(["14.99", "0"])(
    "[B43] a page is closed once its order is credited to %s, and shows no amount before",
    async (open) => {
      const placed = await place(HOSTED)
      await start(placed.sessionId)
      const page = await harness.shown(placed.collectionId)
      credit(placed, open)
      const { status } = await readStatus(harness.deps, { sessionId: placed.sessionId })
      expect(status).toMatchObject({ amount: null, url: null })
      expect(await checkAfter(page, MINUTE)).toMatchObject({ state: "expired" })
      expect(sourceOf(page)).toBe("CANCELED")
    },
  )

  it("[B43] a page is closed at its next check once the shop's code has changed the cart alone", async () => {
    const cart = harness.cart(HOSTED)
    await start(cart.sessionId)
    const page = await harness.shown(cart.collectionId)
    harness.of(cart.collectionId).sum = "14.99"
    expect(await checkAfter(page, MINUTE)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(sourceOf(page)).toBe("CANCELED")
  })

  it("[B43] a prompt that is approved after a credit is put before an admin, and captured nowhere", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    credit(placed, "14.99")
    harness.simulator.handset.approve(operation.reference ?? "")
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    expect(captured(placed)).toBe(0)
  })

  it("[B43] a link that is paid after a credit is put before an admin, and is not sent again", async () => {
    const placed = await place(HOSTED)
    const orderId = orderOf(placed).id
    await makePaymentLink(harness.deps, { orderId, adminId: "user_1", phone: PHONE })
    const link = await harness.shown(placed.collectionId)
    credit(placed, "14.99")
    expect(await codeOf(resendLink(harness.deps, link.id, "user_1"))).toBe("link_closed")
    pay(link.sourceId)
    expect(await checkAfter(link, MINUTE)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    expect(captured(placed)).toBe(0)
  })
})

describe("afterwards", () => {
  it.each([
    ["onto no order that asks for nothing", "0", "review"],
    ["onto no order that asks for less", "14.99", "review"],
    ["onto the order that asks for it", "19.99", "completed"],
  ])("[B43] late money is placed %s", async (_, open, state) => {
    const [account] = await harness.deps.accounts()
    if (!account) throw new Error("there is no account")
    await saveAccount(harness.ledger.database, { ...account, policies: NO_POLICIES })
    const placed = await place()
    harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await checkAfter(operation, SECOND)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    credit(placed, open)
    harness.later(MINUTE)
    expect(await checkAfter(operation, 2 * MINUTE)).toMatchObject({ reason: "late_payment" })
    await run()
    expect(await reread(operation)).toMatchObject({ state })
    expect(captured(placed)).toBe(state === "completed" ? 1 : 0)
  })

  it("[B43] an order that asks for nothing is not cancelled as unpaid", async () => {
    const placed = await place()
    await declined(placed)
    credit(placed, "0")
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    const [operation] = await all(placed)
    expect(operation?.windowDoneAt).not.toBeNull()
  })

  it("an order that asks for something is cancelled as unpaid", async () => {
    const placed = await place()
    await declined(placed)
    credit(placed, "14.99")
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
  })
})
