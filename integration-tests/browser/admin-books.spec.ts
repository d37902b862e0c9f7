/**
 * The admin with a merchant's eyes. The books: a period, what differs, the three sides, charts and
 * the file. And money between wallets, by its own form.
 */
import { readFile } from "node:fs/promises"
import type { Locator, Page } from "playwright-core"
import { shopAt, type Region } from "../http/support/shop"
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { rawTexts } from "./support/raw-texts"
import { until } from "./support/until"
import { useDemo } from "./support/use-demo"

const BOOKS = "/merchant-payments/reconciliation"

const suite = useDemo({ portBase: 4660 })

async function ended(sessionId: string, state: string): Promise<void> {
  const shop = shopAt(suite.state.store_api_url, suite.state.publishable_key)
  await until(`the payment is ${state}`, async () => {
    const { body } = await shop.status(sessionId)
    return body.payment?.state === state ? true : null
  })
}

/**
 * Approved after 3 s, each with a wallet of its own. One cart after the other: they are one
 * shopper's.
 */
async function paid(...wallets: readonly (readonly [phone: string, region: Region])[]) {
  const sessions: string[] = []
  for (const [phone, region] of wallets)
    sessions.push((await suite.till.begin(phone, { region })).id)
  await Promise.all(sessions.map((sessionId) => ended(sessionId, "paid")))
}

const drawn = (page: Page) => page.locator("[data-testid=chart]:has([data-testid=bar])")

type Bar = Readonly<Record<"x" | "y" | "width" | "height", number>>

/** Where each bar of a chart is on the page, in the order in which they are drawn. */
async function barsOf(chart: Locator): Promise<Bar[]> {
  const boxes = await chart.locator("[data-testid=bar]").all()
  return Promise.all(
    boxes.map(async (bar) => (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }),
  )
}

/** That they are as long as their numbers say, to a pixel. */
function expectInProportion(lengths: readonly number[], numbers: readonly number[]): void {
  const most = Math.max(...numbers)
  const longest = Math.max(...lengths)
  expect(lengths).toHaveLength(numbers.length)
  expect(longest).toBeGreaterThan(100)
  const off = lengths.map((length, n) => Math.abs(length - ((numbers[n] ?? 0) / most) * longest))
  expect(Math.max(...off)).toBeLessThan(1)
}

