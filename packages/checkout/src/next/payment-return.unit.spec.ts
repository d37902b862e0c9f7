import { createCheckout } from "../checkout.js"
import { json, says, scriptedStore, type ScriptedStore } from "../testing/scripted-store.js"
import { backAt, returnTo } from "./payment-return.js"

let store: ScriptedStore
beforeEach(async () => {
  store = await scriptedStore()
  store.on("POST /payment-collections", (_request, response) =>
    json(response, 200, { payment_collection: { id: "paycol" } }),
  )
  store.on("POST /payment-collections/paycol/payment-sessions", (_request, response) =>
    json(response, 200, {
      payment_collection: { payment_sessions: [{ id: "a", provider_id: "pp" }] },
    }),
  )
  store.on("POST /sessions/a/start", says({ id: "a", state: "waiting_for_payer" }))
})
afterEach(() => store.close())

function browser() {
  const kept = new Map<string, string>()
  return createCheckout({
    baseUrl: store.url,
    publishableKey: "pk",
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
}

it.each([
  ["/payment", "https://shop.example/payment", "https://shop.example/payment?back=cancel"],
  ["/lr/pay?a=1", "https://shop.example/lr/pay?a=1", "https://shop.example/lr/pay?a=1&back=cancel"],
])("the addresses to come back to at %s are %s and %s", (path, success, cancel) => {
  Object.assign(globalThis, { location: { origin: "https://shop.example" } })
  expect(returnTo(path)).toEqual({ success, cancel })
  Reflect.deleteProperty(globalThis, "location")
})

it("[D15] an address with another's payment shows nothing, whatever this browser has paid", async () => {
  const [payer, stranger] = [browser(), browser()]
  await payer.pay("cart", "pp")
  for (const checkout of [stranger, payer]) {
    expect(backAt("?payment_session_id=another", checkout).sessionId).toBeNull()
  }
  expect(backAt("?payment_session_id=a", stranger).sessionId).toBeNull()
})

it("an address with this browser's payment shows it, also once it is paid and forgotten", async () => {
  const payer = browser()
  await payer.pay("cart", "pp")
  expect(backAt("?back=cancel", payer)).toEqual({ sessionId: "a", isCanceled: true })
  expect(backAt("?payment_session_id=a", payer).sessionId).toBe("a")
  payer.forget()
  expect(backAt("?payment_session_id=a", payer).sessionId).toBe("a")
  expect(backAt("", payer).sessionId).toBeNull()
})
