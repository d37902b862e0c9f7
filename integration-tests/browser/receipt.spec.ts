/**
 * The way back to an order that is paid: its receipt behind a link, which the confirmation gives and
 * the browser keeps; and what everybody else sees of it, who has the order's id alone.
 */
import type axe from "axe-core"
import type { Page } from "playwright-core"
import { expectAccessible } from "./support/axe"
import {
  answerHandset,
  confirmation,
  MONROVIA,
  newShopper,
  payByMobileMoney,
  readyToPay,
  type Confirmed,
  type Shopper,
} from "./support/shopper"
import { useDemo } from "./support/use-demo"

let shopper: Shopper
let paid: Confirmed
let receiptUrl: string

const suite = useDemo({ portBase: 4740 }, async ({ browser, state }) => {
  shopper = await newShopper(browser, state)
  const { page } = shopper
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  await answerHandset(shopper, "approve")
  paid = await confirmation(page)
  receiptUrl = (await page.getByTestId("open-receipt").getAttribute("href")) ?? ""
})

/** Another browser, which has nothing but an address. */
async function elsewhere(
  address: string,
  options: { readonly width: number; readonly locale?: string; readonly bypassCSP?: boolean },
): Promise<Page> {
  const { width, ...more } = options
  const context = await suite.browser.newContext({ viewport: { width, height: 900 }, ...more })
  const page = await context.newPage()
  await page.goto(address)
  return page
}

const texts = (page: Page) => page.locator("main").innerText()

/** Also what axe finds a matter of taste. */
const everyFinding = (page: Page) =>
  page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    return (await checker.run("main")).violations.map(({ id }) => id)
  })

test.each([
  [1440, "en", "Receipt", /LRD\s[\d,]+\.\d\d/, "Paid"],
  [390, "en", "Receipt", /LRD\s[\d,]+\.\d\d/, "Paid"],
  [390, "fr", "Reçu", /[\d\s]+,\d\d\sLRD/, "Payé"],
] as const)(
  "at %d px in %s the link opens a receipt to read and to print",
  async (width, locale, title, money, state) => {
    const page = await elsewhere(receiptUrl, { width, locale })
    const refused: string[] = []
    page.on("console", (said) => void refused.push(said.text()))
    await page.reload()
    await page.getByRole("heading", { level: 1, name: title }).waitFor()
    const said = await texts(page)
    expect(said).toMatch(money)
    for (const one of [
      `#${paid.orderNumber}`,
      "Ama Kollie",
      "12 Broad Street",
      "Enamel mug",
      state,
    ]) {
      expect(said).toContain(one)
    }
    expect(said).not.toMatch(/(?<!L|US)\$/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
    await page.emulateMedia({ media: "print" })
    expect(await page.locator(".screen:visible").count()).toBe(0)
    expect(await page.getByText("Enamel mug").isVisible()).toBe(true)
    // The page's own policy let all of it pass.
    expect(refused).toEqual([])
    await page.context().close()
    // Axe brings a style of its own, which the policy would refuse.
    const checked = await elsewhere(receiptUrl, { width, locale, bypassCSP: true })
    await expectAccessible(checked, "main")
    expect(await everyFinding(checked)).toEqual([])
    await checked.context().close()
  },
)

test("the first page leads back to the last order, until the shopper forgets it", async () => {
  const page = await shopper.context.newPage()
  await page.goto(suite.state.storefront_url)
  const last = page.getByTestId("last-order")
  await last.getByRole("link", { name: "Open the receipt" }).waitFor()
  expect(await last.getByRole("link", { name: "Open the receipt" }).getAttribute("href")).toBe(
    receiptUrl,
  )
  await expectAccessible(page, "[data-testid=last-order]")
  await last.getByRole("link", { name: "Show the order" }).click()
  expect((await confirmation(page)).orderNumber).toBe(paid.orderNumber)
  await expectAccessible(page, "[data-testid=kept-receipt]")
  const orderPage = page.url()

  const stranger = await elsewhere(orderPage, { width: 390 })
  await stranger.getByTestId("not-this-browser").waitFor()
  for (const personal of ["Kollie", "Broad Street", "Monrovia", shopper.email, "mug"]) {
    expect(await stranger.locator("main").innerText()).not.toContain(personal)
  }
  await stranger.context().close()

  await page.goto(suite.state.storefront_url)
  await last.getByRole("button", { name: "Forget it on this device" }).click()
  await last.waitFor({ state: "detached" })
  await page.goto(orderPage)
  await page.getByTestId("not-this-browser").waitFor()
  expect(await page.evaluate(() => Object.keys(window.localStorage))).not.toContain(
    "shop.last_order",
  )
})
