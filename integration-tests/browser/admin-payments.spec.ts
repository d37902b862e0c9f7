/**
 * The merchant in the admin, with the eyes of a person: payments are followed, what no machine
 * decides is found and decided, money is sent; and what may go wrong around an open page is a
 * sentence on it. The shoppers pay by the shop's routes, which `purchases` shows in a browser.
 */
import { readFile } from "node:fs/promises"
import { adminOf } from "./support/admin"
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { expectFits, HOMES, minorIn, sheetOfToday, today } from "./support/home"
import { overhangOf } from "./support/cut-texts"
import { until } from "./support/until"
import type { Office } from "./support/office"
import { useDemo } from "./support/use-demo"

/** Longer than "Check now" asks, several times. */
const GATEWAY_DOWN_MS = 60_000
/** As long as "Check now" asks a gateway that does not answer. */
const ASKED_MS = 15_000
const PHONE_WIDTH = 390
/** Ids, the store's codes and the gateway's words, which stand under the technical details. */
const RAW_CODE = /\b(pp|order|cart|payses|pay_col|mpop|mpacc)_\w|[A-Z]{4,}_[A-Z]|\b[A-Z]{6,}\b/
const ORDER_WIDGET = "[data-testid=order-payments]"

const suite = useDemo({ portBase: 4520 })

async function openPayment(
  { page, open }: Pick<Office, "page" | "open">,
  phoneHint: string,
): Promise<void> {
  await open("/merchant-payments/payments")
  await page.getByRole("row").filter({ hasText: phoneHint }).getByRole("link").first().click()
  await page.getByTestId("progress").waitFor()
}

