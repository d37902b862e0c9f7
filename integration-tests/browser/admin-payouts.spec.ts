/** An admin sends money out: the form, the passcode, and what the list says of it in each width. */
import { expectAccessible, OPEN_DIALOG } from "./support/axe"
import { cutTexts, overhangOf } from "./support/cut-texts"
import { useDemo } from "./support/use-demo"

const PHONE_WIDTH = 390

const suite = useDemo({ portBase: 4660 })

test("money is sent to a wallet with the passcode, and followed until it has arrived", async () => {
  const { page, open } = await suite.inOffice()
  await open("/merchant-payments/payouts")
  await page.getByRole("button", { name: "Send money" }).click()
  const form = page.getByRole("dialog")
  await form.getByText("The gateway tells this page no wallet and no balance.").waitFor()
  await form.getByLabel("Amount").fill("42.50")
  await page.keyboard.press("Escape")
  const leave = page.getByRole("alertdialog")
  await leave.getByText("Discard what you have entered?").waitFor()
  await leave.getByRole("button", { name: "Go on" }).click()
  await leave.waitFor({ state: "detached" })
  expect(await form.getByLabel("Amount").inputValue()).toBe("42.50")
  const fill = async () => {
    await form.getByLabel("Reason").fill("Fish for the canteen")
    await form.getByLabel("Recipient").fill("Ada Carpenter")
    await form.getByLabel("Phone", { exact: true }).fill("+231 770 000 010")
  }
  await fill()
  await expectAccessible(page, OPEN_DIALOG)
  const send = async (passcode: string) => {
    await form.getByLabel("Passcode", { exact: true }).fill(passcode)
    await form.getByRole("button", { name: "Send money" }).click()
    const sure = page.getByRole("alertdialog")
    await sure.getByText("Send LRD 42.50?").waitFor()
    await sure.getByRole("button", { name: "Send" }).click()
  }
  await send("000000")
  await form.getByRole("alert").filter({ hasText: "passcode" }).waitFor()
  expect(await form.getByTestId("problem").count()).toBe(0)
  expect(await form.getByLabel("Passcode", { exact: true }).inputValue()).toBe("")
  // The refused call may have arrived twice: until that has failed for sure, it is shown and no other sent.
  await send("246810")
  await page.getByRole("heading", { name: "LRD 42.50" }).waitFor()
  await page.getByText("Failed", { exact: true }).first().waitFor()
  await open("/merchant-payments/payouts")
  await page.getByRole("button", { name: "Send money" }).click()
  await form.getByLabel("Amount").fill("42.50")
  await fill()
  await send("246810")
  await page.getByRole("heading", { name: "LRD 42.50" }).waitFor()
  await page.getByText("Arrived", { exact: true }).first().waitFor()
  const told = ["Ada Carpenter", "…010", suite.state.admin_email, "Fish for the canteen"]
  for (const text of told) await page.getByTestId("recipient").getByText(text).waitFor()
  await open("/merchant-payments/payouts")
  const row = page.getByRole("row").filter({ hasText: "Arrived" }).first()
  await page.getByRole("columnheader", { name: "Sent by" }).waitFor()
  const isRead = async () => {
    for (const text of [...told, "Payout"]) await row.getByText(text).first().waitFor()
    expect(await row.getByText(/^\u2212LRD\s42\.50$/).count()).toBe(1)
    expect(await overhangOf(page)).toBe(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await isRead()
  expect(await cutTexts(page, "main")).toEqual([])
  await suite.shoot(page, "admin-payouts")
  await page.setViewportSize({ width: PHONE_WIDTH, height: 844 })
  await page.getByRole("columnheader", { name: "Sent by" }).waitFor({ state: "detached" })
  await isRead()
})
