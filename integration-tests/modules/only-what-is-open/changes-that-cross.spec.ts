/**
 * A change of a cart and a `start` that cross: whichever request is faster, nothing is sent for a
 * total that the change has made old. The flows over a real ledger and the simulator.
 */
import { systemClock } from "../../../src/core/ports"
import { passChange } from "../../../src/checkout/guard-cart"
import { codeOf } from "../../support/code-of"
import { HOSTED, PUSH } from "../../support/flows-harness"
import { medusaOf } from "../../support/medusa-evidence"
import { portsAround } from "../../support/ports-around"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start } = actsIn(harness)

afterEach(async () => {
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
})

type Shopping = { readonly sessionId: string; readonly collectionId: string }

const pass = ({ collectionId }: Shopping) =>
  passChange(harness.deps, { cartId: `cart_${collectionId}` }, undefined)

/** As Medusa makes it: another total deletes the session. */
function change({ collectionId }: Shopping): void {
  const cart = harness.of(collectionId)
  cart.total = "24.99"
  cart.sessions = []
}

const sent = () => harness.simulator.book.executions().length
const notes = () =>
  harness.ledger.sql("select name from mp_task where starts_with(name, 'change:')")

/** A start whose waiting is the moment in which something else happens. */
const startWith = (cart: Shopping, whileItWaits: () => Promise<void>) => {
  let isDone = false
  const clock = {
    ...systemClock,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // Longer pauses are deadlines, and not a wait for the change.
      if (isDone || ms !== 200) return systemClock.sleep(ms, signal)
      isDone = true
      await whileItWaits()
    },
  }
  return start(cart.sessionId, { ...harness.deps, clock })
}

describe.each([
  ["a prompt", PUSH],
  ["a page", HOSTED],
])("of %s", (_, providerId) => {
  it("[B44] a start waits for a change that passed before it, and sends nothing for the old total", async () => {
    const cart = harness.cart(providerId)
    const before = sent()
    const passed = await pass(cart)
    const started = startWith(cart, async () => {
      change(cart)
      await passed.ended()
    })
    expect(await codeOf(started)).toBe("cart_changed")
    expect(sent()).toBe(before)
    expect(await notes()).toEqual([])
  })

  it("[B44] a start goes on after a change that Medusa has refused", async () => {
    const cart = harness.cart(providerId)
    const passed = await pass(cart)
    const started = await startWith(cart, () => passed.ended())
    expect(started).toMatchObject({ state: "waiting_for_payer", amount: 19.99 })
  })

  it("[B44] a change that comes while the gateway is asked is held back", async () => {
    const cart = harness.cart(providerId)
    let answer = ""
    // The draft is written, and the last reading not yet made.
    const { checkouts, ...rest } = harness.gateway
    const deps = {
      ...harness.deps,
      gatewayOf: () => ({
        ...rest,
        token: harness.gateway.token,
        checkouts: {
          ...checkouts,
          create: async (...given: Parameters<typeof checkouts.create>) => {
            answer = await codeOf(pass(cart))
            return checkouts.create(...given)
          },
        },
      }),
    }
    expect(await start(cart.sessionId, deps)).toMatchObject({ amount: 19.99 })
    expect(answer).toBe("payment_in_progress")
    expect(await notes()).toEqual([])
  })
})

it.each([
  ["prompt", PUSH],
  ["page", HOSTED],
])(
  "[B44] no %s asks for a total that the shop's code has changed before Medusa was asked last",
  async (_, providerId) => {
    // The session and the payment collection stay as they were.
    const changedBefore = async (at: number) => {
      const cart = harness.cart(providerId)
      const calls: string[] = []
      const deps = portsAround(harness.deps, async ({ name, kind }, act) => {
        if (kind === "calls" && calls.push(name) === at + 1) {
          harness.of(cart.collectionId).total = "14.99"
        }
        return act()
      })
      return { calls, code: await codeOf(start(cart.sessionId, deps)) }
    }
    const all = (await changedBefore(Infinity)).calls
    for (const at of all.keys()) {
      const { calls, code } = await changedBefore(at)
      const sentAt = calls.indexOf("executions.collection")
      const left = calls.slice(at, sentAt < 0 ? undefined : sentAt)
      const isRead = left.some((name) => name.startsWith("medusa."))
      expect([at, calls[at], code]).toEqual([at, calls[at], isRead ? "cart_changed" : "none"])
    }
    expect(all.length).toBeGreaterThan(4)
  },
)

it("[B44] a start waits for another provider's session that passed before it, and sends nothing for the old one", async () => {
  const cart = harness.cart()
  const before = sent()
  const { collectionId: paymentCollectionId } = cart
  const passed = await passChange(harness.deps, { paymentCollectionId }, undefined)
  const started = startWith(cart, async () => {
    // Medusa replaces the session.
    harness.session(paymentCollectionId, "pp_stripe_stripe")
    await passed.ended()
  })
  expect(await codeOf(started)).toBe("cart_changed")
  expect(sent()).toBe(before)
  expect(await notes()).toEqual([])
})

it("[B44] a change whose process has died holds a start no longer than its note", async () => {
  const cart = harness.cart()
  await pass(cart)
  const started = startWith(cart, async () => {
    await harness.ledger.sql(
      "update mp_task set lease_until = now() where starts_with(name, 'change:')",
    )
  })
  expect(await started).toMatchObject({ state: "waiting_for_payer" })
  // The next change takes it away.
  await (await pass(harness.cart())).ended()
  expect(await notes()).toEqual([])
})

it("[B44] a start that waits in vain sends nothing, and the next one can pay", async () => {
  const cart = harness.cart()
  const before = sent()
  const passed = await pass(cart)
  let nowMs = 0
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms === 200) nowMs += 1_000
      else await systemClock.sleep(ms, signal)
    },
  }
  expect(await codeOf(start(cart.sessionId, { ...harness.deps, clock }))).toBe("cart_changed")
  expect(sent()).toBe(before)
  await passed.ended()
  expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
})
