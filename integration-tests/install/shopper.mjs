// @ts-check
/**
 * A shop's page in plain JavaScript: pays a cart by the checkout kit, and approves on the
 * simulator's handset. Runs in a folder where the kit is installed, and prints one line of JSON.
 */
import { createCheckout, en, sayIn } from "medusa-merchant-payments-checkout"

const { STORE_URL: baseUrl, PUBLISHABLE_KEY: publishableKey, CART_ID, PHONE, HANDSET } = process.env

const checkout = createCheckout({ baseUrl, publishableKey, storage: null })
const payment = await checkout.pay(CART_ID, "pp_mobile-money_merchant", { phone: PHONE })

/** @type {string[]} */
const phases = []
/** @type {Promise<unknown> | undefined} */
let approval

const orderId = await new Promise((resolve, reject) => {
  const leave = payment.subscribe(onChange)
  onChange()

  function onChange() {
    const { phase, status } = payment.getView()
    if (phases.at(-1) !== phase) phases.push(phase)
    if (phase === "approve" && status?.reference) approval ??= approve(status.reference)
    if (phase === "paid") {
      leave()
      resolve(status?.order_id)
    }
    if (["failed", "expired", "under_review", "gone"].includes(phase)) {
      leave()
      reject(new Error(`${phase}: ${status?.reason}`))
    }
  }
})
console.log(JSON.stringify({ orderId, phases, said: sayIn(en)("paid.title") }))
process.exit(0)

/** @param {string} reference */
async function approve(reference) {
  const body = new URLSearchParams({ reference, answer: "approve" })
  const answer = await fetch(`${HANDSET}/answer`, { method: "POST", body, redirect: "manual" })
  if (answer.status !== 303) throw new Error(`The handset answered ${answer.status}.`)
}
