/**
 * The demo shop on a slow line and a slow phone, as Chromium's own tools play them: how long a
 * first visit shows nothing, and how long a shopper who has approved waits to read that it is paid.
 * Beside it one line of text from the same server, over the same line.
 */
import type { Browser, CDPSession, Page } from "playwright-core"
import { launchChromium } from "../../integration-tests/browser/support/chromium"
import { startDemo, type Demo } from "../../integration-tests/browser/support/demo"
import {
  MONROVIA,
  newShopper,
  onHandset,
  payByMobileMoney,
  readyToPay,
} from "../../integration-tests/browser/support/shopper"
import type { Benchmark, Figure } from "../figure"
import { median } from "../support/statistics"

const FIRST_TEXT_LIMIT_MS = 6_000
const CONFIRM_LIMIT_MS = 5_000
const SAMPLES = 5
const PORT_BASE = 4590
/** "Slow 3G" of Chromium's tools: two seconds to the first byte, 50 kB a second. */
const SLOW_3G = {
  offline: false,
  latency: 2_000,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
}
const CPU_SLOWDOWN = 4

export const shopOnASlowLine: Benchmark = {
  name: "shop_first_text_ms",
  on: "nothing",
  async run() {
    const demo = await startDemo({ portBase: PORT_BASE, orderPlacement: "pay_first" })
    const browser = await launchChromium()
    try {
      return await measure(browser, demo)
    } finally {
      await browser.close()
      await demo.stop()
    }
  },
}

async function measure(browser: Browser, demo: Demo): Promise<Figure> {
  const visits: { first: number; products: number; again: number; line: number }[] = []
  const confirmations: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    visits.push(await visit(browser, demo))
    confirmations.push(await confirmation(browser, demo))
  }
  return {
    value: median(visits.map(({ first }) => first)),
    unit: "ms",
    better: "lower",
    against: "limits; beside it one line of text from the same server over the same line",
    limit: FIRST_TEXT_LIMIT_MS,
    samples: SAMPLES,
    one_line_ms: median(visits.map(({ line }) => line)),
    products_ms: median(visits.map(({ products }) => products)),
    products_again_ms: median(visits.map(({ again }) => again)),
    confirmed_ms: median(confirmations),
    confirmed_ms_limit: CONFIRM_LIMIT_MS,
    confirmed_each_ms: confirmations,
  }
}

/** Nothing is cached at first; the same address once more has what the first visit left. */
async function visit(browser: Browser, { state }: Demo) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await slowDown(page)
    const first = await untilShown(page, state.storefront_url)
    const again = await untilShown(page, state.storefront_url)
    const since = performance.now()
    await page.goto(`${state.storefront_url}/icon.svg`)
    const line = performance.now() - since
    return { first: first.text, products: first.products, again: again.products, line }
  } finally {
    await context.close()
  }
}

async function untilShown(page: Page, url: string) {
  const since = performance.now()
  await page.goto(url, { waitUntil: "commit" })
  await page.getByTestId("products").waitFor({ timeout: 120_000 })
  const products = performance.now() - since
  const text = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  )
  return { text, products }
}

async function confirmation(browser: Browser, { state }: Demo): Promise<number> {
  const shopper = await newShopper(browser, state)
  try {
    const { page, number } = shopper
    await readyToPay(shopper, MONROVIA, "Enamel mug")
    await payByMobileMoney(page)
    const { network } = await slowDown(page)
    await onHandset(shopper, `770${number}`, "approve")
    const since = performance.now()
    // The handset stood before it.
    await page.bringToFront()
    await page.getByTestId("paid-now").or(page.getByTestId("confirmation")).waitFor()
    const tookMs = performance.now() - since
    await network.detach()
    return tookMs
  } finally {
    await shopper.context.close()
  }
}

async function slowDown(page: Page): Promise<{ network: CDPSession }> {
  const network = await page.context().newCDPSession(page)
  await network.send("Network.enable")
  await network.send("Network.emulateNetworkConditions", SLOW_3G)
  await network.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN })
  return { network }
}
