/**
 * What can become of a payment on a page that a stranger wrote with the kit, at the shop's address,
 * against the real store: on a desktop in React 18, and in React 19 on a phone with a slow line and
 * a four times slower processor.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { shopAt } from "../http/support/shop"
import { isWhole } from "../support/whole-tables"
import { adminOf, type Admin } from "./support/admin"
import { expectAccessible } from "./support/axe"
import { launchChromium } from "./support/chromium"
import { startDemo, type Demo } from "./support/demo"
import { kitScript, openKitPage } from "./support/kit-page"
import { paidOrder } from "./support/paid-order"
import { PHONE_SCREEN } from "./support/shopper"
import { sayOver } from "./support/say-over"
import { storeLine, type StoreLine } from "./support/store-line"
import { tillOf, type Till } from "./support/till"

const PORT_BASE = 4640

const DEVICES = {
  desktop: { reactOf: ".", screen: { viewport: { width: 1280, height: 900 } }, isSlow: false },
  "a slow phone": {
    reactOf: "integration-tests/react-19",
    screen: { viewport: PHONE_SCREEN, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    isSlow: true,
  },
} as const
/** Far more than the form and the browser's own ring of focus have. */
const STOPS_MAX = 20
/** Longer than any prompt of the demo's account lives: of a phone's clock it means nothing. */
const LONG_MS = 3_600_000
const SLOW_PROCESSOR = { rate: 4 }
const SLOW_LINE = {
  offline: false,
  latency: 300,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
}

type Buyer = {
  readonly context: BrowserContext
  readonly page: Page
  readonly email: string
  /** E.164; it waits for the handset. */
  readonly phone: string
  readonly another: string
  openTab(): Promise<Page>
}

let demo: Demo
let browser: Browser
let admin: Admin
let till: Till
let line: StoreLine
/** Of the kit's page, by where its React is. */
const scripts = new Map<string, string>()
let buyers = 0

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([
    startDemo({ portBase: PORT_BASE, orderPlacement: "pay_first" }),
    launchChromium(),
    ...Object.values(DEVICES).map(async ({ reactOf }) => {
      scripts.set(reactOf, await kitScript(reactOf))
    }),
  ])
  admin = await adminOf(demo.state)
  till = tillOf(demo.state)
  line = await storeLine(demo.state.store_api_url)
})

afterAll(async () => {
  await browser?.close()
  await line?.close()
  await demo?.stop()
})

/** With a full cart, on the kit's form. */
async function newBuyer({
  reactOf,
  screen,
  isSlow,
}: (typeof DEVICES)[keyof typeof DEVICES]): Promise<Buyer> {
  buyers += 1
  const number = String(5_000 + buyers)
  const [phone, another] = [`+231770${number}56`, `+231771${number}56`]
  const email = `kit-${number}@example.com`
  const person = { email, first_name: "Ama", last_name: "Kollie", city: "Monrovia" }
  const shop = shopAt(demo.state.store_api_url, demo.state.publishable_key)
  const cartId = await shop.cart({ region: "Liberia", phone, person, items: [["enamel-mug", 1]] })
  const context = await browser.newContext(screen)
  const openTab = async () => {
    const page = await context.newPage()
    if (isSlow) {
      const devtools = await context.newCDPSession(page)
      await devtools.send("Emulation.setCPUThrottlingRate", SLOW_PROCESSOR)
      await devtools.send("Network.emulateNetworkConditions", SLOW_LINE)
    }
    const script = scripts.get(reactOf) ?? ""
    await openKitPage(page, { ...demo.state, store_api_url: line.url }, { script, cartId })
    await page.getByTestId("pay").waitFor()
    return page
  }
  return { context, page: await openTab(), email, phone, another, openTab }
}

const answer = (phone: string, how: "approve" | "decline") =>
  till.simulate(`handset/${how}`, { phone: phone.slice(1) })

/** What waits for an answer there. */
async function promptsOn(phone: string): Promise<unknown> {
  const path = `_simulator/handset?phone=${phone.slice(1)}`
  return (await fetch(`${demo.state.simulator_url}/${path}`)).json()
}

