import { LIMITS } from "../core/limits"
import { askLimit, quoteLimit } from "./quote-limit"

let nowMs = 0
const clock = { monotonicMs: () => nowMs }

const NETWORK = "192.0.2.1"

function asked(
  limit: ReturnType<typeof quoteLimit>,
  cartId: string,
  times: number,
  network = NETWORK,
): number {
  let passed = 0
  for (let ask = 0; ask < times; ask++) if (limit.take(network, cartId) === 0) passed++
  return passed
}

describe("[S06] asking the gateway for quotes", () => {
  it("is bounded for each cart, and comes back one by one", () => {
    const limit = quoteLimit(clock)
    expect(asked(limit, "cart_1", 100)).toBe(LIMITS.quoteAsksOfCart)
    expect(limit.take(NETWORK, "cart_1")).toBe(LIMITS.quoteAskOfCartBackMs)
    expect(limit.take(NETWORK, "cart_2")).toBe(0)
    nowMs += LIMITS.quoteAskOfCartBackMs
    expect(asked(limit, "cart_1", 100)).toBe(1)
  })

  it("is bounded for all together: a stranger makes as many carts as he likes", () => {
    const limit = quoteLimit(clock)
    let passed = 0
    for (let cart = 0; cart < 10_000; cart++) {
      passed += asked(limit, `cart_${cart}`, 1, `10.0.${cart >> 8}.${cart & 255}`)
    }
    expect(passed).toBe(LIMITS.asksOfProcess)
    expect(limit.take(NETWORK, "cart_new")).toBe(LIMITS.askOfProcessBackMs)
    nowMs += LIMITS.askOfProcessBackMs
    expect(limit.take(NETWORK, "cart_new")).toBe(0)
  })

  it("that was refused costs the cart nothing", () => {
    const limit = quoteLimit(clock)
    for (let cart = 0; cart < LIMITS.asksOfProcess; cart++) limit.take(`10.0.0.${cart}`, "cart")
    for (let cart = 0; cart < LIMITS.asksOfProcess; cart++)
      asked(limit, `cart_${cart}`, 1, `${cart}`)
    for (let ask = 0; ask < 100; ask++) expect(limit.take(NETWORK, "cart_mine")).toBeGreaterThan(0)
    nowMs += LIMITS.asksOfProcess * LIMITS.askOfProcessBackMs
    expect(asked(limit, "cart_mine", 100)).toBe(LIMITS.quoteAsksOfCart)
  })
})

describe("[S20] one network", () => {
  it("that asks without end leaves quotes and look-ups for the others", () => {
    const limits = [
      (network: string, n: number) => quotes.take(network, `cart_${network}_${n}`),
      (network: string) => operators.take(network),
    ]
    const quotes = quoteLimit(clock)
    const operators = askLimit(clock)
    for (const take of limits) {
      for (let second = 0; second < 60; second++) {
        for (let ask = 0; ask < 100; ask++) take("198.51.100.1", second * 100 + ask)
        for (let other = 0; other < 4; other++) {
          const network = `203.0.113.${(second * 4 + other) % 256}`
          expect(take(network, second)).toBe(0)
        }
        nowMs += 1_000
      }
    }
  })

  it("asks so much at once, and then a fifth of what the process may", () => {
    const limit = askLimit(clock)
    const passed = () => Array.from({ length: 100 }, () => limit.take(NETWORK)).filter((ms) => !ms)
    expect(passed()).toHaveLength(LIMITS.asksOfNetwork)
    nowMs += 10 * LIMITS.askOfNetworkBackMs
    expect(passed()).toHaveLength(10)
  })
})
