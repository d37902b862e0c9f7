/**
 * The books with a merchant's eyes: a period is chosen, what differs stands first, the three sides
 * stand beside each other, charts are drawn, and the file can be taken away. In both languages, at
 * two widths.
 */
import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { PUSH, shopAt, type Region, type Shop } from "../http/support/shop"
import { expectAccessible } from "./support/axe"
import { launchChromium } from "./support/chromium"
import { startDemo, type Demo } from "./support/demo"
import { openOffice, type Office, type OfficeOptions } from "./support/office"
import { camera, type Camera } from "./support/screenshots"
import { until } from "./support/until"

const PORT_BASE = 4620
const PATH = "/merchant-payments/reconciliation"

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
})

afterAll(async () => {
  await browser?.close()
  await demo?.stop()
})

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

async function begin(phone: string, region: Region, providerId = PUSH) {
  const cart = await shop.cart({ region, phone, items: [["enamel-mug", 1]] })
  const sessionId = await shop.session(cart, providerId)
  const { body } = await shop.start(sessionId)
  if (!body.payment) throw new Error(`not started: ${JSON.stringify(body)}`)
  return { sessionId, payment: body.payment }
}

async function ended(sessionId: string, state: string): Promise<void> {
  await until(`the payment is ${state}`, async () => {
    const { body } = await shop.status(sessionId)
    return body.payment?.state === state ? true : null
  })
}

async function simulate<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${demo.state.simulator_url}/_simulator/${path}`, {
    method,
    ...(body && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/**
 * Approved after 3 s, each with a wallet of its own. One cart after the other: they are one
 * shopper's.
 */
async function paid(...wallets: readonly (readonly [phone: string, region: Region])[]) {
  const sessions: string[] = []
  for (const [phone, region] of wallets) sessions.push((await begin(phone, region)).sessionId)
  await Promise.all(sessions.map((sessionId) => ended(sessionId, "paid")))
}

const drawn = (page: Page) => page.locator("[data-testid=chart] svg.recharts-surface")

test("a day without payments says so, and a day whose sides agree says that", async () => {
  const { page, open } = await inOffice()
  await open(PATH)
  await page.getByTestId("nothing").waitFor()
  expect(page.url()).not.toContain("from=")

  await paid(
    ["+231886100100", "Liberia"],
    ["+231776100200", "Liberia"],
    ["+231886100300", "Liberia"],
    ["+250788100100", "Rwanda"],
  )
  await page.getByRole("button", { name: "Compare again" }).click()
  await page.getByTestId("agree").waitFor()
  await drawn(page).first().waitFor()
  expect(await drawn(page).count()).toBeGreaterThanOrEqual(3)
  const bridge = page.getByTestId("bridge")
  await bridge.waitFor()
  const lines = await bridge.locator("tbody tr").allInnerTexts()
  const [lrd, inMedusa, ...others] = lines.map((line) => line.split(/\s*\t\s*|\n+/).filter(Boolean))
  expect([lrd?.[0], inMedusa?.[0]]).toEqual(["Paid at the gateway", "Recorded in Medusa"])
  expect([lrd?.[1], lrd?.[2]]).toEqual([inMedusa?.[1], "3"])
  expect(others.map(([name]) => name)).toEqual(["Paid at the gateway", "Recorded in Medusa"])

  await bridge.getByRole("link", { name: "Recorded in Medusa" }).first().click()
  await page.getByRole("heading", { name: "Payments" }).waitFor()
  const rows = page.locator("tbody tr")
  await until("the three payments", async () => ((await rows.count()) === 3 ? true : null))
  expect(await page.locator("tbody").innerText()).not.toContain("RWF")
  await page.goBack()
  await bridge.waitFor()

  await page.getByRole("button", { name: "Yesterday" }).click()
  await page.getByTestId("nothing").waitFor()
  expect(page.url()).toContain("from=")
  await page.reload()
  await page.getByTestId("nothing").waitFor()
})

test("what differs stands first with the way to it, and the file has it", async () => {
  // Ends in 01: declined after 3 s. Then somebody pays the same document all the same.
  const { sessionId } = await begin("+231886150001", "Liberia")
  await ended(sessionId, "failed")
  const { documents } = await simulate<{ documents: { id: number; status: string }[] }>(
    "GET",
    "book",
  )
  const open = documents.find(({ status }) => status === "ACTIVE")
  const { page, open: go } = await inOffice()
  await go(PATH)
  const again = page.getByRole("button", { name: "Compare again" })
  await again.waitFor()
  // The payment's own checks would find it, too, some minutes later.
  await simulate("POST", "hosted/pay", { sourceId: open?.id, payment: { method: "card" } })
  await again.click()
  const differences = page.getByTestId("differences")
  await differences.getByText("paid_after_end").waitFor()
  await differences.getByText("Needs review").waitFor()
  await drawn(page).first().waitFor()
  // The dashboard scrolls inside itself: a picture of all of it needs a screen that holds it.
  await page.setViewportSize({ width: 1280, height: 2000 })
  await shoot(page, "admin-reconciliation")
  await expectAccessible(page)

  await page.getByText("Show the numbers").first().click()
  await page.getByRole("columnheader", { name: "Operator" }).first().waitFor()

  const waiting = page.waitForEvent("download")
  await page.getByRole("button", { name: "Only differences" }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toMatch(/^reconciliation-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), "utf8")
  expect(text.split("\r\n").filter((line) => line.includes("paid_after_end"))).toHaveLength(1)

  await differences.getByRole("link", { name: "Open the payment" }).click()
  await page.getByTestId("progress").waitFor()
})

test("a comparison that stopped with its store is said, and begins again by a click", async () => {
  const { page, open } = await inOffice()
  // The lease of a killed store takes minutes to end: the store's words of it are put in here.
  await page.route(
    (url) => url.pathname.endsWith("/admin/merchant-payments/reconciliation"),
    async (route) => {
      const response = await route.fetch()
      const begun_at = new Date().toISOString()
      const stopped = { is_running: false, has_stopped: true, begun_at, compared_at: null }
      await route.fulfill({ response, json: { ...(await response.json()), ...stopped } })
    },
    { times: 1 },
  )
  await open(PATH)
  await page.getByTestId("stopped").getByText("stopped before its end").waitFor()
  expect(await page.getByTestId("agree").count()).toBe(0)
  await expectAccessible(page)

  await page.getByRole("button", { name: "Compare again" }).click()
  await page.getByTestId("bridge").waitFor()
  await page.getByTestId("stopped").waitFor({ state: "detached" })
})

test("a gateway that is down is said in French on a narrow page, and nothing is claimed to agree", async () => {
  await simulate("POST", "faults", { operation: "listOrders", script: Array(8).fill("500") })
  try {
    const { page, open } = await inOffice({ language: "fr", width: 768 })
    await open(PATH)
    await page.getByRole("button", { name: "Rapprocher de nouveau" }).click()
    await page.getByTestId("incomplete").waitFor()
    await page.getByText("n'a pas donné à temps sa liste").waitFor()
    await page.getByTestId("sides").getByText("Non lue").first().waitFor()
    expect(await page.getByTestId("agree").count()).toBe(0)
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overhang).toBe(0)
  } finally {
    await simulate("DELETE", "faults")
  }
})
