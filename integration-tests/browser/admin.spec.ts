/**
 * The merchant in the admin, with the eyes of a person: payments are followed, what no machine decides is
 * found and decided, money is given back. The shoppers pay by the shop's routes, which `pay-first` shows
 * in a browser.
 */
import type { Browser } from "playwright-core"
import { HOSTED, PUSH, shopAt, type Region, type Shop } from "../http/support/shop"
import { expectAccessible } from "./support/axe"
import { launchChromium } from "./support/chromium"
import { DEMO_START_MS, startDemo, type Demo } from "./support/demo"
import { openOffice, type Office, type OfficeOptions } from "./support/office"
import { camera, type Camera } from "./support/screenshots"

const PORT_BASE = 4520
const TEST_MS = 120_000
/** Typed as a secret; found nowhere. */
const CANARY = "canary-0f3b51c8e7"

let demo: Demo
let browser: Browser
let shop: Shop
let shoot: Camera
let office: Office | undefined

beforeAll(async () => {
  demo = await startDemo({ portBase: PORT_BASE, orderPlacement: "pay_first" })
  browser = await launchChromium()
  shop = shopAt(demo.state.store_api_url, demo.state.publishable_key)
  shoot = await camera()
}, DEMO_START_MS)

afterAll(async () => {
  await browser?.close()
  await demo?.stop()
}, TEST_MS)

afterEach(async () => {
  const errors = office?.errors() ?? []
  await office?.context.close()
  office = undefined
  expect(errors).toEqual([])
})

async function inOffice(options?: OfficeOptions): Promise<Office> {
  office = await openOffice(browser, demo.state, options)
  return office
}

/** Somebody is about to pay; what their number does stands in the simulator's scenarios. */
async function begin(phone: string, providerId = PUSH, region: Region = "Liberia") {
  const cart = await shop.cart({ region, phone, items: [["enamel-mug", 1]] })
  const session = await shop.session(cart, providerId)
  const { body } = await shop.start(session)
  if (!body.payment) throw new Error(`not started: ${JSON.stringify(body)}`)
  return body.payment
}