async function payByPhone(page: Page): Promise<void> {
  await page.getByTestId("method-push").check()
  await page.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
}

async function payByCard(page: Page, card: string): Promise<void> {
  await page.getByTestId("method-card").check()
  await page.getByTestId("test-card").selectOption(card)
  await page.getByTestId("pay").click()
}

/** The bank's question, which the adapter shows in a frame over the page. */
async function askBank(page: Page) {
  await page.getByTestId("mp-confirm").click()
  return page.frameLocator("dialog iframe")
}

/** The kit tells the page's own code of the order as well. */
async function expectOrder({ page, email }: Buyer): Promise<void> {
  const order = await paidOrder(admin, email)
  expect(await page.title()).toBe(`Order ${order.id}`)
}

const isPaid = (page: Page) => page.getByTestId("mp-paid").waitFor()

async function whileCut(act: () => Promise<void>): Promise<void> {
  line.cut()
  try {
    await act()
  } finally {
    line.restore()
  }
}

/** With Tab alone. */
async function goTo(page: Page, selector: string): Promise<void> {
  const isThere = () => page.evaluate((part) => document.activeElement?.matches(part), selector)
  for (let stops = 0; stops < STOPS_MAX && !(await isThere()); stops += 1) {
    await page.keyboard.press("Tab")
  }
  expect(await isThere()).toBe(true)
}

async function pressOn(page: Page, testId: string): Promise<void> {
  await goTo(page, `[data-testid=${testId}]`)
  await page.keyboard.press("Enter")
}

