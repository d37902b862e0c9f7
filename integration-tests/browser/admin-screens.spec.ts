/**
 * Every screen of ours in every state, on a demo that `npm run demo:seed` fills: in both languages,
 * on a desk and on a phone, light and dark. Nothing has to be pushed sideways, nothing is in the
 * other language or in no person's words, and no figure speaks of money that did not move.
 */
import type { Page } from "playwright-core"
import { seedDemo } from "../../demo/seed/main"
import { labelOf } from "../../src/admin/lib/operation-state"
import type { OperationList, OperationSummary } from "../../src/review/schemas/operations"
import { adminAt } from "../http/support/admin"
import { expectOk, shopAt } from "../http/support/shop"
import { isWhole } from "../support/whole-tables"
import { accessProblems, PAGE } from "./support/axe"
import { foreignTexts, type Language } from "./support/language"
import { openOffice, type Office } from "./support/office"
import { figuresOfMoney, rawTexts } from "./support/raw-texts"
import { until } from "./support/until"
import { useDemo } from "./support/use-demo"

/** A bound: some of it takes more than a minute whatever the machine. */
const SEEDED_WITHIN_MS = 600_000
const ORDER_WIDGET = "[data-testid=order-payments]"
const SECTIONS = ["", "/payments", "/attention", "/payouts", "/fees", "/reconciliation"].map(
  (path) => `/merchant-payments${path}`,
)
const PICTURES: Readonly<Record<string, string>> = {
  "/merchant-payments": "admin-home",
  "/merchant-payments/payments": "admin-payments",
  "/merchant-payments/fees": "admin-fees",
}

let operations: readonly OperationSummary[]

const suite = useDemo({ portBase: 4700 })

async function listed(): Promise<readonly OperationSummary[]> {
  const { store_api_url: url, publishable_key: key, admin_email, admin_password } = suite.state
  const admin = adminAt(shopAt(url, key), { email: admin_email, password: admin_password })
  const path = "/admin/merchant-payments/operations?limit=100"
  return (await expectOk(admin.call<OperationList>("GET", path))).operations
}

test(
  "the seed makes each kind and state, and all of it over HTTP",
  async () => {
    const { failed } = await seedDemo(suite.state, 1)
    operations = await listed()
    expect(failed).toEqual([])
    const words = (type: string) =>
      new Set(operations.filter((one) => one.type === type).map((one) => labelOf(one).word))
    expect([...words("COLLECTION")].sort()).toEqual(
      [
        ...["state.dismissed", "state.expired", "state.failed", "state.paid", "state.recording"],
        ...["state.partlyReturned", "state.returned", "state.review", "state.waiting"],
      ].sort(),
    )
    expect([...words("REFUND")].sort()).toEqual(
      ["refunds.failed", "state.arrived", "state.onItsWay", "state.review"].sort(),
    )
    expect([...words("PAYOUT")].sort()).toEqual([...words("REFUND")].sort())
    expect([...words("TRANSFER")].sort()).toEqual(["state.arrived", "state.onItsWay"])
    const reasons = operations.flatMap(({ state, reason }) =>
      state === "review" ? [reason?.code] : [],
    )
    expect(reasons).toEqual(
      expect.arrayContaining([
        ...["amount_mismatch", "late_payment", "order_canceled", "cart_changed", "another_payment"],
        ...["provider_disabled", "late_refund", "late_payout"],
      ]),
    )
    const currencies = new Set(operations.map(({ currency }) => currency))
    expect(currencies).toEqual(new Set(["LRD", "RWF", "USD"]))
  },
  SEEDED_WITHIN_MS,
)

const LOOKS = [
  ["en", 1440, "all"],
  ["fr", 390, "all"],
  ["fr", 1440, "some"],
] as const

test.each(isWhole ? LOOKS : LOOKS.slice(0, 2))(
  "in %s at %d px every screen can be read (%s payments)",
  async (...look) => {
    const [language, width, extent] = look
    const office = await openOffice(suite.browser, suite.state, { language, width })
    const walk = walkOf(office, language)
    for (const path of [...SECTIONS, "/settings/merchant-payments"]) {
      await walk.visit(path)
      await walk.look(path, { isChecked: extent === "all" })
      await walk.rowsWithoutMoney()
      const picture = PICTURES[path]
      if (picture && language === "en" && width === 1440) await suite.shoot(office.page, picture)
    }
    const one = (operation: OperationSummary) =>
      extent === "all" ? [operation.type, operation.flow, wordOf(operation)].join() : operation.type
    for (const operation of firstOfEach(operations, one)) {
      const path = `/merchant-payments/${operation.id}`
      await walk.visit(path)
      const isChecked = language === "en" && extent === "all"
      await walk.look(`payment: ${wordOf(operation)}`, { isChecked, of: [operation] })
    }
    const ordered = operations.filter(
      ({ type, order_id: id }) => type === "COLLECTION" && id !== null,
    )
    for (const { order_id: id, ...operation } of firstOfEach(ordered, wordOf)) {
      const of = ordered.filter(({ order_id: other }) => other === id)
      await walk.visit(`/orders/${id ?? ""}`)
      const isChecked = language === "fr" && extent === "all"
      await walk.look(`order: ${wordOf(operation)}`, { within: ORDER_WIDGET, isChecked, of })
      if (extent === "some" || operation.recorded_at === null) continue
      await walk.visit(`/merchant-payments/${operation.id}/receipt`)
      await walk.look(`receipt: ${wordOf(operation)}`, { isChecked })
    }
    const errors = office.errors()
    await office.context.close()
    expect({ problems: walk.problems, errors }).toEqual({ problems: [], errors: [] })
  },
)

