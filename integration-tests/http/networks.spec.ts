/**
 * A store without a proxy in front of it, and a caller who writes what address they like: each limit
 * by network counts the peer.
 */
import { LIMITS } from "../../src/core/limits"
import { useHarness } from "./support/harness"

const harness = useHarness({ env: { MERCHANT_PAYMENTS_PROXIES: "none" } })

/** Another address for each request, in every header by which a proxy may tell it. */
const forged = (n: number): Record<string, string> => ({
  "x-forwarded-for": n % 2 === 0 ? `203.0.113.${n}` : `2001:db8:${n}::1, 10.0.0.${n}`,
  forwarded: `for=198.51.100.${n}`,
  "x-real-ip": `198.51.100.${n}`,
  "x-client-ip": `198.51.100.${n}`,
  "true-client-ip": `198.51.100.${n}`,
  "cf-connecting-ip": `198.51.100.${n}`,
})

const SESSIONS = "/store/merchant-payments/sessions"
const QUOTE = "/store/merchant-payments/quote"
const LOOK_UP = "/store/merchant-payments/operator"

/** What is guessed of each kind, with other ids. */
const GUESSED: readonly (readonly [string, (n: number) => string])[] = [
  ["sessions", (n) => `${SESSIONS}/payses_guess_${n}`],
  ["streams", (n) => `${SESSIONS}/payses_stream_${n}/events`],
  ["carts", (n) => `${QUOTE}?cart_id=cart_guess_${n}&payment_method=OPERATOR1_MOMO_LBR`],
  ["receipts", (n) => `/merchant-payments/receipt/${String(n).padStart(32, "x")}`],
]

it.each(GUESSED)(
  "[D15] guessed %s count for the peer, whatever the headers say",
  async (_, path) => {
    const statuses: number[] = []
    // A network earns a guess back each second, so a slow machine asks for more.
    for (let n = 0; n < 8 * LIMITS.missesAtOnce && !statuses.includes(429); n++) {
      statuses.push((await harness.shop.call("GET", path(n), undefined, forged(n))).status)
    }
    expect(statuses).toContain(429)
  },
)

it("[D15] look-ups of numbers count for the peer, whatever the headers say", async () => {
  // Fewer than the whole store may.
  const asked = Array.from({ length: LIMITS.asksOfNetwork + 12 }, (_, n) =>
    harness.shop.call("POST", LOOK_UP, { phone: `+2318860${10_000 + n}` }, forged(n)),
  )
  expect((await Promise.all(asked)).map(({ status }) => status)).toContain(429)
})

it("[D15] the log says once that the header is ignored, and what to set", () => {
  expect(harness.store.output().match(/X-Forwarded-For is ignored/g)).toHaveLength(1)
})
