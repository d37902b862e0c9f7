/** A shopper pays on a page that a stranger wrote with the kit, at the shop's address. */
import type { Browser, Page } from "playwright-core"
import { adminOf, type Admin } from "./support/admin"
import { expectAccessible } from "./support/axe"
import { launchChromium } from "./support/chromium"
import { startDemo, type Demo } from "./support/demo"
import { kitScript, openKitPage } from "./support/kit-page"
import { paidOrder } from "./support/paid-order"
import { answerPrompt, MONROVIA, newShopper, readyToPay, type Shopper } from "./support/shopper"

const PORT_BASE = 4580

let demo: Demo
let browser: Browser
let admin: Admin
let shopper: Shopper
let page: Page

beforeAll(async () => {
  demo = await startDemo({ portBase: PORT_BASE, orderPlacement: "pay_first" })
  admin = await adminOf(demo.state)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await demo?.stop()
})

beforeEach(async () => {
  shopper = await newShopper(browser, demo.state)
  page = shopper.page
})

afterEach(() => shopper.context.close())

test.each([
  ["18", "."],
  ["19", "integration-tests/react-19"],
])("the kit takes a payment on a page of its own, in React %s", async (_version, reactOf) => {
  const [script] = await Promise.all([
    kitScript(reactOf),
    readyToPay(shopper, MONROVIA, "Enamel mug"),
  ])
  const cartId = await page.evaluate(() => window.localStorage.getItem("shop.cart_id") ?? "")
  await openKitPage(page, demo.state, { script, cartId })
  await page.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
  await expectAccessible(page, "#root")
  await answerPrompt(shopper, "decline")
  await page.getByTestId("mp-failed").getByText("The payment was declined.").waitFor()
  await page.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
  // The page comes back to the payment, and not to a form for a second one.
  await page.reload()
  await page.getByTestId("mp-approve").waitFor()
  await answerPrompt(shopper, "approve")
  await page.getByTestId("mp-paid").waitFor()
  const order = await paidOrder(admin, shopper.email)
  expect(await page.title()).toBe(`Order ${order.id}`)
})
