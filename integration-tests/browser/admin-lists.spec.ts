/**
 * The lists of the admin as a merchant reads them on a desk: nothing is cut, an error is no empty
 * list, and what is old says so while it gets older.
 */
import { cutTexts, overhangOf } from "./support/cut-texts"
import { until } from "./support/until"
import { useDemo } from "./support/use-demo"

const suite = useDemo({ portBase: 4660 }, async ({ till }) => {
  // Approved; asked and not answered; declined.
  await till.pay("+231886500011")
  await till.begin("+231886500012")
  await till.begin("+231886500001")
})

const PAGES = [
  ...["", "/payments", "/attention", "/payouts", "/fees", "/reconciliation"].map(
    (path) => `/merchant-payments${path}`,
  ),
  "/settings/merchant-payments",
]

test.each(["en", "fr"] as const)("in %s nothing is cut at 1440 px", async (language) => {
  const { page, open } = await suite.inOffice({ language, width: 1440 })
  for (const path of PAGES) {
    await open(path)
    await page.locator("main").getByRole("heading").first().waitFor()
    await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" })
    if (path.endsWith("/payments")) await page.locator("tbody tr").nth(2).waitFor()
    expect([path, await cutTexts(page, "main"), await overhangOf(page)]).toEqual([path, [], 0])
  }
})

test("a list that can't be read says why, and does not say that it is empty", async () => {
  const { page, open } = await suite.inOffice({ width: 1440 })
  const refused = { code: "invalid_request", situation: "invalid_request", message: "Not so." }
  await page.route("**/admin/merchant-payments/operations?**", (asked) =>
    asked.fulfill({ status: 400, json: { ...refused, facts: {} } }),
  )
  await open("/merchant-payments/payments")
  await page.getByTestId("problem").getByText("Not so.").waitFor()
  const clear = page.getByRole("button", { name: "Clear search and filters" })
  await clear.waitFor()
  const texts = await page.locator("main").innerText()
  expect(texts).not.toMatch(/results|No payments yet|Nothing matches/)
  await page.unroute("**/admin/merchant-payments/operations?**")
  await page.getByTestId("problem").getByRole("button", { name: "Try again" }).click()
  await page.locator("tbody tr").first().waitFor()
  await page.getByText(/results/).waitFor()
})

test("the way back from a payment finds search, filters and order, and no address has the search", async () => {
  const { page, open } = await suite.inOffice({ width: 1440 })
  await open(`/merchant-payments/payments?order=-amount&state=${encodeURIComponent('["failed"]')}`)
  const search = page.getByRole("searchbox")
  const searched = page.waitForResponse(/operations\/search/)
  await search.fill("0001")
  await searched
  const rows = page.locator("tbody tr")
  await until("the list is searched", async () => (await rows.count()) === 1 || null)
  const address = page.url()
  await rows.first().click()
  await page.getByText("Technical details").waitFor()
  await page.goBack()
  await until("the list is searched again", async () => {
    const isSearched = (await search.inputValue()) === "0001"
    return (isSearched && (await rows.count()) === 1) || null
  })
  expect(page.url()).toBe(address)
  expect(address).not.toContain("0001")
})

test("the age of a comparison counts on while nothing is asked", async () => {
  const { page, open, context } = await suite.inOffice()
  await open("/merchant-payments/reconciliation")
  const age = page.getByText(/\((now|.* ago)\)/)
  await page.getByRole("button", { name: "Compare again" }).click()
  await age.waitFor()
  await context.setOffline(true)
  const before = await age.innerText()
  await until("the age has counted on", async () => (await age.innerText()) !== before || null)
  await context.setOffline(false)
})
