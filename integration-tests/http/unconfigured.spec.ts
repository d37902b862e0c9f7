import { expectOk, walletOf } from "./support/shop"
import { useHarness } from "./support/harness"

const harness = useHarness({
  env: {
    MERCHANT_PAYMENTS_BASE_URL: "",
    MERCHANT_PAYMENTS_CLIENT_ID: "",
    MERCHANT_PAYMENTS_CLIENT_SECRET: "",
    MERCHANT_PAYMENTS_PUBLIC_URL: "",
  },
})

describe("a store without credentials", () => {
  it("boots, offers nothing, refuses to start and says in the log what to set", async () => {
    const { shop } = harness
    const cartId = await shop.cart()
    const { methods } = await expectOk(
      shop.call<{ methods: unknown[] }>(
        "GET",
        `/store/merchant-payments/methods?cart_id=${cartId}`,
      ),
    )
    expect(methods).toEqual([])
    const sessionId = await shop.session(cartId)
    const { status, body } = await shop.start(sessionId, { phone: walletOf() })
    expect([status, body.code]).toEqual([503, "not_configured"])
    const output = harness.store.output()
    expect(output).toContain("MERCHANT_PAYMENTS_BASE_URL")
    expect(output).toContain("MERCHANT_PAYMENTS_CLIENT_SECRET")
  })
})