test("a day without payments says so, and a day whose sides agree says that", async () => {
  const { page, open } = await suite.inOffice()
  await open(BOOKS)
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
  const byOperator = drawn(page).first()
  const amounts = await byOperator.locator("tbody td:nth-child(3)").allTextContents()
  expect(amounts).toHaveLength(2)
  const lying = await barsOf(byOperator)
  expectInProportion(
    lying.map(({ width }) => width),
    amounts.map(Number),
  )
  expect(new Set(lying.map(({ x }) => x)).size).toBe(1)
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

test("the report shows several days side by side, with the operators of each day stacked", async () => {
  const { page, open } = await suite.inOffice()
  type Day = Readonly<Record<"currency" | "day" | "label" | "amount", string>>
  let days: Day[] = []
  // The demo's payments are all of today: an earlier day, of twice the money, is put in here.
  await page.route(
    (url) => url.pathname.endsWith("/admin/merchant-payments/reconciliation"),
    async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      const today: Day[] = answer.figures.by_day
      const before = today.map((one) => ({
        ...one,
        day: "2020-01-01",
        amount: String(2 * Number(one.amount)),
      }))
      const figures = { ...answer.figures, by_day: [...before, ...today] }
      days = figures.by_day.filter(({ currency }: Day) => currency === "LRD")
      await route.fulfill({ response, json: { ...answer, figures } })
    },
  )
  await open(BOOKS)
  const chart = drawn(page).filter({ hasText: "By day" }).first()
  await chart.waitFor()
  const operators = await chart.locator("tbody td:nth-child(1)").allTextContents()
  const dates = [...new Set(days.map(({ day }) => day))].sort()
  const amounts = dates.flatMap((date) =>
    operators.map((name) =>
      Number(days.find(({ day, label }) => day === date && label === name)?.amount),
    ),
  )
  expect(amounts).toHaveLength(4)
  const standing = await barsOf(chart)
  expectInProportion(
    standing.map(({ height }) => height),
    amounts,
  )
  const [before, onBefore, today, onToday] = standing.map(({ y, height }) => [y, y + height])
  expect(before?.[1]).toBeCloseTo(today?.[1] ?? 0, 1)
  expect(onBefore?.[1]).toBeCloseTo(before?.[0] ?? 0, 1)
  expect(onToday?.[1]).toBeCloseTo(today?.[0] ?? 0, 1)
  await chart.locator("[data-testid=bar]").first().hover()
  await page.getByRole("tooltip").getByText("Operator 2 Money: ").waitFor()
  await expectAccessible(page)
})

test("a difference is listed first with a link to its payment, and the file contains it", async () => {
  // Ends in 01: declined after 3 s. Then somebody pays the same document all the same.
  const { id: sessionId } = await suite.till.begin("+231886150001")
  await ended(sessionId, "failed")
  await suite.till.leaveAlone(sessionId)
  type Book = { documents: { id: number; status: string }[] }
  const { documents } = await suite.till.simulate<Book>("book")
  const open = documents.find(({ status }) => status === "ACTIVE")
  const { page, open: go } = await suite.inOffice()
  await go(BOOKS)
  const again = page.getByRole("button", { name: "Compare again" })
  await again.waitFor()
  await suite.till.simulate("hosted/pay", { sourceId: open?.id, payment: { method: "card" } })
  await again.click()
  const differences = page.getByTestId("differences")
  await differences.getByText("The document of a payment that had ended is paid.").waitFor()
  expect(await rawTexts(page, "en", "[data-testid=differences]")).toEqual([])
  await differences.getByText("Needs review").waitFor()
  await drawn(page).first().waitFor()
  // The dashboard scrolls inside itself: a picture of all of it needs a screen that holds it.
  await page.setViewportSize({ width: 1280, height: 2000 })
  await suite.shoot(page, "admin-reconciliation")
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

test("a comparison that stopped with its store is reported, and starts again with a click", async () => {
  const { page, open } = await suite.inOffice()
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
  await open(BOOKS)
  await page.getByTestId("stopped").getByText("stopped before its end").waitFor()
  expect(await page.getByTestId("agree").count()).toBe(0)
  await expectAccessible(page)

  await page.getByRole("button", { name: "Compare again" }).click()
  await page.getByTestId("bridge").waitFor()
  await page.getByTestId("stopped").waitFor({ state: "detached" })
})

test("while the gateway is down, a narrow French page says so and doesn't claim that anything agrees", async () => {
  await suite.till.simulate("faults", { operation: "listOrders", script: Array(40).fill("500") })
  try {
    const { page, open } = await suite.inOffice({ language: "fr", width: 768 })
    await open(BOOKS)
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
    await suite.till.simulate("faults", undefined, "DELETE")
  }
})

test("a transfer goes from a wallet to a counterparty once both IDs are numbers", async () => {
  const { page, open } = await suite.inOffice()
  await open("/merchant-payments/payouts")
  await page.getByRole("button", { name: "Transfer" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Amount").fill("-5")
  await form.getByText("Enter an amount above zero.").waitFor()
  await form.getByLabel("Amount").fill("1.000")
  await form.getByText("“1.000” can be read in two ways.").waitFor()
  await form.getByLabel("From your wallet").fill("one")
  await form.getByText("Enter a whole number.").waitFor()
  await expectAccessible(page, OPEN_DIALOG)
  await form.getByRole("button", { name: "Send money" }).click()
  await form.getByText("Needed.").waitFor()
  expect(await page.getByRole("alertdialog").count()).toBe(0)
  await form.getByLabel("Amount").fill("1,000.5")
  await form.getByText("LRD\u00A01,000.50").waitFor()
  await form.getByLabel("To the counterparty").fill("2")
  await form.getByLabel("From your wallet").fill("999999")
  await form.getByRole("button", { name: "Send money" }).click()
  const sure = page.getByRole("alertdialog")
  await sure.getByText("Send LRD\u00A01,000.50?").waitFor()
  await sure.getByText("From wallet 999999 to counterparty 2").waitFor()
  await sure.getByRole("button", { name: "Send" }).click()
  // There is no such wallet, and the store says so.
  await form.getByRole("alert").waitFor()
})

test("a payout whose answer was lost is sent again under the same key, and leaves once", async () => {
  const { page, open } = await suite.inOffice()
  await open("/merchant-payments/payouts")
  await page.getByRole("button", { name: "Send money" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Amount").fill("7.25")
  await form.getByLabel("Recipient").fill("Ada Carpenter")
  await form.getByLabel("Phone", { exact: true }).fill("0770 000")
  await form.getByRole("button", { name: "Send money" }).click()
  await form.getByText("This is not a mobile number of Liberia or Rwanda.").waitFor()
  await form.getByLabel("Phone", { exact: true }).fill("0770 000 010")
  await form.getByText("Liberia (+231770000010)").waitFor()
  const keys: string[] = []
  let isLost = false
  await page.route("**/admin/merchant-payments/payouts", async (route) => {
    if (route.request().method() !== "POST") return route.continue()
    const asked = route.request().postDataJSON() as { idempotency_key: string }
    keys.push(asked.idempotency_key)
    if (isLost) return route.continue()
    isLost = true
    // The store carries it out; its answer never comes.
    await route.fetch()
    return route.abort()
  })
  const send = async () => {
    await form.getByLabel("Passcode", { exact: true }).fill("246810")
    await form.getByRole("button", { name: "Send money" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Send" }).click()
  }
  await send()
  await form.getByText("It is not known whether this was sent").waitFor()
  await form.getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Send money" }).click()
  expect(await form.getByLabel("Amount").inputValue()).toBe("7.25")
  expect(await form.getByLabel("Passcode", { exact: true }).inputValue()).toBe("")
  await send()
  await page.getByRole("heading", { name: "LRD 7.25" }).waitFor()
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  await open("/merchant-payments/payouts")
  await page.getByRole("row").filter({ hasText: "7.25" }).first().waitFor()
  expect(await page.getByRole("row").filter({ hasText: "7.25" }).count()).toBe(1)
})

test("the passcode is typed once per visit, and forgotten when the admin leaves the pages", async () => {
  const { page, open, context } = await suite.inOffice({ language: "fr" })
  await open("/merchant-payments/payouts")
  const form = page.getByRole("dialog")
  const passcode = form.getByLabel("Code", { exact: true })
  const send = async (amount: string) => {
    await page.getByRole("button", { name: "Envoyer de l'argent" }).click()
    await form.getByLabel("Montant").fill(amount)
    await form.getByLabel("Destinataire").fill("Ada Carpenter")
    await form.getByLabel("Téléphone", { exact: true }).fill("0770 000 010")
    if (await passcode.isVisible()) await passcode.fill("246810")
    await form.getByRole("button", { name: "Envoyer de l'argent" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Envoyer" }).click()
    await page.getByRole("heading", { name: amount }).waitFor()
    await page.goBack()
  }
  await send("3,25")
  const isKept = page.getByText("Le code que vous avez saisi est réutilisé.")
  await page.getByRole("button", { name: "Envoyer de l'argent" }).click()
  await isKept.waitFor()
  await form.getByRole("button", { name: "Annuler" }).click()
  await send("3,75")
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(stored + page.url() + JSON.stringify(await context.cookies())).not.toContain("246810")
  await page.getByRole("link", { name: "Commandes" }).click()
  await page.getByRole("heading", { name: "Commandes" }).waitFor()
  await page.goBack()
  await page.getByRole("button", { name: "Envoyer de l'argent" }).click()
  await passcode.waitFor()
  expect(await passcode.inputValue()).toBe("")
})
