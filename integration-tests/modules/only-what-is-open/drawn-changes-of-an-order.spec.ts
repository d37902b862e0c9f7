/**
 * Carts and orders that are credited, edited or exchanged, and whose money is given back, at any
 * moment of a payment, drawn: what is asked for, and what is captured or placed late, is what
 * Medusa's sum left open at that moment; other money waits for an admin; and only an order that asks
 * for something is cancelled at its end.
 */
import fc from "fast-check"
import { NO_POLICIES } from "../../../src/core/account-settings"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { startPayment } from "../../../src/checkout/start-payment"
import { makePaymentLink } from "../../../src/payment-links/make-link"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { CARD, HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { useOrderFirst, type Placed } from "../../support/order-first"

const { harness, place, orderOf, reread, overNow, all } = useOrderFirst()

const PROVIDERS = { phone: PUSH, card: CARD, page: HOSTED, link: HOSTED } as const
const CARD_TOKEN = { cardToken: "card_no_3ds" }
type Way = keyof typeof PROVIDERS
/**
 * A credit line only lowers what is open, and leaves Medusa's payment collection as it was; of a
 * cart, the shop's own code does so. An edit or an exchange changes both. With a refund Medusa
 * writes a credit line, so that what is open stays; without one, money that went back is open again.
 */
type Change = {
  readonly by: "credit" | "edit" | "exchange" | "refund" | "return"
  readonly open: string
} | null
type Drawn = {
  readonly way: Way
  readonly isOrder: boolean
  /** Another provider's money is in the order already. */
  readonly isPartlyPaid: boolean
  readonly before: Change
  readonly asking: Change
  readonly out: Change
  readonly paid: Change
  readonly ended: Change
  /** What is asked for once its first money is recorded. */
  readonly then: Change
  /** `late`: a prompt is declined, seen so twice, and approved after all. */
  readonly pays: "in time" | "late" | "never"
}

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant(null),
  fc.record({
    by: fc.constantFrom<NonNullable<Change>["by"]>(
      ...(["credit", "credit", "edit", "exchange", "refund", "return"] as const),
    ),
    open: fc.constantFrom("0", "0.004", "14.99", "19.99", "24.99"),
  }),
)

const drawn: fc.Arbitrary<Drawn> = fc.record({
  way: fc.constantFrom<Way>("phone", "card", "page", "link"),
  isOrder: fc.boolean(),
  isPartlyPaid: fc.boolean(),
  before: change,
  asking: change,
  out: change,
  paid: change,
  ended: change,
  then: change,
  pays: fc.constantFrom<Drawn["pays"]>("in time", "in time", "late", "never"),
})

const cartOf = ({ collectionId }: Placed) => harness.of(collectionId)

function make(placed: Placed, made: Change): void {
  const cart = cartOf(placed)
  // Only an order has money that can go back.
  if (!made || made.by === "refund" || (made.by === "return" && !cart.order)) return
  const { order } = cart
  const now = (order?.isPaidOtherwise ? order.rest : order?.open) ?? cart.sum ?? cart.total
  const isMore = Number(made.open) > Number(now)
  if ((made.by === "credit" && isMore) || (made.by === "return" && !isMore)) return
  if (order?.isPaidOtherwise) order.rest = made.open
  else if (order) order.open = made.open
  else cart.sum = made.open
  if (made.by === "edit" || made.by === "exchange") cart.total = made.open
}

/** What Medusa asks for now. */
async function openOf(placed: Placed): Promise<string> {
  const { order, sum, total } = cartOf(placed)
  if (!order) return sum ?? total
  return (await harness.deps.medusa.openOrder(order.id))?.openAmount ?? "gone"
}

const minorOf = (major: string) => BigInt(Math.round(Number(major) * 100))

/** What may be charged: all that is open, or what the payment collection asks for of it. */
async function dueOf(placed: Placed): Promise<bigint> {
  const [open, total] = [minorOf(await openOf(placed)), minorOf(cartOf(placed).total)]
  return open < total ? open : total
}

