/** Medusa's own refund form on an order, and the merchant portal beside it. */
import type { Browser, Page } from "playwright-core"
import type { DemoState } from "./demo"

/** Opens the form of the only payment of the order that stands open. */
export async function openRefundForm(page: Page) {
  const payments = page.locator("div").filter({
    has: page.getByRole("heading", { name: "Payments", exact: true }),
  })
  await payments.last().locator("xpath=..").getByRole("button").last().click()
  await page.getByRole("menuitem", { name: "Refund" }).click()
  return page.getByRole("dialog")
}

/** As a person reads it in the merchant portal: that of the newest payment. */
export async function newestIntent(browser: Browser, demo: DemoState): Promise<string> {
  const portal = await browser.newPage()
  try {
    await portal.goto(`${demo.simulator_url}/portal`)
    await portal.locator("[data-testid^=log-in-]").first().click()
    return await portal.getByTestId("payment-intent-id").first().innerText()
  } finally {
    await portal.close()
  }
}
