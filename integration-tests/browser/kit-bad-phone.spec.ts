/**
 * The kit on a phone with a bad line, a wrong clock, a browser of its oldest supported age, and
 * numbers as they are pasted. The store is a script over real HTTP; the page's time is the test's.
 */
import type { Browser, BrowserContext, Page, Request } from "playwright-core"
import { launchChromium } from "./support/chromium"
import {
  CART,
  DISTURBANCES,
  event,
  json,
  kitShop,
  says,
  type Answer,
  type ScriptedStore,
} from "./support/kit-shop"
import { until as untilTrue } from "../support/until"
import { withoutLaterApis } from "./support/old-browser"
import { PHONE_SCREEN } from "./support/shopper"

const START = "POST /sessions/a/start"
const STATUS = "GET /sessions/a"
const waits = { state: "waiting_for_payer", prompt: "sent", phone_hint: "456" } as const
const sum = { amount: CART.total, currency: "LRD" } as const
const paid = { state: "paid", order_id: "order_1", ...sum } as const
const SESSION = { id: "a", provider_id: "pp_push", status: "pending" }
const COLLECTION = { payment_collection: { id: "pc", payment_sessions: [SESSION] } }
const HANGS = Object.keys(DISTURBANCES).filter((name) => !/cut|proxy/.test(name))
const HOUR_MS = 3_600_000
const ANSWERS_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 10

let browser: Browser
let shop: ScriptedStore
let context: BrowserContext
let page: Page
/** What the page has asked for, and has no end of. */
let underWay: Set<Request>

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

beforeEach(async () => {
  shop = await kitShop({ pay: {} })
  shop.on("POST /payment-collections", (_request, response) => json(response, 200, COLLECTION))
  shop.on(START, says({ ...waits, ...sum }))
  shop.on(STATUS, says({ ...waits, ...sum }))
  shop.on("GET /a/events", (_request, response) => json(response, 429, { message: "Too many." }))
  context = await browser.newContext({ viewport: PHONE_SCREEN, isMobile: true, hasTouch: true })
  page = await context.newPage()
  underWay = new Set()
  page.on("request", (request) => void underWay.add(request))
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(end as "requestfinished", (request) => void underWay.delete(request))
  }
  await page.clock.install()
})
afterEach(async () => {
  await context.close()
  await shop.close()
})

const disturbed = (name: string): Answer => DISTURBANCES[name] ?? (() => undefined)
const asked = (request: string) => shop.asked.filter((name) => name === request).length

const answersCome = () =>
  untilTrue(
    () => Promise.resolve(underWay.size <= shop.hanging()),
    "the store's answers have come",
    ANSWERS_WITHIN_MS,
    LOOK_EVERY_MS,
  )

/**
 * Lets the page's time pass until it shows this. It goes on only once every answer has come that
 * the store gives at all, so the page's seconds mean the same on a busy machine.
 */
async function until(testIdOrText: string | RegExp, mostSeconds: number): Promise<void> {
  const place =
    typeof testIdOrText === "string" ? page.getByTestId(testIdOrText) : page.getByText(testIdOrText)
  for (let half = 0; half <= mostSeconds * 2; half += 1) {
    await answersCome()
    if (await place.first().isVisible()) return
    await page.clock.runFor(500)
  }
  throw new Error(`${String(testIdOrText)} is not shown after ${mostSeconds} s`)
}

async function openForm(): Promise<void> {
  await page.goto(`${shop.url}/shop/pay`)
  await until("pay-form", 5)
}

async function press(): Promise<void> {
  await page.getByTestId("pay").click()
}

/** As a browser says it when the shopper comes back to the tab. */
const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event("focus")))