/** What was open whenever money was captured: onto an order, or as its cart was completed. */
function watched(placed: Placed, captures: bigint[]): FlowDeps {
  const { medusa } = harness.deps
  const around: Partial<typeof medusa> = {
    async captureOnOrder(...given) {
      captures.push(await dueOf(placed))
      return medusa.captureOnOrder(...given)
    },
    async completeCart(...given) {
      const open = await dueOf(placed)
      const before = cartOf(placed).payments.length
      const orderId = await medusa.completeCart(...given)
      if (cartOf(placed).payments.length > before) captures.push(open)
      return orderId
    },
  }
  const watching = new Proxy(medusa, {
    get: (target, name) => (Reflect.get(around, name) ?? Reflect.get(target, name)) as unknown,
  })
  return { ...harness.deps, medusa: watching }
}

/** As a storefront, or an admin, does: after `cart_changed` once more with the new session. */
async function asked(placed: Placed, way: Way, asking: Change): Promise<string> {
  const question = cartOf(placed).order ? "openOrder" : "basketOfCart"
  harness.before(question, async () => make(placed, asking))
  let code = "cart_changed"
  for (let tries = 0; tries < 3 && code === "cart_changed"; tries++) {
    const cart = cartOf(placed)
    // The storefront asks Medusa for a session of the cart as it is now.
    if (!cart.order && tries > 0) {
      cart.total = cart.sum ?? cart.total
      harness.session(placed.collectionId, PROVIDERS[way])
    }
    const sessionId = cart.sessions[0]?.id ?? ""
    const once =
      way === "link"
        ? makePaymentLink(harness.deps, {
            orderId: orderOf(placed).id,
            adminId: "user_1",
            phone: PHONE,
          })
        : startPayment(harness.deps, { sessionId, phone: PHONE, ...(way === "card" && CARD_TOKEN) })
    code = await codeOf(once)
  }
  harness.before(question, async () => undefined)
  return code
}

/** Until the money was declined twice, and came after all; else until it was checked. */
async function settled(deps: FlowDeps, placed: Placed, operation: Operation, one: Drawn) {
  const checkAfter = async (ms: number) => {
    if ((await reread(operation)).recordedAt !== null) return
    await harness.pass(operation.id, ms)
    await checkNow(deps, operation.id)
  }
  if (one.pays === "late") {
    await checkAfter(SECOND)
    await checkAfter(6 * SECOND)
    harness.later(MINUTE)
  } else if (one.pays === "in time" && operation.flow === "push") {
    harness.simulator.handset.approve(operation.reference ?? "")
  } else if (one.pays === "in time" && operation.flow !== "card") {
    harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  }
  make(placed, one.paid)
  for (const ms of [2 * MINUTE, 4 * SECOND, 4 * SECOND]) await checkAfter(ms)
}

async function play(given: Drawn): Promise<void> {
  // Only an order has a link, and only a prompt is declined on the phone.
  const isOrder = given.isOrder || given.way === "link"
  const pays = given.pays === "late" && given.way !== "phone" ? "in time" : given.pays
  const one: Drawn = { ...given, isOrder, pays }
  const placement = isOrder ? "order_first" : "pay_first"
  await harness.ledger.sql("update mp_account set order_placement = $1, policies = $2", [
    placement,
    JSON.stringify({ ...NO_POLICIES, place_late_money: true }),
  ])
  const provider = PROVIDERS[one.way]
  const placed = isOrder ? await place(provider) : harness.cart(provider)
  const { order, total } = cartOf(placed)
  if (order && one.isPartlyPaid) Object.assign(order, { isPaidOtherwise: true, rest: total })
  if (pays === "late") harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  const captures: bigint[] = []
  const deps = watched(placed, captures)
  make(placed, one.before)
  const code = await asked(placed, one.way, one.asking)
  const open = await openOf(placed)
  const [operation] = await all(placed)
  if (code === "none" && operation) {
    expect(operation.amount.minor).toBe(await dueOf(placed))
    make(placed, one.out)
    await settled(deps, placed, operation, one)
    const now = await reread(operation)
    const isStillOpen = (await dueOf(placed)) === operation.amount.minor
    const isPaid = pays !== "never" || one.way === "card"
    if (isPaid && captures.length === 0) {
      expect([now.state, now.reason, isStillOpen]).toEqual(["review", now.reason, false])
      const reasons = [
        ...(pays === "late" ? ["late_payment"] : []),
        ...(one.isPartlyPaid && isOrder ? ["another_payment"] : []),
        "cart_changed",
      ]
      expect(reasons).toContain(now.reason)
    }
    if (!isPaid) expect(captures).toEqual([])
    if (!isPaid && !isStillOpen && one.way !== "phone") expect(now.state).toBe("expired")
  } else {
    // Whoever is refused although something is open was not told to look again.
    expect([code, minorOf(open) > 0n]).toEqual([isOrder ? "nothing_to_pay" : code, false])
    expect(operation?.reference ?? null).toBeNull()
  }
  const [paidWith] = cartOf(placed).payments
  expect(captures).toEqual(paidWith ? [minorOf(paidWith.amount ?? "")] : [])
  harness.simulator.clearPlans()
  if (!isOrder) return
  await expectEnd(deps, placed, one)
  if ((await all(placed)).some(({ recordedAt }) => recordedAt !== null))
    await expectMore(placed, one)
}

