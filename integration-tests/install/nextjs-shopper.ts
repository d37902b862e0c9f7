/** A shopper with a phone in the built Next.js shop, from the product to the order's confirmation. */
import fs from "node:fs"
import path from "node:path"
import type { Page } from "playwright-core"
import { howItEnded, startService } from "../../demo/run/child.cjs"
import { launchChromium } from "../browser/support/chromium"
import { PHONE_SCREEN } from "../browser/support/shopper"
import { freePort } from "../http/support/store-process"
import { walletOf } from "../http/support/shop"
import { until } from "../support/until"
import { SHOP } from "./application"
import { ordersOf, type Merchant } from "./merchant"
import { expectPaid } from "./shopper"
import { startProxy } from "./tls"

/** A bound, not an expectation. */
const ANSWERS_WITHIN_MS = 5 * 60_000
const LAST_WORDS = 3_000

type Visit = {
  /** Holds the built shop. */
  readonly shop: string
  readonly merchant: Merchant
  readonly simulatorUrl: string
  readonly signal: AbortSignal
}

/** @returns what the shopper read; @throws unless the merchant has the captured order */
export async function payInNextjs(visit: Visit): Promise<string> {
  const { merchant, simulatorUrl, shop, signal } = visit
  const before = new Set((await ordersOf(merchant)).map(({ id }) => id))
  const front = await startShop(shop, signal)
  const browser = await launchChromium([front.rule])
  try {
    const context = await browser.newContext({
      ...{ viewport: PHONE_SCREEN, hasTouch: true, ignoreHTTPSErrors: true },
    })
    const page = await context.newPage()
    const phone = walletOf("Liberia")
    await putInCart(page)
    await checkOut(page)
    await pay(page, phone)
    await approve(await context.newPage(), { simulatorUrl, phone })
    await page.waitForURL(/\/order\/[^/]+\/confirmed$/)
    const confirmation = page.getByTestId("order-complete-container")
    const shown = await confirmation.innerText()
    const order = (await ordersOf(merchant)).find(({ id }) => !before.has(id))
    if (!order || !page.url().includes(order.id))
      throw new Error(`${page.url()} is not the new order: ${JSON.stringify(order)}.`)
    await expectPaid(merchant, order.id, order.total)
    const total = order.total.toLocaleString("en", { minimumFractionDigits: 2 })
    if (!shown.includes(total)) throw new Error(`The confirmation does not say ${total}: ${shown}`)
    return `bought and paid at ${PHONE_SCREEN.width} px; order of LRD ${order.total} is captured`
  } catch (error) {
    throw new Error(`${String(error)}\n${front.log().slice(-LAST_WORDS)}`)
  } finally {
    await browser.close()
    await front.stop()
  }
}

async function startShop(shop: string, signal: AbortSignal) {
  const cwd = path.join(shop, "apps/storefront")
  const port = await freePort()
  const logFile = path.join(shop, "next.log")
  const service = startService({
    argv: [path.join(cwd, "node_modules/next/dist/bin/next"), "start", "-p", String(port)],
    cwd,
    logFile,
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"] },
      ...{ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    },
  })
  const log = () => (fs.existsSync(logFile) ? fs.readFileSync(logFile, "utf8") : "")
  let ended: string | undefined
  void service.exited.then((exit) => (ended = howItEnded(exit)))
  const url = `http://localhost:${port}`
  try {
    const answers = async () => {
      signal.throwIfAborted()
      if (ended !== undefined) throw new Error(`The shop ended with ${ended}.`)
      return (await fetch(`${url}/lr`).catch(() => undefined))?.status === 200
    }
    await until(answers, "the shop answers", ANSWERS_WITHIN_MS)
  } catch (error) {
    await service.stop()
    throw new Error(`${String(error)}\n${log().slice(-LAST_WORDS)}`)
  }
  // The store knows the shop by its public address alone, so the browser is led here from there.
  const proxy = await startProxy(port)
  const rule = `--host-resolver-rules=MAP ${new URL(SHOP).host}:443 ${new URL(proxy.url).host}`
  const stop = async () => {
    await proxy.stop()
    await service.stop()
  }
  return { rule, log, stop }
}

async function putInCart(page: Page): Promise<void> {
  await page.goto(`${SHOP}/lr/products/market-tote`)
  const added = page.waitForResponse((answer) => answer.request().method() === "POST")
  await page
    .getByTestId("add-product-button")
    .or(page.getByTestId("mobile-cart-button"))
    .first()
    .click()
  await added
  await page.goto(`${SHOP}/lr/cart`)
  await page.getByTestId("checkout-button").click()
}

async function checkOut(page: Page): Promise<void> {
  const fill = (field: string, text: string) =>
    page.getByTestId(`shipping-${field}-input`).fill(text)
  await fill("first-name", "Ama")
  await fill("last-name", "Kollie")
  await fill("address", "12 Broad Street")
  await fill("postal-code", "1000")
  await fill("city", "Monrovia")
  await fill("email", "ama@example.com")
  await page.getByTestId("shipping-country-select").selectOption("lr")
  await page.getByTestId("submit-address-button").click()
  await page.getByTestId("delivery-option-radio").first().click()
  await page.getByTestId("submit-delivery-option-button").click()
  await page.getByRole("radio").filter({ hasText: "Mobile money" }).click()
  await page.getByTestId("submit-payment-button").click()
}

async function pay(page: Page, phone: string): Promise<void> {
  const form = page.getByTestId("pay-form")
  await form.getByLabel("Mobile money number").fill(phone)
  await form.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
}

async function approve(
  handset: Page,
  { simulatorUrl, phone }: { readonly simulatorUrl: string; readonly phone: string },
): Promise<void> {
  await handset.goto(`${simulatorUrl}/handset`)
  const prompt = handset.getByTestId("prompt").filter({ hasText: phone.slice(1) })
  await prompt.getByTestId("approve").click()
}
