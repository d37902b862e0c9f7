/**
 * The merchant at a review: logged into Medusa's admin, in a language, on a screen of some width.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import type { DemoState } from "./demo"

const SCREEN = { width: 1280, height: 900 }
const SELF_EVIDENT_NOISE = /net::ERR_/

export type Office = {
  readonly context: BrowserContext
  readonly page: Page
  /** Where the admin's path leads, without `/app`. */
  open(path: string): Promise<void>
  /** What the browser reported as an error of a script since the last time. */
  errors(): string[]
}

export type OfficeOptions = {
  readonly language?: "en" | "fr"
  readonly width?: number
  /** Another than the demo's own admin. */
  readonly login?: { readonly email: string; readonly password: string }
  /** For a store behind a certificate of its own. */
  readonly trustsAnyCertificate?: boolean
}

export async function openOffice(
  browser: Browser,
  demo: Pick<DemoState, "admin_url" | "admin_email" | "admin_password">,
  {
    language = "en",
    width = SCREEN.width,
    login,
    trustsAnyCertificate: ignoreHTTPSErrors = false,
  }: OfficeOptions = {},
): Promise<Office> {
  const context = await browser.newContext({ viewport: { ...SCREEN, width }, ignoreHTTPSErrors })
  await context.addCookies([{ name: "lng", value: language, url: demo.admin_url }])
  await context.addInitScript((lng) => window.localStorage.setItem("lng", lng), language)
  const page = await context.newPage()
  const heard: string[] = []
  page.on("pageerror", (error) => heard.push(error.message))
  page.on("console", (message) => {
    const isError = message.type() === "error" && !SELF_EVIDENT_NOISE.test(message.text())
    if (isError && /react|warning:/i.test(message.text())) heard.push(message.text())
  })
  await page.goto(`${demo.admin_url}/login`)
  await page.locator("input[name=email]").fill(login?.email ?? demo.admin_email)
  await page.locator("input[name=password]").fill(login?.password ?? demo.admin_password)
  await page.locator("button[type=submit]").click()
  await page.waitForURL((url) => !url.pathname.endsWith("/login"))
  return {
    context,
    page,
    async open(path) {
      await page.goto(`${demo.admin_url}${path}`)
    },
    errors: () => heard.splice(0),
  }
}
