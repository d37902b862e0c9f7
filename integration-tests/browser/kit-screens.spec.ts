/**
 * Each screen of the kit, in each of its languages, 320 px wide, as a shopper finds it after a
 * reload. The shop is a script over real HTTP: it answers what each screen is for. What axe looks
 * at, structure and colours, is the same in all languages, so it looks in one.
 */
import { createRequire } from "node:module"
import type { Browser } from "playwright-core"
import type * as Kit from "../../packages/checkout/src/index.js" with {
  "resolution-mode": "import",
}
import type * as Parts from "../../packages/checkout/src/texts/en-parts.js" with {
  "resolution-mode": "import",
}
import { accessProblems } from "./support/axe"
import { launchChromium } from "./support/chromium"
import {
  CART,
  event,
  file,
  json,
  kitShop,
  QUOTE,
  type Answer,
  type ScriptedStore,
} from "./support/kit-shop"

type TextKey = keyof typeof Kit.fr

/** The kit is an ES module, which Jest compiles for this process. */
const load = createRequire(__filename)
const { en: texts } = load("../../packages/checkout/src/texts/en") as typeof Kit
const { enParts } = load("../../packages/checkout/src/texts/en-parts") as typeof Parts
const en = { ...texts, ...enParts }
const { fr } = load("../../packages/checkout/src/texts/fr") as typeof Kit
const { rw } = load("../../packages/checkout/src/texts/rw") as typeof Kit

const LANGUAGES = { en, fr, rw }
const AXE_IN = "en"
/** The narrowest phone, or a wide one at a zoom of 200%. */
const SCREEN = { width: 320, height: 640 }

type Screen = {
  /** A test id of the screen. */
  readonly id: string
  readonly title?: TextKey
  /** A text below it that has to be there. */
  readonly text: TextKey
  /** What the store answers; null where it does not know the payment. */
  readonly status: Parameters<typeof event>[1] | null
  /** The line breaks after the first answer. */
  readonly isCut?: boolean
}

const waits = { state: "waiting_for_payer", can_cancel: true, phone_hint: "456" } as const
const prompt = { ...waits, prompt: "sent", expires_in_seconds: 900 } as const
const ended = { can_retry: true, phone_hint: "456" } as const
const card = {
  flow: "card",
  state: "action_required",
  client_secret: "s",
  can_cancel: true,
} as const

const SCREENS: readonly Screen[] = [
  { id: "mp-loading", text: "loading.text", status: {} },
  { id: "mp-sending", text: "act.another_number", status: { ...waits, prompt: "sending" } },
  { id: "mp-approve", text: "approve.close", status: prompt },
  {
    id: "mp-approve",
    text: "approve.menu",
    status: { ...prompt, operator: { payment_method: "OP1", carrier: null } },
  },
  { id: "mp-approve", text: "act.decline_there", status: { ...prompt, can_cancel: false } },
  { id: "mp-approve", text: "offline", status: prompt, isCut: true },
  { id: "mp-checking", text: "reason.wrong_pin", status: { ...prompt, reason: "wrong_pin" } },
  {
    id: "mp-failed",
    text: "failed.late",
    status: { ...prompt, reason: "wrong_pin", can_retry: true, can_cancel: false },
  },
  { id: "mp-over", text: "over.cancel", status: { ...prompt, expires_in_seconds: 0 } },
  {
    id: "mp-over",
    text: "over.wait",
    status: { ...prompt, can_cancel: false, expires_in_seconds: 0 },
  },
  { id: "mp-page", text: "page.go", status: { ...waits, flow: "hosted", url: "/pay" } },
  {
    id: "mp-authenticate",
    text: "authenticate.text",
    status: { ...card, expires_in_seconds: 900 },
  },
  { id: "mp-checking", text: "checking.text", status: { ...waits, flow: "card" } },
  { id: "mp-received", text: "received.text", status: { state: "processing" } },
  { id: "mp-paid", text: "paid.text", status: { state: "paid", order_id: "order" } },
  {
    id: "mp-failed",
    text: "reason.insufficient_funds",
    status: { ...ended, state: "failed", reason: "insufficient_funds" },
  },
  {
    id: "mp-failed",
    text: "act.wait",
    status: { ...ended, state: "failed", reason: "declined", can_retry: false },
  },
  {
    id: "mp-expired",
    text: "canceled.shown",
    status: { ...ended, state: "expired", reason: "canceled" },
  },
  { id: "mp-under_review", text: "under_review.text", status: { state: "under_review" } },
  { id: "mp-gone", text: "gone.text", status: null },
  { id: "pay-form", title: "form.methods", text: "form.currency", status: { state: "ready" } },
]

let browser: Browser
let shop: ScriptedStore
let shown: Screen

beforeAll(async () => {
  browser = await launchChromium()
  const languages = Object.keys(LANGUAGES).map((language) => [language, { language }] as const)
  shop = await kitShop({
    ...Object.fromEntries(languages),
    alone: { isAlone: true },
    asked: { flow: "hosted" },
  })
  shop.on("GET /a/events", tellStatus)
  shop.on("GET /sessions/a", (_request, response) => response.destroy())
})

afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

test.each(Object.entries(LANGUAGES))(
  "every screen of the kit is accessible in %s",
  async (language, texts) => {
    const context = await browser.newContext({ viewport: SCREEN, isMobile: true })
    const page = await context.newPage()
    const kept = JSON.stringify({ sessionId: "a", cartId: CART.id })
    await page.addInitScript((text) => localStorage.setItem("merchant-payments", text), kept)
    const problems: string[] = []
    for (const screen of SCREENS) {
      shown = screen
      const name = `${screen.id}, ${screen.text}`
      await page.goto(`${shop.url}/shop/${language}`)
      const place = page.getByTestId(screen.id).first()
      const words = texts[screen.text].split(/\{\w+\}/)[0] ?? ""
      await place.getByText(words).first().waitFor()
      const title = await place.locator("h2, legend").first().innerText()
      const wanted = texts[screen.title ?? (`${screen.id.slice(3)}.title` as TextKey)]
      if (title !== wanted) problems.push(`${name}: the title is ${title}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > SCREEN.width) problems.push(`${name}: it is ${width} px wide`)
      const barriers = language === AXE_IN ? await accessProblems(page, "#root") : []
      problems.push(...barriers.map((barrier) => `${name}: ${barrier}`))
    }
    await context.close()
    expect(problems).toEqual([])
  },
)

test("[kit] a price that start has named holds for its phone number alone", async () => {
  const provider = { provider_id: "pp_push", status: "pending" }
  const collection = { id: "pc", payment_sessions: [{ id: "b", ...provider }] }
  shop.on("POST /store/payment-collections", (_request, response) =>
    json(response, 200, { payment_collection: collection }),
  )
  const asked: unknown[] = []
  shop.on("POST /sessions/b/start", (_request, response, body) => {
    asked.push((JSON.parse(body) as { expected_payer_amount?: unknown }).expected_payer_amount)
    const quote = { ...QUOTE, payer_amount: 5700 }
    if (asked.length === 1) return json(response, 409, { ...CHANGED, quote })
    json(response, 200, { payment: { id: "b", flow: "push", ...prompt, amount: CART.total } })
  })
  const page = await browser.newPage({ viewport: SCREEN })
  await page.goto(`${shop.url}/shop/alone`)
  const form = page.getByTestId("pay-form")
  await form.getByText("5,657.13").first().waitFor()
  expect(await form.getByText(en["method.hosted"]).count()).toBe(0)
  await form.locator("button[type=submit]").click()
  await form.getByText("5,700").first().waitFor()
  await form.locator("[name=payer_phone]").fill("+231770000457")
  await form.getByText("5,657.13").first().waitFor()
  await form.locator("button[type=submit]").click()
  await page.waitForFunction(() => document.title === "Started")
  expect(asked).toEqual([QUOTE.payer_amount, QUOTE.payer_amount])
  await page.close()
})

test("[kit] a shop that has asked how to pay is not asked again", async () => {
  const page = await browser.newPage({ viewport: SCREEN })
  await page.goto(`${shop.url}/shop/asked`)
  const form = page.getByTestId("pay-form")
  await form.getByText(en["method.hosted.hint"]).waitFor()
  expect(await form.getByRole("radio").count()).toBe(0)
  expect(await form.locator("[name=payer_phone]").count()).toBe(0)
  await form.getByRole("button").waitFor()
  await page.close()
})

test("[kit] a total that is new to the page is shown before the shopper leaves for the payment page", async () => {
  const ready = SCREENS.find(({ id }) => id === "pay-form")
  if (!ready) throw new Error("there is no form")
  shown = ready
  const session = { id: "c", provider_id: "pp_hosted", status: "pending" }
  shop.on("POST /store/payment-collections", (_request, response) =>
    json(response, 200, { payment_collection: { id: "pc", payment_sessions: [session] } }),
  )
  const url = `${shop.url}/payment-page`
  shop.on("GET /payment-page", file("text/html", "The payment page"))
  shop.on("POST /sessions/c/start", (_request, response) => {
    const page = { id: "c", ...waits, flow: "hosted", url, amount: 6000, currency: "LRD" }
    json(response, 200, { payment: page })
  })
  const page = await browser.newPage({ viewport: SCREEN })
  await page.goto(`${shop.url}/shop/en`)
  const form = page.getByTestId("pay-form")
  await form.getByTestId("method-hosted").check()
  await form.getByTestId("pay").click()
  await form.getByTestId("total-changed").getByText("6,000").waitFor()
  await form.getByTestId("pay").getByText("6,000").click()
  await page.waitForURL(url)
  await page.close()
})

const CHANGED = { code: "quote_changed", message: "Another amount." }

/** The stream stays open, as the store's does, unless the line is to break. */
const tellStatus: Answer = (_request, response) => {
  const { status, isCut } = shown
  if (status === null) {
    return json(response, 404, { code: "session_not_found", message: "There is none." })
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.flushHeaders()
  if (status.state) {
    response.write(event("1", { amount: CART.total, currency: "LRD", ...status }))
  }
  if (isCut) response.end()
}
