/**
 * Pictures of the main screens. They go to a temporary folder, or, with `UPDATE_SCREENSHOTS=1`, to
 * `docs/screenshots`, where the README shows them; so a test run leaves the checkout as it was. A page that has to be pushed sideways is no picture.
 */
import { mkdir, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Page } from "playwright-core"

const SHOWN = resolve(__dirname, "../../../docs/screenshots")

export type Camera = (page: Page, name: string) => Promise<void>

export async function camera(): Promise<Camera> {
  const isUpdate = process.env.UPDATE_SCREENSHOTS === "1"
  const folder = isUpdate ? SHOWN : await mkdtemp(join(tmpdir(), "screenshots-"))
  await mkdir(folder, { recursive: true })
  return async (page, name) => {
    // A picture half loaded is no picture; what never loads is the page's own problem.
    await page.waitForLoadState("load")
    // A header that stays on top would otherwise stand in the middle of the picture.
    await page.evaluate(() => window.scrollTo(0, 0))
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (overhang > 0) throw new Error(`${name} is ${overhang} px wider than its screen`)
    await page.screenshot({
      path: join(folder, `${name}.png`),
      animations: "disabled",
      fullPage: true,
    })
  }
}
