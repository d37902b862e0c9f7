import { expectPaidInFull, settled } from "./support/payments"
import { expectOk, walletOf, type Region } from "./support/shop"
import { useHarness } from "./support/harness"

const harness = useHarness()

/**
 * What the gateway is asked for: the cart's total, rounded half up once to the currency's digits.
 */
function rounded(total: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round((total + Number.EPSILON) * scale) / scale
}

describe("amounts", () => {
  const cases: [Region, string, number][] = [
    ["International", "usd", 2],
    ["Liberia", "lrd", 2],
    ["Rwanda", "rwf", 0],
  ]
  it.each(cases)(
    "[B13] in %s order, capture and transaction equal the cart, and the gateway its rounded total",
    async (region, currency, digits) => {
      const phone = walletOf(region)
      const cartId = await harness.shop.cart({
        region,
        phone,
        items: [
          ["market-tote", 3],
          ["bead-bracelet", 1],
          ["pocket-notebook", 2],
        ],
        code: "WELCOME10",
      })
      const total = await harness.shop.total(cartId)
      const sessionId = await harness.shop.session(cartId)
      const { payment } = await expectOk(harness.shop.start(sessionId))
      expect(payment).toMatchObject({
        amount: rounded(total, digits),
        currency: currency.toUpperCase(),
      })
      const [row] = await harness.sql<{ source_id: string; lines: { minor: string }[] }>(
        "select source_id, lines from mp_operation where cart_id = $1",
        [cartId],
      )
      const source = harness.simulator.book.document(Number(row?.source_id))
      expect(Number(source?.totalAmount)).toBe(rounded(total, digits))
      expect(row?.lines.length).toBe(4)

      harness.simulator.handset.approve(phone.slice(1))
      const paid = await settled(harness, sessionId)
      expect(paid.state).toBe("paid")
      await expectPaidInFull(harness, paid.order_id ?? "", total)
      const order = await harness.admin.order(paid.order_id ?? "")
      expect(order.currency_code).toBe(currency)
    },
  )
})
