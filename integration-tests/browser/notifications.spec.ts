/**
 * An admin chooses who is told what, on a desk in English and on a phone in French, and tries it:
 * the demo's providers write into the log what they would have sent.
 */
import { adminAt } from "../http/support/admin"
import { expectOk, shopAt } from "../http/support/shop"
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { foreignTexts } from "./support/language"
import { until } from "./support/until"
import type { Office, OfficeOptions } from "./support/office"
import { useDemo } from "./support/use-demo"

const suite = useDemo({ portBase: 4720 })

async function inSettings(options: OfficeOptions): Promise<Office> {
  const office = await suite.inOffice(options)
  await office.open("/settings/merchant-payments")
  await office.page.getByTestId("recipient").first().waitFor()
  return office
}

type Told = { readonly notifications: readonly { readonly data: { readonly kind?: string } }[] }

async function inTheBell(kind: string): Promise<boolean> {
  const { store_api_url: url, publishable_key: key, admin_email, admin_password } = suite.state
  const admin = adminAt(shopAt(url, key), { email: admin_email, password: admin_password })
  const path = "/admin/notifications?channel=feed&to="
  const { notifications } = await expectOk(admin.call<Told>("GET", path))
  return notifications.some(({ data }) => data.kind === kind)
}

test("on a desktop, an admin adds and tests a recipient, and the bell shows the same message", async () => {
  const { page } = await inSettings({ width: 1440 })
  const people = page.getByTestId("recipient")
  await people.filter({ hasText: "Everyone in the admin" }).getByText("At once").waitFor()

  await page.getByRole("button", { name: "Add a person" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Name", { exact: true }).fill("Ada")
  await form.getByLabel("E-mail address").fill("ada")
  await form.getByRole("button", { name: "Save" }).click()
  await form.getByTestId("problem").getByText("Give an e-mail address").waitFor()
  await form.getByLabel("E-mail address").fill("ada@example.com")
  await form.getByRole("button", { name: "Send a test" }).click()
  await form.getByTestId("tested").getByText("took the test for ada@example.com").waitFor()
  await expectAccessible(page, OPEN_DIALOG)
  await form.getByRole("button", { name: "Save" }).click()
  await form.waitFor({ state: "detached" })
  const ada = people.filter({ hasText: "ada@example.com" })
  await ada.getByText("Money received · A decision is needed").waitFor()

  const everyone = people.filter({ hasText: "Everyone in the admin" })
  await everyone.getByRole("button", { name: "Change" }).click()
  await form.getByRole("switch", { name: "Money received" }).click()
  await form.getByRole("button", { name: "Save" }).click()
  await form.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Show changes" }).click()
  await page.getByTestId("notification-changes").getByText("added Ada (E-mail)").waitFor()
  await expectAccessible(page)

  await page.reload()
  await ada.waitFor()
  // Ends in 00: approved after three seconds.
  await suite.till.begin("+231886300000")
  await until("Medusa has it for the bell", async () => (await inTheBell("money_received")) || null)
  await page.reload()
  await ada.waitFor()
  await page.keyboard.press("Control+n")
  await page
    .getByRole("dialog")
    .getByText(/^Money received: /)
    .first()
    .waitFor()
})

test("on a phone in French, an admin sets up a daily summary and a receipt for customers", async () => {
  const { page } = await inSettings({ width: 390, language: "fr" })
  const ada = page.getByTestId("recipient").filter({ hasText: "ada@example.com" })
  await ada.getByRole("button", { name: "Modifier" }).click()
  const form = page.getByRole("dialog")
  await form.getByLabel("Quand").click()
  await page.getByRole("option", { name: "En résumé quotidien" }).click()
  await form.getByLabel("Fuseau horaire").fill("Afrique/Monrovia")
  await form.getByRole("button", { name: "Enregistrer" }).click()
  await form.getByTestId("problem").waitFor()
  await form.getByLabel("Fuseau horaire").fill("Africa/Monrovia")
  expect(await foreignTexts(page, "fr", "[role=dialog]")).toEqual([])
  await form.getByRole("button", { name: "Enregistrer" }).click()
  await form.waitFor({ state: "detached" })
  await ada.getByText("Résumé quotidien à 07:00, Africa/Monrovia").waitFor()

  const customers = page.getByTestId("customers")
  await customers.getByRole("button", { name: "Modifier" }).click()
  await form
    .getByRole("group", { name: "E-mail" })
    .getByRole("switch", { name: "Reçu quand la commande est payée" })
    .click()
  await form.getByRole("button", { name: "Enregistrer" }).click()
  await form.waitFor({ state: "detached" })
  await customers.getByText("Reçu quand la commande est payée").waitFor()

  await ada.getByRole("button", { name: "Envoyer un essai" }).click()
  await ada.getByTestId("tested").getByText("Le fournisseur a pris").waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)

  await ada.getByRole("button", { name: "Retirer" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Retirer" }).click()
  await ada.waitFor({ state: "detached" })
})