describe("on a bad line", () => {
  it.each(HANGS)("a start that is %s shows the payment that it began", async (name) => {
    await openForm()
    shop.on(START, disturbed(name))
    await press()
    await until("mp-approve", 45)
    expect(asked(START)).toBe(1)
  })

  it.each(HANGS)("a shopper who comes back while a start is %s waits for nothing", async (name) => {
    await openForm()
    shop.on(START, disturbed(name))
    await press()
    await page.waitForFunction(() => document.querySelector("[data-testid=pay]:disabled"))
    await comeBack()
    await until("mp-approve", 2)
  })

  it.each(HANGS)("STATUS that is %s is said, and asked again until it is paid", async (name) => {
    await openForm()
    await press()
    await until("mp-approve", 5)
    shop.on(STATUS, disturbed(name))
    await until(/The shop does not answer/, 20)
    shop.on(STATUS, says(paid))
    await until("mp-paid", 20)
  })

  it("ways to pay that are never answered show by themselves once they are", async () => {
    shop.on("GET /methods", disturbed("never answered"))
    await page.goto(`${shop.url}/shop/pay`)
    await until(/The shop did not answer/, 15)
    const methods = [{ provider_id: "pp_push", flow: "push", needs_phone: true, operators: [] }]
    shop.on("GET /methods", (_request, response) => json(response, 200, { methods }))
    await until("pay-form", 10)
  })

  it("a stream that is accepted and silent does not keep the page from what is paid", async () => {
    await openForm()
    shop.on("GET /a/events", disturbed("answered by a silent stream"))
    await press()
    await until("mp-approve", 5)
    shop.on(STATUS, says(paid))
    await until("mp-paid", 10)
  })

  it("a tab that hangs with the lock holds up no other tab", async () => {
    const other = await context.newPage()
    await other.goto(`${shop.url}/shop/pay`)
    await other.evaluate(
      (name) =>
        new Promise<void>((held) => {
          void navigator.locks.request(name, () => {
            held()
            return new Promise(() => undefined)
          })
        }),
      `merchant-payments ${CART.id}`,
    )
    await openForm()
    await press()
    await until("mp-approve", 7)
    expect(asked(START)).toBe(1)
  })
})

describe("with a wrong clock", () => {
  it.each([-9, -0.5, 0.5, 9])("%d hours off, the store's time is counted", async (hours) => {
    const open = { ...waits, ...sum, expires_at: new Date().toISOString() }
    let leftMs = 90_000
    const status: Answer = (...given) =>
      says({ ...open, expires_in_seconds: Math.ceil(leftMs / 1_000) })(...given)
    shop.on(START, status)
    shop.on(STATUS, status)
    await page.clock.setSystemTime(Date.now() + hours * HOUR_MS)
    await openForm()
    await press()
    await until(/Time left: 1:\d\d/, 5)
    await page.clock.setSystemTime(Date.now() - hours * HOUR_MS)
    leftMs = 60_000
    await until(/Time left: (1:00|0:5\d)/, 5)
    expect(await page.getByTestId("mp-over").count()).toBe(0)
    leftMs = 0
    await until("mp-over", 20)
  })
})

describe("a number as it is pasted", () => {
  it.each([
    "\u202a+231 77 000 0456\u202c",
    "\u2066+231\u00a077\u202f000\u20090456\u2069",
    "tel:+231-77-000-0456",
    "(+231) 77–000–0456",
    "\ufeff٠٧٧٠٠٠٠٤٥٦",
  ])("%j goes to the store as it is", async (number) => {
    const phones: unknown[] = []
    shop.on(START, (request, response, body) => {
      phones.push((JSON.parse(body) as { phone?: unknown }).phone)
      says({ ...waits, ...sum })(request, response, body)
    })
    await openForm()
    await page.locator("[name=payer_phone]").fill(number)
    await press()
    await until("mp-approve", 5)
    // Only spaces around it are left out, and its digits are those that the store has.
    expect(phones).toEqual([number.trim()])
    expect(await page.getByTestId("other-number-question").count()).toBe(0)
  })

  it("is refused by the store alone, which is said beside the field that the shopper is led to", async () => {
    const refusal = { code: "invalid_phone", situation: "invalid_phone", message: "No number." }
    shop.on(START, (_request, response) => json(response, 400, { ...refusal, payment: null }))
    await openForm()
    const field = page.locator("[name=payer_phone]")
    await field.fill("0770 OOO 456")
    await press()
    await until(/not a mobile money number/, 5)
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(asked(START)).toBe(1)
  })
})

it("a browser of the oldest supported age pays, follows by events and takes the lock as far as it has one", async () => {
  await page.addInitScript(withoutLaterApis)
  shop.on("GET /a/events", (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(event("1", { ...waits, ...sum }))
    response.end(event("2", paid))
  })
  await openForm()
  await press()
  await until("mp-paid", 5)
})
