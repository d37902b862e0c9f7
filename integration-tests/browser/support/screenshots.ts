/**
 * Pictures of the main screens. They go to a temporary folder, or, with `UPDATE_SCREENSHOTS=1`, to
 * `docs/screenshots`, where the documents show them; so a test run leaves the checkout as it was. A
 * page that has to be pushed sideways is no picture.
 */
import { mkdir, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Page } from "playwright-core"

const SHOWN = resolve(__dirname, "../../../docs/screenshots")

/** What passes by would be in one picture and not in the next. */
const UNSEEN = "[data-sonner-toaster] { visibility: hidden; }"
/** Longer, and a picture in a page is a scroll of its own. */
const HEIGHT_MAX_PX = 2_000

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
    await atFullHeight(page, () =>
      page.screenshot({
        path: join(folder, `${name}.png`),
        animations: "disabled",
        fullPage: true,
        style: UNSEEN,
      }),
    )
  }
}

/** The admin scrolls a part of its page, which a picture of the whole page would cut off. */
async function atFullHeight(page: Page, take: () => Promise<unknown>): Promise<void> {
  const screen = page.viewportSize()
  const hidden = await page.evaluate(() =>
    Math.max(
      0,
      ...[...document.querySelectorAll("*")]
        .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
        .map((part) => part.scrollHeight - part.clientHeight),
    ),
  )
  if (!screen || hidden === 0) {
    await take()
    return
  }
  const height = Math.max(screen.height, Math.min(screen.height + hidden, HEIGHT_MAX_PX))
  await page.setViewportSize({ ...screen, height })
  await take()
  await page.setViewportSize(screen)
}
