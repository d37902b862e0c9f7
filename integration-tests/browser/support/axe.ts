/**
 * What a person with a screen reader, a keyboard or weak eyes would stumble over, found by axe-core
 * in a page that stands open, once in the light look and once in the dark one. Looked at is what is
 * ours: the content beside the dashboard's menu and what is open on top of it, or the part that a
 * test names.
 */
import { readFileSync } from "node:fs"
import type axe from "axe-core"
import type { AxeResults, ContextObject, RunOptions } from "axe-core"
import type { Page } from "playwright-core"

const SOURCE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")
/** Lesser violations are matters of taste as often as of sight. */
const GRAVE = new Set(["serious", "critical"])
const LOOKS = ["light", "dark"] as const

/** The content of a page of ours. Menu and top bar are the dashboard's. */
export const PAGE = "main"
/** A drawer or a prompt. The page behind it is out of reach while it is open. */
export const OPEN_DIALOG = "[role=dialog], [role=alertdialog]"

/**
 * What the dashboard does by itself inside our pages; we can't mend it, and each says why it is
 * here.
 */
const NOT_OURS: readonly string[] = [
  // The data table's funnel, and the menu of its order, have a picture and no name. Ours has words.
  "button[aria-haspopup=menu]:not(table button)",
  // The glass in a search field calls itself a picture and has no words.
  "input[type=search] + [role=img]",
  // The cross of a drawer has a picture and no name.
  "[role=dialog] kbd + button",
]

/** Enough to find it in the source. */
const HTML_MAX = 300

/** A colour half way between two looks belongs to neither. */
const STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"

type Finding = {
  readonly rule: string
  readonly variant: string
  readonly where: readonly string[]
}

/**
 * Asserts that nothing serious is wrong with what stands open.
 * @param within a selector; what it matches has to be there
 * @param without what a test knows to be another's, with its reason beside the call
 */
export async function expectAccessible(
  page: Page,
  within: string = PAGE,
  without: readonly string[] = [],
): Promise<void> {
  expect(await accessProblems(page, within, without)).toEqual([])
}

/** What is wrong, in the words of axe: for a walk that tells of all its pages at once. */
export async function accessProblems(
  page: Page,
  within: string = PAGE,
  without: readonly string[] = [],
): Promise<string[]> {
  await page.locator(within).first().waitFor()
  // A page that changes within its document keeps what it was given.
  if (!(await page.evaluate(() => "axe" in window))) {
    await untilStill(page)
    await page.addStyleTag({ content: STILL })
    // Not a script tag, which a page may forbid; it is evaluated in the page's own harness all the
    // same.
    await page.evaluate(SOURCE)
  }
  const before = await wornLook(page)
  const found: Finding[] = []
  for (const variant of LOOKS) {
    await wear(page, variant)
    found.push(
      ...(await violationsIn(page, variant, { within, without: [...NOT_OURS, ...without] })),
    )
  }
  await wear(page, before)
  return found.map(({ rule, variant, where }) => [rule, variant, ...where].join("\n"))
}

/**
 * A menu that is closing leaves at the end of its animation. Where the style takes the animation
 * away before, the menu stays and hides the page behind it from roles. A spinner has no end.
 */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

async function violationsIn(
  page: Page,
  variant: string,
  { within, without }: { readonly within: string; readonly without: readonly string[] },
): Promise<Finding[]> {
  const results = await page.evaluate(run, {
    context: { include: [within], exclude: [...without] } satisfies ContextObject,
    options: { resultTypes: ["violations"] } satisfies RunOptions,
  })
  return results.violations
    .filter(({ impact }) => GRAVE.has(impact ?? ""))
    .map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      variant,
      where: nodes.map(({ target, html }) => `${target.join(" ")} ${html.slice(0, HTML_MAX)}`),
    }))
}

/** In the page. */
function run(given: { context: ContextObject; options: RunOptions }): Promise<AxeResults> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  return checker.run(given.context, given.options)
}

/** As the dashboard does when its theme is chosen. */
async function wear(page: Page, variant: string): Promise<void> {
  await page.evaluate((name) => {
    const root = document.documentElement
    root.classList.remove("light", "dark")
    root.classList.add(name)
    root.style.colorScheme = name
  }, variant)
}

function wornLook(page: Page): Promise<string> {
  return page.evaluate(() =>
    document.documentElement.classList.contains("dark") ? "dark" : "light",
  )
}
