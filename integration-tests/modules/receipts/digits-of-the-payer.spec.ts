/**
 * Any phone can pay a page or a link, and the page of a prompt's document. Whatever shows the payment shows that phone's digits or none:
 * the digits of the order's phone would name a payer who has paid nothing.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import { makePaymentLink } from "../../../src/payment-links/make-link"
import { checkForPerson } from "../../../src/review/check"
import { MINUTE, SECOND } from "../../support/an-operation"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { one } from "../../support/notify-scene"
import { payerViews, type Started } from "../../support/payer-views"
import { useReviewHarness } from "../../support/review-harness"

const review = useReviewHarness()
const its = () => review.its()
const { scene, settled, viewsOf } = payerViews(review)

/** The phone of the cart and of the order, and the phone that pays at the gateway. */
const DIGITS = PHONE.slice(-3)
const OTHER = "+231770000357"

async function page(): Promise<Started> {
  const { sessionId, collectionId } = its().cart(HOSTED)
  await startPayment(its().deps, { sessionId, phone: PHONE })
  return { sessionId, operation: await its().shown(collectionId) }
}

async function link(): Promise<Started> {
  const { sessionId, collectionId } = its().cart(PUSH)
  const orderId = `order_${collectionId}`
  its().of(collectionId).order = { id: orderId, isCanceled: false }
  await makePaymentLink(its().deps, { orderId, adminId: "user_1", phone: PHONE })
  const operation = await its().shown(collectionId)
  return { sessionId: operation.paymentSessionId ?? sessionId, operation }
}

async function prompt(): Promise<Started> {
  const { sessionId, collectionId } = its().cart(PUSH)
  await startPayment(its().deps, { sessionId, phone: PHONE })
  return { sessionId, operation: await its().shown(collectionId) }
}

/** Its phone declines it once, another pays its document's page, and an admin accepts that. */
async function promptPaidOnItsPage(): Promise<Started> {
  its().simulator.plan({ outcome: "decline_then_approve", times: 1 })
  const { sessionId, operation } = await prompt()
  await review.checkAfter(operation, SECOND)
  expect(await review.checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
  payByAnotherPhone({ operation })
  const found = await review.checkAfter(operation, 2 * MINUTE)
  expect(found).toMatchObject({ state: "review", reason: "late_payment", phoneHint: null })
  await review.resolve(found, "accept")
  return { sessionId, operation: found }
}

/** The ends of phone numbers in a view: in its fields, its sentences and the cells of its file. */
function digitsIn(view: unknown): string[] {
  const text = typeof view === "string" ? view : JSON.stringify(view)
  const found = text.matchAll(/"phone\w*":"(\d+)"|…(\d+)|ending in (\d+)|,'(\d{3}),/g)
  return [...new Set([...found].map((groups) => groups.slice(1).join("")))]
}

async function shown(started: Started): Promise<Record<string, string[]>> {
  const views = await viewsOf(await settled(started))
  return Object.fromEntries(Object.entries(views).map(([name, view]) => [name, digitsIn(view)]))
}

function payByAnotherPhone({ operation }: Pick<Started, "operation">): void {
  const { hosted, handset } = its().simulator
  hosted.pay(operation.sourceId ?? 0, { method: "mobile_money", phone: OTHER })
  handset.approve(OTHER.slice(1))
}

beforeEach(() => scene().tell({ recipients: [one({ kinds: ["money_received"] })] }))

it("a prompt shows the digits of the phone that it went to in every view", async () => {
  const started = await prompt()
  its().simulator.handset.approve(started.operation.reference ?? "")
  const without = ["the home page", "the period's file", "the accountant's sheet"]
  for (const [view, digits] of Object.entries(await shown(started)))
    expect([view, digits]).toEqual([view, without.includes(view) ? [] : [DIGITS]])
})

it.each([
  ["page", page],
  ["link", link],
])(
  "a %s that another phone pays shows that phone's digits or none in every view",
  async (_, of) => {
    const started = await of()
    expect(started.operation.phoneHint).toBe(DIGITS)
    payByAnotherPhone(started)
    for (const [view, digits] of Object.entries(await shown(started)))
      expect([view, digits.filter((one) => one !== OTHER.slice(-3))]).toEqual([view, []])
  },
)

it("a prompt whose page another phone pays shows the digits of its own phone in no view", async () => {
  const started = await promptPaidOnItsPage()
  for (const [view, digits] of Object.entries(await shown(started)))
    expect([view, digits]).toEqual([view, []])
  // Its own phone pays after all: its own payment shows them from here on.
  its().later(MINUTE)
  await checkForPerson(its().deps, started.operation.id, "user_ada")
  expect(await review.reread(started.operation)).toMatchObject({ phoneHint: DIGITS })
})
