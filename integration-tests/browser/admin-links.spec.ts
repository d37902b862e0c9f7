/**
 * A payment link with the eyes of a merchant and of the customer: made on the order, handed over,
 * taken back, or paid on the gateway's page and seen as paid without a reload; and a customer who is
 * asked on the phone.
 */
import type { Locator, Page } from "playwright-core"
import { expectAccessible } from "./support/axe"
import { merchantOf, type Merchant } from "./support/merchant"
import type { Office, OfficeOptions } from "./support/office"
import { useDemo } from "./support/use-demo"

let merchant: Merchant

const suite = useDemo({ portBase: 4660 }, async ({ state }) => {
  merchant = await merchantOf(state)
})

async function inOffice(options?: OfficeOptions): Promise<Office> {
  const office = await suite.inOffice(options)
  await office.context.grantPermissions(["clipboard-read", "clipboard-write"])
  return office
}

/** Where the link leads, as it is copied. */
async function addressIn(office: Office, box: Locator): Promise<string> {
  await box.getByRole("button", { name: "Copy the link" }).click()
  await office.page.getByText("Copied. Send it to the customer.").first().waitFor()
  return office.page.evaluate(() => navigator.clipboard.readText())
}

test("a link is made on the order, paid by the customer, and the order turns paid without a reload", async () => {
  const orderId = await merchant.unpaidOrder({
    phone: "+231886100014",
    email: "ada@example.com",
  })
  const inAdmin = await inOffice()
  await inAdmin.open(`/orders/${orderId}`)
  const { page } = inAdmin
  const box = page.getByTestId("payment-link")
  await box.getByRole("button", { name: "Make a payment link" }).focus()
  await page.keyboard.press("Enter")
  await box.getByText("Waiting for payment").first().waitFor()
  const address = await addressIn(inAdmin, box)
  expect(address).toContain(suite.state.simulator_url)
  await box.getByRole("button", { name: "Show as a code" }).click()
  await box.getByRole("img", { name: "The payment link as a code to scan" }).waitFor()
  await box.scrollIntoViewIfNeeded()
  await suite.shoot(page, "admin-payment-link")
  await expectAccessible(page, "[data-testid=payment-link]")
  await box.getByRole("button", { name: "Refresh the link" }).click()
  await page.getByText("The gateway gave the link again.").first().waitFor()
  await box.getByRole("button", { name: "Refresh the link" }).click()
  await page.getByText("Too many requests").first().waitFor()
  const customer = await suite.browser.newPage()
  await customer.goto(address)
  await customer.getByTestId("choose-card").click()
  await customer.getByTestId("card-pay").click()
  await customer.close()
  await box.getByText("Paid", { exact: true }).first().waitFor()
  await page.getByTestId("order-payments").getByText("Collected").waitFor()
  await page.getByText("Captured", { exact: true }).first().waitFor()
  expect(await box.getByRole("button", { name: "Make a payment link" }).count()).toBe(0)
})

test("a customer on the telephone is asked on their phone, and the order turns paid", async () => {
  const orderId = await merchant.unpaidOrder({ phone: "0886 200 015", email: "ann@example.com" })
  const { page, open } = await inOffice({ width: 390 })
  await open(`/orders/${orderId}`)
  const link = page.getByTestId("payment-link")
  await link.getByRole("button", { name: "Make a payment link" }).click()
  const box = page.getByTestId("ask-on-phone")
  await box.getByText("The open link is closed first.").waitFor()
  // The order's own number, which the admin may change.
  const number = box.getByLabel("Mobile money number")
  expect(await number.inputValue()).toBe("0886 200 015")
  await number.fill("")
  await box.getByRole("button", { name: "Ask on the phone" }).click()
  await box.getByText("Enter the number that is to pay.").waitFor()
  await number.fill("0886 200 015")
  await page.keyboard.press("Enter")
  const payments = page.getByTestId("order-payments")
  await payments.getByText("The request is on the phone ending in 015.").waitFor()
  await link.getByText("The payment is shown below.").waitFor()
  await link.getByText("Closed", { exact: true }).waitFor()
  expect(await payments.getByTestId("problem").count()).toBe(0)
  expect(await payments.getByRole("alert").count()).toBe(0)
  await expectAccessible(page, "[data-testid=order-payments]")
  expect(await box.count()).toBe(0)
  await suite.till.simulate("handset/approve", { phone: "231886200015" })
  await payments.getByText("Collected").waitFor()
  await page.getByText("Captured", { exact: true }).first().waitFor()
})

/** What a messenger is opened with. */
async function handedOver(box: Locator, name: string): Promise<URL> {
  return new URL((await box.getByRole("link", { name }).getAttribute("href")) ?? "")
}

