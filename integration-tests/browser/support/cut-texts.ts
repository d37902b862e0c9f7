/**
 * What a person can't read although it is there: texts that end in "…" or outside of their box, and
 * tables that have to be pushed sideways.
 */
import type { Page } from "playwright-core"

export const cutTexts = (page: Page, within: string): Promise<string[]> =>
  page.locator(within).first().evaluate(cutIn)

/** In the page. */
function cutIn(root: Element): string[] {
  const parts = [...root.querySelectorAll<HTMLElement>("*")]
  return parts.flatMap((part) => {
    const { overflowX, position } = getComputedStyle(part)
    // Words for a screen reader alone are in a box of one pixel.
    const isHidden = !part.checkVisibility() || (position === "absolute" && part.clientWidth <= 1)
    const isCut = overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1
    return isCut && !isHidden ? [`${part.className}: ${part.innerText.slice(0, 80)}`] : []
  })
}

/** By how many pixels the page is wider than its screen. */
export async function overhangOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
