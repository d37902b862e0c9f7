/** The home page of the admin: what it says of today, and the accountant's sheet of today. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { expectAccessible } from "./axe"

/** The figure of today in a currency, and the link that opens its rows. */
export function today(page: Page, currency: string, figure: string) {
  const card = page.getByTestId("money-today").getByRole("group", { name: currency })
  return card.getByTestId(figure).getByRole("link").first()
}

/** The digits of an amount with its sign, however its language writes it. */
export const minorIn = (text: string) =>
  `${/^[-−–]/.test(text.trim()) ? "-" : ""}${text.replaceAll(/\D/g, "")}`

/** What each language calls things on the page and in the sheet. */
export const HOMES = [
  {
    language: "en",
    button: "Sheet for the accountant",
    item: "Today",
    file: /^accountant-[\d-]+\.csv$/,
    separator: ",",
    column: "Received",
    paid: /^Paid LRD/,
  },
  {
    language: "fr",
    button: "Fichier pour le comptable",
    item: "Aujourd’hui",
    file: /^comptable-[\d-]+\.csv$/,
    separator: ";",
    column: "Reçu",
    paid: /^Payé/,
  },
] as const

/** The digits of what the sheet of today says was received in a currency. */
export async function sheetOfToday(
  page: Page,
  words: (typeof HOMES)[number],
  currency: string,
): Promise<string> {
  await page.getByRole("button", { name: words.button }).click()
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: words.item }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(words.file)
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n")
  const [heads = [], ...rows] = lines.map((line) => line.split(words.separator))
  const total = rows.find((cells) => cells[2] === "Total" && cells.includes(currency))
  return minorIn(total?.[heads.indexOf(words.column)] ?? "")
}

/** Nothing is wider than the screen, and what is read aloud is whole. */
export async function expectFits(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  expect(await page.locator("[data-testid^=money-] a").count()).toBeGreaterThan(0)
  const wide = await page.evaluate(() => {
    const links = [...document.querySelectorAll("[data-testid^=money-] a")]
    return links
      .filter((link) => link.getBoundingClientRect().right > window.innerWidth)
      .map((link) => link.textContent)
  })
  expect(wide).toEqual([])
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overhang).toBe(0)
  await expectAccessible(page)
}
