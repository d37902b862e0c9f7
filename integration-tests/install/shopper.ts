/** A shopper of a storefront without React, with the kit as its tarball brings it. */
import fs from "node:fs"
import path from "node:path"
import { PUSH, walletOf } from "../http/support/shop"
import { until } from "../support/until"
import { CERTIFICATE } from "../gateway/certificate"
import { run } from "./commands"
import { ordersOf, type Merchant } from "./merchant"
import type { Store } from "./store"
import { KIT, type Tarballs } from "./tarballs"

type Shopper = {
  readonly merchant: Merchant
  readonly store: Store
  readonly simulatorUrl: string
  /** An empty one of the storefront's own. */
  readonly folder: string
  readonly tarballs: Tarballs
  readonly signal: AbortSignal
}

/** @returns what the shopper and the merchant saw */
export async function payByKit(shopper: Shopper): Promise<string> {
  const { merchant, store, simulatorUrl, folder, tarballs, signal } = shopper
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n')
  const where = { cwd: folder, signal }
  await run({ argv: ["npm", "install", "--no-audit", "--no-fund", tarballs.of(KIT)], ...where })
  fs.copyFileSync(path.join(__dirname, "kit-shopper.mjs"), path.join(folder, "kit-shopper.mjs"))
  const certificate = path.join(folder, "store.pem")
  fs.writeFileSync(certificate, CERTIFICATE)
  const phone = walletOf("Liberia")
  const cartId = await merchant.shop.cart({ region: "Liberia", items: [["market-tote", 2]], phone })
  const total = await merchant.shop.total(cartId)
  const output = await run({
    argv: [process.execPath, "kit-shopper.mjs"],
    ...where,
    env: {
      NODE_EXTRA_CA_CERTS: certificate,
      ...{ STORE_URL: store.url, PUBLISHABLE_KEY: merchant.publishableKey, CART_ID: cartId },
      ...{ PHONE: phone, HANDSET: `${simulatorUrl}/handset` },
    },
  })
  const told = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Told
  await expectPaid(merchant, told.orderId, total)
  return `${told.phases.join(", ")}; "${told.said}"; order of LRD ${total} is captured`
}

type Told = { readonly orderId: string; readonly phases: readonly string[]; readonly said: string }

/** @throws unless Medusa holds the order, captured, of this total */
export async function expectPaid(merchant: Merchant, id: string, total: number): Promise<void> {
  const order = (await ordersOf(merchant)).find((one) => one.id === id)
  if (order?.payment_status !== "captured" || order.total !== total) {
    throw new Error(`The order is not paid: ${JSON.stringify(order)}, not ${total}.`)
  }
}

export type InFlight = { readonly sessionId: string; readonly cartId: string }

/** A prompt that waits on a phone. */
export async function startPayment({ shop }: Merchant): Promise<InFlight> {
  const cartId = await shop.cart({ region: "Liberia", items: [["market-tote", 1]] })
  const sessionId = await shop.session(cartId, PUSH)
  const { status, body } = await shop.start(sessionId)
  if (status !== 200) throw new Error(`start answered ${status}: ${JSON.stringify(body)}`)
  return { sessionId, cartId }
}

/** Approves on the handset, and waits for the paid order. */
export async function finishPayment(
  merchant: Merchant,
  { sessionId, cartId }: InFlight,
  simulatorUrl: string,
): Promise<string> {
  const { shop } = merchant
  const total = await shop.total(cartId)
  const status = async () => (await shop.status(sessionId)).body.payment
  const reference = await until(async () => (await status())?.reference, "the prompt is out")
  const body = new URLSearchParams({ reference, answer: "approve" })
  await fetch(`${simulatorUrl}/handset/answer`, { method: "POST", body, redirect: "manual" })
  const orderId = await until(async () => {
    const payment = await status()
    return payment?.state === "paid" && payment.order_id
  }, "the payment that was under way is paid")
  await expectPaid(merchant, orderId, total)
  return `the payment that was under way became a captured order of LRD ${total}`
}
