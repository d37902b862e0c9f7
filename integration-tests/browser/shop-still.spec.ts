/**
 * The demo shop on a slow line, on a phone and on a desk: nothing moves under the shopper's finger,
 * no other page flashes up at a reload, amounts are written in one way from the cart to the
 * confirmation, and what is offered is what is charged.
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
  payByMobileMoney,
  putInCart,
  readyToPay,
  type Shopper,
} from "./support/shopper"
import { useDemo } from "./support/use-demo"

const SHIFT_MAX = 0.05
const WIDTHS = [1440, 390] as const
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }

let admin: Admin
let shopper: Shopper
let page: Page

const suite = useDemo({ portBase: 4640 }, async ({ state }) => {
  admin = await adminOf(state)
})

beforeEach(async () => {
  shopper = await newShopper(suite.browser, suite.state)
  page = shopper.page
})

afterEach(() => shopper.context.close())

type Watched = { shifts: { value: number; of: string }[]; headings: string[] }

/** Loads the page again on a slow line, and keeps what moves and which headings are shown. */
async function reloaded(width: number, until: string): Promise<Watched> {
  await page.setViewportSize({ width, height: 800 })
  await page.addInitScript(() => {
    const watched: Watched = { shifts: [], headings: [] }
    Object.assign(window, { watched })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as unknown as {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null }[]
        }
        if (shift.hadRecentInput) continue
        const nodes = shift.sources.map(({ node }) => node as HTMLElement | null)
        const of = nodes.map((node) => `${node?.nodeName}.${node?.className}`).join(" ")
        watched.shifts.push({ value: shift.value, of })
      }
    }).observe({ type: "layout-shift", buffered: true })
    new MutationObserver(() => {
      const text = document.querySelector("h1, .lead")?.textContent
      if (text && watched.headings.at(-1) !== text) watched.headings.push(text)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  const line = await shopper.context.newCDPSession(page)
  await line.send("Network.enable")
  await line.send("Network.emulateNetworkConditions", SLOW)
  await page.reload()
  await page.getByTestId(until).waitFor()
  await page.waitForLoadState("networkidle")
  await line.send("Network.emulateNetworkConditions", { ...SLOW, latency: 0, ...UNBOUNDED })
  return page.evaluate(() => (window as unknown as { watched: Watched }).watched)
}
const UNBOUNDED = { downloadThroughput: -1, uploadThroughput: -1 }

const total = ({ shifts }: Watched) => shifts.reduce((sum, { value }) => sum + value, 0)

/** Which selects show less than the text that is chosen. */
const clippedSelects = () =>
  page.locator("select:visible").evaluateAll((selects) =>
    selects.flatMap((one) => {
      const select = one as HTMLSelectElement
      const style = getComputedStyle(select)
      const pen = document.createElement("canvas").getContext("2d")
      if (!pen) return ["no canvas"]
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      const text = select.selectedOptions[0]?.textContent ?? ""
      const room =
        select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      return pen.measureText(text).width > room + 1 ? [`${text}: ${room}`] : []
    }),
  )

test.each(WIDTHS)("%i px: the home page stays still and is accessible", async (width) => {
  const watched = await reloaded(width, "products")
  expect(total(watched) < SHIFT_MAX ? [] : watched.shifts).toEqual([])
  expect(await clippedSelects()).toEqual([])
  await expectAccessible(page, "body")
  await page.getByRole("link", { name: "Enamel mug" }).click()
  await page.getByTestId("add-to-cart").waitFor()
  await expectAccessible(page, "body")
})

test.each(WIDTHS)("%i px: the checkout stays still, and shows no other page", async (width) => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  const watched = await reloaded(width, "pay")
  expect(total(watched) < SHIFT_MAX ? [] : watched.shifts).toEqual([])
  expect(watched.headings).toEqual(["Check out"])
  await page.getByLabel("Pay in").waitFor()
  expect(await clippedSelects()).toEqual([])
})

test("an amount is written the same way on the button, on the waiting screen, and on the confirmation", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  const due = await page.getByTestId("total").innerText()
  expect(due).toMatch(/^L\$[\d,]+\.\d\d$/)
  await page.getByTestId("pay").getByText(due).waitFor()
  await payByMobileMoney(page)
  expect(await page.getByTestId("amount").innerText()).toBe(due)
  await answerHandset(shopper, "approve")
  expect((await confirmation(page)).paid).toBe(due)
  await paidOrder(admin, shopper.email)
})

test("delivery is offered at the price it adds, and the form reports a number that no operator has", async () => {
  await putInCart(page, "Enamel mug")
  await page.getByTestId("to-checkout").click()
  const form = page.getByTestId("address-form")
  for (const [label, text] of Object.entries({
    "First name": "Ama",
    "Last name": "Kollie",
    "Street and house": "12 Broad Street",
    Town: "Monrovia",
    "E-mail": shopper.email,
    Phone: "0123 456 789",
  })) {
    await form.getByLabel(label).fill(text)
  }
  await form.getByRole("button", { name: "Continue" }).click()
  await form.getByText("No mobile money operator knows this number").waitFor()
  expect(await form.getByLabel("Phone").getAttribute("aria-invalid")).toBe("true")
  await form.getByRole("button", { name: "Continue" }).click()

  const delivery = page.getByTestId("delivery-form")
  const offered = await delivery.locator(".choice").first().innerText()
  await delivery.getByRole("button", { name: "Continue" }).click()
  await page.getByTestId("pay").waitFor()
  expect(offered).toContain(await page.getByTestId("delivery").innerText())
})

test("a payment that is declined can be tried again before it has failed twice", async () => {
  await readyToPay(shopper, MONROVIA, "Enamel mug")
  await payByMobileMoney(page)
  const handset = await answerHandset(shopper, "decline")
  await page.getByTestId("mp-failed").getByTestId("pay").waitFor()
  await page.getByTestId("pay").click()
  await page.getByTestId("mp-approve").waitFor()
  await handset.close()
  await answerHandset(shopper, "approve")
  await confirmation(page)
  await paidOrder(admin, shopper.email)
})
