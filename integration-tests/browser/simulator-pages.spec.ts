/**
 * A person at the simulator's own pages, with a phone 360 px wide: what is done there holds for the
 * next call of the API, and what the API does shows there without a reload.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import {
  credentialsOf,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
} from "../../packages/simulator/src/testing/client"
import { addLine, KINDS, newDraft } from "../../packages/simulator/src/testing/documents"
import { launchChromium } from "./support/chromium"

const PHONE_SCREEN = { width: 360, height: 740 }
/** Waits for the handset. */
const PHONE = phoneEnding("03")
/** Words that no line break is offered in. */
const LONG_NAME = "A-woven-basket-with-a-name-that-nobody-broke-into-words"

let browser: Browser
let bench: Bench
let context: BrowserContext
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

beforeEach(async () => {
  bench = await startBench()
  context = await browser.newContext({ viewport: PHONE_SCREEN, isMobile: true, hasTouch: true })
  page = await context.newPage()
})
afterEach(async () => {
  await context.close()
  await bench.close()
})

const open = (path: string) => page.goto(`${bench.simulator.url}${path}`)

async function expectToFit(): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect([page.url(), width]).toEqual([page.url(), PHONE_SCREEN.width])
}

test("a fault scripted in the book strikes the next call, and is then listed", async () => {
  const { source } = await readyToExecute(bench, PHONE)
  await open("/book")
  await page.getByTestId("fault-forms").locator("summary").click()
  await page.getByTestId("fault-operation").selectOption("getPaymentSourceStatus")
  await page.getByTestId("fault-kind").selectOption("503")
  await page.getByTestId("fault-argument").fill("date")
  await page.getByTestId("fault-add").click()
  await page.getByTestId("scripted-fault").waitFor()
  expect(await page.getByTestId("struck-fault").count()).toBe(0)

  expect(await sourceStatus(bench, source)).not.toHaveProperty("status")
  await page.getByTestId("struck-fault").waitFor()
  const struck = await page.getByTestId("struck-fault").innerText()
  expect(struck).toContain("getPaymentSourceStatus")
  expect(struck).toContain("503:date:before")
  expect(await page.getByTestId("scripted-fault").count()).toBe(0)
  expect(await sourceStatus(bench, source)).toMatchObject({ status: "ACTIVE" })
})

test("the book shows a payment while it is made, and when it is approved", async () => {
  await open("/book")
  const { execution } = await readyToExecute(bench, PHONE)
  await bench.call("POST", "/v1/executions/collection", execution)
  const movement = page.getByTestId("movement")
  await movement.getByText("processing").waitFor()
  bench.simulator.handset.approve(PHONE)
  await movement.getByText("completed").waitFor()
  expect(await movement.count()).toBe(1)
})

test("a key rotated in the portal is the only one that works, old tokens included", async () => {
  await open("/portal")
  await page.getByTestId("log-in-1").click()
  await page.getByTestId("rotate-key").click()
  const secret = await page.getByTestId("new-secret").innerText()
  const obtain = (client_secret: string) =>
    bench.call("POST", "/v1/jwt/client/obtain/token", { ...credentialsOf({}), client_secret }, {})
  expect((await bench.call("GET", "/v1/orders/list")).status).toBe(401)
  expect((await obtain(credentialsOf({}).client_secret)).status).toBe(401)
  const { status, body } = await obtain(secret)
  expect(status).toBe(200)
  const headers = { authorization: `Bearer ${String(body["access_token"])}` }
  expect((await bench.call("GET", "/v1/orders/list", undefined, headers)).status).toBe(200)
})

test("the portal hands out the payment intent of a payment on the page", async () => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const { body: link } = await payablePage("PAYEE")
  await page.goto(String(link["url"]))
  await page.getByTestId("choose-card").click()
  await page.getByTestId("card-pay").click()
  await page.getByTestId("paid").waitFor()
  await open("/portal/1")
  await page.getByTestId("copy-payment-intent-id").click()
  await page.getByText("Copied").waitFor()
  const [execution] = bench.simulator.book.executions()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(String(execution?.paymentIntentId))
})

test("a payer who bears the fees is charged what the page, the phone and the receipt say", async () => {
  const { body: link } = await payablePage("PAYER")
  await page.goto(String(link["url"]))
  await page.getByTestId("fees-on-top").waitFor()
  await page.getByTestId("phone").fill(PHONE)
  await page.getByTestId("pay-mobile-money").click()
  const shown = await page.getByTestId("charge").innerText()
  const handset = await context.newPage()
  await handset.goto(`${bench.simulator.url}/handset`)
  expect(await handset.getByTestId("prompt-amount").innerText()).toBe(shown)
  await handset.getByTestId("approve").click()
  await handset.getByTestId("recent-prompt").waitFor()

  await page.getByTestId("to-receipt").click()
  expect(await page.getByTestId("paid-amount").innerText()).toBe(shown)
  const [execution] = bench.simulator.book.executions()
  expect(shown).toBe(`USD ${execution?.payerAmount ?? ""}`)
  expect(execution?.payeeAmount).toBe("39.98")
})

test("no page is wider than a phone, with long names, forms open and faults listed", async () => {
  const { path, body: link } = await payablePage("PAYER", LONG_NAME)
  bench.simulator.faults.script("createCollectionRealtimeKey", ["503:huge:after", "ok"])
  bench.simulator.faults.script("retrieveInvoiceReceiptByNumber", ["redirect:308:after"])
  await bench.call("GET", "/v1/invoices/receipt/number/nobody")
  expect(bench.simulator.faults.history()).toHaveLength(1)
  for (const one of ["/", "/handset", path, `${path}/card`, `${path}/left`]) {
    await open(one)
    await expectToFit()
  }
  await page.goto(String(link["url"]))
  await page.getByTestId("phone").fill(PHONE)
  await page.getByTestId("pay-mobile-money").click()
  await page.getByTestId("waiting").waitFor()
  await expectToFit()
  for (const one of ["/handset", "/book?forms=open", "/portal", "/portal/1"]) {
    await open(one)
    await expectToFit()
  }
  bench.simulator.handset.approve(PHONE)
  await open(path)
  await expectToFit()
  await page.getByTestId("to-receipt").click()
  await page.getByTestId("receipt").waitFor()
  await expectToFit()
  await open("/portal/1")
  await page.getByTestId("rotate-key").click()
  await page.getByTestId("new-secret").waitFor()
  await expectToFit()
})

/** A published order with a page, and the way there. */
async function payablePage(feeBearer: "PAYER" | "PAYEE", name = "T-shirt") {
  const [kind] = KINDS
  const change = { fee_bearer: feeBearer, reference_id: `cart_${"0123456789".repeat(6)}` }
  const draft = await newDraft(bench.call, kind, change)
  await addLine(bench.call, kind, draft, { name })
  await bench.call("PUT", `/v1/orders/publish/${String(draft["id"])}`)
  const query = `source_type=ORDER&source_number=${String(draft["order_number"])}`
  const { body } = await bench.call("GET", `/v1/links/pay?${query}`)
  return { body, path: new URL(String(body["url"])).pathname }
}
