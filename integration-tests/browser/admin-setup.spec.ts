/**
 * A new merchant: a store that knows nothing of a gateway, and a person who has the admin and the merchant
 * portal's API keys. What is wrong or missing is said where it is typed, until the first shopper has paid.
 */
import type { Browser, Locator } from "playwright-core"
import { adminOf } from "./support/admin"
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { launchChromium } from "./support/chromium"
import { DEMO_START_MS, startDemo, type Demo } from "./support/demo"
import { openOffice, type Office, type OfficeOptions } from "./support/office"
import { camera, type Camera } from "./support/screenshots"
import { tillOf } from "./support/till"
import { until } from "./support/until"

const PORT_BASE = 4530
const TEST_MS = 120_000
/** Longer than the setup check takes. */
const CHECKED_MS = 3_000
/** Typed as a secret; found nowhere. */
const CANARY = "canary-0f3b51c8e7"
/** As the demo prints them for a person. */
const CLIENT_ID = "simulator-client"
const CLIENT_SECRET = "simulator-secret"

let demo: Demo
let browser: Browser
let shoot: Camera
let office: Office | undefined

beforeAll(async () => {
  const nothing = { orderPlacement: "pay_first", without: "credentials,key" } as const
  demo = await startDemo({ portBase: PORT_BASE, ...nothing })
  browser = await launchChromium()
  shoot = await camera()
}, DEMO_START_MS)

afterAll(async () => {
  await browser?.close()
  await demo?.stop()
}, TEST_MS)

afterEach(async () => {
  const errors = office?.errors() ?? []
  await office?.context.close()
  office = undefined
  expect(errors).toEqual([])
})

async function inSettings(options?: OfficeOptions): Promise<Office> {
  office = await openOffice(browser, demo.state, options)
  await office.open("/settings/merchant-payments")
  await office.page.getByTestId("health").waitFor()
  return office
}

const lineOf = (within: Locator, name: string) =>
  within.getByTestId("check-lines").getByRole("listitem").filter({ hasText: name })

test(
  "without an encryption key the page says how to make one, and a secret is not taken",
  async () => {
    const { page, open } = await inSettings()
    await page.getByTestId("health").getByText("Payments can't work").waitFor()
    await page.getByTestId("encryption").getByText("openssl rand -base64 32").waitFor()
    await page.getByText("No account yet").waitFor()
    await expectAccessible(page)
    await shoot(page, "admin-setup-first")
    await open("/merchant-payments")
    await page.getByText("The store knows no gateway yet").waitFor()

    await open("/settings/merchant-payments")
    await page.getByRole("button", { name: "Add an account" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Name", { exact: true }).fill("Main")
    await form.getByLabel("Address of the gateway").fill("localhost:9")
    await form.getByLabel("Client id").fill(CLIENT_ID)
    await form.getByLabel("Client secret").fill(CANARY)
    const save = form.getByRole("button", { name: "Save" })
    await save.click()
    await form
      .getByTestId("problem")
      .getByText(/^The gateway's address must start/)
      .waitFor()
    await form.getByLabel("Address of the gateway").fill(demo.state.simulator_url)
    await save.click()
    await form.getByTestId("problem").getByText("openssl rand -base64 32").waitFor()
  },
  TEST_MS,
)

test(
  "from nothing to the first paid order, wrong credentials on the way",
  async () => {
    demo = await demo.restartWith({ without: "credentials" })
    const till = tillOf(demo.state)
    await (await adminOf(demo.state)).leaveToMedusa("Liberia")
    const { page, open } = await inSettings()
    await page.getByText("No account yet").waitFor()

    await page.getByRole("button", { name: "Add an account" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Name", { exact: true }).fill("Main")
    await form.getByLabel("Address of the gateway").fill("http://localhost:9")
    await form.getByLabel("Client id").fill(CLIENT_ID)
    await form.getByLabel("Client secret").fill(CANARY)
    const test = form.getByRole("button", { name: "Test connection" })
    await test.click()
    await lineOf(form, "Reachable").getByText("refuses the connection").waitFor()

    await form.getByLabel("Address of the gateway").fill(demo.state.simulator_url)
    await test.click()
    await lineOf(form, "Credentials").getByText("does not know this client id").waitFor()
    await shoot(page, "admin-settings")

    await form.getByLabel("Client secret").fill(CLIENT_SECRET)
    await test.click()
    await lineOf(form, "Credentials").getByText("are right").waitFor()
    await expectAccessible(page, OPEN_DIALOG)
    await form.getByLabel("Currencies", { exact: true }).fill("LRD, RWF, USD")
    await form.getByLabel("Default account").click()
    await form.getByRole("button", { name: "Save" }).click()
    await form.waitFor({ state: "detached" })
    // Not `toContain`, which would print the whole page.
    expect((await page.content()).includes(CLIENT_SECRET)).toBe(false)

    const liberia = page.getByTestId("region").filter({ hasText: "Liberia" })
    await liberia.getByRole("button", { name: "Enable" }).click()
    await page.getByText("Liberia offers these ways to pay now.").first().waitFor()
    const health = page.getByTestId("health").getByText("Everything is in place")
    // For half a minute the process of before the restart counts as a second one.
    await until("the setup check finds nothing", TEST_MS, async () => {
      await page.getByRole("button", { name: "Check again" }).click()
      return health.waitFor({ timeout: CHECKED_MS }).then(
        () => true,
        () => null,
      )
    })
    await shoot(page, "admin-setup-check")

    // Ends in 00: approved after three seconds.
    await till.begin("+231886100000")
    await open("/merchant-payments")
    await page.getByRole("row").getByText("Paid", { exact: true }).waitFor()
  },
  DEMO_START_MS,
)

test(
  "a second account may not take a currency that is taken, and can be removed again",
  async () => {
    const { page } = await inSettings()
    await page.getByRole("button", { name: "Add an account" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Name", { exact: true }).fill("Second")
    await form.getByLabel("Address of the gateway").fill(demo.state.simulator_url)
    await form.getByLabel("Client id").fill("somebody")
    await form.getByLabel("Client secret").fill(CANARY)
    await form.getByLabel("Currencies", { exact: true }).fill("LRD")
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByTestId("problem").getByText("LRD is taken by the account").waitFor()
    await form.getByLabel("Currencies", { exact: true }).fill("EUR")
    await form.getByRole("button", { name: "Save" }).click()
    await form.waitFor({ state: "detached" })
    const saved = page.getByTestId("account").filter({ hasText: "Second" })
    await saved.getByText("Secret saved").waitFor()
    expect((await page.content()).includes(CANARY)).toBe(false)

    await saved.getByRole("button", { name: "Remove" }).click()
    const sure = page.getByRole("alertdialog")
    await expectAccessible(page, OPEN_DIALOG)
    await sure.getByRole("button", { name: "Remove" }).click()
    await saved.waitFor({ state: "detached" })
  },
  TEST_MS,
)