test.each([
  ["en", 1440],
  ["fr", 390],
] as const)("in %s at %d px the shop tells a shopper how each payment stands", async (...look) => {
  const [language, width] = look
  const viewport = { width, height: 900 }
  const context = await suite.browser.newContext({ viewport, locale: language })
  const page = await context.newPage()
  const open = async (path: string) => {
    await page.goto(`${suite.state.storefront_url}${path}`)
  }
  const walk = walkOf({ page, open }, language)
  const started = operations.filter(({ type, flow }) => type === "COLLECTION" && flow !== "link")
  for (const operation of firstOfEach(started, (one) => [one.flow, labelOf(one).word].join())) {
    await open(`/payment/${operation.payment_session_id}`)
    await walk.look(`shop: ${wordOf(operation)}`, { isChecked: true, of: [operation] })
    const shown = await page.evaluate(() => document.documentElement.lang)
    if (shown !== language) walk.problems.push(`shop: is in ${shown}`)
  }
  await context.close()
  expect(walk.problems).toEqual([])
})

type Of = Pick<OperationSummary, "collected_amount" | "type" | "state">
type Look = {
  readonly within?: string
  /** Whether axe looks as well, in light and dark. */
  readonly isChecked?: boolean
  /** Whose screen it is. */
  readonly of?: readonly Of[]
}

/** What a merchant would call it: "Failed, for want of money". */
const wordOf = (one: Omit<OperationSummary, "order_id">): string =>
  [labelOf(one).word, one.attention, one.reason?.code].filter(Boolean).join(", ")

function firstOfEach<T>(things: readonly T[], keyOf: (thing: T) => string): T[] {
  return [...new Map([...things].reverse().map((thing) => [keyOf(thing), thing])).values()]
}

/** Whether its money is where the screen would say that it came from or went to. */
const hasMoved = ({ type, state, collected_amount: collected }: Of): boolean =>
  type === "COLLECTION" ? collected !== null : state === "completed" || state === "review"

function walkOf({ page, open }: Pick<Office, "page" | "open">, language: Language) {
  const problems: string[] = []
  const pending = pendingOf(page)
  let isInside = false
  const note = (screen: string, what: string, found: readonly string[]) =>
    problems.push(...found.map((text) => `${screen}: ${what}: ${text}`))
  return {
    problems,
    /** As a link inside the dashboard does: the scripts stay loaded. */
    async visit(path: string): Promise<void> {
      if (isInside) await page.evaluate(goTo, `/app${path}`)
      else await open(path)
      isInside = true
    },
    async look(screen: string, { within = PAGE, isChecked, of = [] }: Look): Promise<void> {
      await page.locator(within).getByRole("heading").first().waitFor()
      // Twice in a row: a page that was just left is calm as well.
      let calm = 0
      await until(`${screen} is loaded`, async () => {
        const busy = await page.locator(`${within} [aria-busy=true]`).count()
        calm = pending() + busy === 0 ? calm + 1 : 0
        return calm > 1 || null
      })
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (overhang > 0) note(screen, "too wide", [`${overhang} px`])
      note(screen, "other language", await foreignTexts(page, language, within))
      note(screen, "raw", await rawTexts(page, language, within))
      if (of.length > 0 && !of.some(hasMoved)) {
        note(screen, "did not move", await figuresOfMoney(page, language, within))
      }
      if (isChecked) note(screen, "axe", await accessProblems(page, within))
    },
    /** In a list, a payment that is not paid has one amount: what was asked. */
    async rowsWithoutMoney(): Promise<void> {
      const rows = await page.locator("tbody tr").evaluateAll(textAndLink)
      for (const { text, link } of rows) {
        const operation = operations.find(({ id }) => link.endsWith(id))
        const amounts = text.match(/\b(?:LRD|RWF|USD)\b/g) ?? []
        if (operation && !hasMoved(operation) && amounts.length > 1) {
          note("list", "did not move", [text.replaceAll(/\s+/g, " ")])
        }
      }
    },
  }
}

/** In the page. */
function textAndLink(rows: Element[]): { text: string; link: string }[] {
  return rows.map((row) => ({
    text: (row as HTMLElement).innerText,
    link: row.querySelector("a[href*=mpop_]")?.getAttribute("href") ?? "",
  }))
}

/** In the page. */
function goTo(path: string): void {
  window.history.pushState(null, "", path)
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }))
}

/** How many questions to the store are not answered; a stream of events never is. */
function pendingOf(page: Page): () => number {
  const asked = new Set<unknown>()
  const isAsked = /\/(?:admin|store)\/(?!merchant-payments\/sessions\/[^/]+\/events$)/
  page.on("request", (request) => void (isAsked.test(request.url()) && asked.add(request)))
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(end as "requestfinished", (request) => void asked.delete(request))
  }
  return () => asked.size
}