/** An order that has its money asks for the difference of a later change alone, once. */
async function expectMore(placed: Placed, { then: made }: Drawn): Promise<void> {
  if (!made) return
  const isMore = made.by !== "refund" && made.by !== "credit"
  orderOf(placed).difference = isMore ? made.open : "0"
  const open = minorOf(await openOf(placed))
  const orderId = orderOf(placed).id
  const ask = () =>
    codeOf(makePaymentLink(harness.deps, { orderId, adminId: "user_1", phone: PHONE }))
  expect(await ask()).toBe(open > 0n ? "none" : "nothing_to_pay")
  if (open <= 0n) return
  const beside = { ...placed, collectionId: `${placed.collectionId}_1` }
  const [more] = await all(beside)
  if (!more) throw new Error("nothing was asked for")
  expect(more.amount.minor).toBe(open)
  harness.simulator.hosted.pay(more.sourceId ?? 0, { method: "card" })
  for (const ms of [2 * MINUTE, 4 * SECOND, 4 * SECOND]) {
    if ((await reread(more)).recordedAt !== null) break
    await harness.pass(more.id, ms)
    await checkNow(harness.deps, more.id)
  }
  expect((await reread(more)).recordedAt).not.toBeNull()
  expect(minorOf(await openOf(placed))).toBe(0n)
  expect(await ask()).toBe("nothing_to_pay")
}

/** At the end of its time an order is cancelled where it asks for something, and nothing came. */
async function expectEnd(
  deps: FlowDeps,
  placed: Placed,
  { way, ended, pays, isPartlyPaid }: Drawn,
): Promise<void> {
  make(placed, ended)
  const open = minorOf(await openOf(placed))
  for (let passes = 0; passes < 3; passes++) {
    if ((await all(placed)).some(({ recordedAt }) => recordedAt !== null)) break
    await overNow(placed)
    await checkDueOperations(deps, { atMost: 50 })
  }
  const isPaid = cartOf(placed).payments.length > 0
  if (isPaid || isPartlyPaid || open <= 0n) expect(orderOf(placed).isCanceled).toBe(false)
  const tries = await all(placed)
  const isTimed = tries.some(({ windowEndsAt }) => windowEndsAt !== null)
  // A prompt that is out keeps its order, and so does money that waits for an admin: a card's.
  const isKept = way === "phone" || tries.some(({ state }) => state === "review")
  if (pays === "never" && !isKept && !(isPaid || isPartlyPaid) && open > 0n && isTimed) {
    expect(orderOf(placed).isCanceled).toBe(true)
  }
}

const CALM = { before: null, asking: null, out: null, paid: null, ended: null, then: null }
const LATE = [false, true].map((isOrder): [Drawn] => [
  { ...CALM, way: "phone", isOrder, isPartlyPaid: false, pays: "late" },
])

it("[B43] nobody is asked for what is not open, and nothing else is captured", async () => {
  await fc.assert(fc.asyncProperty(drawn, play), {
    numRuns: 60,
    endOnFailure: true,
    examples: LATE,
  })
}, 240_000)
