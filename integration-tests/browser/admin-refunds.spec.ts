/**
 * Money that goes back, in Liberian dollars, which Medusa itself does not know: priced, paid and
 * refunded by clicks in its own forms; a refund that fails after it was accepted, and is made once
 * more; and a refund that needs two admins.
 */
import type { Page } from "playwright-core"
import { HOSTED } from "../http/support/shop"
import { adminOf, type Admin } from "./support/admin"
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { newestIntent, openRefundForm } from "./support/refund-form"
import type { Office } from "./support/office"
import { useDemo } from "./support/use-demo"

/**
 * A refund that Medusa was told of is brought into its records a minute later, and taken out after.
 */
const PUT_RIGHT_MS = 240_000
const REGION = "Monrovia"
const SECOND_NEEDED: unknown = expect.stringContaining("needs a second admin")
const SECOND = { email: "second@example.com", password: "second-password" }

let admin: Admin

const suite = useDemo({ portBase: 4540, without: "credentials" }, async ({ state }) => {
  admin = await adminOf(state)
  await admin.invite(SECOND)
  await admin.addAccount({
    label: "Main",
    base_url: state.simulator_url,
    client_id: "simulator-client",
    client_secret: "simulator-secret",
    currencies: ["LRD", "USD"],
    is_default: true,
    policies: { refund_second_admin_above: { LRD: 1_000 } },
  })
})