test("a link is handed over with its text filled in, in the customer's language", async () => {
  const orderId = await merchant.unpaidOrder({ phone: "0886 200 017", email: "ivy@example.com" })
  const inAdmin = await inOffice({ width: 1440 })
  // A desk's browser has no sheet of its own.
  await inAdmin.context.addInitScript(() => {
    Object.assign(window, { handedToSystem: [] })
    navigator.share = async (given) => {
      ;(window as unknown as { handedToSystem: unknown[] }).handedToSystem.push(given)
    }
  })
  await inAdmin.open(`/orders/${orderId}`)
  const { page } = inAdmin
  const link = page.getByTestId("payment-link")
  await link.getByRole("button", { name: "Make a payment link" }).click()
  const address = await addressIn(inAdmin, link)
  const share = page.getByTestId("share-link")
  const text = async () => share.locator("bdi").innerText()
  await share.getByText(/to \+231886200017/).waitFor()
  const english = await text()
  expect(english).toMatch(/^Payment of order #\d+ at .+: LRD\s[\d,.]+\. You can pay until .*20\d\d/)
  expect(english.endsWith(` ${address}`)).toBe(true)
  // In the dark look Medusa's dark button has less contrast while the mouse is over it.
  await page.mouse.move(0, 0)
  await expectAccessible(page, "[data-testid=payment-link]")

  const whatsapp = await handedOver(share, "WhatsApp")
  expect(`${whatsapp.origin}${whatsapp.pathname}`).toBe("https://wa.me/231886200017")
  expect(whatsapp.searchParams.get("text")).toBe(english)
  const sms = await handedOver(share, "SMS")
  expect(`${sms.protocol}${sms.pathname}`).toBe("sms:+231886200017")
  const mail = await handedOver(share, "E-mail")
  expect(decodeURIComponent(mail.pathname)).toBe("ivy@example.com")
  expect(mail.searchParams.get("body")).toBe(english)
  await share.getByRole("button", { name: "Share in another way" }).click()
  const handed = await page.evaluate(
    () => (window as unknown as { handedToSystem: { text: string }[] }).handedToSystem,
  )
  expect(handed.map((one) => one.text)).toEqual([english])

  await share.getByRole("combobox").click()
  await page.getByRole("option", { name: "Ikinyarwanda" }).click()
  await share.getByText(/^Kwishyura komande/).waitFor()
  const kinyarwanda = await text()
  expect((await handedOver(share, "WhatsApp")).searchParams.get("text")).toBe(kinyarwanda)
  await share.getByRole("button", { name: "Copy the message" }).click()
  await page.getByText("The message is copied.").first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(kinyarwanda)
})

test.each([
  ["en", 1440, "Make a payment link", "Cancel the link", "Closed", "Keep the link"],
  ["fr", 390, "Créer un lien de paiement", "Annuler le lien", "Fermé", "Garder le lien"],
] as const)(
  "in %s at %d px a link is taken back: the gateway closes it, and its page takes no money",
  async (language, width, make, cancel, closed, keep) => {
    const orderId = await merchant.unpaidOrder({ phone: "+231886200018", email: "jo@example.com" })
    const { page, open } = await inOffice({ language, width })
    await open(`/orders/${orderId}`)
    const link = page.getByTestId("payment-link")
    await link.getByRole("button", { name: make }).click()
    const address = (await link.getByText(/^https?:/).innerText()).trim()
    await link.getByRole("button", { name: cancel }).click()
    const sure = page.getByRole("alertdialog")
    await sure.getByRole("button", { name: keep }).click()
    await sure.waitFor({ state: "detached" })
    await link.getByTestId("share-link").waitFor()
    await link.getByRole("button", { name: cancel }).click()
    await sure.getByRole("button", { name: cancel }).click()
    await link.getByText(closed, { exact: true }).waitFor()
    expect(await link.getByTestId("share-link").count()).toBe(0)
    expect(await overhangOf(page)).toBe(0)
    const customer = await suite.browser.newPage()
    await customer.goto(address)
    await customer.locator("body").waitFor()
    expect(await customer.getByTestId("choose-card").count()).toBe(0)
    await customer.close()
    await link.getByRole("button", { name: make }).waitFor()
  },
)

async function overhangOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

test("Medusa's own link opens the shop's page for the order, where it is paid", async () => {
  const orderId = await merchant.unpaidOrder({ phone: "", email: "eve@example.com" })
  await merchant.askForPayment(orderId)
  const { page, open } = await inOffice({ width: 390 })
  await open(`/orders/${orderId}`)
  await page.getByTestId("order-payments").getByText("Still open").waitFor()
  await page.getByTestId("payment-link").getByText("works only if your shop has").waitFor()
  await page.getByRole("button", { name: "CopyPaymentLink" }).click()
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.pathname).toMatch(/^\/payment-collection\/pay_col_/)
  const customer = await suite.browser.newPage({ viewport: { width: 390, height: 844 } })
  await customer.goto(suite.state.storefront_url + copied.pathname)
  await customer.getByText("This link is not complete").waitFor()
  await customer.goto(suite.state.storefront_url + copied.pathname + copied.search)
  await customer.getByTestId("pay").click()
  await customer.getByLabel("Phone number").fill("0886 100 016")
  await expectAccessible(customer)
  await customer.getByTestId("pay").click()
  await customer.getByTestId("choose-card").click()
  await customer.getByTestId("card-pay").click()
  await customer.getByText("Your order is paid").waitFor()
  await customer.goto(suite.state.storefront_url + copied.pathname + copied.search)
  await customer.getByText("asks for no more money").waitFor()
  await customer.close()
  await page.getByTestId("order-payments").getByText("Collected").waitFor()
})

test("an order without a phone number asks for one, in French, and a cancelled one has no link", async () => {
  const orderId = await merchant.unpaidOrder({ phone: "", email: "bo@example.com" })
  const { page, open } = await inOffice({ language: "fr", width: 768 })
  await open(`/orders/${orderId}`)
  const box = page.getByTestId("payment-link")
  const make = box.getByRole("button", { name: "Créer un lien de paiement" })
  await make.click()
  await box.getByLabel("Téléphone du client").fill("12")
  await make.click()
  await box.getByText("Ce n'est pas un numéro de téléphone.").waitFor()
  await box.getByLabel("Téléphone du client").fill("+231 886 100 015")
  await make.click()
  await box.getByText("En attente de paiement").first().waitFor()
  await merchant.cancel(orderId)
  await box.getByText("Fermé", { exact: true }).waitFor()
  await box.getByText("Le dernier lien ne permet plus de payer.").waitFor()
})
