/** [B42] A card on the shop's own page, through a whole order: off until a region offers it. */
import { randomBytes } from "node:crypto"
import { useHarness } from "./support/harness"
import { expectPaidInFull, settled, timesCharged } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"

const harness = useHarness({
  simulator: { speed: 4 },
  env: { MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
})

const CARD = "pp_card_merchant"

type Regions = { regions: { id: string; name: string; providers: { provider_id: string }[] }[] }

const regions = async () =>
  (await expectOk(harness.admin.call<Regions>("GET", "/admin/merchant-payments/regions"))).regions

const offered = async (cartId: string) => {
  const path = `/store/merchant-payments/methods?cart_id=${cartId}`
  type Methods = { methods: { provider_id: string; flow: string; needs_phone: boolean }[] }
  const { methods } = await expectOk(harness.shop.call<Methods>("GET", path))
  return methods.find(({ provider_id }) => provider_id === CARD)
}

it("is offered once the merchant adds it, and by no click on Enable", async () => {
  const region = (await regions()).find(({ name }) => name === "International")
  // The demo's regions have it: here it is taken out first, as a merchant would in Medusa.
  const others = { payment_providers: ["pp_hosted-checkout_merchant"] }
  await expectOk(harness.admin.call("POST", `/admin/regions/${region?.id}`, others))
  const path = `/admin/merchant-payments/regions/${region?.id}/enable`
  await expectOk(harness.admin.call("POST", path, {}))
  const cartId = await harness.shop.cart({ phone: walletOf() })
  expect(await offered(cartId)).toBeUndefined()
  await expectOk(harness.admin.call("POST", path, { provider_ids: [CARD] }))
  expect(await offered(cartId)).toMatchObject({ flow: "card", needs_phone: false })
})

it("asks the bank, and the order is placed and paid once the gateway says so", async () => {
  const { shop, simulator } = harness
  const cartId = await shop.cart({ phone: walletOf() })
  const total = await shop.total(cartId)
  const sessionId = await shop.session(cartId, CARD)
  const { payment } = await expectOk(shop.start(sessionId, { card_token: "card_3ds" }))
  expect(payment).toMatchObject({ state: "action_required", flow: "card", phone_hint: null })
  const { client_secret: clientSecret } = { client_secret: "", ...payment }
  const shown = "select status, data from payment_session where id = $1"
  const [session] = await harness.sql(shown, [sessionId])
  expect(session).toMatchObject({ status: "requires_more" })
  expect(JSON.stringify(session)).not.toContain(clientSecret)
  simulator.card.pass({ clientSecret })
  const paid = await settled(harness, sessionId)
  expect(paid).toMatchObject({ state: "paid", client_secret: null })
  await expectPaidInFull(harness, paid.order_id ?? "", total)
  expect(await timesCharged(harness, cartId)).toBe(1)
  expect(harness.store.output()).not.toContain(clientSecret)
})

it("wants a token, and takes another card after one that was declined", async () => {
  const { shop } = harness
  const cartId = await shop.cart({ phone: walletOf() })
  const sessionId = await shop.session(cartId, CARD)
  const refused = await shop.start(sessionId)
  expect(refused).toMatchObject({
    status: 400,
    body: { code: "invalid_request", field: "card_token" },
  })
  await expectOk(shop.start(sessionId, { card_token: "card_declined" }))
  expect(await settled(harness, sessionId)).toMatchObject({ state: "failed", can_retry: true })
  await expectOk(shop.start(sessionId, { card_token: "card_no_3ds" }))
  expect(await settled(harness, sessionId)).toMatchObject({ state: "paid" })
  expect(await timesCharged(harness, cartId)).toBe(1)
})
