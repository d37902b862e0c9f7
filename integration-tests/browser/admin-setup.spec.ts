/**
 * A new merchant: a store that knows nothing of a gateway, and a person who has the admin and the
 * merchant portal's API keys. What is wrong or missing is said where it is typed, until the first
 * shopper has paid.
 */
import { randomBytes } from "node:crypto"
import type { Locator } from "playwright-core"
import { adminOf } from "./support/admin"
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { until } from "./support/until"
import type { Office, OfficeOptions } from "./support/office"
import { useDemo } from "./support/use-demo"

/** Typed as a secret; found nowhere. */
const CANARY = "canary-0f3b51c8e7"
/** As the demo prints them for a person. */
const CLIENT_ID = "simulator-client"
const CLIENT_SECRET = "simulator-secret"

const suite = useDemo({ portBase: 4530, without: "credentials,key" })

async function inSettings(options?: OfficeOptions): Promise<Office> {
  const office = await suite.inOffice(options)
  await office.open("/settings/merchant-payments")
  await office.page.getByTestId("health").waitFor()
  return office
}

/** Of the guided first setup: which of its four steps are done, and which one is next. */
async function stepsIn({ page }: Office) {
  const steps = page.getByTestId("first-setup").getByRole("listitem")
  await steps.first().waitFor()
  return steps.evaluateAll((items) =>
    items.map((item) =>
      item.getAttribute("aria-current") ? "next" : (item.getAttribute("data-done") ?? ""),
    ),
  )
}

const lineOf = (within: Locator, name: string) =>
  within.getByTestId("check-lines").getByRole("listitem").filter({ hasText: name })