const PATHS: Readonly<Record<string, (buyer: Buyer) => Promise<void>>> = {
  "declined, and paid from another number": async ({ page, phone, another }) => {
    await payByPhone(page)
    await page.getByText("Dial *100# (Operator 1 Mobile Money).").waitFor()
    await expectAccessible(page, "#root")
    await answer(phone, "decline")
    await page.getByTestId("mp-failed").getByText("The payment was declined.").waitFor()
    await page.getByLabel("Mobile money number").fill(another)
    await page.getByTestId("pay").click()
    await page.getByTestId("mp-approve").waitFor()
    await page.reload()
    await page.getByTestId("mp-approve").waitFor()
    await answer(another, "approve")
    await isPaid(page)
  },
  "by another operator and in another currency, at the amount that is shown": async (buyer) => {
    const { page, phone } = buyer
    await page.getByTestId("method-push").check()
    await page.locator("[name=payer_currency]").selectOption("USD")
    await page.locator("[name=payer_operator]").selectOption("OPERATOR2_MONEY_LBR")
    const quote = await page.getByText(/Operator 2 Money takes USD/).innerText()
    const [amount = ""] = /USD.[\d.,]+\d/.exec(quote) ?? []
    const button = page.getByTestId("pay").getByText(amount)
    const [start] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith("/start")),
      button.click(),
    ])
    expect(start.postDataJSON()).toMatchObject({
      payment_method: "OPERATOR2_MONEY_LBR",
      payer_currency: "USD",
      expected_payer_amount: Number(amount.replace(/[^\d.]/g, "")),
    })
    await page.getByTestId("mp-approve").getByText(amount).waitFor()
    await answer(phone, "approve")
    await isPaid(page)
  },
  "approved while the line is cut": async ({ page, phone }) => {
    await payByPhone(page)
    await whileCut(async () => {
      await answer(phone, "approve")
      await page.getByText("The shop does not answer. Your payment goes on.").waitFor()
      await page.getByTestId("mp-approve").waitFor()
    })
    await isPaid(page)
  },
  "begun on a line that is cut, and begun again": async ({ page, phone }) => {
    await page.getByTestId("method-push").check()
    await whileCut(async () => {
      await page.getByTestId("pay").click()
      await page.getByRole("alert").getByText("The shop did not answer").waitFor()
    })
    await payByPhone(page)
    await answer(phone, "approve")
    await isPaid(page)
  },
  "by keyboard alone, taken back and begun again": async ({ page, another }) => {
    await pressOn(page, "pay")
    await page.getByTestId("mp-approve").waitFor()
    await pressOn(page, "other-number")
    await page.getByTestId("pay-form").waitFor()
    await goTo(page, "[name=payer_phone]")
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.type(another)
    await pressOn(page, "pay")
    await page.getByTestId("mp-approve").waitFor()
    await answer(another, "approve")
    await isPaid(page)
  },
  "approved when its time is over": async ({ page, phone }) => {
    await payByPhone(page)
    await page.clock.setSystemTime(Date.now() + LONG_MS)
    await page.getByTestId("time-left").waitFor()
    await sayOver(page)
    await answer(phone, "approve")
    await isPaid(page)
  },
  "taken back when its time is over, and paid from another number": async ({ page, another }) => {
    await payByPhone(page)
    const sayTheTruth = await sayOver(page)
    sayTheTruth()
    await page.getByTestId("other-number").click()
    await page.getByLabel("Mobile money number").fill(another)
    await page.getByTestId("pay").click()
    await page.getByTestId("mp-approve").waitFor()
    await answer(another, "approve")
    await isPaid(page)
  },
  "on the payment page, from which the shopper comes back": async ({ page }) => {
    await page.getByTestId("method-hosted").check()
    await page.getByTestId("pay").click()
    await page.getByTestId("choose-card").click()
    await page.getByTestId("card-pay").click()
    await isPaid(page)
  },
  "given up on the payment page by Back, and paid by phone": async ({ page, phone }) => {
    await page.getByTestId("method-hosted").check()
    await page.getByTestId("pay").click()
    await page.getByTestId("choose-card").waitFor()
    await page.goBack()
    await page.getByTestId("mp-page").waitFor()
    await page.getByTestId("pay-another-way").click()
    await page.getByTestId("mp-expired").waitFor()
    await payByPhone(page)
    await answer(phone, "approve")
    await isPaid(page)
  },
  "begun in two tabs at once, and charged once": async ({ page, phone, openTab }) => {
    const tabs = [page, await openTab()]
    for (const tab of tabs) await tab.getByTestId("method-push").check()
    await Promise.all(tabs.map((tab) => tab.getByTestId("pay").click()))
    for (const tab of tabs) await tab.getByTestId("mp-approve").waitFor()
    await answer(phone, "approve")
    for (const tab of tabs) await isPaid(tab)
    expect(await promptsOn(phone)).toEqual([])
  },
  "by a card that the bank confirms": async ({ page }) => {
    await payByCard(page, "card_3ds")
    const bank = await askBank(page)
    await bank.getByTestId("card-pass").click()
    await isPaid(page)
  },
  "by a card that the bank refuses, and then by one that it does not ask about": async ({
    page,
  }) => {
    await payByCard(page, "card_3ds")
    const bank = await askBank(page)
    await bank.getByTestId("card-refuse").click()
    await page.getByTestId("mp-failed").waitFor()
    await payByCard(page, "card_no_3ds")
    await isPaid(page)
  },
  "by a card whose bank is left, and asked again after a reload": async ({ page }) => {
    await payByCard(page, "card_3ds")
    await askBank(page)
    await page.getByTestId("card-close").click()
    await page.getByText("not confirmed it yet").waitFor()
    await page.reload()
    const bank = await askBank(page)
    await bank.getByTestId("card-pass").click()
    await isPaid(page)
  },
}

/** On the desktop the others differ in nothing; `npm run proof -- --only tables` walks them all. */
const ON_DESKTOP =
  /^(declined, and paid from another|by keyboard alone|begun in two tabs|by a card that the bank c)/
const pathsOn = ({ isSlow }: (typeof DEVICES)[keyof typeof DEVICES]) =>
  Object.entries(PATHS).filter(([name]) => isWhole || isSlow || ON_DESKTOP.test(name))

describe.each(Object.entries(DEVICES))("on %s", (_name, device) => {
  test.each(pathsOn(device))("a payment %s", async (_path, walk) => {
    const buyer = await newBuyer(device)
    await walk(buyer)
    await expectOrder(buyer)
    await buyer.context.close()
  })
})