test("a payment is followed from the prompt to its order and its receipt without a reload", async () => {
  const phone = "+231886100011"
  await suite.till.begin(phone)
  const { page, open } = await suite.inOffice()
  await open("/merchant-payments/payments")
  const row = page.getByRole("row").filter({ hasText: "…011" })
  await row.getByText("Pending approval").waitFor()
  await suite.till.simulate("handset/approve", { phone: phone.slice(1) })
  await row.getByText("Paid", { exact: true }).waitFor()

  await row.getByRole("link").first().click()
  const progress = page.getByTestId("progress")
  await progress.getByText("Recorded with the order").waitFor()
  await progress.getByText("Not yet").waitFor({ state: "detached" })
  const payer = page.getByTestId("payer")
  await payer.getByRole("link", { name: /@/ }).waitFor()
  await payer.getByRole("link", { name: /^Order #\d+$/ }).waitFor()
  await page.getByRole("button", { name: "Check now" }).click()
  await page.getByText("Checked at the gateway just now.").first().waitFor()
  await expectAccessible(page)
  await suite.shoot(page, "admin-payment")
  expect(await page.locator("main").innerText()).not.toMatch(RAW_CODE)

  await page.getByText("Technical details").click()
  const timeline = page.getByTestId("timeline")
  await timeline.getByText("Payment created").waitFor()
  expect(await page.getByRole("button", { name: /^Copy: / }).count()).toBeGreaterThan(8)
  await expectAccessible(page)

  await page.getByRole("link", { name: "Refund", exact: true }).click()
  await page.getByRole("dialog").locator("input[name=amount]").waitFor()
  await page.goBack()

  await page.getByRole("link", { name: "Open the order" }).first().click()
  const box = page.locator(ORDER_WIDGET)
  await box.getByText("Paid", { exact: true }).waitFor()
  await box.getByText("…011").waitFor()
  await expectAccessible(page, ORDER_WIDGET)
  await suite.shoot(page, "admin-order-payment")

  await box.getByRole("link", { name: "Receipt" }).click()
  await page.getByRole("heading", { name: "Receipt" }).waitFor()
  const paper = page.frameLocator("[data-testid=receipt-page]")
  await paper.getByText("Enamel mug").waitFor()
  await paper.getByText("Paid", { exact: true }).first().waitFor()
  await page.getByRole("button", { name: "Copy the customer's link" }).waitFor()
  await expectAccessible(page)
  await suite.shoot(page, "admin-receipt")
})

test("a payment is found by what its customer says, and the list is added up and taken away", async () => {
  const { page, open } = await suite.inOffice({ width: 1440 })
  await open("/merchant-payments/payments")
  const rows = page.locator("tbody").getByRole("row")
  const box = page.getByRole("searchbox")
  const addresses: string[] = []
  page.on("request", (request) => addresses.push(decodeURIComponent(request.url())))
  const amount = await rows.first().getByText(/^LRD/).first().innerText()
  // As people say an amount: without its decimals.
  const whole = amount.replace(/\D/g, "").slice(0, -2)
  for (const said of ["0886 100 011", "…011 ada", "shopper@ex", "#1", whole]) {
    await box.fill(said)
    await rows.filter({ hasText: "…011" }).filter({ hasText: "#1" }).waitFor()
    expect([said, await rows.count()]).toEqual([said, 1])
    // [D5] Neither the page's own address nor one that the store is asked at has it.
    expect(decodeURIComponent(page.url())).not.toContain(said)
  }
  expect(addresses.filter((one) => /0886|shopper@ex|…011/.test(one))).toEqual([])
  await page
    .getByTestId("totals")
    .getByText(/^Paid LRD/)
    .waitFor()
  await rows.getByRole("link", { name: "#1" }).waitFor()
  await rows.getByText("Payment", { exact: true }).waitFor()

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n")
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain("shopper@example.com")

  await box.fill("nothing of the kind")
  await page.getByText("Nothing matches").waitFor()
  await page.getByRole("button", { name: "Clear search and filters" }).click()
  await rows.filter({ hasText: "…011" }).waitFor()
  // A filter that has no value yet filters nothing; the dashboard opens its choices over the list.
  await open("/merchant-payments?state=%5B%5D&type=%5B%5D")
  await page.locator("tbody tr").filter({ hasText: "…011" }).waitFor()
  await open("/merchant-payments/payments?order=-amount")
  await rows.filter({ hasText: "…011" }).waitFor()
  await expectAccessible(page)

  await page.getByRole("button", { name: "Hide fee and net" }).click()
  expect(await page.getByRole("columnheader", { name: "Net" }).count()).toBe(0)
  await page.reload()
  await page.getByRole("button", { name: "Show fee and net" }).click()
  await page.getByRole("columnheader", { name: "Net" }).waitFor()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole("columnheader", { name: "Net" }).waitFor({ state: "detached" })
  const row = rows.filter({ hasText: "#1" }).first()
  for (const text of [/^LRD/, /^Paid$/, /^Payment$/]) {
    const place = await row.getByText(text).first().boundingBox()
    expect((place?.x ?? 390) + (place?.width ?? 0)).toBeLessThanOrEqual(390)
  }
  expect(await overhangOf(page)).toBe(0)
  await expectAccessible(page)
})

test.each(HOMES)(
  "Home in $language agrees with its rows and with the accountant's sheet about today's money",
  async (words) => {
    const { page, open } = await suite.inOffice({ language: words.language, width: 1440 })
    await open("/merchant-payments")
    const received = today(page, "LRD", "received")
    const minor = minorIn(await received.innerText())
    expect(Number(minor)).toBeGreaterThan(0)
    for (const line of ["waiting", "gateway", "days", "tries"]) {
      await page.getByTestId(line).first().waitFor()
    }
    expect(await sheetOfToday(page, words, "LRD")).toBe(minor)
    for (const width of [PHONE_WIDTH, 1440]) await expectFits(page, width)
    await received.click()
    const sum = await page.getByTestId("totals").getByText(words.paid).innerText()
    expect(minorIn(sum.replace(/\(.*/, ""))).toBe(minor)
  },
)

test("a payment that needs a decision is found by its count, explained, and decided in French", async () => {
  // Ends in 09: 1.00 more than asked for is taken.
  await suite.till.begin("+231886100009")
  const { page, open } = await suite.inOffice({ language: "fr" })
  await open("/merchant-payments/payments")
  await page.getByTestId("attention-count").waitFor()
  await page.getByRole("link", { name: /À traiter \d/ }).click()
  const cases = page.getByTestId("cases").getByRole("link")
  await cases.filter({ hasText: "de plus que demandé" }).first().click()

  await page.getByRole("heading", { name: "Votre décision" }).waitFor()
  await page.getByRole("button", { name: "Vérifier la passerelle" }).click()
  await page.getByTestId("reading").getByText("Payé").waitFor()
  await expectAccessible(page)
  await suite.shoot(page, "admin-decision-fr")

  await page.getByRole("button", { name: "Rendre la différence" }).click()
  await page.getByText("Indiquez un motif.").waitFor()
  await page.getByLabel("Motif", { exact: true }).fill("Réglé avec la cliente")
  await page.getByRole("button", { name: "Rendre la différence" }).click()
  const sure = page.getByRole("alertdialog")
  await sure.getByText(/Rendre 1,00\sLRD/).waitFor()
  await sure.getByRole("button", { name: "Rendre la différence" }).click()
  await page.getByRole("heading", { name: "Votre décision" }).waitFor({ state: "detached" })
  const progress = page.getByTestId("progress")
  await progress.getByText("Pas encore").waitFor({ state: "detached" })
  await page
    .getByTestId("refund")
    .getByText(/1,00\sLRD/)
    .waitFor()
  await page.getByText("Détails techniques").click()
  const timeline = page.getByTestId("timeline")
  await timeline.getByText("Accepté par un administrateur").waitFor()
  await timeline.getByText("Réglé avec la cliente").first().waitFor()
  await timeline.getByText(`par ${suite.state.admin_email}`).first().waitFor()
})

test("the second of two admins who decide the same payment reads that it was decided", async () => {
  await suite.till.begin("+231886200009")
  const [first, second] = [await suite.inOffice(), await suite.inOffice({ width: PHONE_WIDTH })]
  for (const { page, open } of [first, second]) {
    await open("/merchant-payments/attention")
    const found = page.getByTestId("cases").getByRole("link").filter({ hasText: "more than asked" })
    const box = await found.getByText(/^LRD\s[\d,.]+$/).boundingBox()
    expect((box?.x ?? PHONE_WIDTH) + (box?.width ?? 0)).toBeLessThan(
      page.viewportSize()?.width ?? 0,
    )
    await found.click()
    await page.getByTestId("payer").getByRole("link", { name: /@/ }).waitFor()
    expect(await overhangOf(page)).toBe(0)
    expect(await page.locator("main").innerText()).not.toMatch(RAW_CODE)
    await page.getByLabel("Reason", { exact: true }).fill("Settled by telephone")
    await page.getByRole("button", { name: "Dismiss", exact: true }).click()
    await page.getByRole("alertdialog").waitFor()
  }
  const sure = ({ page }: Office) =>
    page.getByRole("alertdialog").getByRole("button", { name: "Dismiss" }).click()
  await sure(first)
  await first.page.getByTestId("progress").getByText("Dismissed").waitFor()
  await sure(second)
  await second.page
    .getByText(/decided already|already decided/i)
    .first()
    .waitFor()
  await second.page.getByTestId("progress").getByText("Dismissed").waitFor()
})

test("while the gateway is down, an open page says so and concludes nothing, and it works again afterwards", async () => {
  await suite.till.begin("+231886300013")
  const office = await suite.inOffice()
  const { page } = office
  await openPayment(office, "…013")
  await suite.till.simulate("connections/refuse", { forMs: GATEWAY_DOWN_MS })
  const said = page.getByText("The gateway did not answer. Nothing has changed.")
  // The job may be at it just when the button is pressed, which is another answer.
  await until("the page says that the gateway does not answer", async () => {
    await page.getByRole("button", { name: "Check now" }).click()
    return said.waitFor({ timeout: ASKED_MS }).then(
      () => true,
      () => null,
    )
  })
  await page.getByText("Pending approval").waitFor()
  await until("the gateway is there again", () =>
    suite.till.simulate("handset/approve", { phone: "231886300013" }).then(
      () => true,
      () => null,
    ),
  )
  await page.getByText("Paid", { exact: true }).first().waitFor()
})

test("the gateway's words are shown as text, however long, hostile, or written from right to left", async () => {
  const phone = "+231886400014"
  const hostile =
    `<img src=x onerror="window.struck=1"><script>window.struck=1</script>` +
    ` \u202Eمرحبا\u202C ${"very".repeat(2_500)}`
  await suite.till.simulate("plans", {
    phone: phone.slice(1),
    outcome: "decline",
    message: hostile,
    times: 1,
  })
  await suite.till.begin(phone)
  const office = await suite.inOffice()
  const { page } = office
  await openPayment(office, "…014")
  const words = page.getByTestId("gateway-words")
  await words.getByText('<img src=x onerror="window.struck=1">').waitFor()
  expect(await words.locator("img, script").count()).toBe(0)
  expect(await page.evaluate(() => "struck" in window)).toBe(false)
  expect(await overhangOf(page)).toBe(0)
  expect((await words.boundingBox())?.height).toBeLessThan(200)
  await expectAccessible(page)
})

test("an order that was paid by another provider says that none of these payments belong to it", async () => {
  const admin = await adminOf(suite.state)
  await admin.leaveToMedusa("Rwanda")
  const orderId = await suite.till.orderOtherwise("Rwanda")
  await admin.capture(orderId)
  const { page, open } = await suite.inOffice()
  await open(`/orders/${orderId}`)
  await page.getByRole("heading", { name: "Payments", exact: true }).waitFor()
  const widget = page.locator(ORDER_WIDGET)
  await widget.getByText("No payment of this order went through the gateway.").waitFor()
  expect(await widget.getByRole("button").count()).toBe(0)
})

test("the account from the environment shows each value and where it comes from", async () => {
  const { page, open } = await suite.inOffice()
  await open("/settings/merchant-payments")
  await page.getByTestId("account").getByRole("button", { name: "View" }).click()
  const view = page.getByRole("dialog")
  const valueOf = (name: string) =>
    view.getByText(name, { exact: true }).locator("xpath=following-sibling::dd").innerText()
  await view.getByText("Client secret", { exact: true }).waitFor()
  expect(await valueOf("Address of the gateway")).toBe(
    `${suite.state.simulator_url} from MERCHANT_PAYMENTS_BASE_URL`,
  )
  expect(await valueOf("Name")).toBe("Environment always so for this account")
  expect(await valueOf("Client secret")).toBe("Yes from MERCHANT_PAYMENTS_CLIENT_SECRET")
  expect(await valueOf("Default account")).toMatch(/^Yes /)
  expect(await valueOf("When the order is placed")).toBe(
    "Once it is paid from the option account.order_placement",
  )
  expect(await valueOf("Refund automatically")).toBe("No by default")
  expect(await valueOf("Two admins for refunds above")).toBe("Never by default")
  await expectAccessible(page, OPEN_DIALOG)
})

// Last: whoever was logged in has to log in again.
test("while the store is down, an open page says so, and afterwards it says what to do", async () => {
  const { page, open } = await suite.inOffice()
  await open("/merchant-payments/payments")
  await page.getByRole("row").nth(1).waitFor()
  const problem = page.getByTestId("problem")
  // The demo starts a killed store again, perhaps before the page asks.
  await page.route("**/admin/merchant-payments/**", (asked) => asked.abort("connectionrefused"))
  await problem.getByText("The store does not answer").waitFor()
  await suite.demo.killStore()
  await page.unroute("**/admin/merchant-payments/**")
  await page.getByRole("row").nth(1).waitFor()
  await problem.getByText("You are not logged in any more").waitFor()
})
