/** The same shop with an account that places the order before the money is there. */
import type { Browser, Page } from "playwright-core"
import { adminOf, type Admin } from "./support/admin"
import { launchChromium } from "./support/chromium"
import { startDemo, type Demo } from "./support/demo"
import { paidOrder } from "./support/paid-order"
import {
  answerHandset,
  confirmation,
  MONROVIA,
  newShopper,
  payByMobileMoney,
  payOnPaymentPage,
  readyToPay,
  type Shopper,
} from "./support/shopper"

const PORT_BASE = 4510

let demo: Demo
let browser: Browser
let admin: Admin
let shopper: Shopper
let page: Page

beforeAll(async () => {
  demo = await startDemo({ portBase: PORT_BASE, orderPlacement: "order_first" })
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

test("the order waits for its payment and the handset's approval pays it", async () => {
  await readyToPay(shopper, MONROVIA, "Woven basket")
  await payByMobileMoney(page)
  const [waiting] = await admin.ordersOf(shopper.email)
  expect(waiting?.payment_status).not.toBe("captured")

  await answerHandset(shopper, "approve")
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("after a declined payment the same order is paid on the payment page", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  await answerHandset(shopper, "decline")
  await page.getByTestId("reason").waitFor()

  await payOnPaymentPage(shopper)
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})