test("without an encryption key, the settings page says how to make one and refuses a secret", async () => {
  const office = await inSettings({ width: 1440 })
  const { page, open } = office
  await page.getByTestId("health").getByText("Payments are not working").waitFor()
  expect(await stepsIn(office)).toEqual(["next", "false", "false", "false"])
  await page.getByTestId("first-setup").getByText("1. Key for secrets").waitFor()
  await page.getByTestId("encryption").getByText("openssl rand -base64 32").waitFor()
  await page.getByText("No account yet", { exact: true }).waitFor()
  await expectAccessible(page)
  await suite.shoot(page, "admin-setup-first")
  await open("/merchant-payments/payments")
  await page.getByText("No gateway account is set up").waitFor()

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
    .getByText(/^Give the gateway's public address/)
    .waitFor()
  await form.getByLabel("Address of the gateway").fill(suite.state.simulator_url)
  await save.click()
  await form.getByTestId("problem").getByText("openssl rand -base64 32").waitFor()
})

test("a new merchant gets from an empty store to the first paid order, past wrong credentials", async () => {
  await suite.restartWith({ without: "credentials" })
  await (await adminOf(suite.state)).leaveToMedusa("Liberia")
  const office = await inSettings()
  const { page, open } = office
  await page.getByText("No account yet", { exact: true }).waitFor()
  expect(await stepsIn(office)).toEqual(["true", "next", "false", "false"])

  const steps = page.getByTestId("first-setup")
  await steps.getByRole("button", { name: "Add an account" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Name", { exact: true }).fill("Main")
  await form.getByLabel("Address of the gateway").fill("http://localhost:9")
  await form.getByLabel("Client id").fill(CLIENT_ID)
  await form.getByLabel("Client secret").fill(CANARY)
  const test = form.getByRole("button", { name: "Test connection" })
  await test.click()
  await lineOf(form, "Reachable").getByText("refuses the connection").waitFor()

  await form.getByLabel("Address of the gateway").fill(suite.state.simulator_url)
  // What an earlier test said of other values is gone.
  expect(await form.getByTestId("check-lines").count()).toBe(0)
  await test.click()
  await lineOf(form, "Credentials").getByText("does not know this client id").waitFor()
  await suite.shoot(page, "admin-settings")

  // Neither Escape nor a click beside the form throws away what is typed.
  const leave = page.getByRole("alertdialog")
  for (const away of [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(10, 400),
    () => form.locator("kbd + button").click(),
  ]) {
    await away()
    await leave.getByText("Discard what you have entered?").waitFor()
    await leave.getByRole("button", { name: "Go on" }).click()
    await leave.waitFor({ state: "detached" })
    expect(await form.getByLabel("Client id").inputValue()).toBe(CLIENT_ID)
  }

  await form.getByLabel("Client secret").fill(CLIENT_SECRET)
  await test.click()
  await lineOf(form, "Credentials").getByText("are right").waitFor()
  await expectAccessible(page, OPEN_DIALOG)
  await form.getByText("Without a currency this account takes no payments.").waitFor()
  const rules = form.getByRole("button", { name: "Refund rules" })
  await rules.click()
  await form.getByLabel("Two admins for refunds above").fill("a lot")
  await rules.click()
  await form.getByRole("button", { name: "Save" }).click()
  // A folded group with something wrong in it opens.
  await form.getByText("Write each as a currency and an amount").waitFor()
  await form.getByLabel("Two admins for refunds above").fill("")
  await form.getByRole("button", { name: "Save" }).click()
  await form.waitFor({ state: "detached" })
  await page.getByTestId("account").getByText("Takes no payments").waitFor()
  await page.getByTestId("health").getByText("Payments are not working").waitFor()
  const worst = page.getByTestId("check-lines").getByRole("listitem").first()
  await worst.getByText("No account takes any currency, so nothing can be paid.").waitFor()
  expect(await stepsIn(office)).toEqual(["true", "true", "next", "false"])
  await steps.getByText(/The shop sells in currencies that no account takes: .*LRD/).waitFor()
  const liberia = page.getByTestId("region").filter({ hasText: "Liberia" })
  await liberia.getByText("To enable: add LRD to the currencies of an account").waitFor()
  expect(await liberia.getByRole("button").count()).toBe(0)
  await expectAccessible(page, "[data-testid=first-setup]")

  await steps.getByRole("button", { name: "Add the currencies" }).click()
  await form.getByLabel("Currencies", { exact: true }).fill("LRD, RWF, USD")
  await form.getByRole("button", { name: "Save" }).click()
  await form.waitFor({ state: "detached" })
  await page.getByTestId("account").getByText("LRD, RWF, USD").waitFor()
  // Not `toContain`, which would print the whole page.
  expect((await page.content()).includes(CLIENT_SECRET)).toBe(false)

  await liberia.getByRole("button", { name: "Enable" }).click()
  await page.getByText("Liberia now offers these payment methods.").first().waitFor()
  await steps.waitFor({ state: "detached" })
  const health = page.getByTestId("health").getByText("Everything is in place")
  // For half a minute the process of before the restart counts as a second one.
  await until("the setup check finds nothing", async () => {
    await page.getByRole("button", { name: "Check again" }).click()
    return (await health.isVisible()) || null
  })
  expect(await page.getByTestId("check-lines").count()).toBe(0)
  await page.getByRole("button", { name: /^Show what is in order/ }).click()
  await page.getByText("The job runs. Processes: 1.").waitFor()
  await suite.shoot(page, "admin-setup-check")

  // Ends in 00: approved after three seconds.
  await suite.till.begin("+231886100000")
  await open("/merchant-payments/payments")
  await page.getByRole("row").getByText("Paid", { exact: true }).waitFor()
})

test("a region can be disabled once no payment needs it, and the page first says what follows", async () => {
  const { page } = await inSettings()
  const region = page.getByTestId("region").filter({ hasText: "Rwanda" })
  await region.getByRole("button", { name: "Disable" }).click()
  const sure = page.getByRole("alertdialog")
  await sure.getByText("Medusa no longer offers these payment methods").waitFor()
  await expectAccessible(page, OPEN_DIALOG)
  await sure.getByRole("button", { name: "Disable" }).click()
  await page.getByText("Rwanda no longer offers these payment methods.").first().waitFor()
  await region.getByRole("button", { name: "Disable" }).waitFor({ state: "detached" })

  const french = (await inSettings({ language: "fr" })).page
  const rwanda = french.getByTestId("region").filter({ hasText: "Rwanda" })
  await rwanda.getByRole("button", { name: "Activer" }).click()
  await french.getByText("Rwanda propose maintenant ces moyens de paiement.").first().waitFor()
  await rwanda.getByRole("button", { name: "Désactiver" }).waitFor()
})

test("a second account may not take a currency that is taken, and can be removed again", async () => {
  const { page } = await inSettings()
  await page.getByRole("button", { name: "Add an account" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Name", { exact: true }).fill("Second")
  await form.getByLabel("Address of the gateway").fill(suite.state.simulator_url)
  await form.getByLabel("Client id").fill("somebody")
  await form.getByLabel("Client secret").fill(CANARY)
  await form.getByLabel("Currencies", { exact: true }).fill("LRD")
  await form.getByRole("button", { name: "Save" }).click()
  const taken = form.getByTestId("problem")
  await taken.getByText("LRD is taken by the account").waitFor()
  // What a second account is often wanted for is a setting of the first one.
  await taken.getByText("Who bears the fees of LRD is a setting of that account").waitFor()
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
})

test("credentials that were replaced serve the payments made with them, and are dropped after", async () => {
  await suite.till.begin("+231886200013")
  const { page, open } = await inSettings({ language: "fr" })
  const former = page.getByTestId("former-credentials")
  await page.getByTestId("account").getByRole("button", { name: "Modifier" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Identifiant client").fill("mistyped-client")
  await form.getByLabel("Secret client").fill(CANARY)
  await form.getByRole("button", { name: "Enregistrer" }).click()
  await former.getByText(CLIENT_ID).waitFor()
  await former.getByText("Secret enregistré").waitFor()

  await former.getByRole("button", { name: `Supprimer: ${CLIENT_ID}` }).click()
  const sure = page.getByRole("alertdialog")
  await sure.getByText("Son secret est supprimé définitivement.").waitFor()
  await expectAccessible(page, OPEN_DIALOG)
  await sure.getByRole("button", { name: "Supprimer" }).click()
  await former.getByTestId("problem").getByText("Rien n'a été supprimé").waitFor()
  await sure.waitFor({ state: "detached" })
  await expectAccessible(page, "[data-testid=former-credentials]")

  await suite.till.simulate("handset/approve", { phone: "231886200013" })
  await open("/merchant-payments/payments")
  const row = page.getByRole("row").filter({ hasText: "…013" })
  await row.getByText("Payé", { exact: true }).waitFor()
})

test("a client that took no payment is dropped once the right one is back", async () => {
  const { page } = await inSettings()
  const former = page.getByTestId("former-credentials")
  await page.getByTestId("account").getByRole("button", { name: "Edit" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Client id").fill(CLIENT_ID)
  await form.getByLabel("Client secret").fill(CLIENT_SECRET)
  await form.getByRole("button", { name: "Save" }).click()
  await former.getByText("mistyped-client").waitFor()
  expect(await former.getByRole("listitem").count()).toBe(1)
  expect((await page.content()).includes(CANARY)).toBe(false)

  await former.getByRole("button", { name: "Drop: mistyped-client" }).click()
  await page.getByRole("alertdialog").getByText("Its secret is deleted for good.").waitFor()
  await page.getByRole("alertdialog").getByRole("button", { name: "Drop" }).click()
  await page.getByText("The former credentials are dropped.").first().waitFor()
  await former.waitFor({ state: "detached" })
  // Where the mistyped client was in use long enough to be refused, the store tries the right one
  // within a minute, and the page reads it by itself.
  await page.getByTestId("account").getByText("Ready", { exact: true }).waitFor()
})

test("[D1] a change that needs two admins waits for the other one, who refuses or agrees", async () => {
  const login = { email: "bob@example.com", password: "another-password" }
  await (await adminOf(suite.state)).invite(login)
  const { page } = await inSettings()
  const form = page.getByRole("dialog")
  const edit = async (field: string, text: string) => {
    await page.getByTestId("account").getByRole("button", { name: "Edit" }).click()
    if (field !== "Currencies") await form.getByRole("button", { name: "Refund rules" }).click()
    await form.getByLabel(field, { exact: true }).fill(text)
    await form.getByRole("button", { name: "Save" }).click()
  }
  await edit("Two admins for refunds above", "USD 100")
  await form.waitFor({ state: "detached" })
  // The account as it is now: a change is made on the version that was read.
  await page.reload()

  await edit("Currencies", "LRD, RWF")
  await form.getByTestId("problem").getByText("needs a second admin").waitFor()
  await form.getByRole("button", { name: "Cancel" }).click()
  await form.waitFor({ state: "detached" })
  const waiting = page.getByTestId("request")
  await waiting.getByText("You have asked for it.").waitFor()
  expect(await waiting.getByRole("button", { name: "Approve" }).count()).toBe(0)
  await expectAccessible(page, "[data-testid=requests]")

  const french = (await inSettings({ language: "fr", login })).page
  const enAttente = french.getByTestId("request")
  await enAttente.getByText("demande de modifier le compte Main").waitFor()
  await enAttente.getByText('["LRD","RWF","USD"] → ["LRD","RWF"]').waitFor()
  await expectAccessible(french, "[data-testid=requests]")
  await enAttente.getByRole("button", { name: "Refuser" }).click()
  await enAttente.waitFor({ state: "detached" })
  await french.getByTestId("account").getByText("LRD, RWF, USD").waitFor()

  await edit("Currencies", "LRD, RWF")
  await form.getByTestId("problem").waitFor()
  await french.reload()
  await enAttente.getByRole("button", { name: "Approuver" }).click()
  await french.getByRole("alertdialog").getByRole("button", { name: "Approuver" }).click()
  await enAttente.waitFor({ state: "detached" })
  await french.getByTestId("account").getByText("LRD, RWF", { exact: false }).waitFor()
  await page.reload()
  await page
    .getByTestId("account")
    .getByText(/LRD, RWF ·/)
    .waitFor()
})

// Last: what was typed can't be read any more.
test("with another encryption key, the account says in both languages what to do, and all pages open", async () => {
  await suite.restartWith({ encryptionKey: randomBytes(32).toString("base64") })
  const { page, open } = await inSettings()
  const account = page.getByTestId("account")
  await account.getByText("Secret unreadable").waitFor()
  await account.getByText("encrypted with another key than this server has").waitFor()
  await page.getByTestId("health").getByText("Payments are not working").waitFor()
  await expectAccessible(page)
  await account.getByRole("button", { name: "Test connection" }).click()
  await lineOf(account, "Credentials").getByText("encrypted with another key").waitFor()
  await open("/merchant-payments/payments")
  await page.getByRole("row").filter({ hasText: "…013" }).getByText("Paid").waitFor()

  const inFrench = (await inSettings({ language: "fr" })).page
  const compte = inFrench.getByTestId("account")
  await compte.getByText("Secret illisible").waitFor()
  await compte.getByText("chiffré avec une autre clé que celle de ce serveur").waitFor()
  await inFrench.getByText("Les paiements ne fonctionnent pas").waitFor()
})
