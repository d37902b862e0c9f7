/**
 * Orders that are credited or edited at any moment of a payment, drawn: what is asked for, and what
 * is captured, is what Medusa's sum left open at that moment, and nothing else is cancelled or kept.
 */
import fc from "fast-check"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { makePaymentLink } from "../../../src/payment-links/make-link"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { useOrderFirst, type Placed } from "../../support/order-first"

const { harness, place, orderOf, start, reread, overNow, all } = useOrderFirst()

type Way = "phone" | "page" | "link"
/** A credit line only lowers what is open, and leaves Medusa's payment collection as it was. */
type Change = { readonly by: "credit" | "edit"; readonly open: string } | null
type Drawn = {
  readonly way: Way
  readonly before: Change
  readonly asking: Change
  readonly out: Change
  readonly paid: Change
  readonly isPaid: boolean
}

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant(null),
  fc.record({
    by: fc.constantFrom<"credit" | "edit">("credit", "credit", "edit"),
    open: fc.constantFrom("0", "0.004", "14.99", "19.99", "24.99"),
  }),
)

const drawn: fc.Arbitrary<Drawn> = fc.record({
  way: fc.constantFrom<Way>("phone", "page", "link"),
  before: change,
  asking: change,
  out: change,
  paid: change,
  isPaid: fc.boolean(),
})

function make(placed: Placed, made: Change): void {
  if (!made) return
  const { open = harness.of(placed.collectionId).total } = orderOf(placed)
  if (made.by === "credit" && Number(made.open) >= Number(open)) return
  orderOf(placed).open = made.open
  if (made.by === "edit") harness.of(placed.collectionId).total = made.open
}

const openOf = async (placed: Placed) =>
  (await harness.deps.medusa.openOrder(orderOf(placed).id))?.openAmount ?? "gone"

const minorOf = (major: string) => BigInt(Math.round(Number(major) * 100))

/** What was open whenever money was captured onto the order. */
function watched(placed: Placed, captures: string[]): FlowDeps {
  const { medusa } = harness.deps
  const captureOnOrder: typeof medusa.captureOnOrder = async (sessionId, amount) => {
    captures.push(await openOf(placed))
    return medusa.captureOnOrder(sessionId, amount)
  }
  const around = new Proxy(medusa, {
    get: (target, name) =>
      name === "captureOnOrder" ? captureOnOrder : (Reflect.get(target, name) as unknown),
  })
  return { ...harness.deps, medusa: around }
}

/** As a storefront, or an admin, does: after `cart_changed` once more with the new session. */
async function asked(placed: Placed, way: Way, asking: Change): Promise<string> {
  harness.before("openOrder", async () => make(placed, asking))
  let code = "cart_changed"
  for (let tries = 0; tries < 3 && code === "cart_changed"; tries++) {
    const [session] = harness.of(placed.collectionId).sessions
    const once =
      way === "link"
        ? makePaymentLink(harness.deps, {
            orderId: orderOf(placed).id,
            adminId: "user_1",
            phone: PHONE,
          })
        : start(session?.id ?? "")
    code = await codeOf(once)
  }
  harness.before("openOrder", async () => undefined)
  return code
}

function pay({ flow, reference, sourceId }: Operation): void {
  if (flow === "push") harness.simulator.handset.approve(reference ?? "")
  else harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
}

async function play({ way, before, asking, out, paid, isPaid }: Drawn): Promise<void> {
  const placed = await place(way === "phone" ? PUSH : HOSTED)
  const captures: string[] = []
  const deps = watched(placed, captures)
  make(placed, before)
  const code = await asked(placed, way, asking)
  const open = await openOf(placed)
  const [operation] = await all(placed)
  if (code === "none" && operation) {
    expect(String(operation.amount.minor)).toBe(String(minorOf(open)))
    make(placed, out)
    if (isPaid) pay(operation)
    make(placed, paid)
    await harness.pass(operation.id, MINUTE)
    await checkNow(deps, operation.id)
    const now = await reread(operation)
    const isStillOpen = minorOf(await openOf(placed)) === operation.amount.minor
    if (isPaid && captures.length === 0) {
      expect([now.state, isStillOpen]).toEqual(["review", false])
      expect(now.reason).toBe("cart_changed")
    }
    if (!isPaid && !isStillOpen && way !== "phone") expect(now.state).toBe("expired")
  } else {
    // Whoever is refused although something is open was not told to look again.
    expect([code, minorOf(open) > 0n]).toEqual(["nothing_to_pay", false])
    expect(operation?.reference ?? null).toBeNull()
  }
  const [paidWith] = harness.of(placed.collectionId).payments
  expect(captures.map(minorOf)).toEqual(paidWith ? [minorOf(paidWith.amount ?? "")] : [])
  if (captures.length === 0) await expectEnd(deps, placed)
}

/** At the end of its time an order is cancelled only where it asks for something. */
async function expectEnd(deps: FlowDeps, placed: Placed): Promise<void> {
  const open = await openOf(placed)
  await overNow(placed)
  await checkDueOperations(deps, { atMost: 50 })
  if (minorOf(open) <= 0n) expect(orderOf(placed).isCanceled).toBe(false)
}

it("[B43] nobody is asked for what is not open, and nothing else is captured", async () => {
  await fc.assert(fc.asyncProperty(drawn, play), {
    numRuns: 25,
    seed: 42,
    endOnFailure: true,
  })
}, 240_000)
