import { LIMITS } from "../core/limits"
import { quoteLimit } from "./quote-limit"

let nowMs = 0
const limited = () => quoteLimit({ monotonicMs: () => nowMs })

function asked(limit: ReturnType<typeof limited>, cartId: string, times: number): number {
  let passed = 0
  for (let ask = 0; ask < times; ask++) if (limit.take(cartId) === 0) passed++
  return passed
}

describe("[S06] asking the gateway for quotes", () => {
  it("is bounded for each cart, and comes back one by one", () => {
    const limit = limited()
    expect(asked(limit, "cart_1", 100)).toBe(LIMITS.quoteAsksOfCart)
    expect(limit.take("cart_1")).toBe(LIMITS.quoteAskOfCartBackMs)
    expect(limit.take("cart_2")).toBe(0)
    nowMs += LIMITS.quoteAskOfCartBackMs
    expect(asked(limit, "cart_1", 100)).toBe(1)
  })

  it("is bounded for all carts together: a stranger makes as many as he likes", () => {
    const limit = limited()
    let passed = 0
    for (let cart = 0; cart < 10_000; cart++) passed += asked(limit, `cart_${cart}`, 1)
    expect(passed).toBe(LIMITS.quoteAsksOfProcess)
    expect(limit.take("cart_new")).toBe(LIMITS.quoteAskOfProcessBackMs)
    nowMs += LIMITS.quoteAskOfProcessBackMs
    expect(limit.take("cart_new")).toBe(0)
  })

  it("that was refused costs the cart nothing", () => {
    const limit = limited()
    for (let cart = 0; cart < LIMITS.quoteAsksOfProcess; cart++) limit.take(`cart_${cart}`)
    for (let ask = 0; ask < 100; ask++) expect(limit.take("cart_mine")).toBeGreaterThan(0)
    nowMs += LIMITS.quoteAsksOfProcess * LIMITS.quoteAskOfProcessBackMs
    expect(asked(limit, "cart_mine", 100)).toBe(LIMITS.quoteAsksOfCart)
  })
})