async function simulate(path: string, body: object): Promise<void> {
  const answer = await fetch(`${demo.state.simulator_url}/_simulator/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
}

test(
  "a payment is followed from the prompt to its order without a reload",
  async () => {
    const phone = "+231886100011"
    await begin(phone)
    const { page, open } = await inOffice()
    await open("/merchant-payments")
    const row = page.getByRole("row").filter({ hasText: "…011" })
    await row.getByText("Waiting for the payer").waitFor()
    await simulate("handset/approve", { phone: phone.slice(1) })
    await row.getByText("Paid", { exact: true }).waitFor()

    await row.getByRole("link").first().click()
    const timeline = page.getByTestId("timeline")
    await timeline.getByText("Medusa has it: payment captured, order paid").waitFor()
    await timeline.getByText("Written down, nothing sent").waitFor()
    await page.getByRole("button", { name: "Check now" }).click()
    await page.getByText("The gateway was asked just now.").first().waitFor()

    await page.getByRole("link", { name: "Open the order" }).first().click()
    const box = page.getByTestId("order-payments")
    await box.getByText("Paid", { exact: true }).waitFor()
    await box.getByText("…011").waitFor()
  },
  TEST_MS,
)

test(
  "what needs a person is found by its count, explained and decided, in French",
  async () => {
    // Ends in 09: the paid document reads 1.00 too much.
    await begin("+231886100009")
    const { page, open } = await inOffice({ language: "fr" })
    await open("/merchant-payments")
    await page.getByTestId("attention-count").waitFor()
    await page.getByRole("link", { name: /À traiter \d/ }).click()
    const row = page
      .getByRole("row")
      .filter({ hasText: "La passerelle a encaissé un autre montant" })
    await row.first().getByRole("link").first().click()

    await page.getByRole("heading", { name: "Votre décision" }).waitFor()
    await page.getByRole("button", { name: "Interroger la passerelle" }).click()
    await page.getByTestId("reading").getByText("PAID").waitFor()
    await shoot(page, "admin-decision-fr")

    await page.getByRole("button", { name: "Accepter", exact: true }).click()
    await page.getByText("Dites d'abord pourquoi.").waitFor()
    await page.getByLabel("Pourquoi vous décidez ainsi").fill("Réglé avec la cliente")
    await page.getByRole("button", { name: "Accepter", exact: true }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Accepter" }).click()
    // The gateway's amount is another one, so this is refused, and the page says why.
    await page.getByTestId("problem").getByText("Le montant payé n'est pas celui").waitFor()

    await page.getByRole("button", { name: "Classer", exact: true }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Classer" }).click()
    const timeline = page.getByTestId("timeline")
    await timeline.getByText("Classé par une personne").waitFor()
    await timeline.getByText("Réglé avec la cliente").waitFor()
    await page.getByText("Classé", { exact: true }).first().waitFor()
    await timeline.getByText(`par ${demo.state.admin_email}`).first().waitFor()
  },
  TEST_MS,
)

test(
  "money goes back by Medusa's own refund, once the id that it needs was copied from the portal",
  async () => {
    const payment = await begin("+231886100012", HOSTED)
    const { page, open } = await inOffice()
    await page.goto(payment.url ?? "")
    await page.getByTestId("choose-card").click()
    await page.getByTestId("card-pay").click()
    await open("/merchant-payments")
    const row = page.getByRole("row").filter({ hasText: "Payment page" })
    await row.getByText("Paid", { exact: true }).waitFor()
    await shoot(page, "admin-payments")
    await row.getByRole("link").first().click()

    await page.getByLabel("Payment intent id").fill("12 34")
    await page.getByRole("button", { name: "Save the id" }).click()
    await page.getByText("A whole number is needed").waitFor()
    await page.getByLabel("Payment intent id").fill(await newestIntent())
    await page.getByRole("button", { name: "Save the id" }).click()
    await page.getByText("The refund can be made now").first().waitFor()
    await page.getByLabel("Payment intent id").waitFor({ state: "detached" })

    await page.getByRole("link", { name: "Open the order" }).first().click()
    const payments = page.locator("div").filter({
      has: page.getByRole("heading", { name: "Payments", exact: true }),
    })
    await payments.last().locator("xpath=..").getByRole("button").last().click()
    await page.getByRole("menuitem", { name: "Refund" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    const box = page.getByTestId("order-payments")
    await box
      .getByText(/on its way|given back/)
      .first()
      .waitFor()
    await box.getByText("given back").first().waitFor()
    await box.scrollIntoViewIfNeeded()
    await shoot(page, "admin-order-refunded")
  },
  TEST_MS,
)

/** As a person reads it in the merchant portal. */
async function newestIntent(): Promise<string> {
  const portal = await browser.newPage()
  try {
    await portal.goto(`${demo.state.simulator_url}/portal`)
    await portal.locator("[data-testid^=log-in-]").first().click()
    return await portal.getByTestId("payment-intent-id").first().innerText()
  } finally {
    await portal.close()
  }
}

test(
  "an account is tested with what is typed before it is saved, and its secret is in no page",
  async () => {
    const { page, open } = await inOffice()
    await open("/settings/merchant-payments")
    await page.getByTestId("health").waitFor()
    await page.getByRole("button", { name: "Add an account" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Name", { exact: true }).fill("Second")
    await form.getByLabel("Address of the gateway").fill(demo.state.simulator_url)
    await form.getByLabel("Client id").fill("nobody")
    await form.getByLabel("Client secret").fill(CANARY)
    await form.getByRole("button", { name: "Test connection" }).click()
    const wrong = form.locator("[data-status=failed]").filter({ hasText: "Credentials" })
    await wrong.getByText("does not know this client id").waitFor()
    await shoot(page, "admin-settings")

    await form.getByLabel("Currencies", { exact: true }).fill("LRD")
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByTestId("problem").getByText("LRD is taken by the account").waitFor()
    await form.getByLabel("Currencies", { exact: true }).fill("EUR")
    await form.getByRole("button", { name: "Save" }).click()
    await form.waitFor({ state: "detached" })
    const saved = page.getByTestId("account").filter({ hasText: "Second" })
    await saved.getByText("Secret saved").waitFor()
    // Not `toContain`, which would print the whole page.
    expect((await page.content()).includes(CANARY)).toBe(false)

    // Away again, so that the next test finds the demo as it was.
    await saved.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
    await saved.waitFor({ state: "detached" })
  },
  TEST_MS,
)

test(
  "money is sent to a wallet with the passcode, and followed until it has arrived",
  async () => {
    const { page, open } = await inOffice()
    await open("/merchant-payments/payouts")
    await page.getByRole("button", { name: "Send money" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Amount").fill("42.50")
    await form.getByLabel("Recipient").fill("Ada Carpenter")
    await form.getByLabel("Phone", { exact: true }).fill("+231 770 000 010")
    const send = async (passcode: string) => {
      await form.getByLabel("Passcode", { exact: true }).fill(passcode)
      await form.getByRole("button", { name: "Send money" }).click()
      const sure = page.getByRole("alertdialog")
      await sure.getByText("Send LRD 42.50?").waitFor()
      await sure.getByRole("button", { name: "Send" }).click()
    }
    await send("000000")
    await form.getByTestId("problem").getByText("passcode").waitFor()
    expect(await form.getByLabel("Passcode", { exact: true }).inputValue()).toBe("")
    await send("246810")
    await page.getByRole("heading", { name: "LRD 42.50" }).waitFor()
    await page.getByText("Arrived", { exact: true }).first().waitFor()
  },
  TEST_MS,
)

test.each(["", "/attention", "/payouts", "/fees"])(
  "the page of payments%s fits on a narrow screen, and everybody can read and reach what is on it",
  async (path) => {
    const { page, open } = await inOffice({ width: 768 })
    await open(`/merchant-payments${path}`)
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overhang).toBe(0)
    await page.waitForLoadState("networkidle")
    await expectAccessible(page)
  },
  TEST_MS,
)
