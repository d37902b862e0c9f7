/**
 * A shopper with a phone 360 px wide: the steps that every purchase has, by what a person sees
 * (labels and buttons) and by test ids where words would be ambiguous.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import type { DemoState } from "./demo"

export const PHONE_SCREEN = { width: 360, height: 740 }

export type Address = {
  region: "Liberia" | "Rwanda" | "International"
  town: string
  country: string
  /** International, of the shopper with this number. */
  phoneOf(shopper: number): string
}

// Numbers that end in 56 wait for the handset; a shopper's own makes the prompt there theirs.
export const MONROVIA: Address = {
  region: "Liberia",
  town: "Monrovia",
  country: "Liberia",
  phoneOf: (shopper) => `+231 770 ${shopper} 56`,
}
export const KIGALI: Address = {
  region: "Rwanda",
  town: "Kigali",
  country: "Rwanda",
  // As a chat hands it over: marks of direction, spaces that don't break, a dash.
  phoneOf: (shopper) => `\u202a+250\u00a0788\u202f${shopper}\u201356\u202c`,
}
export const BOSTON: Address = {
  region: "International",
  town: "Boston",
  country: "United States",
  phoneOf: (shopper) => `+1 617 5${shopper}43`,
}

export type Shopper = {
  context: BrowserContext
  page: Page
  /** Four digits; nobody else of this run has them. */
  number: number
  email: string
  demo: DemoState
}

// Starts anywhere, so that two runs against one demo do not meet.
let shoppers = 1_000 + Math.floor(Math.random() * 8_000)

/** A new visitor: own storage, own e-mail address, at the shop's front door. */
export async function newShopper(browser: Browser, demo: DemoState): Promise<Shopper> {
  const context = await browser.newContext({
    viewport: PHONE_SCREEN,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.goto(demo.storefront_url)
  shoppers += 1
  return { context, page, number: shoppers, email: `shopper-${shoppers}@example.com`, demo }
}

/** From the catalogue to a cart with `quantity` of the product. */
export async function putInCart(page: Page, product: string, quantity = 1): Promise<void> {
  await page.getByRole("link", { name: product }).click()
  for (let more = 1; more < quantity; more += 1) {
    await page.getByRole("button", { name: "One more" }).click()
  }
  await page.getByTestId("add-to-cart").click()
  await page.getByRole("link", { name: "Go to the cart" }).click()
  await page.getByTestId("to-checkout").waitFor()
}

export async function chooseRegion(page: Page, region: Address["region"]): Promise<void> {
  const option = page.getByTestId("region").locator("option", { hasText: region })
  await page
    .getByTestId("region")
    .selectOption({ value: (await option.getAttribute("value")) ?? "" })
}

/** From the cart to the choice of how to pay; with another phone, to what the form says of it. */
export async function fillCheckout(
  shopper: Shopper,
  address: Address,
  { phone }: { readonly phone?: string } = {},
): Promise<void> {
  const { page, email } = shopper
  await page.getByTestId("to-checkout").click()
  const form = page.getByTestId("address-form")
  await form.getByLabel("E-mail").fill(email)
  await form.getByLabel("First name").fill("Ama")
  await form.getByLabel("Last name").fill("Kollie")
  await form.getByLabel("Street and house").fill("12 Broad Street")
  await form.getByLabel("Town").fill(address.town)
  await form.getByLabel("Country").selectOption({ label: address.country })
  await form.getByLabel("Phone").fill(phone ?? address.phoneOf(shopper.number))
  await form.getByRole("button", { name: "Continue" }).click()
  if (phone) return
  await page.getByTestId("delivery-form").getByRole("button", { name: "Continue" }).click()
  await page.getByTestId("pay").waitFor()
}

/** The whole way to the choice of how to pay. */
export async function readyToPay(shopper: Shopper, address: Address, product: string) {
  await chooseRegion(shopper.page, address.region)
  await putInCart(shopper.page, product)
  await fillCheckout(shopper, address)
}

export async function payByMobileMoney(page: Page): Promise<void> {
  await page.getByTestId("method-push").check()
  await page.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
}

/** Ends on the payment service's page. */
export async function payOnPaymentPage({ page, demo }: Shopper): Promise<void> {
  await page.getByTestId("method-hosted").check()
  await page.getByTestId("pay").click()
  await page.waitForURL(`${demo.simulator_url}/pay/**`)
}

/** Answers the shopper's prompt on the pretend phone that the waiting screen leads to. */
export async function answerHandset(
  shopper: Shopper,
  answer: "approve" | "decline",
): Promise<Page> {
  const opened = shopper.context.waitForEvent("page")
  await shopper.page.getByTestId("handset-link").click()
  const handset = await opened
  await answerOn(handset, shopper, answer)
  return handset
}

async function answerOn(handset: Page, { number }: Shopper, answer: "approve" | "decline") {
  // The whole number: four digits of one shopper can stand across another's.
  const phone = new RegExp(`(?<!\\d)\\d{6}${number}56`)
  const prompt = handset.getByTestId("prompt").filter({ hasText: phone })
  await prompt.getByTestId(answer).click()
  await prompt.waitFor({ state: "detached" })
}

/** Answers the prompt of a number, whatever the shop shows by now. */
export async function onHandset(
  { context, demo }: Shopper,
  number: string,
  answer: "approve" | "decline",
): Promise<Page> {
  const handset = await context.newPage()
  await handset.goto(`${demo.simulator_url}/handset`)
  const prompt = handset.getByTestId("prompt").filter({ hasText: number.replaceAll(" ", "") })
  await prompt.getByTestId(answer).click()
  await prompt.waitFor({ state: "detached" })
  return handset
}

export type Confirmed = { orderNumber: string; paid: string }

/** Waits for the confirmation and reads it. */
export async function confirmation(page: Page): Promise<Confirmed> {
  await page.getByTestId("confirmation").waitFor()
  const orderNumber = await page.getByTestId("order-number").innerText()
  const paid = await page.getByTestId("total").innerText()
  return { orderNumber: orderNumber.replace("#", ""), paid }
}
