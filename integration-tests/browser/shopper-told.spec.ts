/**
 * What a shopper is told who has paid, who waits, and whose payment the shop decides about: the
 * receipt, the question about a second number, and a decision that shows without a reload.
 */
import type { Page } from "playwright-core"
import { adminOf, type Admin } from "./support/admin"
import { expectAccessible } from "./support/axe"
import { paidOrder } from "./support/paid-order"
import {
  answerHandset,
  confirmation,
  MONROVIA,
  newShopper,
  onHandset,
  payByMobileMoney,
  payOnPaymentPage,
  readyToPay,
  type Shopper,
} from "./support/shopper"
import { useDemo } from "./support/use-demo"

const MUG = "Enamel mug"
/** The job fetches receipts beside its checks, some seconds after the money. */
const RECEIPT_MS = 90_000

let admin: Admin
let shopper: Shopper
let page: Page

const suite = useDemo({ portBase: 4680 }, async ({ state }) => {
  admin = await adminOf(state)
})

beforeEach(async () => {
  shopper = await newShopper(suite.browser, suite.state)
  page = shopper.page
  await readyToPay(shopper, MONROVIA, MUG)
})

afterEach(() => shopper.context.close())

/** A line of the receipt by the kit's name for it. */
async function receiptLine(key: string): Promise<string> {
  const receipt = page.getByTestId("receipt")
  await receipt.waitFor({ timeout: RECEIPT_MS })
  const value = receipt.getByTestId(`receipt.${key}`).locator("dd")
  return (await value.innerText()).replaceAll("\u00a0", " ")
}

describe("the receipt on the order's page", () => {
  test("shows the charge, the wallet, and the operator's number after a prompt", async () => {
    await payByMobileMoney(page)
    await answerHandset(shopper, "approve")
    await confirmation(page)
    const { total } = await paidOrder(admin, shopper.email)
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    const amount = total.toLocaleString("en", digits)
    expect(await receiptLine("total")).toContain(amount)
    expect(await receiptLine("charged")).toMatch(/^(LRD|L\$)/)
    expect(await receiptLine("with")).toMatch(/…\d56$/)
    expect(await receiptLine("transaction")).not.toBe("")
    await expectAccessible(page, "[data-testid=receipt]")
    await page.reload()
    expect(await receiptLine("number")).not.toBe("")
  })

  test("shows the charge and the transaction after the payment page", async () => {
    await payOnPaymentPage(shopper)
    await page.getByTestId("choose-card").click()
    await page.getByTestId("card-pay").click()
    await confirmation(page)
    await paidOrder(admin, shopper.email)
    expect(await receiptLine("total")).toMatch(/\d/)
    expect(await receiptLine("transaction")).not.toBe("")
  })

  test("shows the exchange to a payer in another currency", async () => {
    await page.getByTestId("method-push").check()
    await page.getByLabel("Pay in").selectOption("USD")
    await page
      .getByText(/US\$[\d.,]+\d/)
      .first()
      .waitFor()
    await payByMobileMoney(page)
    await answerHandset(shopper, "approve")
    await confirmation(page)
    expect(await receiptLine("charged")).toMatch(/US\$|USD/)
    expect(await receiptLine("total")).toMatch(/^(LRD|L\$)/)
    expect(await receiptLine("rate")).toMatch(/^1 (USD|LRD) = [\d.,]+ (LRD|USD)$/)
  })
})

test("a new number typed while a prompt waits is confirmed first, and then prompted", async () => {
  const second = await shopper.context.newPage()
  await second.goto(page.url())
  await second.getByTestId("pay").waitFor()
  await payByMobileMoney(page)
  await second.getByTestId("method-push").check()
  await second.getByLabel("Mobile money number").fill(`+231 771 ${shopper.number + 1} 56`)
  await second.getByTestId("pay").click()
  const question = second.getByTestId("other-number-question")
  const [old, other] = [shopper.number, shopper.number + 1].map((number) => `${number % 10}56`)
  await question.getByText(`…${old} is still waiting. Cancel it and ask …${other}?`).waitFor()
  await expectAccessible(second, "[data-testid=other-number-question]")
  await second.getByTestId("ask-other-number").click()
  await second.getByText(`the phone ending in ${other}`).first().waitFor()
  const handset = await onHandset(shopper, `771 ${shopper.number + 1}`, "approve")
  await handset.close()
  await confirmation(second)
  await paidOrder(admin, shopper.email)
})

test("a changed total is shown before the payment page asks for it", async () => {
  const second = await shopper.context.newPage()
  await second.goto(page.url())
  const pay = second.getByTestId("pay")
  const before = await pay.innerText()
  await page.goto(`${suite.state.storefront_url}/cart`)
  await page.getByRole("button", { name: "One more" }).click()
  await page.getByTestId("quantity").getByText("2").waitFor()
  await second.bringToFront()
  await second.getByTestId("method-hosted").check()
  // A tab that has read the cart anew says it at once, any other when it pays.
  if ((await second.getByTestId("total-changed").count()) === 0) await pay.click()
  await second.getByTestId("total-changed").getByText("The total has changed.").waitFor()
  expect(await pay.innerText()).not.toBe(before)
  await pay.click()
  await second.waitForURL(`${suite.state.simulator_url}/pay/**`)
})

test("a prompt stays open when the shopper types another number and chooses to wait", async () => {
  const second = await shopper.context.newPage()
  await second.goto(page.url())
  await second.getByTestId("pay").waitFor()
  await payByMobileMoney(page)
  await second.getByTestId("method-push").check()
  await second.getByLabel("Mobile money number").fill(`+231 771 ${shopper.number + 1} 56`)
  await second.getByTestId("pay").click()
  await second.getByTestId("keep-waiting").click()
  await second
    .getByText(`the phone ending in ${shopper.number % 10}56`)
    .first()
    .waitFor()
  await answerHandset(shopper, "approve")
  await confirmation(page)
  await confirmation(second)
})

test("a decision of the shop appears on the open page without a reload", async () => {
  await payByMobileMoney(page)
  const waiting = page.url()
  await page.getByTestId("mp-cancel").click()
  await page.getByTestId("to-checkout").waitFor()
  await page.getByRole("button", { name: "One more" }).click()
  await page.getByTestId("quantity").getByText("2").waitFor()
  await page.goto(waiting)
  await page.getByText("decline it there").waitFor()
  const handset = await onHandset(shopper, `770 ${shopper.number}`, "approve")
  await handset.close()
  const review = page.getByTestId("mp-under_review")
  await review.waitFor()
  await review.getByText("This page shows by itself what comes next.").waitFor()
  await review.getByRole("link", { name: "help@harbour-and-hills.example" }).waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await admin.resolve(shopper.email, "refund")
  await page.getByTestId("mp-expired").getByText("The money was sent back to you.").waitFor()
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true)
})
