/**
 * Pictures of the main screens. They go to a temporary folder, so that a test run leaves the
 * checkout as it was. With `UPDATE_SCREENSHOTS=1` those that a document shows go to
 * `docs/screenshots`. A page that has to be pushed sideways is no picture.
 */
import { mkdir, mkdtemp, readdir, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Page } from "playwright-core"

const ROOT = resolve(__dirname, "../../..")
const SHOWN = join(ROOT, "docs/screenshots")

/** What passes by would be in one picture and not in the next. */
const UNSEEN = "[data-sonner-toaster] { visibility: hidden; }"
/** Longer, and a picture in a page is a scroll of its own. */
const HEIGHT_MAX_PX = 2_000

export type Camera = (page: Page, name: string) => Promise<void>

export async function camera(): Promise<Camera> {
  const texts = process.env.UPDATE_SCREENSHOTS === "1" ? await documents() : ""
  const aside = await mkdtemp(join(tmpdir(), "screenshots-"))
  await mkdir(SHOWN, { recursive: true })
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
        path: join(texts.includes(`screenshots/${name}.png`) ? SHOWN : aside, `${name}.png`),
        animations: "disabled",
        fullPage: true,
        style: UNSEEN,
      }),
    )
  }
}

/** All that may show a picture, as one text. */
async function documents(): Promise<string> {
  const pages = (await readdir(join(ROOT, "docs"))).filter((name) => name.endsWith(".md"))
  const files = ["README.md", "packages/checkout/README.md", ...pages.map((name) => `docs/${name}`)]
  return (await Promise.all(files.map((name) => readFile(join(ROOT, name), "utf8")))).join("\n")
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
