/**
 * A person with a phone buys in the demo shop, every way there is, and the merchant finds the
 * orders paid: where the money comes before the order, and then where the order comes first.
 * Nothing here reaches behind what a person can see, except to ask Medusa for the truth.
 */
import type { Page } from "playwright-core"
import { adminOf, type Admin } from "./support/admin"
import { expectAccessible } from "./support/axe"
import { paidOrder } from "./support/paid-order"
import {
  answerHandset,
  BOSTON,
  chooseRegion,
  confirmation,
  fillCheckout,
  KIGALI,
  MONROVIA,
  newShopper,
  onHandset,
  payByMobileMoney,
  payOnPaymentPage,
  PHONE_SCREEN,
  putInCart,
  readyToPay,
  type Shopper,
} from "./support/shopper"
import { sayOver } from "./support/say-over"
import { useDemo } from "./support/use-demo"

/** Without the currency and the space between: shop and payment page write those their own way. */
const digitsOf = (price: string) => price.replace(/^[^\d]+/, "")

let admin: Admin
let shopper: Shopper
let page: Page

const suite = useDemo({ portBase: 4500 }, async ({ state }) => {
  admin = await adminOf(state)
})

beforeEach(async () => {
  shopper = await newShopper(suite.browser, suite.state)
  page = shopper.page
})

afterEach(() => shopper.context.close())

test("mobile money approved on the handset ends in a confirmed and paid order", async () => {
  await page.getByTestId("products").waitFor()
  await suite.shoot(page, "catalogue")
  await putInCart(page, "Woven basket", 2)
  await page.getByLabel("Promotion code").fill("welcome10")
  await page.getByRole("button", { name: "Use" }).click()
  await page.getByTestId("promotion").waitFor()
  await suite.shoot(page, "cart")
  await fillCheckout(shopper, MONROVIA)
  await page.getByLabel("Pay in").waitFor()
  await suite.shoot(page, "checkout")
  await payByMobileMoney(page)
  await suite.shoot(page, "approve-on-your-phone")

  // Wherever the shopper goes meanwhile, there is a note that leads back to the payment.
  await page.reload()
  await page.getByTestId("mp-approve").waitFor()
  await page.goto(`${suite.state.storefront_url}/cart`)
  await page.getByTestId("payment-waits").waitFor()
  await page.getByRole("button", { name: "One more" }).click()
  await page.getByText("Cancel it first").waitFor()
  await page.getByTestId("payment-waits").getByRole("link").click()
  await page.getByTestId("time-left").waitFor()

  await answerHandset(shopper, "approve")
  const { orderNumber, paid } = await confirmation(page)
  await suite.shoot(page, "confirmation")

  const order = await paidOrder(admin, shopper.email)
  expect(orderNumber).toBe(String(order.display_id))
  expect(order.currency_code).toBe("lrd")
  expect(paid).toBe(`L$${order.total.toLocaleString("en", { minimumFractionDigits: 2 })}`)
})

test("a prompt on a wrong number is taken back, and another number pays", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  const sayTheTruth = await sayOver(page)
  await suite.shoot(page, "time-over")
  sayTheTruth()
  await page.getByTestId("other-number").click()
  const phone = page.getByLabel("Mobile money number")
  await phone.fill("12")
  await page.getByTestId("pay").click()
  await page.getByText("not a mobile money number").waitFor()
  await suite.shoot(page, "another-number")
  await phone.fill(`+231 771 ${shopper.number} 56`)
  await page.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
  const handset = await onHandset(shopper, `771 ${shopper.number}`, "approve")
  await handset.close()
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("a cancelled payment gives the cart back; approved all the same, it is under review", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  const waiting = page.url()
  await page.getByTestId("mp-cancel").click()
  await page.getByTestId("to-checkout").waitFor()
  await page.getByRole("button", { name: "One more" }).click()
  await page.getByTestId("quantity").getByText("2").waitFor()

  await page.goto(waiting)
  await page.getByText("decline it there").waitFor()
  await onHandset(shopper, `770 ${shopper.number}`, "approve")
  const review = page.getByTestId("mp-under_review")
  await review.waitFor()
  expect(await review.innerText()).toContain("help@harbour-and-hills.example")
  expect(await review.getByTestId("amount").innerText()).toMatch(/^L\$/)
  expect(await review.getByTestId("reference").innerText()).toMatch(/[0-9a-f-]{36}$/)
  await suite.shoot(page, "under-review")
  expect(await admin.ordersOf(shopper.email)).toEqual([])
})

