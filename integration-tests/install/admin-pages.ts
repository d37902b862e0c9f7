/** The merchant in the admin: steps 7 and 8 of the README, then each page of the plugin. */
import fs from "node:fs"
import path from "node:path"
import type { Browser } from "playwright-core"
import { openOffice, type Office } from "../browser/support/office"
import { expectOk } from "../http/support/shop"
import { until } from "../support/until"
import { MERCHANT, REGION, type Merchant } from "./merchant"
import type { Readme } from "./readme-steps"
import type { Store } from "./store"

const ROUTES = path.resolve(__dirname, "../../src/admin/routes")
/** The first line of the test's answer. */
const REACHABLE = "Reachable"
const SETTINGS = "/settings/merchant-payments"

export const openAdmin = (browser: Browser, store: Store): Promise<Office> =>
  openOffice(
    browser,
    {
      admin_url: `${store.url}/app`,
      admin_email: MERCHANT.email,
      admin_password: MERCHANT.password,
    },
    { trustsAnyCertificate: true },
  )

/** Step 7: presses what the README names. @returns the lines that the page then shows */
export async function testConnection(readme: Readme, office: Office): Promise<string> {
  const [button = ""] = readme.step(7).quoted
  await office.open(SETTINGS)
  await office.page.getByRole("button", { name: button }).first().click()
  // The page has another list above: that of the setup check.
  const tested = office.page.getByTestId("check-lines").filter({ hasText: REACHABLE })
  const lines = tested.first().getByRole("listitem")
  await lines.first().waitFor()
  const said = await lines.allInnerTexts()
  return said.map((line) => line.replace(/\s+/g, " ")).join("; ")
}

type Regions = {
  regions: { name: string; providers: { provider_id: string; is_enabled: boolean }[] }[]
}

/** Step 8: enables what the README names, and reads the store's list of methods. */
export async function enableMethods(office: Office, merchant: Merchant): Promise<string> {
  await office.open(SETTINGS)
  // A starter brings regions of its own, in currencies that no account takes.
  const row = office.page.getByTestId("region").filter({ hasText: REGION })
  await row.getByRole("button", { name: "Enable", exact: true }).click()
  await until(async () => {
    const { regions } = await expectOk(
      merchant.admin.call<Regions>("GET", "/admin/merchant-payments/regions"),
    )
    const ours = regions.find(({ name }) => name === REGION)
    return ours?.providers.some(({ is_enabled: isEnabled }) => isEnabled)
  }, "the region offers the plugin's providers")
  const { shop } = merchant
  const cartId = await shop.cart({ region: REGION, items: [["market-tote", 1]] })
  const { methods } = await expectOk(
    shop.call<{ methods: { provider_id: string }[] }>(
      "GET",
      `/store/merchant-payments/methods?cart_id=${cartId}`,
    ),
  )
  if (methods.length !== 2) throw new Error(`The store lists ${JSON.stringify(methods)}.`)
  return methods.map(({ provider_id: id }) => id).join(", ")
}

/** Loads each route of the plugin. @throws with what a script reported as an error */
export async function openEachPage(office: Office, merchant: Merchant): Promise<string> {
  const { operations } = await expectOk(
    merchant.admin.call<{ operations: { id: string }[] }>(
      "GET",
      "/admin/merchant-payments/operations?limit=1",
    ),
  )
  const id = operations[0]?.id
  if (id === undefined) throw new Error("There is no payment whose page could be opened.")
  const pages = fs
    .readdirSync(ROUTES, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => `/${path.dirname(file)}`.replace("[id]", id))
    .sort()
  for (const page of pages) {
    await office.open(page)
    await office.page.locator("main").getByRole("heading").first().waitFor()
    await office.page.waitForLoadState("networkidle")
    const errors = office.errors()
    if (errors.length > 0) throw new Error(`${page}: ${errors.join("; ")}`)
  }
  return `${pages.length} pages without an error of a script`
}