/** From the list to Medusa's order, once it is paid. */
async function openOrderOf({ page, open }: Office, phoneHint: string): Promise<void> {
  await open("/merchant-payments/payments")
  const row = page.getByRole("row").filter({ hasText: phoneHint })
  await row.getByText("Paid", { exact: true }).waitFor()
  await row.getByRole("link", { name: /^#\d+$/ }).click()
  await page.getByTestId("order-payments").getByText("Paid", { exact: true }).waitFor()
}

async function giveBack(page: Page, amount: string): Promise<void> {
  const form = await openRefundForm(page)
  await form.locator("input[name=amount]").fill(amount)
  await form.getByRole("button", { name: "Save" }).click()
  // The form closes when Medusa was answered; until then an end at the gateway would be a refusal.
  await form.waitFor({ state: "detached" })
}

/** What the refund that is on its way comes to, as an operator would decide it. */
async function endRefund(status: "COMPLETED" | "FAILED"): Promise<void> {
  const book = await fetch(`${suite.state.simulator_url}/_simulator/book`)
  const { refunds } = (await book.json()) as { refunds: { reference: string; status: string }[] }
  const pending = refunds.filter(({ status: now }) => now === "PENDING")
  expect(pending).toHaveLength(1)
  await suite.till.simulate(`money-out/${pending[0]?.reference ?? ""}/settle`, { status })
}

test("a region in Liberian dollars is made, a product priced and on sale, its order paid and refunded in part", async () => {
  const office = await suite.inOffice()
  const { page, open } = office
  await makeRegion(office)
  await priceMug(office)
  await changeSale(office, await admin.putOnSale(REGION, 1_900.5))

  await open("/settings/merchant-payments")
  const region = page.getByTestId("region").filter({ hasText: REGION })
  await region.getByRole("button", { name: "Enable" }).click()
  await page.getByText(`${REGION} now offers these payment methods.`).first().waitFor()

  // Ends in 98: money that goes back stays on its way until somebody at the operator ends it.
  await suite.till.pay("+231886100098", { inRegion: REGION })
  await openOrderOf(office, "…098")
  await page.getByText("1,800.75").first().waitFor()
  const form = await openRefundForm(page)
  expect(await form.locator("input[name=amount]").inputValue()).toMatch(/\.\d\d$/)
  expect(unevenAmounts(await form.innerText())).toEqual([])
  await form.locator("input[name=amount]").fill("500.25")
  await suite.shoot(page, "admin-refund-form")
  await form.getByRole("button", { name: "Save" }).click()

  const box = page.getByTestId("order-payments")
  await box.getByText("Refund of LRD 500.25 on its way").waitFor()
  await page.getByRole("dialog").waitFor({ state: "detached" })
  expect(unevenAmounts(await page.getByRole("main").innerText())).toEqual([])
  await endRefund("COMPLETED")
  await box.getByText("LRD 500.25 refunded").waitFor()
  await box.getByText("Net before refunds").waitFor()
  await suite.shoot(page, "admin-order-refunded")
})

async function makeRegion({ page, open }: Office): Promise<void> {
  await open("/settings/regions/create")
  await page.getByLabel("Name").fill(REGION)
  await page.getByRole("combobox").first().click()
  await page.getByRole("option", { name: "Liberian Dollar" }).click()
  await page.getByRole("combobox").last().click()
  await page.getByRole("option", { name: /System/ }).click()
  await page.getByLabel("Name").click()
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("heading", { name: REGION }).waitFor()
  await page.getByText("Liberian Dollar").waitFor()
}

async function priceMug(office: Office): Promise<void> {
  const { page, open } = office
  await open("/products")
  await page.getByText("Enamel mug").first().click()
  await page.waitForURL(/products\/prod_/)
  const prices = `${page.url().replace(/\?.*/, "")}/prices`
  await page.goto(prices)
  await typePrice(page, "2000.5")
  await page.goto(prices)
  await priceIs(page, "2,000.50")
}

async function changeSale({ page, open }: Office, priceListId: string): Promise<void> {
  const prices = `/price-lists/${priceListId}/products/edit`
  await open(prices)
  await priceIs(page, "1,900.50")
  await typePrice(page, "1800.75")
  await open(prices)
  await priceIs(page, "1,800.75")
}

/** Into the last cell of Medusa's grid, which is that of the newest region. */
async function typePrice(page: Page, price: string): Promise<void> {
  await page.getByText(`Price ${REGION}`).waitFor()
  await page.getByRole("gridcell").last().click()
  await page.keyboard.type(price)
  await page.keyboard.press("Enter")
  expect(unevenAmounts(await page.getByRole("grid").innerText())).toEqual([])
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("grid").waitFor({ state: "detached" })
}

/** One of them; the grid says it as it is said in the currency. */
async function priceIs(page: Page, price: string): Promise<void> {
  await page.waitForFunction(
    (shown) =>
      [...document.querySelectorAll("[role=gridcell] input")].some(
        (field) => (field as HTMLInputElement).value === shown,
      ),
    price,
  )
}

/** Amounts in Liberian dollars that have other than two digits after the point. */
function unevenAmounts(text: string): string[] {
  const amounts = text.match(/(?:L?\$|LRD)\s?[\d,]+(?:\.\d+)?/g) ?? []
  return amounts.filter((amount) => !/\.\d\d$/.test(amount))
}

test("a refund that fails after it was accepted is found by its count and made once more", async () => {
  const office = await suite.inOffice()
  const { page, open } = office
  await suite.till.pay("+231886200198")
  await openOrderOf(office, "…198")
  await giveBack(page, "300")
  const box = page.getByTestId("order-payments")
  await box.getByText("Refund of LRD 300.00 on its way").waitFor()
  await endRefund("FAILED")
  await box.getByText("A refund of LRD 300.00 failed").first().waitFor()

  await open("/merchant-payments/attention")
  const cases = page.getByTestId("cases").getByRole("link")
  const found = cases.filter({ hasText: "A refund did not go through" })
  await found.waitFor()
  await suite.shoot(page, "admin-attention")
  await found.click()
  await page.getByText("Technical details").click()
  // Until Medusa is put right, nothing is sent in its place.
  const isRight = page.getByText("Failed refund removed from Medusa")
  await isRight.waitFor({ timeout: PUT_RIGHT_MS })
  const again = page.getByRole("button", { name: "Refund again" })
  await again.waitFor()
  await expectAccessible(page)
  await again.click()
  const sure = page.getByRole("alertdialog")
  await expectAccessible(page, OPEN_DIALOG)
  await sure.getByRole("button", { name: "Refund again" }).click()
  await page.getByText("The refund was requested again.").first().waitFor()
  await page.getByText("On its way", { exact: true }).first().waitFor()
  await endRefund("COMPLETED")
  await page.getByText("Arrived", { exact: true }).first().waitFor()
  await open("/merchant-payments/attention")
  await page.getByText("Nothing needs your attention").waitFor()
})

test("a refund above the limit is requested by one admin, twice in vain, and made by another", async () => {
  const payment = await suite.till.begin("+231886300012", { providerId: HOSTED })
  const office = await suite.inOffice()
  const { page } = office
  await page.goto(payment.url ?? "")
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  await office.open("/merchant-payments/payments")
  // Who paid on the page is not known, so its row alone shows no digits.
  const row = page.getByRole("row").filter({ hasNotText: "…", hasText: "Paid" })
  await row.getByText("Paid", { exact: true }).waitFor()
  await row.getByRole("link").first().click()
  await page.getByLabel("Payment intent ID").waitFor()
  await expectAccessible(page)
  await page.getByLabel("Payment intent ID").fill(await newestIntent(suite.browser, suite.state))
  await page.getByRole("button", { name: "Save the id" }).click()
  await page.getByLabel("Payment intent ID").waitFor({ state: "detached" })
  await page.getByRole("link", { name: "Open the order" }).first().click()
  await page.waitForURL(/\/orders\/order_\w+$/)
  const order = page.url()
  const form = await openRefundForm(page)
  await form.locator("input[name=amount]").fill("1500")
  const asked = page.getByText(/this refund needs a second admin/).first()
  for (let asks = 1; asks <= 2; asks += 1) {
    await form.getByRole("button", { name: "Save" }).click()
    await asked.waitFor()
    await asked.waitFor({ state: "detached" })
  }
  // Medusa's form leaves a refusal to the browser, besides showing it.
  expect(office.errors()).toEqual([SECOND_NEEDED, SECOND_NEEDED])
  await form.getByRole("button", { name: "Cancel" }).click()
  await form.waitFor({ state: "detached" })

  const other = await suite.inOffice({ login: SECOND })
  await other.open("/merchant-payments/attention")
  const request = other.page.getByTestId("request")
  await request.getByRole("link", { name: "Show the payment" }).click()
  await request.getByLabel("Your reason").fill("Seen the parcel")
  await request.getByRole("button", { name: "Approve" }).click()
  await other.page.getByRole("alertdialog").getByRole("button", { name: "Approve" }).click()
  // The refund's page opens once it is sent.
  await request.waitFor({ state: "detached" })
  await other.page.goto(order)
  const box = other.page.getByTestId("order-payments")
  await box.getByText("LRD 1,500.00 refunded").waitFor()
  await page.getByTestId("order-payments").getByText("LRD 1,500.00 refunded").waitFor()
})