test("a payment declined on the handset says so and can be tried again", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  await answerHandset(shopper, "decline")
  await page.getByTestId("reason").waitFor()
  expect(await page.getByTestId("reason").innerText()).toMatch(/declined/)
  await page.getByTestId("pay").waitFor()
  await suite.shoot(page, "declined")
  expect(await admin.ordersOf(shopper.email)).toEqual([])

  await payByMobileMoney(page)
  await answerHandset(shopper, "approve")
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("mobile money on the payment page leads back to a confirmed and paid order", async () => {
  await readyToPay(shopper, KIGALI, "Mountain coffee")
  await payOnPaymentPage(shopper)
  await suite.shoot(page, "payment-page")
  await page.getByTestId("pay-mobile-money").click()
  const opened = shopper.context.waitForEvent("page")
  await page.getByTestId("open-handset").click()
  const handset = await opened
  await handset.getByTestId("prompt").waitFor()
  await suite.shoot(handset, "handset")
  await handset.getByTestId("approve").click()
  const { paid } = await confirmation(page)

  const order = await paidOrder(admin, shopper.email)
  expect(order.currency_code).toBe("rwf")
  expect(paid.replaceAll("\u00a0", " ")).toBe(`RWF ${Math.round(order.total).toLocaleString("en")}`)
})

test("the payment page asks for each line what the shop has shown", async () => {
  await readyToPay(shopper, BOSTON, "Market tote")
  await page.getByText("What you buy").click()
  const shown = await page.locator(".side .line-price").allInnerTexts()
  const delivery = await page.getByTestId("delivery").innerText()
  const total = await page.getByTestId("total").innerText()
  await payOnPaymentPage(shopper)
  const lines = (await page.getByTestId("line").allInnerTexts()).join(" ")
  for (const price of [...shown, delivery]) expect(lines).toContain(digitsOf(price))
  expect(await page.getByTestId("total").innerText()).toContain(digitsOf(total))
})

test("a card on the payment page leads back to a confirmed and paid order", async () => {
  await readyToPay(shopper, BOSTON, "Market tote")
  await payOnPaymentPage(shopper)
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").waitFor()
  await suite.shoot(page, "payment-page-card")
  await page.getByTestId("card-pay").click()
  await confirmation(page)
  const order = await paidOrder(admin, shopper.email)
  expect(order.currency_code).toBe("usd")
})

test("a payment page that the shopper left can be opened again and paid", async () => {
  await readyToPay(shopper, MONROVIA, "Print cushion")
  await payOnPaymentPage(shopper)
  // Back shows the payment, and not the form that began it.
  await page.goBack()
  await page.getByTestId("to-payment-page").click()
  await page.getByTestId("cancel").click()
  await page.getByTestId("to-payment-page").waitFor()
  await page.getByRole("heading", { name: "Not paid yet" }).waitFor()
  await suite.shoot(page, "payment-page-left")
  expect(await admin.ordersOf(shopper.email)).toEqual([])

  await page.getByTestId("to-payment-page").click()
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})

test("the shop's scripts are compressed and cached for good, and its pages are revalidated", async () => {
  const of = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(suite.state.storefront_url + path, { headers })
    return { answer, text: await answer.text() }
  }
  const { answer: first, text } = await of("/")
  expect(first.headers.get("cache-control")).toBe("no-cache")
  const tag = first.headers.get("etag") ?? ""
  expect((await of("/cart", { "if-none-match": tag })).answer.status).toBe(304)
  const [, script = ""] = /src="(\/assets\/[^"]+-[\w-]{8}\.js)"/.exec(text) ?? []
  for (const encoding of ["br", "gzip"]) {
    const { answer } = await of(script, { "accept-encoding": encoding })
    expect(answer.headers.get("content-encoding")).toBe(encoding)
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(120_000)
  }
})

test("the shop is used by keyboard, with large letters, and by a screen reader", async () => {
  await page.getByRole("link", { name: "Enamel mug" }).click()
  await page.getByTestId("add-to-cart").click()
  await page.getByRole("link", { name: "Go to the cart" }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Go to the cart")
  expect(await page.getByRole("link", { name: "Cart 1" }).count()).toBe(1)
  await page.addStyleTag({ content: "html { font-size: 200% }" })
  const { x = 0, width = 0 } = (await page.locator(".cart-link").boundingBox()) ?? {}
  expect(x + width).toBeLessThanOrEqual(360)
  await expectAccessible(page, "body")
  await page.keyboard.press("Enter")

  await page.getByTestId("to-checkout").waitFor()
  await fillCheckout(shopper, MONROVIA, { phone: "12" })
  const field = page.getByTestId("address-form").getByLabel("Phone")
  await page.getByText("No mobile money operator knows this number").waitFor()
  const header = await page.locator(".header").boundingBox()
  const invalid = await field.boundingBox()
  expect(invalid?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
  await expectAccessible(page, "body")
})

test("a browser that speaks French finds the shop in French", async () => {
  const context = await suite.browser.newContext({ locale: "fr-FR", viewport: PHONE_SCREEN })
  try {
    const french = await context.newPage()
    await french.goto(suite.state.storefront_url)
    await french.getByRole("link", { name: "Enamel mug" }).click()
    await french.getByRole("button", { name: "Ajouter au panier" }).click()
    await french.getByRole("link", { name: "Voir le panier" }).click()
    await french.getByRole("button", { name: "Commander" }).waitFor()
    expect(await french.locator("html").getAttribute("lang")).toBe("fr")
    await suite.shoot(french, "cart-fr")
    await french.getByRole("button", { name: "English" }).click()
    await french.getByRole("button", { name: "Check out" }).waitFor()
  } finally {
    await context.close()
  }
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

  const review = await suite.browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const office = await review.newPage()
    await office.goto(`${suite.state.admin_url}/orders/${order.id}`)
    await office.getByPlaceholder("Email").fill(suite.state.admin_email)
    await office.getByPlaceholder("Password").fill(suite.state.admin_password)
    await office.getByRole("button", { name: /continue with email/i }).click()
    await office.getByText(`#${order.display_id}`).first().waitFor()
    await office.getByText("Captured").first().waitFor()
    await office.getByText("$69.31").first().waitFor()
    await suite.shoot(office, "admin-order")
  } finally {
    await review.close()
  }
})

describe("where the account places the order before the money is there,", () => {
  beforeAll(async () => {
    await suite.restartWith({ orderPlacement: "order_first" })
    admin = await adminOf(suite.state)
  })

  test("the order waits for its payment and the handset's approval pays it", async () => {
    await readyToPay(shopper, MONROVIA, "Woven basket")
    await payByMobileMoney(page)
    const [waiting] = await admin.ordersOf(shopper.email)
    expect(waiting).toBeDefined()
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
})
