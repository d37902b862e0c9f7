/**
 * A person with a phone buys in the demo shop, every way there is, and the merchant finds the
 * orders paid. Nothing here reaches behind what a person can see, except to ask Medusa for the
 * truth.
 */
import type { Browser, Page } from "playwright-core"
import { adminOf, type Admin } from "./support/admin"
import { launchChromium } from "./support/chromium"
import { startDemo, type Demo } from "./support/demo"
import { paidOrder } from "./support/paid-order"
import { camera, type Camera } from "./support/screenshots"
import {
  answerHandset,
  BOSTON,
  chooseRegion,
  confirmation,
  fillCheckout,
  KIGALI,
  MONROVIA,
  newShopper,
  payByMobileMoney,
  payOnPaymentPage,
  putInCart,
  readyToPay,
  type Shopper,
} from "./support/shopper"

const PORT_BASE = 4500

let demo: Demo
let browser: Browser
let admin: Admin
let shoot: Camera
let shopper: Shopper
let page: Page

beforeAll(async () => {
  demo = await startDemo({ portBase: PORT_BASE, orderPlacement: "pay_first" })
  admin = await adminOf(demo.state)
  browser = await launchChromium()
  shoot = await camera()
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

test("mobile money approved on the handset ends in a confirmed and paid order", async () => {
  await page.getByTestId("products").waitFor()
  await shoot(page, "catalogue")
  await putInCart(page, "Woven basket", 2)
  await page.getByLabel("Promotion code").fill("welcome10")
  await page.getByRole("button", { name: "Use" }).click()
  await page.getByTestId("promotion").waitFor()
  await shoot(page, "cart")
  await fillCheckout(shopper, MONROVIA)
  await page.getByText(/pays in/).waitFor()
  await shoot(page, "checkout")
  await payByMobileMoney(page)
  await shoot(page, "approve-on-your-phone")

  // Wherever the shopper goes meanwhile, the payment is what there is to see.
  await page.reload()
  await page.getByTestId("approve-on-phone").waitFor()
  await page.goto(`${demo.state.storefront_url}/cart`)
  await page.getByTestId("approve-on-phone").waitFor()

  await answerHandset(shopper, "approve")
  const { orderNumber, paid } = await confirmation(page)
  await shoot(page, "confirmation")

  const order = await paidOrder(admin, shopper.email)
  expect(orderNumber).toBe(String(order.display_id))
  expect(order.currency_code).toBe("lrd")
  expect(paid).toBe(`L$${order.total.toLocaleString("en", { minimumFractionDigits: 2 })}`)
})

test("a payment declined on the handset says so and can be tried again", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  await answerHandset(shopper, "decline")
  await page.getByTestId("reason").waitFor()
  expect(await page.getByTestId("reason").innerText()).toMatch(/declined/)
  await page.getByTestId("pay").waitFor()
  await shoot(page, "declined")
  expect(await admin.ordersOf(shopper.email)).toEqual([])

  await payByMobileMoney(page)
  await answerHandset(shopper, "approve")
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("[B31] a request that did not arrive is told as being sent, until it is on the phone", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  const { simulator_url } = demo.state
  const lost = await fetch(`${simulator_url}/_simulator/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ operation: "executeCollection", script: ["reset"] }),
  })
  expect(lost.status).toBe(200)
  await page.getByTestId("method-push").check()
  await page.getByTestId("pay").click()
  await page.getByTestId("sending-request").waitFor()
  await page.getByTestId("approve-on-phone").waitFor()
  await answerHandset(shopper, "approve")
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("mobile money on the payment page leads back to a confirmed and paid order", async () => {
  await readyToPay(shopper, KIGALI, "Mountain coffee")
  await payOnPaymentPage(shopper)
  await shoot(page, "payment-page")
  await page.getByTestId("pay-mobile-money").click()
  const opened = shopper.context.waitForEvent("page")
  await page.getByTestId("open-handset").click()
  const handset = await opened
  await handset.getByTestId("prompt").waitFor()
  await shoot(handset, "handset")
  await handset.getByTestId("approve").click()
  const { paid } = await confirmation(page)

  const order = await paidOrder(admin, shopper.email)
  expect(order.currency_code).toBe("rwf")
  expect(paid.replaceAll("\u00a0", " ")).toBe(`RWF ${Math.round(order.total).toLocaleString("en")}`)
})

test("a card on the payment page leads back to a confirmed and paid order", async () => {
  await readyToPay(shopper, BOSTON, "Market tote")
  await payOnPaymentPage(shopper)
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").waitFor()
  await shoot(page, "payment-page-card")
  await page.getByTestId("card-pay").click()
  await confirmation(page)
  const order = await paidOrder(admin, shopper.email)
  expect(order.currency_code).toBe("usd")
})

test("a payment page that was left can be opened again and paid", async () => {
  await readyToPay(shopper, MONROVIA, "Print cushion")
  await payOnPaymentPage(shopper)
  await page.getByTestId("cancel").click()
  await page.getByTestId("to-payment-page").waitFor()
  await page.getByRole("heading", { name: "Not paid yet" }).waitFor()
  await shoot(page, "payment-page-left")
  expect(await admin.ordersOf(shopper.email)).toEqual([])

  await page.getByTestId("to-payment-page").click()
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("a payment page that was left can be given up for mobile money", async () => {
  await readyToPay(shopper, MONROVIA, "Pocket notebook")
  await payOnPaymentPage(shopper)
  await page.goBack()
  await page.getByTestId("pay-another-way").click()
  await payByMobileMoney(page)
  await answerHandset(shopper, "approve")
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("a shopper who approves and closes the tab has a paid order all the same", async () => {
  await readyToPay(shopper, MONROVIA, "Star T-shirt")
  await payByMobileMoney(page)
  await answerHandset(shopper, "approve")
  await shopper.context.close()
  await paidOrder(admin, shopper.email)
})

test("a shopper who pays on the payment page and never comes back has a paid order all the same", async () => {
  await readyToPay(shopper, BOSTON, "Bead bracelet")
  await payOnPaymentPage(shopper)
  // The shop is out of reach from here on, so the way back leads nowhere.
  await page.route(`${demo.state.storefront_url}/**`, (route) => route.abort())
  await page.route(`${demo.state.store_api_url}/**`, (route) => route.abort())
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  await page.getByTestId("paid").waitFor()
  await shopper.context.close()
  await paidOrder(admin, shopper.email)
})

test("Medusa's admin shows the order as paid with its amount", async () => {
  // 3 × 19.99 and 4.50 with 7.5% tax: Medusa keeps 69.30525, what is paid and shown is 69.31.
  await chooseRegion(page, BOSTON.region)
  await putInCart(page, "Market tote", 3)
  await fillCheckout(shopper, BOSTON)
  await payOnPaymentPage(shopper)
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  const { paid } = await confirmation(page)
  expect(paid).toBe("US$69.31")
  const order = await paidOrder(admin, shopper.email)

  const desk = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const office = await desk.newPage()
    await office.goto(`${demo.state.admin_url}/orders/${order.id}`)
    await office.getByPlaceholder("Email").fill(demo.state.admin_email)
    await office.getByPlaceholder("Password").fill(demo.state.admin_password)
    await office.getByRole("button", { name: /continue with email/i }).click()
    await office.getByText(`#${order.display_id}`).first().waitFor()
    await office.getByText("Captured").first().waitFor()
    await office.getByText("$69.31").first().waitFor()
    await shoot(office, "admin-order")
  } finally {
    await desk.close()
  }
})
